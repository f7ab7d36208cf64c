#pragma once

#include "app/pages/panel.hpp"
#include "app/pages/tab.hpp"

#include <QString>

#include <span>
#include <string_view>
#include <vector>

namespace hinesight::app {

class PageHost;

/// A view of the cells, or a page: what the tabs, the menu, the keys, `--view` and the help have of it.
struct PageDefinition
{
  std::string_view name; ///< as in `--view`; its action is called so too
  const char* title;
  const char* question; ///< that it answers
  const char* use;      ///< what the mouse and the keys do in it, as the table of the user guide says
  const char* section;  ///< of the user guide
  /// Makes the page with its panel of parameters; both have a parent by then. Null for a view of the cells.
  Tab (*make)(PageHost& host) = nullptr;
  /// What says something to it, that which says most first.
  std::vector<Panel> panels = {Panel::Parameters, Panel::Data};
};

/// In the order of their tabs: first those of ViewKind, in its order.
std::span<const PageDefinition> allPages();

QString titleOf(const PageDefinition& page);
QString questionOf(const PageDefinition& page);
/// Tells the help for what is under the mouse what a page is.
void describe(QWidget* widget, const PageDefinition& page);
/// So many pages have a digit as a key: 1 to 9, then 0.
inline constexpr int kDigits = 10;
constexpr int digitOf(int place)
{
  return (place + 1) % kDigits;
}
/// The question of the page at a place, and its key, for a tooltip.
QString helpOf(int place);

} // namespace hinesight::app
