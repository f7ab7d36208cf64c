#include "widgets/cells/branch_colors.hpp"

#include "widgets/theme.hpp"

#include <chrono>
#include <exception>
#include <utility>

namespace hinesight::widgets {

std::shared_ptr<const Coloring> BranchColors::of(const Scene& scene, ColorBy rule, LegendOf cells)
{
  const Key key{rule, cells, theme().mode};
  std::promise<std::shared_ptr<const Coloring>> promise;
  {
    std::unique_lock lock(mutex);
    if (const auto found = made.find(key); found != made.end()) {
      const auto colors = found->second;
      lock.unlock();
      return colors.get();
    }
    made.emplace(key, promise.get_future().share());
  }
  try {
    auto colors = std::make_shared<const Coloring>(scene, rule, cells, ColorsOf::Branches);
    promise.set_value(colors);
    return colors;
  } catch (...) { // who needs them next tries again
    const std::lock_guard lock(mutex);
    made.erase(key);
    promise.set_exception(std::current_exception());
    throw;
  }
}

bool BranchColors::has(ColorBy rule, LegendOf cells)
{
  const std::lock_guard lock(mutex);
  const auto found = made.find({rule, cells, theme().mode});
  return found != made.end() && found->second.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
}

} // namespace hinesight::widgets
