#pragma once

#include "core/run_control.hpp"

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

// Spikes as SONATA has them: /spikes/POPULATION/timestamps and node_ids in an HDF5 file, or lines of "timestamps
// population node_ids" in a CSV file.

namespace hinesight::io {

/// Spikes of a population of nodes, side by side.
struct PopulationSpikes
{
  std::string population;
  std::vector<double> time;        ///< ms
  std::vector<std::uint64_t> node; ///< ids
};

/// An HDF5 file, by its first bytes, else a CSV file with blanks, tabs or commas between its columns. Older files have
/// no populations: theirs is without name. Throws as readFile, Error(BadFormat).
std::vector<PopulationSpikes> readSpikes(const std::filesystem::path& path, const RunControl& control = {});

/// Spikes ordered by time. Throws Error(WriteFailed).
void writeSpikesHdf5(std::span<const PopulationSpikes> spikes, const std::filesystem::path& path);
/// All populations by time, as BMTK writes them.
void writeSpikesCsv(std::span<const PopulationSpikes> spikes, const std::filesystem::path& path);

} // namespace hinesight::io
