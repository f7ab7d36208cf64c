#pragma once

// For .cu files only.

#include "synapse/formation/device_connector.cuh"
#include "synapse/ranks/essential_search.hpp"
#include "synapse/ranks/neuron_ranges.hpp"

#include <cstdint>
#include <memory>

namespace hinesight::synapse::detail {

/// New synapses on ranks with a GPU each, none of which has the octree of all neurons. Each seeks for the neurons that
/// it has the places of; requests are granted by the processors of the neurons' owners. All GPUs have all new synapses
/// in the end.
class EssentialConnector final : public Connector
{
public:
  /// `ofRanks`: that the search was made for.
  EssentialConnector(Communicator& ofRanks, std::unique_ptr<const EssentialSearch> search, std::size_t neurons,
                     const SearchParameters& parameters);

  void connect(Channel channel, std::uint32_t step, const std::uint32_t* axons, const std::uint32_t* dendrites,
               StageTimings& timings, const RunControl& control) override;

private:
  Communicator& ranks;
  NeuronRanges ranges;
  SearchParameters parameters;
  std::unique_ptr<const EssentialSearch> search;
};

} // namespace hinesight::synapse::detail
