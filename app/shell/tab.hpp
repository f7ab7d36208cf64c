#pragma once

#include <QString>

#include <functional>

class QWidget;

namespace hinesight::app {

/// What the window's panels, menus and keys mean while a view or a page is seen.
struct Tab
{
  QString title;
  QWidget* parameters = nullptr;   ///< the panel of them
  std::function<void()> seen = {}; ///< it came into view; empty: nothing is to be done
  std::function<void()> fit = {};  ///< empty: there is nothing to fit
  std::function<void()> runAgain;
  std::function<void()> resetParameters;
  std::function<void(const QString& path)> savePicture = {}; ///< throws as widgets::writePicture
  std::function<void()> askWhereToSave = {};                 ///< empty: for a PNG, as the window does
};

} // namespace hinesight::app
