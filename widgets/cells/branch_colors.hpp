#pragma once

#include "widgets/cells/coloring.hpp"

#include <compare>
#include <future>
#include <map>
#include <memory>
#include <mutex>

namespace hinesight::widgets {

/// The colours of a scene's branches, kept with the scene and its copies: made once for all views, on the thread that
/// needs them first, while others wait for it. So they can be made before a view is turned to.
class BranchColors
{
public:
  /// By the colours of theme(). On any thread. Throws std::bad_alloc.
  std::shared_ptr<const Coloring> of(const Scene& scene, ColorBy rule, LegendOf cells);
  /// Whether `of` would give them at once.
  bool has(ColorBy rule, LegendOf cells);

private:
  struct Key
  {
    ColorBy rule;
    LegendOf cells;
    ThemeMode mode;
    auto operator<=>(const Key&) const = default;
  };

  std::mutex mutex;
  std::map<Key, std::shared_future<std::shared_ptr<const Coloring>>> made;
};

} // namespace hinesight::widgets
