#include "app/pages/view_area.hpp"

#include "app/pages/pages.hpp"
#include "app/pages/view_area_parts.hpp"
#include "app/shell/action_icon.hpp"
#include "widgets/tab_order.hpp"

#include <QApplication>
#include <QHBoxLayout>
#include <QScopedValueRollback>
#include <QSplitter>
#include <QStyle>
#include <QTabBar>
#include <QToolButton>

#include <algorithm>
#include <cmath>
#include <utility>

namespace hinesight::app {

namespace {

constexpr int kGap = 2;
constexpr int kColumns = 2;
constexpr int kCornerMargin = 8;
constexpr int kTabIcon = 16;
constexpr int kAroundTabIcon = 16; // above and below, with the line of the tab in front, as the theme has it
constexpr int kTabPadding = 14;    // of a tab, on either side, as the theme has it
constexpr int kTightTabPadding = 6;
constexpr double kShareUnits = 10000;

QIcon iconOf(int page)
{
  const std::string_view name = allPages()[static_cast<std::size_t>(page)].name;
  return actionIcon(QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size())) + QStringLiteral("Action"));
}

} // namespace

ViewArea::ViewArea(QWidget* parent) : QWidget(parent)
{
  setObjectName(QStringLiteral("viewArea"));
  tabRow = new QWidget(this);
  tabRow->setObjectName(QStringLiteral("tabRow"));
  tabRow->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  tabRow->installEventFilter(this);
  tabs = new QTabBar(tabRow);
  tabs->setObjectName(QStringLiteral("viewTabs"));
  tabs->setDrawBase(false);
  tabs->setExpanding(false);
  tabs->setIconSize({kTabIcon, kTabIcon});
  tabs->setFocusPolicy(Qt::TabFocus);
  corner = new QWidget(tabRow);
  cornerRow = new QHBoxLayout(corner);
  cornerRow->setContentsMargins(0, 0, 0, 0);
  cornerRow->setSpacing(4);
  gridButton = new QToolButton(corner);
  gridButton->setObjectName(QStringLiteral("gridButton"));
  gridButton->setText(tr("Grid"));
  gridButton->setIcon(actionIcon(QStringLiteral("gridAction")));
  gridButton->setIconSize({kTabIcon, kTabIcon});
  gridButton->setToolButtonStyle(Qt::ToolButtonTextOnly);
  gridButton->setCheckable(true);
  gridButton->setToolTip(tr("All views at once, or one at a time (G)"));
  cornerRow->addWidget(gridButton);
  cornerButtons.push_back(gridButton);
  // Of the tab that is in front; currentChanged tells the others. Later, because the bar looks after this signal which
  // tab lies under the mouse.
  connect(tabs, &QTabBar::tabBarClicked, this, [this](int index) {
    if (index >= 0 && index == tabs->currentIndex())
      QMetaObject::invokeMethod(
          this, [this, index] { showView(index); }, Qt::QueuedConnection);
  });
  connect(tabs, &QTabBar::currentChanged, this, [this](int index) {
    if (index >= 0 && index != currentIndex)
      showView(index);
  });
  connect(gridButton, &QToolButton::clicked, this, &ViewArea::setGrid);
  connect(qApp, &QApplication::focusChanged, this, [this](QWidget*, QWidget* focused) { takeFocus(focused); });
}

/// Views that go lose the focus, which means nothing any more.
ViewArea::~ViewArea()
{
  disconnect(qApp, nullptr, this, nullptr);
}

void ViewArea::addView(QWidget* view, const QString& title, const QString& help)
{
  ++gridViews;
  addPage(view, title, help);
}

void ViewArea::addPage(QWidget* view, const QString& title, const QString& help)
{
  view->setParent(this);
  view->installEventFilter(this);
  views.push_back({view, title, help});
  wereSeen.push_back(false);
  const int index = tabs->addTab(title);
  tabs->setTabToolTip(index, help);
  tabs->setAccessibleTabName(index, title);
  if (!root)
    showAlone(0);
  else
    refresh();
}

