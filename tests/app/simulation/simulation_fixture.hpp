#pragma once

#include "app/simulation/simulation_page.hpp"
#include "app/window_fixture.hpp"

#include <QComboBox>
#include <QSettings>
#include <QSignalSpy>
#include <QString>
#include <QStringList>
#include <QtTest>

#include <cmath>

namespace hinesight::app {

/// The real main window with a simulation on its page.
class SimulationFixture : public WindowFixture
{
protected:
  static inline const QString kCell = QStringLiteral(":/samples/synthetic_pyramidal_fit.json");

  void begin()
  {
    QSettings().clear();
    QVERIFY(showWindow({1400, 900}));
  }

  SimulationPage& page() const { return window->simulation(); }

  void open(const QString& path, const QStringList& more = {})
  {
    QSignalSpy opened(&page(), &SimulationPage::opened);
    window->openFiles(QStringList{path} + more);
    QTRY_COMPARE_WITH_TIMEOUT(opened.size(), 1, kPatience);
  }

  /// To its end.
  void more()
  {
    const double before = page().time();
    find<QComboBox>("simulationSpeed")->setCurrentIndex(0);
    click("simulationMore");
    QTRY_VERIFY_WITH_TIMEOUT(!page().isRunning(), kPatience);
    QCOMPARE(std::round(page().time() - before), 100.0);
  }

  widgets::CellNode soma() const { return {0, page().model()->circuit.network.detectors[0].node}; }
};

} // namespace hinesight::app
