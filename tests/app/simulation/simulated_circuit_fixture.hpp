#pragma once

#include "app/simulation/parts/part_dialog.hpp"
#include "app/simulation/simulation_page.hpp"
#include "app/window_fixture.hpp"
#include "core/files.hpp"
#include "small_session.hpp"

#include <QAction>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDockWidget>
#include <QLabel>
#include <QSettings>
#include <QSignalSpy>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QTreeWidget>
#include <QtTest>

#include <ostream>
#include <string>

namespace hinesight::app {

/// The real main window with the circuit of a session, and the parts of its simulation.
class SimulatedCircuitFixture : public WindowFixture
{
protected:
  void openSmallSession()
  {
    QSettings().clear();
    writeFileAtomically(path("tree.swc"), [](std::ostream& stream) { stream << tests::kSmallTree; });
    openSession("small.hinesight", tests::kSmallSession);
  }
  void openSession(const char* name, const std::string& text)
  {
    writeFileAtomically(path(name), [&](std::ostream& stream) { stream << text; });
    QVERIFY(showWindow({1400, 950}));
    window->openFiles({folder.filePath(QLatin1String(name))});
    QTRY_VERIFY_WITH_TIMEOUT(window->project().models.size() == 3 && !window->isOpening(), kPatience);
    QVERIFY(waitForJobs());
  }
  QString message() const { return find<QLabel>("messageText")->text(); }
  std::string path(const char* name) const { return folder.filePath(QLatin1String(name)).toStdString(); }
  SimulationPage& page() const { return window->simulation(); }
  QTreeWidget* list() const { return find<QTreeWidget>("simulatedPartList"); }

  void showParts()
  {
    if (!find<QDockWidget>("circuitDock")->isVisible())
      find<QAction>("circuitDockAction")->trigger();
    find<QTabWidget>("circuitTabs")->setCurrentIndex(2);
    QVERIFY(list()->isVisible());
  }
  void openCircuit()
  {
    window->showView(ViewKind::Simulation);
    QSignalSpy opened(&page(), &SimulationPage::opened);
    if (find<QWidget>("simulationEmpty")->isVisible())
      click("simulationOwnCircuit");
    else
      click("simulationCircuit");
    QTRY_COMPARE_WITH_TIMEOUT(opened.size(), 1, kPatience);
  }
  void runMore()
  {
    find<QComboBox>("simulationSpeed")->setCurrentIndex(0);
    click("simulationMore");
    QTRY_VERIFY_WITH_TIMEOUT(page().time() > 0 && !page().isRunning(), kPatience);
  }
  /// The entry of that name below a title, chosen.
  QTreeWidgetItem* choosePart(const QString& title, const QString& name)
  {
    showParts();
    for (int g = 0; g < list()->topLevelItemCount(); ++g) {
      QTreeWidgetItem* group = list()->topLevelItem(g);
      for (int k = 0; group->text(0).startsWith(title) && k < group->childCount(); ++k)
        if (group->child(k)->text(0) == name) {
          list()->scrollToItem(group->child(k));
          QTest::mouseClick(list()->viewport(), Qt::LeftButton, {}, list()->visualItemRect(group->child(k)).center());
          return group->child(k);
        }
    }
    return nullptr;
  }
  void editPart(const QString& title, const QString& name)
  {
    QVERIFY2(choosePart(title, name), qPrintable(name));
    click("editSimulatedPart");
    QTRY_VERIFY(window->findChild<PartDialog*>());
    QVERIFY(QTest::qWaitForWindowExposed(window->findChild<PartDialog*>()));
  }
  QPushButton* okOfDialog() const
  {
    return find<PartDialog>("partDialog")->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok);
  }
  void accept()
  {
    QVERIFY2(okOfDialog()->isEnabled(), qPrintable(find<QLabel>("partProblem")->text()));
    QTest::mouseClick(okOfDialog(), Qt::LeftButton);
    QTRY_VERIFY(!window->findChild<PartDialog*>());
  }

  QTemporaryDir folder;
};

} // namespace hinesight::app
