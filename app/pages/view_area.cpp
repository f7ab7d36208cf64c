#include "app/pages/view_area.hpp"

#include "widgets/icons.hpp"
#include "widgets/theme.hpp"

#include <QEvent>
#include <QPainter>
#include <QTabBar>
#include <QToolButton>

#include <algorithm>
#include <utility>

namespace hinesight::app {

namespace {

constexpr int kGap = 2;
constexpr int kColumns = 2;

} // namespace

ViewArea::ViewArea(QWidget* parent) : QWidget(parent)
{
  setObjectName(QStringLiteral("viewArea"));
  tabs = new QTabBar(this);
  tabs->setObjectName(QStringLiteral("viewTabs"));
  tabs->setDrawBase(false);
  tabs->setExpanding(false);
  tabs->setFocusPolicy(Qt::TabFocus);
  gridButton = new QToolButton(this);
  gridButton->setObjectName(QStringLiteral("gridButton"));
  gridButton->setText(tr("Grid"));
  gridButton->setCheckable(true);
  gridButton->setToolTip(tr("All views at once, or one at a time (G)"));
  connect(tabs, &QTabBar::tabBarClicked, this, [this](int index) {
    if (index >= 0)
      showView(index);
  });
  connect(tabs, &QTabBar::currentChanged, this, [this](int index) {
    if (index >= 0 && index != currentIndex)
      showView(index);
  });
  connect(gridButton, &QToolButton::clicked, this, &ViewArea::setGrid);
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
  views.push_back(view);
  const int index = tabs->addTab(title);
  tabs->setTabToolTip(index, help);
  layOut();
}

void ViewArea::setBar(QWidget* newBar)
{
  bar = newBar;
  bar->setParent(this);
  layOut();
}

void ViewArea::showView(int index)
{
  if (index < 0 || index >= count())
    return;
  const bool changes = index != currentIndex || grid;
  currentIndex = index;
  const bool leftGrid = std::exchange(grid, false);
  layOut();
  if (leftGrid)
    emit gridChanged(false);
  if (changes)
    emit currentChanged(index);
}

void ViewArea::setGrid(bool on)
{
  if (grid == on) {
    gridButton->setChecked(grid);
    return;
  }
  grid = on;
  if (grid && currentIndex >= gridViews)
    currentIndex = 0;
  layOut();
  emit gridChanged(grid);
}

void ViewArea::toggleMaximized(int index)
{
  if (grid)
    showView(index);
  else
    setGrid(true);
}

void ViewArea::layOut()
{
  tabs->setCurrentIndex(currentIndex);
  gridButton->setChecked(grid);
  const int tabHeight = tabs->sizeHint().height();
  const int buttonWidth = gridButton->sizeHint().width();
  tabs->setGeometry(0, 0, std::max(0, width() - buttonWidth - 8), tabHeight);
  gridButton->setGeometry(width() - buttonWidth - 8, (tabHeight - gridButton->sizeHint().height()) / 2, buttonWidth,
                          gridButton->sizeHint().height());
  const int barHeight = bar && !bar->isHidden() ? bar->heightForWidth(width()) : 0;
  if (barHeight > 0)
    bar->setGeometry(0, tabHeight, width(), barHeight);
  const int top = tabHeight + barHeight;
  const QRect area(0, top, width(), std::max(0, height() - top));
  const int rows = (gridViews + kColumns - 1) / kColumns;
  for (int i = 0; i < count(); ++i) {
    QWidget* view = views[static_cast<std::size_t>(i)];
    if (!grid) {
      view->setGeometry(area);
      view->setVisible(i == currentIndex);
      continue;
    }
    if (i >= gridViews) {
      view->hide();
      continue;
    }
    const int cellWidth = (area.width() - kGap * (kColumns - 1)) / kColumns;
    const int cellHeight = (area.height() - kGap * (rows - 1)) / rows;
    view->setGeometry(area.left() + i % kColumns * (cellWidth + kGap), area.top() + i / kColumns * (cellHeight + kGap),
                      cellWidth, cellHeight);
    view->setVisible(true);
  }
}

/// The bar came, went, or says something else.
bool ViewArea::event(QEvent* event)
{
  if (event->type() == QEvent::LayoutRequest)
    layOut();
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

bool ViewArea::eventFilter(QObject* watched, QEvent* event)
{
  // In the grid, the view under the pointer is the current one: keys and menu entries mean it.
  if (grid && event->type() == QEvent::Enter) {
    const auto found = std::find(views.begin(), views.end(), watched);
    if (found != views.end()) {
      currentIndex = static_cast<int>(found - views.begin());
      tabs->setCurrentIndex(currentIndex);
    }
  }
  return QWidget::eventFilter(watched, event);
}

} // namespace hinesight::app
