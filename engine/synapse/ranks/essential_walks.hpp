#pragma once

#include "core/run_control.hpp"
#include "synapse/ranks/essential_tree.hpp"
#include "synapse/ranks/placed_neurons.hpp"
#include "synapse/search/search.hpp"
#include "synapse/search/search_step.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace hinesight::synapse {

/// A search of all vacant elements of one channel, of this rank's neurons by number.
struct EssentialQuery
{
  std::span<const std::uint32_t> seeking; ///< vacant elements
  std::span<const std::uint32_t> offered;
  Channel channel;
  std::uint32_t step;
  const SearchParameters& parameters; ///< of the theta that the search was made for
};

/// A descent that goes on at another rank.
struct Descent
{
  std::uint32_t seeker = 0;
  std::uint32_t element = 0;
  Seeker<float> position = {}; ///< of the seeker
  std::uint32_t node = 0;      ///< that was picked last, as its owner counts
  std::uint32_t picks = 0;     ///< how many there were
  std::int32_t owner = 0;      ///< of the node
};
static_assert(sizeof(Descent) == 32);

/// What the elements of this rank's places found, before any descent goes on elsewhere.
struct FirstFinds
{
  std::vector<Request> requests;
  std::vector<Descent> descents;
};

/// The walks of one rank over its essential tree, in searches of the kinds that weigh cells as a whole; on the
/// processor or on a GPU. Both find the same in the same order, that of places, then of elements.
class EssentialWalks
{
public:
  /// What is walked over stays as long as the walks.
  EssentialWalks(const PlacedNeurons& placedNeurons, const EssentialTree& essentialTree)
      : placed(placedNeurons), essential(essentialTree)
  {}
  EssentialWalks(const EssentialWalks&) = delete;
  EssentialWalks& operator=(const EssentialWalks&) = delete;
  virtual ~EssentialWalks() = default;

  /// Begins a search. `seeking`: vacant elements by place; `sought` sums what is offered. Throws as searchTargets.
  virtual FirstFinds begin(const EssentialQuery& query, const std::vector<std::uint32_t>& seeking,
                           const VacantElements& sought, const RunControl& control) = 0;
  /// Ends the search that was begun last: goes on with descents that have come to a subtree of this rank, and puts what
  /// they find behind `requests`. Throws as begin.
  virtual void finish(const EssentialQuery& query, const VacantElements& sought, std::span<const Descent> descents,
                      std::vector<Request>& requests, const RunControl& control) = 0;
  /// What it runs on.
  virtual std::string device() const = 0;

protected:
  /// Of an element that picked a leaf without a neuron, after so many picks.
  Descent descentFrom(std::uint32_t place, std::uint32_t element, std::uint32_t leaf, std::uint32_t picks) const;
  /// The places that seek, in their order.
  static std::vector<std::uint32_t> placesOf(const std::vector<std::uint32_t>& seeking);

  const PlacedNeurons& placed;
  const EssentialTree& essential;
};

namespace detail {

std::unique_ptr<EssentialWalks> makeCpuWalks(const PlacedNeurons& placed, const EssentialTree& tree, int threads);
/// On the GPU that the calling thread works on. It has the nodes of the essential tree, and those alone. Throws
/// Error(NoDevice), Error(OutOfMemory), Error(DeviceFailure).
std::unique_ptr<EssentialWalks> makeCudaWalks(const PlacedNeurons& placed, const EssentialTree& tree, double theta,
                                              int threads);

} // namespace detail

} // namespace hinesight::synapse
