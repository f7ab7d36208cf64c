#pragma once

// For .cu files only.

#include "core/cuda/stream.cuh"
#include "core/stage_timings.hpp"
#include "synapse/formation/device_graph.cuh"
#include "synapse/octree/device_octree.cuh"
#include "synapse/search/device_search.cuh"

#include <cstddef>
#include <cstdint>

namespace hinesight::synapse::detail {

/// New synapses on the device, one channel after the other. Work is put on the default stream.
class Connector
{
public:
  virtual ~Connector() = default;

  /// Starts an update: there are no new synapses.
  void begin() { added = 0; }
  /// Adds those of one channel. `axons` and `dendrites` are vacant elements by neuron in device memory, axons those of
  /// the channel's neurons only. Adds to the stages "vacant", "search", "resolve", on ranks "exchange". Throws
  /// Error(BadParameter) for too many elements, Error(Cancelled), and as cuda::check. On ranks it is collective, and
  /// throws FailedTogether.
  virtual void connect(Channel channel, std::uint32_t step, const std::uint32_t* axons, const std::uint32_t* dendrites,
                       StageTimings& timings, const RunControl& control) = 0;

  /// The new synapses since `begin`, both channels', in device memory: not ordered, a pair as often as it has some.
  const PairKey* newSynapses() const { return synapses.data(); }
  std::size_t newSynapseCount() const { return added; }

  /// For other work of CUB between the calls.
  cuda::Workspace& workspace() { return space; }

protected:
  /// Adds pairs in device or main memory.
  void append(const PairKey* pairs, std::size_t count);

  cuda::Workspace space;
  cuda::Buffer<PairKey> synapses;

private:
  std::size_t added = 0;
};

/// Vacant elements are added up in the octree of all neurons, searched for and granted on the device; nothing but
/// counts goes to the host.
class DeviceConnector final : public Connector
{
public:
  /// The tree must outlive the connector. `exchange`: with other ranks, which have the same tree and the same vacant
  /// elements; the search is split among them, everything else each does for itself. Null: there are none.
  DeviceConnector(const OctreeView& tree, const SearchParameters& parameters, cuda::DeviceExchange* exchange = nullptr);

  /// Takes the memory for so many seeking elements of one channel, and new synapses of both, beforehand.
  void reserve(std::size_t elements, std::size_t fresh);

  /// Gives back what only the search and its conflicts need; the new synapses stay.
  void release();

  void connect(Channel channel, std::uint32_t step, const std::uint32_t* axons, const std::uint32_t* dendrites,
               StageTimings& timings, const RunControl& control) override;

  /// Of the last call of connect.
  const DeviceVacant& soughtElements() const { return search.soughtElements(); }
  std::size_t requestCount() const { return search.requestCount(); }

private:
  std::uint32_t neurons;
  SearchParameters parameters;
  cuda::DeviceExchange* exchange;
  DeviceSearch search;
  DeviceConflicts conflicts;
  cuda::Timer timer;
};

} // namespace hinesight::synapse::detail
