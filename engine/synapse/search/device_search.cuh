#pragma once

// For .cu files only.

#include "core/cuda/device_exchange.cuh"
#include "synapse/ranks/seeker_share.hpp"
#include "synapse/search/device_vacant.cuh"
#include "synapse/search/device_walk.cuh"
#include "synapse/search/pair_key.hpp"
#include "synapse/search/search.hpp"

#include <cstddef>
#include <cstdint>

namespace hinesight::synapse::detail {

/// A search on the device: the requests of searchTargets. Work is put on the default stream, or on streams that wait
/// for it and that it waits for.
class DeviceSearch
{
public:
  /// The tree must outlive the search. `exchange`: with the GPUs of other ranks, each of which seeks for its share of
  /// the seekers (SeekerShare); null where there are none.
  DeviceSearch(const OctreeView& octree, const SearchParameters& parameters, cuda::DeviceExchange* exchange = nullptr);

  /// Takes the memory for so many elements that seek, beforehand.
  void reserve(std::size_t elements, cuda::Room room = cuda::Room::Exact);
  /// Gives back what only a search needs.
  void release();
  /// Sets what is sought, by neuron in device memory. Does not wait.
  void setSought(const std::uint32_t* vacant, cuda::Workspace& space) { sought.refresh(vacant, space); }
  const DeviceVacant& soughtElements() const { return sought; }

  /// Searches for all of `vacant`, by neuron in device memory. Waits for counts. On ranks it is collective, and all
  /// have all requests. Throws Error(BadParameter) where a neuron has more vacant elements than draws tell apart;
  /// Error(Cancelled); as cuda::check; on ranks FailedTogether.
  void run(const std::uint32_t* vacant, Channel channel, std::uint32_t step, cuda::Workspace& space,
           const RunControl& control = {});

  /// Of the last run, those that found nothing left out: in order of seeker, then element; on ranks in any order.
  const Request* requests() const { return found.data(); }
  std::size_t requestCount() const { return count; }
  /// What the exchange of requests among ranks took, ms; waiting for the last of them is part of it.
  double exchangeTime() const { return exchanged; }

private:
  void prepare(const std::uint32_t* vacant, cuda::Workspace& space);
  void countShare(const std::uint32_t* vacant, cuda::Workspace& space);
  void placeElements(const std::uint32_t* vacant, cuda::Workspace& space);
  void seek(const std::uint32_t* vacant, Channel channel, std::uint32_t step, Request* own, const RunControl& control);
  void gather(std::size_t places, cuda::Workspace& space);

  OctreeView tree;
  SearchParameters parameters;
  cuda::DeviceExchange* exchange;
  DeviceVacant sought;
  cuda::Buffer<CellBounds> cells;        ///< of an exact search
  cuda::Buffer<std::uint32_t> seekers;   ///< places of the Morton order that have vacant elements
  cuda::Buffer<std::uint32_t> selected;  ///< how many there are, and the most elements of one
  cuda::Buffer<std::uint64_t> firstSlot; ///< by neuron: of its elements; empty on ranks, where they go as they come
  cuda::Buffer<Request> outcome;         ///< what each element found, or kNoTarget; on ranks in equal parts
  cuda::Buffer<Request> found;
  cuda::Buffer<std::uint64_t> counter;
  SearchLaunches launches;
  std::uint32_t seekerCount = 0; ///< of all ranks
  SeekerShare share;             ///< what of it is this rank's
  std::uint32_t ownSeekers = 0;
  std::uint64_t ownElements = 0;
  std::size_t count = 0;
  double exchanged = 0;
};

/// Conflicts on the device: what resolveConflicts grants, bit for bit.
class DeviceConflicts
{
public:
  /// Takes the memory for so many requests, beforehand.
  void reserve(std::size_t requests, cuda::Room room = cuda::Room::Exact);
  /// Gives it back.
  void release();

  /// `vacant` by neuron in device memory: elements that are sought. `seeksAxons`: an inverse search. Leaves the pairs
  /// of the requests that are granted, in the order of the requests; which they are does not depend on it. Waits for a
  /// count.
  void resolve(const Request* requests, std::size_t requestCount, const std::uint32_t* vacant, std::uint32_t neurons,
               Channel channel, std::uint32_t step, std::uint64_t seed, bool seeksAxons, cuda::Workspace& space);

  /// Of the last call: a flag a request.
  const std::uint8_t* granted() const { return flag.data(); }
  const PairKey* pairs() const { return pair.data(); }
  std::size_t pairCount() const { return count; }

private:
  cuda::Buffer<std::uint64_t> key[2];
  cuda::Buffer<std::uint32_t> request[2];
  cuda::Buffer<std::uint8_t> flag;
  cuda::Buffer<PairKey> pair;
  cuda::Buffer<std::uint64_t> counter;
  std::size_t count = 0;
};

} // namespace hinesight::synapse::detail