void ViewArea::setBar(QWidget* newBar)
{
  bar = newBar;
  bar->setParent(this);
  layOut();
}

void ViewArea::addBesideTabs(QToolButton* button)
{
  button->setIconSize({kTabIcon, kTabIcon});
  cornerButtons.push_back(button);
  cornerRow->insertWidget(cornerRow->count() - 1, button);
  button->show();
  widgets::putBeforeByTab(button, gridButton);
  for (QToolButton* each : cornerButtons)
    each->setToolButtonStyle(Qt::ToolButtonTextOnly); // to be measured with the new one
  layOutRow();
}

// ---- what is where ----

ViewArea::Pane* ViewArea::paneOf(int index) const
{
  const auto found = std::ranges::find(paneList, index, &Pane::page);
  return found == paneList.end() ? nullptr : *found;
}

bool ViewArea::isInWindow(int index) const
{
  return views[static_cast<std::size_t>(index)].window != nullptr;
}

bool ViewArea::isSeen(int index) const
{
  return paneOf(index) || isInWindow(index);
}

/// The page that was used last of those that are not seen, or else the first one of them; -1: all are seen.
int ViewArea::unseen() const
{
  for (const int index : recent)
    if (!isSeen(index))
      return index;
  for (int index = 0; index < count(); ++index)
    if (!isSeen(index))
      return index;
  return -1;
}

int ViewArea::indexOf(const std::string& page) const
{
  const auto found = std::ranges::find(allPages(), page, &PageDefinition::name);
  const auto index = static_cast<int>(found - allPages().begin());
  return index < count() ? index : -1;
}

bool ViewArea::canSplit(Qt::Orientation orientation) const
{
  const bool hasRoom = orientation == Qt::Horizontal ? active->width() >= 2 * kLeastPane.width()
                                                     : active->height() >= 2 * kLeastPane.height();
  return hasRoom && unseen() >= 0;
}

PaneTree ViewArea::treeOf(const QWidget* part) const
{
  const auto* splitter = qobject_cast<const QSplitter*>(part);
  if (!splitter)
    return {.page = std::string(allPages()[static_cast<std::size_t>(static_cast<const Pane*>(part)->page)].name)};
  if (splitter->count() == 1)
    return treeOf(splitter->widget(0));
  PaneTree tree{.orientation = splitter->orientation()};
  const QList<int> sizes = splitter->sizes();
  double sum = 0;
  for (const int size : sizes)
    sum += size;
  for (int i = 0; i < splitter->count(); ++i) {
    tree.parts.push_back(treeOf(splitter->widget(i)));
    tree.shares.push_back(sum > 0 ? std::max(0.01, sizes[i] / sum) : 1.0 / splitter->count());
  }
  return tree;
}

Arrangement ViewArea::arrangement() const
{
  Arrangement now{.panes = treeOf(root)};
  for (std::size_t i = 0; i < views.size(); ++i)
    if (const OwnWindow* window = views[i].window)
      now.windows.push_back({std::string(allPages()[i].name), window->frameGeometry()});
  for (const Copy& copy : copies)
    now.copies.push_back(
        {std::string(allPages()[static_cast<std::size_t>(copy.page)].name), copy.window->frameGeometry()});
  now.current = allPages()[static_cast<std::size_t>(currentIndex)].name;
  return now;
}

// ---- changes ----

QSplitter* ViewArea::makeSplitter(Qt::Orientation orientation)
{
  auto* splitter = new QSplitter(orientation);
  splitter->setHandleWidth(kGap);
  splitter->setChildrenCollapsible(false);
  splitter->installEventFilter(this);
  return splitter;
}

ViewArea::Pane* ViewArea::makePane(int index)
{
  auto* pane = new Pane(index);
  pane->installEventFilter(this);
  paneList.push_back(pane);
  return pane;
}

