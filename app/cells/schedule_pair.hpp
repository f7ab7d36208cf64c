#pragma once

#include "widgets/cells/schedule_view.hpp"

#include <QSplitter>

#include <array>
#include <functional>
#include <vector>

namespace hinesight::app {

/// A view of schedules and, while a person compares, another of its kind beside it.
class SchedulePair : public QSplitter
{
  Q_OBJECT

public:
  /// `make`: a new view without parent.
  SchedulePair(std::function<widgets::ScheduleView*()> make, QWidget* parent);

  widgets::ScheduleView& first() const { return *views[0]; }
  /// Those that are shown: one, or both from left to right.
  std::vector<widgets::ScheduleView*> shown() const;
  /// The second view shows another schedule than the first.
  void setCompared(bool isCompared);
  /// What is shown, side by side.
  QImage grabPicture();
  /// Of the views that are shown, side by side.
  widgets::Figure figure();

signals:
  /// The second view is there, for the first time.
  void viewAdded(hinesight::widgets::ScheduleView* view);
  /// A view came, went, or is to show another schedule.
  void schedulesChosen();

private:
  void add(std::size_t place);

  std::function<widgets::ScheduleView*()> makeView;
  std::array<widgets::ScheduleView*, 2> views{}; ///< the second is null until it is wanted
};

} // namespace hinesight::app
