#pragma once

#include "widgets/theme.hpp"

#include <optional>

namespace hinesight::widgets {

/// While it lives, theme() and the colours that depend on it are of another mode on this thread; palettes and widgets
/// stay as they are. For painting that ends before the event loop goes on, and for what is coloured on other threads.
class ThemeScope
{
public:
  explicit ThemeScope(ThemeMode mode);
  ~ThemeScope();
  ThemeScope(const ThemeScope&) = delete;
  ThemeScope& operator=(const ThemeScope&) = delete;

private:
  std::optional<ThemeMode> before;
};

} // namespace hinesight::widgets
