#include "synapse/plasticity/target_mean.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <unordered_map>

namespace hinesight::synapse::detail {

TargetMean::TargetMean(std::span<const double> targets, std::span<const std::uint8_t> enabled,
                       const TargetDecayStep& decayStep)
    : decay(decayStep)
{
  regroup(targets, enabled);
}

void TargetMean::setEnabled(std::span<const std::uint8_t> enabled)
{
  std::vector<double> targets;
  targets.reserve(groupOf.size());
  for (const std::uint32_t group : groupOf)
    targets.push_back(groups[group].target);
  regroup(targets, enabled);
}

void TargetMean::pass(std::uint32_t step)
{
  if (!decay.isDue(step))
    return;
  for (Group& group : groups)
    group.target = group.isEnabled ? decay.at(group.target) : group.target;
  average();
}

void TargetMean::regroup(std::span<const double> targets, std::span<const std::uint8_t> enabled)
{
  groups.clear();
  groupOf.resize(targets.size());
  std::unordered_map<std::uint64_t, std::uint32_t> known[2]; // by the bits of a target
  for (std::size_t i = 0; i < targets.size(); ++i) {
    const bool isEnabled = enabled[i] != 0;
    const bool isLikeLast = i > 0 && targets[i] == targets[i - 1] && enabled[i] == enabled[i - 1];
    if (isLikeLast) {
      groupOf[i] = groupOf[i - 1];
    } else {
      const auto [found, isNew] =
          known[isEnabled].try_emplace(std::bit_cast<std::uint64_t>(targets[i]), std::uint32_t(groups.size()));
      if (isNew)
        groups.push_back({targets[i], isEnabled, 0});
      groupOf[i] = found->second;
    }
    ++groups[groupOf[i]].neurons;
  }
  std::vector<std::uint32_t> order(groups.size()), placeOf(groups.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::stable_sort(order, {}, [this](std::uint32_t group) { return groups[group].target; });
  std::vector<Group> sorted;
  sorted.reserve(groups.size());
  for (const std::uint32_t group : order) {
    placeOf[group] = static_cast<std::uint32_t>(sorted.size());
    sorted.push_back(groups[group]);
  }
  groups = std::move(sorted);
  for (std::uint32_t& group : groupOf)
    group = placeOf[group];
  average();
}

/// Groups whose targets have become equal count as one: a model that goes on from a checkpoint has one of them.
void TargetMean::average()
{
  double sum = 0;
  std::uint64_t all = 0, alike = 0;
  double target = 0;
  for (const Group& group : groups) {
    if (!group.isEnabled)
      continue;
    if (group.target != target) {
      sum += static_cast<double>(alike) * target;
      alike = 0;
      target = group.target;
    }
    alike += group.neurons;
    all += group.neurons;
  }
  sum += static_cast<double>(alike) * target;
  const bool isOne = alike == all; // without rounding
  mean = all == 0 ? 0 : isOne ? target : sum / static_cast<double>(all);
}

} // namespace hinesight::synapse::detail
