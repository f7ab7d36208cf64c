#include "app/cells/schedule_pair.hpp"

#include "hines/solvers/fine/fine.hpp"
#include "hines/solvers/resident/resident.hpp"

#include <QPainter>

#include <algorithm>
#include <utility>

namespace hinesight::app {

namespace {

constexpr int kLeastWidth = 200; ///< pixels of a view

} // namespace

SchedulePair::SchedulePair(std::function<widgets::ScheduleView*()> make, QWidget* parent)
    : QSplitter(Qt::Horizontal, parent), makeView(std::move(make))
{
  setChildrenCollapsible(false);
  setHandleWidth(2);
  add(0);
}

void SchedulePair::add(std::size_t place)
{
  widgets::ScheduleView* view = makeView();
  views[place] = view;
  addWidget(view);
  view->setMinimumWidth(kLeastWidth); // not that of its header, so that both can be as wide
  view->setCompareShown(place == 0);
  if (place > 0)
    view->setBeside();
  connect(view, &widgets::ScheduleView::scheduleChosen, this, &SchedulePair::schedulesChosen);
  connect(view, &widgets::ScheduleView::compareToggled, this, &SchedulePair::setCompared);
}

std::vector<widgets::ScheduleView*> SchedulePair::shown() const
{
  if (views[1] && !views[1]->isHidden())
    return {views[0], views[1]};
  return {views[0]};
}

void SchedulePair::setCompared(bool isCompared)
{
  views[0]->setCompared(isCompared);
  if (isCompared == (shown().size() == 2))
    return;
  if (!isCompared) {
    views[1]->hide();
    emit schedulesChosen();
    return;
  }
  if (!views[1]) {
    add(1);
    views[1]->setObjectName(views[0]->objectName() + QStringLiteral("Beside"));
    // The fastest on a GPU, and beside it the one whose cut a person sets.
    const widgets::ScheduleChoice resident{hines::kResident, Backend::Cuda};
    views[1]->setScheduleChoice(
        views[0]->scheduleChoice() == resident ? widgets::ScheduleChoice{hines::kFine, Backend::Cuda} : resident);
    emit viewAdded(views[1]);
  }
  views[1]->show();
  setSizes({width() / 2, width() / 2});
  emit schedulesChosen();
}

QImage SchedulePair::grabPicture()
{
  const std::vector<widgets::ScheduleView*> all = shown();
  if (all.size() == 1)
    return all.front()->grabPicture();
  const QImage left = all[0]->grabPicture();
  const QImage right = all[1]->grabPicture();
  QImage both(left.width() + handleWidth() + right.width(), std::max(left.height(), right.height()),
              QImage::Format_RGB32);
  both.fill(palette().color(QPalette::Mid));
  QPainter painter(&both);
  painter.drawImage(QRect({0, 0}, left.size()), left);
  painter.drawImage(QRect({left.width() + handleWidth(), 0}, right.size()), right);
  return both;
}

widgets::Figure SchedulePair::figure()
{
  const std::vector<widgets::ScheduleView*> all = shown();
  return all.size() == 1 ? all[0]->figure() : widgets::sideBySide(all[0]->figure(), all[1]->figure());
}

} // namespace hinesight::app
