#pragma once

#include "widgets/theme.hpp"

#include <QPalette>

#include <functional>
#include <optional>
#include <utility>
#include <vector>

class QWidget;

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

/// While it lives, a widget and all in it have the palette and the style of theme(), whatever the application has. To
/// polish one page anew takes a fraction of what setTheme takes for all of the window.
class WidgetThemeScope
{
public:
  explicit WidgetThemeScope(QWidget& top);
  ~WidgetThemeScope();
  WidgetThemeScope(const WidgetThemeScope&) = delete;
  WidgetThemeScope& operator=(const WidgetThemeScope&) = delete;

private:
  void setPalettes(const std::function<QPalette(const QPalette&)>& paletteFor);

  QWidget* changed = nullptr;                     ///< null: they have it already
  std::vector<std::pair<QWidget*, QPalette>> own; ///< as they were
};

} // namespace hinesight::widgets
