#pragma once

#include "app/projection/population_dialog.hpp"
#include "app/projection/population_panel.hpp"
#include "app/projection/projection_page.hpp"
#include "app_fixture.hpp"
#include "widgets/charts/timing_card.hpp"
#include "widgets/projection/projection_view.hpp"
#include "window_fixture.hpp"

#include <QDoubleSpinBox>
#include <QLabel>
#include <QtTest>

#include <cstdint>
#include <vector>

namespace hinesight::app {

inline projection::PopulationParameters gridPopulation(const char* name, std::uint32_t side)
{
  projection::PopulationParameters parameters;
  parameters.name = name;
  parameters.size = {side, side, 1};
  return parameters;
}

/// The real main window at its page of projections.
class ProjectionWindow : public WindowFixture
{
public:
  /// With square populations of so many neurons a side, their table made. False where a step did not come about.
  bool open(std::uint32_t side, const QSize& size = {1500, 950})
  {
    QSettings().clear();
    if (!showWindow(size) ||
        !QTest::qWaitFor([this] { return !find<QLabel>("deviceLabel")->text().isEmpty(); }, kPatience))
      return false;
    usePopulations(side);
    window->showView(ViewKind::Projection);
    return waitForTable();
  }
  void close() { window.reset(); }

  MainWindow* operator->() const { return window.get(); }
  MainWindow& operator*() const { return *window; }

  void usePopulations(std::uint32_t side)
  {
    usePopulations({gridPopulation("retina", side), gridPopulation("colliculus", side)});
  }
  void usePopulations(const std::vector<study::PopulationChoice>& populations)
  {
    auto* panel = find<PopulationPanel>("populationPanel");
    panel->setPopulations(populations);
    emit panel->changed();
  }

  /// Gives the keyboard to a part of the window, as a click into the window does: a dialog that has closed leaves it to
  /// nobody where no window manager passes it on. Only with it, letters are shortcuts.
  bool focus(QWidget* widget)
  {
    window->activateWindow();
    if (!QTest::qWaitForWindowActive(window.get()))
      return false;
    widget->setFocus();
    return widget->hasFocus();
  }

  bool waitForTable() { return waitForJobs() && window->projections().outcome().table; }

  void type(const char* spin, const char* text)
  {
    if (!focus(find<QDoubleSpinBox>(spin)))
      qFatal("%s does not get the keyboard", spin);
    WindowFixture::type(spin, text);
  }

  widgets::ProjectionView& view() const { return window->projections().view(); }
  const ProjectionOutcome& outcome() const { return window->projections().outcome(); }
  const projection::WeightTable& table() const { return *outcome().table; }
  QWidget& canvas() const { return *find<QWidget>("projectionCanvas"); }
  int runs() const { return runsOf(io::RunKind::Table); }
};

} // namespace hinesight::app