QWidget* ViewArea::build(const PaneTree& tree)
{
  if (!tree.page.empty())
    return makePane(indexOf(tree.page));
  QSplitter* splitter = makeSplitter(tree.orientation);
  QList<int> sizes;
  for (std::size_t i = 0; i < tree.parts.size(); ++i) {
    splitter->addWidget(build(tree.parts[i]));
    sizes << static_cast<int>(std::lround(kShareUnits * (i < tree.shares.size() ? tree.shares[i] : 1)));
  }
  splitter->setSizes(sizes);
  return splitter;
}

void ViewArea::clearPanes()
{
  paneList.clear();
  active = nullptr;
  delete std::exchange(root, nullptr);
}

/// Pages that another arrangement has in a window come back; those that stay in one stay where they are.
void ViewArea::arrange(const Arrangement& wanted)
{
  bool areOtherCopies = false;
  {
    const QScopedValueRollback guard(isArranging, true);
    for (int index = 0; index < count(); ++index)
      if (isInWindow(index))
        closeWindow(index);
    clearPanes();
    root = makeSplitter(wanted.panes.orientation);
    root->setParent(this);
    root->lower();
    root->setObjectName(QStringLiteral("panes"));
    if (wanted.panes.page.empty()) {
      QList<int> sizes;
      for (std::size_t i = 0; i < wanted.panes.parts.size(); ++i) {
        root->addWidget(build(wanted.panes.parts[i]));
        sizes << static_cast<int>(
            std::lround(kShareUnits * (i < wanted.panes.shares.size() ? wanted.panes.shares[i] : 1)));
      }
      root->setSizes(sizes);
    } else {
      root->addWidget(build(wanted.panes));
    }
    active = paneList.front();
    for (const PageWindow& window : wanted.windows)
      openWindow(indexOf(window.page), window.place);
    areOtherCopies = arrangeCopies(wanted.copies);
    root->show();
  }
  leaveGrid();
  const int wantedCurrent = wanted.current.empty() ? -1 : indexOf(wanted.current);
  use(wantedCurrent >= 0 && isSeen(wantedCurrent) ? wantedCurrent : active->page);
  refresh();
  if (areOtherCopies)
    emit arrangementChanged();
}

void ViewArea::arrangePanes(const PaneTree& wanted)
{
  const std::vector<std::string> pages = pagesOf(wanted);
  Arrangement next = arrangement();
  next.panes = wanted;
  next.current = pages.front();
  std::erase_if(next.windows,
                [&](const PageWindow& window) { return std::ranges::find(pages, window.page) != pages.end(); });
  arrange(next);
}

void ViewArea::showAlone(int index)
{
  Arrangement alone = root ? arrangement() : Arrangement();
  alone.panes = {.page = std::string(allPages()[static_cast<std::size_t>(index)].name)};
  alone.current = alone.panes.page;
  arrange(alone);
}

void ViewArea::leaveGrid()
{
  if (std::exchange(grid, false))
    emit gridChanged(false);
}

void ViewArea::showView(int index)
{
  if (index < 0 || index >= count())
    return;
  if (isInWindow(index)) {
    views[static_cast<std::size_t>(index)].window->activateWindow();
    views[static_cast<std::size_t>(index)].window->raise();
    use(index);
  } else if (grid) {
    showAlone(index);
  } else {
    if (!paneOf(index))
      active->page = index;
    use(index);
  }
  refresh();
}

void ViewArea::setGrid(bool on)
{
  if (grid == on) {
    gridButton->setChecked(grid);
    return;
  }
  if (!on) {
    if (before.panes.parts.empty())
      showAlone(currentIndex);
    else
      arrange(std::exchange(before, {}));
    return;
  }
  before = paneList.size() > 1 ? arrangement() : Arrangement();
  Arrangement all{.panes = {.orientation = Qt::Vertical}};
  for (int first = 0; first < gridViews; first += kColumns) {
    PaneTree row;
    for (int index = first; index < std::min(first + kColumns, gridViews); ++index)
      row.parts.push_back({.page = std::string(allPages()[static_cast<std::size_t>(index)].name)});
    all.panes.parts.push_back(row.parts.size() == 1 ? row.parts.front() : row);
  }
  for (const PageWindow& window : arrangement().windows)
    if (indexOf(window.page) >= gridViews)
      all.windows.push_back(window);
  all.copies = arrangement().copies;
  all.current = allPages()[static_cast<std::size_t>(currentIndex < gridViews ? currentIndex : 0)].name;
  arrange(all);
  grid = true;
  refresh();
  emit gridChanged(true);
}

