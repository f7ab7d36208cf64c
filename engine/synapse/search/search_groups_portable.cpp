#include "synapse/search/search_groups_kernel.hpp"

namespace hinesight::synapse::detail {

namespace {

/// One seeker at a time.
struct OneLane
{
  static constexpr int kCount = 1;
  using Real = float;
  using Whole = std::int32_t;
  using Mask = bool;

  struct Sums
  {
    double sum = 0;
    void add(Mask mask, const Scaled<float>& weight)
    {
      if (mask)
        sum += valueOf(weight);
    }
    void store(double* to) const { *to = sum; }
  };

  static Real load(const float* from) { return *from; }
  static void store(std::uint32_t* to, Whole value) { *to = static_cast<std::uint32_t>(value); }
  static Whole later(Whole resume, std::uint32_t node)
  {
    return resume > static_cast<Whole>(node) ? resume : static_cast<Whole>(node);
  }
  static Mask notAfter(Whole resume, std::uint32_t node) { return resume <= static_cast<Whole>(node); }
  static Mask above(Real value, float limit) { return value > limit; }
  static Mask both(Mask a, Mask b) { return a && b; }
  static Mask without(Mask a, Mask b) { return a && !b; }
  static bool any(Mask mask) { return mask; }
  static Whole choose(Mask mask, std::uint32_t value, Whole other) { return mask ? static_cast<Whole>(value) : other; }
};

} // namespace

SearchSeekers portableSearch()
{
  return &searchSeekers<OneLane>;
}

} // namespace hinesight::synapse::detail
