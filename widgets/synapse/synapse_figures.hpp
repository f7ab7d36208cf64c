#pragma once

#include "core/run_control.hpp"
#include "synapse/formation/formation.hpp"

#include <cstdint>
#include <vector>

namespace hinesight::widgets {

/// How far synapses reach, and how far the kernel lets one expect them to.
struct DistanceFigure
{
  double binWidth = 0;               ///< um; bin k begins at k times it
  std::vector<std::uint64_t> counts; ///< synapses by the distance of their neurons
  std::uint64_t synapses = 0;
  double mean = 0; ///< of the synapses, um
  // Of the kernel; empty until it was summed.
  std::vector<double> expected;  ///< synapses
  std::vector<double> deviation; ///< standard deviation: of so many draws, and of the sample of seekers
  std::uint32_t seekers = 0;     ///< in that sample

  bool hasExpectation() const { return !expected.empty(); }
};

/// The synapses alone. On any thread. Throws Error(Cancelled).
DistanceFigure measureDistances(const synapse::Formation& formation, const RunControl& control = {});

/// Adds the expectation: the mean over a sample of seekers, evenly spread along the Morton order, of the exact
/// probabilities of all neurons (a naive search), which for one seeker are K(d) over their sum. Conflicts between
/// seekers are left out of account. Throws Error(Cancelled).
void addExpectation(DistanceFigure& figure, const synapse::Formation& formation, const RunControl& control);

/// Synapses from one cell of a level to another, or inside one.
struct SynapseBundle
{
  std::uint32_t from = 0;        ///< a neuron of the cell of the axons
  std::uint32_t to = 0;          ///< a neuron of the cell of the dendrites
  synapse::Position source = {}; ///< mean of the axons' neurons, um
  synapse::Position target = {};
  std::uint64_t count = 0;
};

/// The largest bundles between the cells of a level, at most `most`, largest first. On any thread. Throws
/// Error(Cancelled).
std::vector<SynapseBundle> bundleSynapses(const synapse::Formation& formation, int level, std::size_t most,
                                          const RunControl& control);

/// What an element of that neuron would seek by: the sign of its axons; in an inverse search the sign of the axons that
/// there are more vacant elements of.
synapse::Channel seekingChannel(const synapse::Formation& formation, std::uint32_t neuron);

} // namespace hinesight::widgets