void ViewArea::toggleMaximized()
{
  const int index = currentIndex;
  if (OwnWindow* window = copyInUse ? copyInUse : views[static_cast<std::size_t>(index)].window) {
    window->setWindowState(window->windowState() ^ Qt::WindowMaximized);
  } else if (grid) {
    showView(index);
  } else if (paneList.size() > 1) {
    before = arrangement();
    showAlone(index);
  } else if (!before.panes.parts.empty()) {
    arrange(std::exchange(before, {}));
  } else {
    setGrid(true);
  }
}

void ViewArea::split(Qt::Orientation orientation)
{
  const int index = unseen();
  if (index < 0)
    return;
  leaveGrid();
  {
    const QScopedValueRollback guard(isArranging, true);
    auto* around = static_cast<QSplitter*>(active->parentWidget());
    if (around->count() == 1) {
      around->setOrientation(orientation);
    } else if (around->orientation() != orientation) {
      QSplitter* inner = makeSplitter(orientation);
      const QList<int> sizes = around->sizes();
      around->replaceWidget(around->indexOf(active), inner);
      inner->addWidget(active);
      active->show();
      inner->show();
      around->setSizes(sizes);
      around = inner;
    }
    const int place = around->indexOf(active);
    QList<int> sizes = around->sizes();
    sizes[place] /= 2;
    sizes.insert(place + 1, sizes[place]);
    Pane* pane = makePane(index);
    around->insertWidget(place + 1, pane);
    pane->show();
    around->setSizes(sizes);
  }
  before = {};
  use(index);
  refresh();
}

void ViewArea::closePane()
{
  if (copyInUse)
    return closeCopy(copyInUse);
  if (isInWindow(currentIndex))
    return closeWindow(currentIndex);
  if (paneList.size() < 2)
    return;
  leaveGrid();
  {
    const QScopedValueRollback guard(isArranging, true);
    auto* around = static_cast<QSplitter*>(active->parentWidget());
    const int place = around->indexOf(active);
    std::erase(paneList, active);
    delete std::exchange(active, nullptr);
    const QWidget* neighbour = around->widget(std::max(0, place - 1));
    if (around->count() == 1 && around != root) {
      auto* outer = static_cast<QSplitter*>(around->parentWidget());
      const QList<int> sizes = outer->sizes();
      QWidget* last = around->widget(0);
      outer->replaceWidget(outer->indexOf(around), last);
      last->show();
      outer->setSizes(sizes);
      around->deleteLater();
    }
    const auto isIn = [&](const Pane* pane) { return pane == neighbour || neighbour->isAncestorOf(pane); };
    active = *std::ranges::find_if(paneList, isIn);
  }
  use(active->page);
  refresh();
}

// ---- which one is used ----

void ViewArea::setCurrent(int index)
{
  currentIndex = index;
  std::erase(recent, index);
  recent.insert(recent.begin(), index);
  if (Pane* pane = paneOf(index))
    active = pane;
  tabs->setCurrentIndex(index);
  for (Pane* pane : paneList)
    pane->setMarked(paneList.size() > 1 && pane->page == currentIndex);
}

void ViewArea::use(int index)
{
  const bool changes = index != currentIndex || copyInUse;
  copyInUse = nullptr;
  setCurrent(index);
  if (changes)
    emit currentChanged(index);
}

