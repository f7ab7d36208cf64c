#pragma once

#include "widgets/theme.hpp"

namespace hinesight::widgets {

/// While it lives, theme() and the colours that depend on it are of another mode; palettes and widgets stay as they
/// are. For painting that ends before the event loop goes on.
class ThemeScope
{
public:
  explicit ThemeScope(ThemeMode mode);
  ~ThemeScope();
  ThemeScope(const ThemeScope&) = delete;
  ThemeScope& operator=(const ThemeScope&) = delete;

private:
  ThemeMode before;
};

} // namespace hinesight::widgets
