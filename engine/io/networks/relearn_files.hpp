#pragma once

#include "core/run_control.hpp"
#include "io/networks/stored_network.hpp"
#include "synapse/formation/formation.hpp"

#include <filesystem>

// The text files of RELeARN (tuda-parallel/RELeARN 1.1). Ids count from 1 on each MPI rank; here all ranks' neurons are
// one population, rank after rank. Lines that begin with '#' are comments, but for the sizes among them.
//
// Positions: "id x y z area ex|in" a line, um. Networks: "target_rank target_id source_rank source_id weight plastic" a
// line; where plastic is 1 the weight counts synapses and is negative from inhibitory axons, where it is 0 it is any
// number. A rank's in-network file holds the synapses onto its neurons, its out-network file those from them. In a
// folder the files are named rank_R_..._positions.txt, rank_R_in_network.txt, rank_R_out_network.txt.

namespace hinesight::io {

/// Whether a folder has a file of a rank: its positions or one of its networks. False also where it cannot be looked
/// into.
bool holdsRelearnFiles(const std::filesystem::path& folder);

/// Positions of one file, or of the files of all ranks in a folder. Throws as readFile, Error(BadFormat) with file and
/// line, Error(Cancelled).
synapse::NeuronPopulation readRelearnPositions(const std::filesystem::path& path, const RunControl& control = {});

namespace detail {
/// Positions of the text of one file.
synapse::NeuronPopulation parseRelearnPositions(const std::string& text, const std::filesystem::path& path,
                                                const RunControl& control);
} // namespace detail

/// As one rank's file; into a folder as rank_0_positions.txt. Throws Error(BadParameter) for an area whose name has
/// blanks, Error(WriteFailed), Error(Cancelled).
void writeRelearnPositions(const synapse::NeuronPopulation& population, const std::filesystem::path& path,
                           const RunControl& control = {});

/// One file of a run with one rank, or the files of all ranks in a folder: there the in-networks, and the out-networks
/// where there are no others; where there are both, they must be of the same synapses.
/// Throws as readRelearnPositions.
StoredNetwork readRelearnNetwork(const std::filesystem::path& path, const RunControl& control = {});

/// As one rank's file, ordered by source where the name holds "out_network", else by target; into a folder both, as
/// rank_0_in_network.txt and rank_0_out_network.txt. Throws Error(WriteFailed), Error(Cancelled).
void writeRelearnNetwork(const StoredNetwork& network, const std::filesystem::path& path,
                         const RunControl& control = {});

} // namespace hinesight::io