void ViewArea::useWidget(const QWidget* page)
{
  if (const auto view = std::ranges::find(views, page, &View::widget); view != views.end())
    return use(static_cast<int>(view - views.begin()));
  const auto copy = std::ranges::find(copies, page, &Copy::widget);
  if (copy == copies.end() || copyInUse == copy->window)
    return;
  copyInUse = copy->window;
  setCurrent(copy->page);
  emit currentChanged(currentIndex);
}

void ViewArea::takeFocus(const QWidget* focused)
{
  if (isArranging || !focused)
    return;
  for (const Copy& copy : copies)
    if (copy.widget->isAncestorOf(focused))
      return useWidget(copy.widget);
  for (int index = 0; index < count(); ++index)
    if (isSeen(index) && widgetOf(index)->isAncestorOf(focused))
      use(index);
}

bool ViewArea::eventFilter(QObject* watched, QEvent* event)
{
  if (watched == tabRow) {
    if (event->type() == QEvent::Resize || event->type() == QEvent::LayoutRequest ||
        event->type() == QEvent::StyleChange || event->type() == QEvent::FontChange)
      layOutRow();
    return QWidget::eventFilter(watched, event);
  }
  if (!isArranging && (event->type() == QEvent::Move || event->type() == QEvent::Resize)) {
    if (qobject_cast<QSplitter*>(watched) || std::ranges::find(paneList, watched) != paneList.end())
      layOutPages();
  }
  const auto found = std::ranges::find(views, watched, &View::widget);
  if (found == views.end())
    return QWidget::eventFilter(watched, event);
  const auto index = static_cast<int>(found - views.begin());
  if (event->type() == QEvent::MouseButtonPress)
    use(index);
  // Among the views of the grid the one under the pointer is the current one; they have the same parameters.
  if (grid && event->type() == QEvent::Enter && paneOf(index))
    setCurrent(index);
  return QWidget::eventFilter(watched, event);
}

// ---- layout ----

/// After every change of what is where.
void ViewArea::refresh()
{
  if (isArranging || !root)
    return;
  {
    const QScopedValueRollback guard(isArranging, true); // focus that leaves a page that is hidden means nothing
    setCurrent(currentIndex);
    layOutRow();
    layOut();
  }
  bool changed = false;
  for (int index = 0; index < count(); ++index) {
    const bool seen = isSeen(index);
    const auto place = static_cast<std::size_t>(index);
    const bool appears = seen && !wereSeen[place];
    changed = changed || seen != wereSeen[place];
    wereSeen[place] = seen;
    if (appears)
      emit appeared(index);
  }
  if (changed)
    emit arrangementChanged();
}

/// Of the tabs with all their names.
int ViewArea::widthOfNames(int padding) const
{
  int names = 0;
  for (const View& view : views)
    names += tabs->fontMetrics().horizontalAdvance(view.title);
  return names + 2 * padding * count();
}

/// Where the names of all tabs do not fit, they stand closer together; where that is not enough either, those of the
/// pages that are not in front are icons, and the one in front has the room that is left.
void ViewArea::fitTabs(int room)
{
  const bool isTight = widthOfNames(kTabPadding) > room;
  const bool areIcons = widthOfNames(kTightTabPadding) > room;
  if (tabs->property("tight").toBool() != isTight || tabs->property("icons").toBool() != areIcons) {
    tabs->setProperty("tight", isTight);
    tabs->setProperty("icons", areIcons);
    tabs->style()->unpolish(tabs);
    tabs->style()->polish(tabs);
  }
  const auto set = [this](int index, const QString& text) {
    if (tabs->tabText(index) == text)
      return;
    const View& view = views[static_cast<std::size_t>(index)];
    tabs->setTabText(index, text);
    tabs->setTabIcon(index, text.isEmpty() ? iconOf(index) : QIcon());
    tabs->setTabToolTip(index, text == view.title ? view.help : view.title + QLatin1Char('\n') + view.help);
  };
  const int current = tabs->currentIndex();
  for (int index = 0; index < count(); ++index)
    if (!areIcons || index != current)
      set(index, areIcons ? QString() : views[static_cast<std::size_t>(index)].title);
  if (!areIcons || current < 0)
    return;
  const QFontMetrics metrics = tabs->fontMetrics();
  const QString& title = views[static_cast<std::size_t>(current)].title;
  const QString shown = tabs->tabText(current);
  const int ofIcon = shown.isEmpty() ? kTabIcon : 0; // makes room for the text
  const int others = tabs->sizeHint().width() - metrics.horizontalAdvance(shown) - ofIcon;
  set(current, metrics.elidedText(title, Qt::ElideRight, std::max(kTabIcon, room - others)));
}

