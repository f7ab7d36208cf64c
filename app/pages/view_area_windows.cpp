#include "app/pages/view_area.hpp"
#include "app/pages/view_area_parts.hpp"

#include <QGuiApplication>
#include <QScopedValueRollback>
#include <QScreen>

#include <algorithm>
#include <utility>

// Pages in windows of their own, and copies of pages.

namespace hinesight::app {

namespace {

constexpr QSize kWindowSize{800, 600};
constexpr QPoint kBeside{32, 32};

QList<QRect> workAreas()
{
  QList<QRect> areas;
  for (const QScreen* screen : QGuiApplication::screens())
    areas << screen->availableGeometry();
  return areas;
}

/// Null where its screen has put none around it, or not yet.
QMargins frameOf(const QWidget& window)
{
  const QRect outer = window.frameGeometry();
  const QRect inner = window.geometry();
  return {inner.left() - outer.left(), inner.top() - outer.top(), outer.right() - inner.right(),
          outer.bottom() - inner.bottom()};
}

} // namespace

void ViewArea::toggleWindow()
{
  if (copyInUse)
    return closeCopy(copyInUse);
  if (isInWindow(currentIndex)) {
    closeWindow(currentIndex);
    return;
  }
  const int index = currentIndex;
  const int next = unseen();
  leaveGrid();
  if (paneList.size() > 1)
    closePane();
  else if (next >= 0)
    active->page = next;
  else
    return;
  openWindow(index, {});
  use(index);
  refresh();
}

void ViewArea::openWindow(int index, const QRect& place)
{
  if (index < 0 || isInWindow(index))
    return;
  auto* own = new OwnWindow(this, index);
  views[static_cast<std::size_t>(index)].window = own;
  own->hold(widgetOf(index));
  widgetOf(index)->show();
  ViewArea::place(own, place);
}

/// Where it was, or over the middle of this area. Until it has a frame, that of the main window stands for it.
void ViewArea::place(OwnWindow* own, const QRect& place)
{
  // One beside another that is over the middle already.
  const auto windows = static_cast<int>(copies.size()) +
                       static_cast<int>(std::ranges::count_if(views, [](const auto& view) { return view.window; })) - 1;
  const QPoint topLeft = mapToGlobal(rect().center()) + std::max(0, windows) * kBeside;
  const QMargins frame = frameOf(*window());
  own->wanted = place.isEmpty() ? QRect(topLeft, kWindowSize).marginsAdded(frame) : place;
  const QRect content = contentInside(own->wanted, frame, workAreas());
  own->move(content.topLeft() - QPoint(frame.left(), frame.top()));
  own->resize(content.size());
  own->show();
}

/// Once: then it is where a person puts it.
void ViewArea::OwnWindow::fitFrame()
{
  const QMargins frame = frameOf(*this);
  if (wanted.isEmpty() || frame.isNull())
    return;
  const QRect content = contentInside(std::exchange(wanted, {}), frame, workAreas());
  move(content.topLeft() - QPoint(frame.left(), frame.top()));
  resize(content.size());
}

/// Its page is seen in the current pane.
void ViewArea::closeWindow(int index)
{
  {
    const QScopedValueRollback guard(isArranging, true);
    OwnWindow* own = std::exchange(views[static_cast<std::size_t>(index)].window, nullptr);
    widgetOf(index)->hide();
    widgetOf(index)->setParent(this);
    own->hide();
    own->deleteLater();
  }
  if (!isArranging)
    showView(index);
}

// ---- copies ----

void ViewArea::setCopyMaker(int index, std::function<QWidget*(QWidget* parent)> make)
{
  views[static_cast<std::size_t>(index)].makeCopy = std::move(make);
}

QWidget* ViewArea::currentCopy() const
{
  const auto found = std::ranges::find(copies, copyInUse, &Copy::window);
  return found == copies.end() ? nullptr : found->widget;
}

QWidget* ViewArea::currentWidget() const
{
  QWidget* copy = currentCopy();
  return copy ? copy : widgetOf(currentIndex);
}

bool ViewArea::canDuplicate() const
{
  return views[static_cast<std::size_t>(currentIndex)].makeCopy &&
         std::ranges::count(copies, currentIndex, &Copy::page) < kMostCopies;
}

void ViewArea::duplicate()
{
  if (!canDuplicate())
    return;
  openCopy(currentIndex, {});
  useWidget(copies.back().widget);
  copies.back().window->activateWindow();
  emit arrangementChanged();
}

void ViewArea::openCopy(int index, const QRect& place)
{
  if (index < 0 || !views[static_cast<std::size_t>(index)].makeCopy)
    return;
  const auto isTaken = [&](int number) {
    return std::ranges::any_of(copies,
                               [&](const Copy& copy) { return copy.page == index && copy.window->number == number; });
  };
  int number = 2;
  while (isTaken(number))
    ++number;
  auto* own = new OwnWindow(this, index, number);
  QWidget* copy = views[static_cast<std::size_t>(index)].makeCopy(own);
  copy->setObjectName(copy->objectName() + QString::number(number));
  own->hold(copy);
  copies.push_back({index, copy, own});
  ViewArea::place(own, place);
}

void ViewArea::closeCopy(const OwnWindow* window)
{
  const auto found = std::ranges::find(copies, window, &Copy::window);
  OwnWindow* own = found->window;
  copies.erase(found);
  if (copyInUse == own)
    copyInUse = nullptr;
  own->hide();
  own->deleteLater();
  if (!isArranging) {
    use(isSeen(currentIndex) ? currentIndex : active->page);
    emit arrangementChanged();
  }
}

/// Those that are there stay as they are. Whether any came or went.
bool ViewArea::arrangeCopies(const std::vector<PageWindow>& wanted)
{
  std::vector<Copy> rest = copies;
  bool areOthers = false;
  for (const PageWindow& window : wanted) {
    const auto found = std::ranges::find(rest, indexOf(window.page), &Copy::page);
    if (found == rest.end()) {
      openCopy(indexOf(window.page), window.place);
      areOthers = true;
    } else {
      rest.erase(found);
    }
  }
  for (const Copy& copy : rest)
    closeCopy(copy.window);
  return areOthers || !rest.empty();
}

} // namespace hinesight::app
