#include "app/pages/arrangement.hpp"

#include "app/pages/pages.hpp"

#include <QJsonArray>

#include <algorithm>
#include <numeric>
#include <set>

namespace hinesight::app {

namespace {

using Names = std::set<std::string>;

QJsonValue toJson(const PaneTree& tree)
{
  if (!tree.page.empty())
    return QString::fromStdString(tree.page);
  QJsonArray parts;
  for (const PaneTree& part : tree.parts)
    parts.append(toJson(part));
  QJsonArray shares;
  for (const double share : tree.shares)
    shares.append(share);
  const bool isBeside = tree.orientation == Qt::Horizontal;
  return QJsonObject{{QStringLiteral("split"), isBeside ? QStringLiteral("right") : QStringLiteral("down")},
                     {QStringLiteral("parts"), parts},
                     {QStringLiteral("shares"), shares}};
}

QJsonArray toJson(const std::vector<PageWindow>& windows)
{
  QJsonArray all;
  for (const PageWindow& window : windows)
    all.append(QJsonObject{{QStringLiteral("page"), QString::fromStdString(window.page)},
                           {QStringLiteral("place"), QJsonArray{window.place.x(), window.place.y(),
                                                                window.place.width(), window.place.height()}}});
  return all;
}

QRect placeFrom(const QJsonValue& window)
{
  const QJsonArray place = window[QStringLiteral("place")].toArray();
  return {place.at(0).toInt(), place.at(1).toInt(), place.at(2).toInt(), place.at(3).toInt()};
}

bool isPage(const std::string& name)
{
  return std::ranges::any_of(allPages(), [&](const PageDefinition& page) { return page.name == name; });
}

/// The name of a page that is there and not yet in `taken`, to which it is added; else empty.
std::string takeName(const QJsonValue& value, Names& taken)
{
  const std::string name = value.toString().toStdString();
  return isPage(name) && taken.insert(name).second ? name : std::string();
}

std::optional<PaneTree> treeFrom(const QJsonValue& value, Names& taken)
{
  if (!value.isObject()) {
    const std::string name = takeName(value, taken);
    return name.empty() ? std::nullopt : std::optional(PaneTree{.page = name});
  }
  const QJsonObject json = value.toObject();
  const QJsonArray parts = json[QStringLiteral("parts")].toArray();
  const QJsonArray shares = json[QStringLiteral("shares")].toArray();
  PaneTree tree;
  tree.orientation = json[QStringLiteral("split")].toString() == QStringLiteral("down") ? Qt::Vertical : Qt::Horizontal;
  for (qsizetype i = 0; i < parts.size(); ++i)
    if (auto part = treeFrom(parts[i], taken)) {
      tree.parts.push_back(std::move(*part));
      tree.shares.push_back(std::max(0.0, shares.at(i).toDouble()));
    }
  if (tree.parts.empty())
    return std::nullopt;
  if (tree.parts.size() == 1)
    return std::move(tree.parts.front());
  if (std::ranges::any_of(tree.shares, [](double share) { return share <= 0; }))
    tree.shares.clear();
  return tree;
}

qint64 areaOf(const QRect& rect)
{
  return rect.isEmpty() ? 0 : qint64{rect.width()} * rect.height();
}

} // namespace

QJsonObject toJson(const Arrangement& arrangement)
{
  return {{QStringLiteral("panes"), toJson(arrangement.panes)},
          {QStringLiteral("windows"), toJson(arrangement.windows)},
          {QStringLiteral("copies"), toJson(arrangement.copies)},
          {QStringLiteral("current"), QString::fromStdString(arrangement.current)}};
}

std::optional<Arrangement> arrangementFrom(const QJsonObject& json)
{
  Names taken;
  auto panes = treeFrom(json[QStringLiteral("panes")], taken);
  if (!panes)
    return std::nullopt;
  Arrangement arrangement{.panes = std::move(*panes)};
  for (const QJsonValue& value : json[QStringLiteral("windows")].toArray())
    if (std::string name = takeName(value[QStringLiteral("page")], taken); !name.empty())
      arrangement.windows.push_back({std::move(name), placeFrom(value)});
  for (const QJsonValue& value : json[QStringLiteral("copies")].toArray()) {
    const std::string name = value[QStringLiteral("page")].toString().toStdString();
    if (isPage(name) && std::ranges::count(arrangement.copies, name, &PageWindow::page) < kMostCopies)
      arrangement.copies.push_back({name, placeFrom(value)});
  }
  if (const std::string current = json[QStringLiteral("current")].toString().toStdString(); taken.contains(current))
    arrangement.current = current;
  return arrangement;
}

std::vector<std::string> pagesOf(const PaneTree& panes)
{
  if (!panes.page.empty())
    return {panes.page};
  std::vector<std::string> pages;
  for (const PaneTree& part : panes.parts)
    std::ranges::copy(pagesOf(part), std::back_inserter(pages));
  return pages;
}

QRect broughtInside(const QRect& place, const QList<QRect>& workAreas)
{
  if (workAreas.isEmpty())
    return place;
  const QRect area = *std::ranges::max_element(
      workAreas, {}, [&](const QRect& workArea) { return areaOf(place.intersected(workArea)); });
  const QSize size = place.size().boundedTo(area.size());
  const QPoint last = area.bottomRight() - QPoint(size.width() - 1, size.height() - 1);
  return {QPoint(std::clamp(place.left(), area.left(), last.x()), std::clamp(place.top(), area.top(), last.y())), size};
}

QRect contentInside(const QRect& place, const QMargins& frame, const QList<QRect>& workAreas)
{
  return broughtInside(place, workAreas).marginsRemoved(frame);
}

} // namespace hinesight::app