/// Where the names of all tabs do not fit beside the texts of the buttons in the corner, these are icons.
void ViewArea::fitCorner()
{
  for (QToolButton* button : cornerButtons)
    button->ensurePolished(); // else they are wider once they are shown
  if (gridButton->toolButtonStyle() == Qt::ToolButtonTextOnly)
    cornerAsText = corner->sizeHint().width();
  const bool fits = widthOfNames(kTightTabPadding) + cornerAsText + kCornerMargin <= tabRow->width();
  const Qt::ToolButtonStyle wanted = fits ? Qt::ToolButtonTextOnly : Qt::ToolButtonIconOnly;
  if (gridButton->toolButtonStyle() == wanted)
    return;
  for (QToolButton* button : cornerButtons)
    button->setToolButtonStyle(wanted);
  cornerRow->invalidate();
}

void ViewArea::layOutRow()
{
  gridButton->setChecked(grid);
  const int width = tabRow->width();
  const int height = std::max(tabs->sizeHint().height(), kTabIcon + kAroundTabIcon); // of names as of icons
  tabRow->setFixedHeight(height);
  fitCorner();
  const bool hasCorner = 2 * corner->sizeHint().width() < width; // the menu has them too
  corner->setVisible(hasCorner);
  const QSize cornerSize = hasCorner ? corner->sizeHint() : QSize(0, height);
  const int tabRoom = std::max(0, width - cornerSize.width() - kCornerMargin);
  fitTabs(tabRoom);
  tabs->setGeometry(0, height - tabs->sizeHint().height(), tabRoom, tabs->sizeHint().height());
  corner->setGeometry(width - cornerSize.width() - kCornerMargin, (height - cornerSize.height()) / 2,
                      cornerSize.width(), cornerSize.height());
}

void ViewArea::layOut()
{
  const int barHeight = bar && !bar->isHidden() ? bar->heightForWidth(width()) : 0;
  if (barHeight > 0)
    bar->setGeometry(0, 0, width(), barHeight);
  if (root)
    root->setGeometry(0, barHeight, width(), std::max(0, height() - barHeight));
  layOutPages();
}

/// Over their panes.
void ViewArea::layOutPages()
{
  for (int index = 0; index < count(); ++index) {
    if (isInWindow(index))
      continue;
    const Pane* pane = paneOf(index);
    if (pane) {
      const int mark = paneList.size() > 1 ? kMark : 0;
      widgetOf(index)->setGeometry(QRect(pane->mapTo(this, QPoint()), pane->size()).adjusted(0, mark, 0, 0));
    }
    widgetOf(index)->setVisible(pane != nullptr);
  }
}

/// The bar came, went, or says something else; or a person comes back from the window of a copy.
bool ViewArea::event(QEvent* event)
{
  if (event->type() == QEvent::LayoutRequest)
    layOut();
  if (event->type() == QEvent::WindowActivate && copyInUse)
    use(paneOf(currentIndex) ? currentIndex : active->page);
  return QWidget::event(event);
}

void ViewArea::resizeEvent(QResizeEvent* event)
{
  QWidget::resizeEvent(event);
  layOut();
}

void ViewArea::changeEvent(QEvent* event)
{
  if (event->type() == QEvent::StyleChange || event->type() == QEvent::FontChange)
    layOut();
  QWidget::changeEvent(event);
}

} // namespace hinesight::app
