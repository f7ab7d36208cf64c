#pragma once

#include "synapse/plasticity/neurons/element_step.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace hinesight::synapse::detail {

/// Follows the mean calcium target of the enabled neurons while targets decay. Neurons with one target go on having one
/// until some of them are disabled, so that a step costs as much as there are different targets, and the host follows
/// them on any backend. The mean is a function of who has which target alone: it is the same, to the last bit, however
/// far back it began to be followed.
class TargetMean
{
public:
  /// By neuron, as they are before the next step.
  TargetMean(std::span<const double> targets, std::span<const std::uint8_t> enabled, const TargetDecayStep& decayStep);

  /// Before a step neurons were enabled or disabled, all by neuron.
  void setEnabled(std::span<const std::uint8_t> enabled);
  /// A step was done.
  void pass(std::uint32_t step);
  /// 0 where no neuron is enabled.
  double value() const { return mean; }

private:
  struct Group
  {
    double target = 0;
    bool isEnabled = true;
    std::uint64_t neurons = 0;
  };

  void regroup(std::span<const double> targets, std::span<const std::uint8_t> enabled);
  void average();

  TargetDecayStep decay;
  std::vector<Group> groups;          ///< by target: each decay leaves this order as it is
  std::vector<std::uint32_t> groupOf; ///< by neuron
  double mean = 0;
};

} // namespace hinesight::synapse::detail
