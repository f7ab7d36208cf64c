#pragma once

#include <QJsonObject>
#include <QList>
#include <QMargins>
#include <QRect>
#include <QString>

#include <Qt>

#include <optional>
#include <string>
#include <vector>

namespace hinesight::app {

/// A pane with a page, or panes beside or below each other.
struct PaneTree
{
  std::string page = {};                        ///< as PageDefinition::name; empty: the panes are `parts`
  Qt::Orientation orientation = Qt::Horizontal; ///< of parts: horizontal ones stand beside each other
  std::vector<PaneTree> parts = {};             ///< two or more
  std::vector<double> shares = {};              ///< of each part; above 0; of a new tree they may be missing: all alike

  bool operator==(const PaneTree&) const = default;
};

/// A page in a window of its own.
struct PageWindow
{
  std::string page;
  QRect place; ///< of its frame, on the screen; empty: where there is room

  bool operator==(const PageWindow&) const = default;
};

inline constexpr int kMostCopies = 4; ///< of one page, besides the page itself

/// Where pages are seen: every page at one place at most, and its copies.
struct Arrangement
{
  PaneTree panes;
  std::vector<PageWindow> windows = {};
  std::vector<PageWindow> copies = {}; ///< of pages that are seen besides; several of one page at most kMostCopies
  std::string current = {};            ///< page that keys and menus mean; empty: the first one

  bool operator==(const Arrangement&) const = default;
};

QJsonObject toJson(const Arrangement& arrangement);
/// Pages that there are not, and those that come twice, are left out; nothing where no pane is left.
std::optional<Arrangement> arrangementFrom(const QJsonObject& json);

/// Names of the pages in the panes, from the top left.
std::vector<std::string> pagesOf(const PaneTree& panes);

/// The place moved, and where that is not enough made smaller, so that it lies in the work area of one screen: of that
/// which has most of it, or of the first.
QRect broughtInside(const QRect& place, const QList<QRect>& workAreas);
/// What is inside the frame of a window whose frame would take that place, when it is brought inside so.
QRect contentInside(const QRect& place, const QMargins& frame, const QList<QRect>& workAreas);

} // namespace hinesight::app
