#pragma once

#include "widgets/cells/planar_canvas_view.hpp"
#include "widgets/choice_box.hpp"

#include <optional>
#include <string_view>
#include <vector>

class QToolButton;

namespace hinesight::widgets {

/// A schedule to look at in place of the one that ran.
struct ScheduleChoice
{
  hines::SolverId solver;
  Backend backend = Backend::Cpu;

  bool operator==(const ScheduleChoice&) const = default;
};

/// "As solved", then study::scheduleOptions.
class ScheduleBox : public ChoiceBox
{
public:
  explicit ScheduleBox(QWidget* parent = nullptr);

  std::optional<ScheduleChoice> choice() const; ///< nullopt: as solved
  /// Silently. What is no option is "as solved".
  void setChoice(std::optional<ScheduleChoice> choice);

private:
  std::vector<ScheduleChoice> options;
};

/// A view that draws a schedule: drawnSchedule of its scene. Which one that is, a person chooses beside the title, in
/// the control "scheduleChoice". The view plans nothing: who hears `scheduleChosen` sets a scene with the planned
/// schedule; until then the drawing stays. The header begins with whether what is drawn has run.
class ScheduleView : public PlanarView
{
  Q_OBJECT

public:
  ScheduleView(const QString& title, QWidget* parent);

  /// nullopt: as solved.
  std::optional<ScheduleChoice> scheduleChoice() const { return box->choice(); }
  /// Whether the switch "scheduleCompare" is there, which wants another view beside this one.
  void setCompareShown(bool isShown);
  /// Without a signal.
  void setCompared(bool isCompared);
  /// Without a signal.
  void setScheduleChoice(std::optional<ScheduleChoice> choice) { box->setChoice(choice); }

signals:
  void scheduleChosen();                ///< by the user
  void compareToggled(bool isCompared); ///< by the user

protected:
  /// Why the chosen schedule cannot be made.
  QString problem() const override;
  /// The schedule that is drawn; null where there is none, or it cannot be made.
  std::shared_ptr<const hines::Schedule> wantedSchedule() const;
  /// describeDrawnSchedule of the scene.
  QString whatIsDrawn() const;

private:
  ScheduleBox* box;
  QToolButton* compare;
};

} // namespace hinesight::widgets
