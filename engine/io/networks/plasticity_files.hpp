#pragma once

#include "synapse/plasticity/plasticity.hpp"

#include <filesystem>
#include <vector>

// The text files of RELeARN (tuda-parallel/RELeARN 1.1) that say more of a plasticity model than its options do. Ids
// count from 1; where a rank stands before one, "0:17", it must be 0. Fields are apart by blanks; empty lines and those
// that begin with '#' are skipped. Every function throws as readFile, and Error(BadFormat) with file and line.

namespace hinesight::io {

/// Calcium at the start and calcium target, "id initial target" a line; those of id 0 are the neurons' that have no
/// line. Sets initial calcium, target and individual calcium of the parameters.
void readCalcium(const std::filesystem::path& path, synapse::PlasticityParameters& parameters);

/// Background that neurons and areas get from a step on, "step KIND NEURON..." a line, with KIND null, constant:VALUE,
/// normal:MEAN,SPREAD or fastnormal:MEAN,SPREAD, and NEURON an id or the name of an area.
std::vector<synapse::BackgroundChange> readBackgrounds(const std::filesystem::path& path);

/// Interrupts: "step d id..." disables, "step e id..." enables, "step c count" creates neurons.
std::vector<synapse::Interrupt> readInterrupts(const std::filesystem::path& path);

} // namespace hinesight::io
