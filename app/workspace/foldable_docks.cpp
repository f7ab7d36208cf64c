#include "app/workspace/foldable_docks.hpp"

#include "app/workspace/edge_bar.hpp"

#include <QAction>
#include <QDockWidget>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QLayout>
#include <QMainWindow>
#include <QMenuBar>
#include <QScopedValueRollback>
#include <QStatusBar>
#include <QStyle>
#include <QToolButton>

#include <algorithm>
#include <utility>

namespace hinesight::app {

namespace {

constexpr int kLeastWidth = 320;   ///< pixels of the views beside docks that a person opens
constexpr int kEnough = 720 * 640; ///< pixels: views of more need not be half of the window

const QString kEverywhere = QStringLiteral("*"); ///< in place of a kind of what is seen

/// The title of a dock with the button that folds it.
class DockTitle : public QWidget
{
public:
  DockTitle(QDockWidget* dock, const std::function<void()>& fold) : QWidget(dock)
  {
    setObjectName(QStringLiteral("dockTitle"));
    setAttribute(Qt::WA_StyledBackground);
    auto* name = new QLabel(dock->windowTitle());
    auto* button = new QToolButton;
    button->setObjectName(dock->objectName() + QStringLiteral("Fold"));
    button->setText(QStringLiteral("\u2013"));
    button->setToolTip(FoldableDocks::tr("Fold %1 to the edge of the window").arg(dock->windowTitle()));
    button->setFocusPolicy(Qt::TabFocus);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(10, 2, 4, 2);
    row->addWidget(name, 1);
    row->addWidget(button);
    connect(button, &QToolButton::clicked, this, fold);
  }
};

} // namespace

FoldableDocks::FoldableDocks(QMainWindow* mainWindow, std::function<QSize(const QSize&)> ofCentre, QObject* parent)
    : QObject(parent), window(mainWindow), viewsOf(std::move(ofCentre)), leftBar(new EdgeBar("leftEdge", mainWindow)),
      rightBar(new EdgeBar("rightEdge", mainWindow))
{
  window->addToolBar(Qt::LeftToolBarArea, leftBar);
  window->addToolBar(Qt::RightToolBarArea, rightBar);
  window->installEventFilter(this);
}

void FoldableDocks::add(Panel panel, QDockWidget* dock, int extent, int height)
{
  auto* title = new UprightButton;
  title->setObjectName(dock->objectName() + QStringLiteral("Unfold"));
  title->setText(dock->windowTitle());
  title->setIcon(dock->toggleViewAction()->icon());
  title->setToolTip(tr("Show %1 again").arg(dock->windowTitle()));
  title->hide();
  leftBar->take(title);
  connect(title, &QToolButton::clicked, this, [this, dock] { choose(dock, true); });
  entries.push_back({panel, dock, title, extent, height});
  dock->setTitleBarWidget(new DockTitle(dock, [this, dock] { choose(dock, false); }));
  toggles << dock->toggleViewAction();
  connect(dock->toggleViewAction(), &QAction::triggered, this, [this, dock](bool open) { choose(dock, open); });
  connect(dock, &QDockWidget::dockLocationChanged, this, &FoldableDocks::refreshBars);
}

void FoldableDocks::show(const QString& newKind, const std::vector<Panel>& panels)
{
  if (kind == newKind && wanted == panels)
    return;
  kind = newKind;
  wanted = panels;
  refresh();
}

void FoldableDocks::open(Panel panel)
{
  for (const Entry& entry : entries) {
    if (entry.panel != panel || !entry.dock->isHidden())
      continue;
    std::vector<const Entry*> together{&entry};
    for (const Entry& other : entries)
      if (!other.dock->isHidden())
        together.push_back(&other);
    if (roomBeside(together).width() >= kLeastWidth)
      choose(entry.dock, true);
  }
}

void FoldableDocks::setFocused(bool on)
{
  if (std::exchange(focused, on) == on)
    return;
  byHand.erase(QString());
  refresh();
  emit focusedChanged(on);
}

/// What is open stays beside a dock that a person opens, unless it would leave the views next to no width.
void FoldableDocks::choose(QDockWidget* dock, bool open)
{
  current()[dock->objectName()] = open;
  if (!focused && open)
    everywhere.insert(dock->objectName());
  else if (!focused)
    everywhere.erase(dock->objectName());
  const std::vector<const Entry*> wantedNow = wantedOpen();
  for (const Entry& entry : entries)
    if (open && !entry.dock->isHidden() && std::ranges::find(wantedNow, &entry) == wantedNow.end())
      current()[entry.dock->objectName()] = true;
  for (const Entry& entry : entries)
    if (open && entry.dock != dock && !isAtBottom(entry) && !entry.dock->isHidden() &&
        roomBeside(wantedOpen()).width() < kLeastWidth) {
      current()[entry.dock->objectName()] = false;
      everywhere.erase(entry.dock->objectName());
    }
  refresh();
  if (open)
    dock->raise();
}

QJsonObject FoldableDocks::choices() const
{
  QJsonObject json;
  for (const auto& [name, chosen] : byHand) {
    QJsonObject docks;
    for (const auto& [dock, open] : chosen)
      docks[dock] = open;
    if (!name.isEmpty())
      json[name] = docks;
  }
  if (!everywhere.empty()) {
    QJsonObject docks;
    for (const QString& dock : everywhere)
      docks[dock] = true;
    json[kEverywhere] = docks;
  }
  return json;
}

void FoldableDocks::setChoices(const QJsonObject& json)
{
  byHand.clear();
  everywhere.clear();
  for (auto kindOf = json.begin(); kindOf != json.end(); ++kindOf) {
    const QJsonObject docks = kindOf->toObject();
    for (auto dock = docks.begin(); dock != docks.end(); ++dock)
      if (kindOf.key() == kEverywhere)
        everywhere.insert(dock.key());
      else
        byHand[kindOf.key()][dock.key()] = dock->toBool();
  }
  refresh();
}

// ---- room ----

bool FoldableDocks::isAtBottom(const Entry& entry) const
{
  const Qt::DockWidgetArea area = window->dockWidgetArea(entry.dock);
  return area == Qt::BottomDockWidgetArea || area == Qt::TopDockWidgetArea;
}

/// As a person has dragged them.
void FoldableDocks::keepExtents()
{
  for (Entry& entry : entries)
    if (entry.dock->isVisible() && !entry.dock->isFloating())
      entry.extent = isAtBottom(entry) ? entry.dock->height() : entry.dock->width();
}

EdgeBar* FoldableDocks::barOf(const Entry& entry) const
{
  return window->dockWidgetArea(entry.dock) == Qt::RightDockWidgetArea ? rightBar : leftBar;
}

/// What the docks, and the titles of those that are folded, leave to the central widget.
QSize FoldableDocks::roomBeside(const std::vector<const Entry*>& open) const
{
  std::map<Qt::DockWidgetArea, int> taken;
  std::map<EdgeBar*, int> titles;
  for (const Entry& entry : entries)
    if (std::ranges::find(open, &entry) == open.end()) {
      titles[barOf(entry)] = barOf(entry)->sizeHint().width();
    } else if (!entry.dock->isFloating()) {
      int& extent = taken[window->dockWidgetArea(entry.dock)];
      extent = std::max(extent, entry.extent);
    }
  const int separator = window->style()->pixelMetric(QStyle::PM_DockWidgetSeparatorExtent, nullptr, window);
  QSize room = window->size();
  room.rheight() -= window->menuBar()->sizeHint().height() + window->statusBar()->sizeHint().height();
  for (const auto& [bar, width] : titles)
    room.rwidth() -= width;
  for (const auto& [area, extent] : taken)
    if (area == Qt::BottomDockWidgetArea || area == Qt::TopDockWidgetArea)
      room.rheight() -= extent + separator;
    else
      room.rwidth() -= extent + separator;
  return room;
}

bool FoldableDocks::hasRoom(const std::vector<const Entry*>& open) const
{
  const QSize views = viewsOf(roomBeside(open));
  const int half = window->width() * window->height() / 2;
  return std::max(0, views.width()) * std::max(0, views.height()) >= std::min(half, kEnough);
}

/// A person's choice stands.
std::vector<const FoldableDocks::Entry*> FoldableDocks::wantedOpen() const
{
  const auto found = byHand.find(focused ? QString() : kind);
  const Choices chosen = found == byHand.end() ? Choices() : found->second;
  std::vector<const Entry*> open;
  std::vector<const Entry*> yielding; // what says most first
  // What is opened on one page stays open on another, until it is folded.
  const auto isKept = [&](const Entry& entry) {
    const auto choice = chosen.find(entry.dock->objectName());
    return choice != chosen.end() ? choice->second : !focused && everywhere.contains(entry.dock->objectName());
  };
  for (const Entry& entry : entries)
    if (isKept(entry))
      open.push_back(&entry);
  for (const Panel panel : focused ? std::vector<Panel>() : wanted)
    for (const Entry& entry : entries)
      if (entry.panel == panel && !chosen.contains(entry.dock->objectName()) && !isKept(entry))
        yielding.push_back(&entry);
  for (const Entry* entry : yielding) {
    open.push_back(entry);
    if (!hasRoom(open))
      open.pop_back();
  }
  return open;
}

void FoldableDocks::refresh()
{
  if (isRefreshing || isHeld)
    return;
  const bool changed = foldAndUnfold();
  if (changed && window->isVisible())
    window->layout()->activate();
  if (changed || window->height() != std::exchange(heightBefore, window->height()))
    fitHeightsSoon(changed);
}

/// Whether any dock came or went. The window is not laid out for each of them, but for all at once, by who asks.
bool FoldableDocks::foldAndUnfold()
{
  const QScopedValueRollback guard(isRefreshing, true);
  keepExtents();
  const std::vector<const Entry*> open = wantedOpen();
  window->layout()->setEnabled(false);
  const bool changed = showOnly(open);
  if (changed)
    resizeOpen(open);
  refreshBars();
  window->layout()->setEnabled(true);
  return changed;
}

void FoldableDocks::changeTogether(const std::function<void()>& change)
{
  {
    const QScopedValueRollback guard(isHeld, true);
    change();
  }
  refresh();
}

/// Whether any of them was not as it is wanted.
bool FoldableDocks::showOnly(const std::vector<const Entry*>& open)
{
  bool changed = false;
  for (const Entry& entry : entries) {
    const bool opens = std::ranges::find(open, &entry) != open.end();
    if (entry.dock->isHidden() != opens)
      continue;
    changed = true;
    entry.dock->setVisible(opens);
  }
  return changed;
}

void FoldableDocks::resizeOpen(const std::vector<const Entry*>& open)
{
  QList<QDockWidget*> beside;
  QList<QDockWidget*> low;
  QList<int> widths;
  QList<int> heights;
  for (const Entry* entry : open) {
    if (entry->dock->isFloating())
      continue;
    const bool isLow = isAtBottom(*entry);
    (isLow ? low : beside) << entry->dock;
    (isLow ? heights : widths) << std::min(entry->extent, isLow ? window->height() / 3 : window->width() / 2);
  }
  window->resizeDocks(beside, widths, Qt::Horizontal);
  window->resizeDocks(low, heights, Qt::Vertical);
}

/// Once they are laid out.
void FoldableDocks::fitHeightsSoon(bool isNewColumn)
{
  hasNewColumn = hasNewColumn || isNewColumn;
  if (std::exchange(fitsSoon, true))
    return;
  QMetaObject::invokeMethod(
      this,
      [this] {
        fitsSoon = false;
        fitHeights(std::exchange(hasNewColumn, false));
      },
      Qt::QueuedConnection);
}

/// What is above or below a dock that needs a height gives it, down to its own least. In a new column it gets what that
/// dock has beyond the height.
void FoldableDocks::fitHeights(bool isNewColumn)
{
  for (const Entry& needy : entries) {
    const bool hasHeight =
        needy.height > 0 && needy.dock->isVisible() && !needy.dock->isFloating() && !isAtBottom(needy);
    int missing = hasHeight ? needy.height - needy.dock->height() : 0;
    if (missing == 0 || (missing < 0 && !isNewColumn))
      continue;
    QList<QDockWidget*> column{needy.dock};
    QList<int> heights{needy.height};
    for (const Entry& other : entries) {
      if (&other == &needy || !other.dock->isVisible() || other.dock->isFloating() ||
          window->dockWidgetArea(other.dock) != window->dockWidgetArea(needy.dock) ||
          window->tabifiedDockWidgets(needy.dock).contains(other.dock))
        continue;
      const int least = std::min(other.dock->height(), other.dock->minimumSizeHint().height());
      const int spare = std::min(other.dock->height() - least, missing);
      missing -= spare;
      column << other.dock;
      heights << other.dock->height() - spare;
    }
    heights.front() -= missing;
    if (column.size() > 1)
      window->resizeDocks(column, heights, Qt::Vertical);
  }
}

/// Docks of the bottom have their titles at the left edge, where they cost no height.
void FoldableDocks::refreshBars()
{
  for (const Entry& entry : entries) {
    EdgeBar* bar = barOf(entry);
    if (!bar->isAncestorOf(entry.title))
      bar->take(entry.title);
    entry.title->setVisible(entry.dock->isHidden());
  }
  leftBar->refresh();
  rightBar->refresh();
}

bool FoldableDocks::eventFilter(QObject* watched, QEvent* event)
{
  if (watched == window && event->type() == QEvent::Resize)
    refresh();
  return QObject::eventFilter(watched, event);
}

} // namespace hinesight::app
