#include "widgets/cells/schedule_view.hpp"

#include <QAbstractItemView>
#include <QToolButton>

#include <algorithm>
#include <cstddef>

namespace hinesight::widgets {

namespace {

constexpr int kMostWidth = 190; ///< pixels: a view may be narrow

} // namespace

ScheduleBox::ScheduleBox(QWidget* parent) : ChoiceBox(parent)
{
  setObjectName(QStringLiteral("scheduleChoice"));
  setAccessibleName(QObject::tr("Schedule"));
  setToolTip(QObject::tr("The schedule that is drawn: the one that ran, or the schedule of another solver for these "
                         "cells. That one is planned, not run, and needs no such device."));
  addItem(QObject::tr("As solved"));
  setItemData(0, QObject::tr("The schedule that ran. For solvers that give a lane a whole cell: the plan of branches"),
              Qt::ToolTipRole);
  for (const study::ScheduleOption& option : study::scheduleOptions()) {
    options.push_back({option.solver, option.backend});
    addItem(QString::fromStdString(option.title));
    setItemData(count() - 1, QString::fromStdString(option.help), Qt::ToolTipRole);
  }
  setMaximumWidth(kMostWidth);
  setMaxVisibleItems(count());
  view()->setMinimumWidth(view()->sizeHintForColumn(0));
}

std::optional<ScheduleChoice> ScheduleBox::choice() const
{
  return currentIndex() < 1 ? std::nullopt : std::optional(options[static_cast<std::size_t>(currentIndex() - 1)]);
}

void ScheduleBox::setChoice(std::optional<ScheduleChoice> choice)
{
  const auto found = choice ? std::ranges::find(options, *choice) : options.end();
  setCurrentIndex(found == options.end() ? 0 : static_cast<int>(found - options.begin()) + 1);
}

ScheduleView::ScheduleView(const QString& title, QWidget* parent) : PlanarView(title, parent)
{
  box = new ScheduleBox(this);
  addBesideText(box);
  connect(box, &QComboBox::activated, this, &ScheduleView::scheduleChosen);
  compare = new QToolButton(this);
  compare->setObjectName(QStringLiteral("scheduleCompare"));
  compare->setText(tr("Compare"));
  compare->setToolTip(tr("Show another schedule of the same cells beside this one"));
  compare->setCheckable(true);
  compare->hide();
  addBesideText(compare);
  connect(compare, &QToolButton::clicked, this, &ScheduleView::compareToggled);
}

void ScheduleView::setCompareShown(bool isShown)
{
  compare->setVisible(isShown);
}

void ScheduleView::setCompared(bool isCompared)
{
  compare->setChecked(isCompared);
}

QString ScheduleView::problem() const
{
  const study::PlannedSchedule* chosen = chosenSchedule(*currentScene);
  return chosen ? QString::fromStdString(chosen->problem) : QString();
}

std::shared_ptr<const hines::Schedule> ScheduleView::wantedSchedule() const
{
  const bool isKnown = hasPlan() && !currentScene->branchOfCompartment.empty();
  return isKnown ? drawnSchedule(*currentScene) : nullptr;
}

QString ScheduleView::whatIsDrawn() const
{
  return QString::fromStdString(describeDrawnSchedule(*currentScene));
}

} // namespace hinesight::widgets
