#include "app/app_fixture.hpp"
#include "app/shell/help/command_palette.hpp"
#include "app/shell/help/tour.hpp"
#include "app/window_fixture.hpp"
#include "test_main.hpp"
#include "widgets/cells/morphology/morphology_view.hpp"

#include <QAbstractItemView>
#include <QAction>
#include <QFile>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QMenuBar>
#include <QPointer>
#include <QSet>
#include <QTemporaryDir>
#include <QToolButton>
#include <QtTest>

#include <set>

using namespace hinesight;
using namespace hinesight::app;

/// Finds commands by typing in the real main window.
class TestCommandPalette : public QObject, WindowFixture
{
  Q_OBJECT

  CommandPalette* openPalette()
  {
    window->activateWindow();
    if (!QTest::qWaitForWindowActive(window.get()))
      return nullptr;
    QTest::keyClick(window.get(), Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
    return window->findChild<CommandPalette*>();
  }

private slots:
  void init() { QVERIFY(showWindow({1280, 720})); }
  void cleanup() { window.reset(); }

  void wordsInAnyOrderFindACommand()
  {
    CommandPalette* palette = openPalette();
    QVERIFY(palette);
    QVERIFY(QTest::qWaitForWindowExposed(palette));
    QVERIFY(window->geometry().contains(palette->geometry()));
    auto* line = find<QLineEdit>("paletteText");
    QTest::keyClicks(line, QStringLiteral("tree dep"));
    auto* list = find<QListWidget>("paletteList");
    QCOMPARE(list->item(0)->text().left(15), QStringLiteral("Dependency tree"));
    const QPointer<CommandPalette> shown = palette;
    QTest::keyClick(line, Qt::Key_Return);
    QTRY_VERIFY(!shown);
    QTRY_VERIFY(window->view(ViewKind::Tree).isVisible());
  }

  /// Before one that has it among other words, though that comes first in the menus.
  void aWholeNameComesFirst()
  {
    window->openFiles({dataFile("stellate.swc")});
    QVERIFY(waitForJobs());
    QVERIFY(find<QAction>("exportAction")->isEnabled()); // "Export timings"
    QVERIFY(openPalette());
    QTest::keyClicks(find<QLineEdit>("paletteText"), QStringLiteral("timings"));
    const auto* list = find<QListWidget>("paletteList");
    QVERIFY(!list->findItems(QStringLiteral("Export timings"), Qt::MatchStartsWith).isEmpty());
    const QString first = list->item(0)->text().remove(QStringLiteral("✓ "));
    QVERIFY2(first.startsWith(QStringLiteral("Timings ")), qPrintable(first));
  }

  void longNamesAreElided()
  {
    const QTemporaryDir folder;
    const QString name = QString(120, QLatin1Char('n')) + QStringLiteral(".swc");
    const QString path = folder.filePath(name);
    QVERIFY(QFile::copy(dataFile("stellate.swc"), path));
    window->openFiles({path});
    QVERIFY(waitForJobs());
    CommandPalette* palette = openPalette();
    QVERIFY(palette);
    QVERIFY(QTest::qWaitForWindowExposed(palette));
    auto* list = find<QListWidget>("paletteList");
    const QList<QListWidgetItem*> found = list->findItems(name, Qt::MatchContains);
    QVERIFY(!found.isEmpty());
    QVERIFY(list->fontMetrics().horizontalAdvance(found.front()->text()) > list->viewport()->width());
    QVERIFY(list->visualItemRect(found.front()).width() <= list->viewport()->width());
  }

  /// What cannot be done now is last, and Enter does nothing with it.
  void whatCannotBeDoneIsGrey()
  {
    QVERIFY(openPalette());
    auto* line = find<QLineEdit>("paletteText");
    QTest::keyClicks(line, QStringLiteral("export timings"));
    auto* list = find<QListWidget>("paletteList");
    QVERIFY(list->count() >= 1);
    QVERIFY(!(list->item(0)->flags() & Qt::ItemIsEnabled));
    QTest::keyClick(line, Qt::Key_Return);
    QVERIFY(window->findChild<CommandPalette*>());
    QTest::keyClick(line, Qt::Key_Escape);
    QTRY_VERIFY(!window->findChild<CommandPalette*>());
  }

  void everyActionIsDescribed_data()
  {
    QTest::addColumn<int>("page");
    QTest::newRow("Morphology") << static_cast<int>(ViewKind::Morphology);
    QTest::newRow("Projection") << static_cast<int>(ViewKind::Projection);
    QTest::newRow("Synapses") << static_cast<int>(ViewKind::Synapses);
    QTest::newRow("Plasticity") << static_cast<int>(ViewKind::Plasticity);
    QTest::newRow("Simulation") << static_cast<int>(ViewKind::Simulation);
  }

  /// Every action has an icon, a tooltip that says more than its name, and a key that no other has.
  void everyActionIsDescribed()
  {
    QFETCH(int, page);
    window->showView(static_cast<ViewKind>(page));
    QSet<QString> keys;
    std::set<const QAction*> seen;
    QList<const QMenu*> menus;
    for (const QAction* menu : window->menuBar()->actions())
      menus << menu->menu();
    while (!menus.isEmpty()) {
      const QMenu* menu = menus.takeFirst();
      QSet<QString> letters;
      for (const QAction* action : menu->actions()) {
        if (const QString letter = QKeySequence::mnemonic(action->text()).toString();
            action->isVisible() && !letter.isEmpty() && !action->isSeparator()) {
          QVERIFY2(!letters.contains(letter), qPrintable(menu->title() + action->text()));
          letters << letter;
        }
        if (action->menu()) {
          menus << action->menu();
          continue;
        }
        if (action->isSeparator() || action->text().isEmpty() || !seen.insert(action).second)
          continue; // some are in two menus
        const QByteArray name = action->text().toUtf8();
        const QString plain = action->text().remove(QLatin1Char('&')).remove(QStringLiteral("…"));
        QVERIFY2(action->toolTip().size() > plain.size(), name);
        QVERIFY2(action->toolTip() != plain, name);
        const QImage picture = action->icon().pixmap({24, 24}, 2.0).toImage();
        QCOMPARE(picture.size(), QSize(48, 48)); // drawn for the ratio, not blown up
        // But those of lists that change. What another page has is not there, and may have the same key.
        QVERIFY2(!action->shortcuts().isEmpty() || action->objectName().isEmpty() ||
                     menu->objectName() == QStringLiteral("recentMenu"),
                 name);
        for (const QKeySequence& key : action->shortcuts()) {
          const QString sequence = key.toString();
          const bool isEscape = sequence == QStringLiteral("Esc"); // of what runs, then of the selection
          QVERIFY2(isEscape || !action->isVisible() || !keys.contains(sequence), qPrintable(sequence));
          if (action->isVisible())
            keys << sequence;
        }
      }
    }
    QVERIFY(keys.size() > 60);
  }

  /// The letters that are underlined in the menus lead to every command, also where a list takes letters.
  void lettersLeadToACommand()
  {
    window->openFiles({dataFile("stellate.swc")});
    QVERIFY(waitForJobs());
    window->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(window.get()));
    auto* list = find<QAbstractItemView>("cellList");
    list->setFocus();
    QTest::keyClick(list, Qt::Key_K, Qt::ControlModifier);
    QTest::keyClick(list, Qt::Key_H);
    QTest::keyClick(list, Qt::Key_T);
    QTRY_VERIFY(window->findChild<Tour*>());
  }

  /// What buttons and context menus of the docks do is in menus, too, where it can be done now.
  void whatPanelsDoIsInMenus()
  {
    const auto action = [this](const char* name) { return find<QAction>(name); };
    QVERIFY(!action("removeAllCellsAction")->isEnabled() && !action("exportTableAction")->isEnabled());
    QVERIFY(!action("clearRunsAction")->isEnabled());
    window->openFiles({dataFile("stellate.swc"), dataFile("bipolar.swc")});
    QVERIFY(waitForJobs());
    QVERIFY(action("removeCellsAction")->isEnabled() && action("clearRunsAction")->isEnabled());
    QVERIFY(openPalette());
    QTest::keyClicks(find<QLineEdit>("paletteText"), QStringLiteral("remove all cells"));
    QTest::keyClick(find<QLineEdit>("paletteText"), Qt::Key_Return);
    QTRY_COMPARE(window->cells().rowCount(), 0);
    QVERIFY(waitForJobs());
    // Of the dock Circuit, which is folded on this page.
    const auto connections = [this] { return window->project().connections.size(); };
    const std::size_t before = connections();
    QTRY_VERIFY(!window->findChild<CommandPalette*>());
    QVERIFY(openPalette());
    QTest::keyClicks(find<QLineEdit>("paletteText"), QStringLiteral("add connection"));
    QTest::keyClick(find<QLineEdit>("paletteText"), Qt::Key_Return);
    QTRY_COMPARE(connections(), before + 1);
    action("clearRunsAction")->trigger();
    QCOMPARE(window->runs().rowCount(), 0);
  }

  /// What a header's button does is in a menu, with the same state, for the page that is used.
  void theSwitchesOfAPageAreInItsMenu()
  {
    window->openFiles({dataFile("stellate.swc")});
    QVERIFY(waitForJobs());
    const auto visible = [this] {
      QStringList names;
      for (const QAction* action : find<QMenu>("pageMenu")->actions())
        if (action->isVisible())
          names << action->objectName();
      return names;
    };
    window->showView(ViewKind::Morphology);
    const QStringList ofCells{"spreadCellsAction", "parallelProjectionAction", "clipPlaneAction", "measurePathAction"};
    QCOMPARE(visible(), ofCells);
    auto& cells = static_cast<widgets::MorphologyView&>(window->view(ViewKind::Morphology));
    for (const auto& [key, name] : {std::pair(Qt::Key_P, "parallelProjection"), std::pair(Qt::Key_C, "clipPlane"),
                                    std::pair(Qt::Key_M, "measurePath"), std::pair(Qt::Key_S, "spreadCells")}) {
      auto* button = cells.findChild<QToolButton*>(QLatin1String(name));
      auto* action = find<QAction>(qPrintable(QLatin1String(name) + QStringLiteral("Action")));
      QVERIFY2(!button->isChecked() && !action->isChecked(), name);
      QTest::keyClick(window.get(), key);
      QVERIFY2(button->isChecked() && action->isChecked(), name);
      QTest::mouseClick(button, Qt::LeftButton, {}, QPoint(6, button->height() / 2));
      QVERIFY2(!button->isChecked() && !action->isChecked(), name);
    }
    QTest::keyClick(window.get(), Qt::Key_P);
    QVERIFY(cells.camera().parallel());
    // A copy has switches of its own.
    find<QAction>("duplicateViewAction")->trigger();
    auto* copy = find<QWidget>("pageWindow-morphology2")->findChild<widgets::MorphologyView*>();
    QVERIFY(find<QAction>("parallelProjectionAction")->isChecked());
    find<QAction>("parallelProjectionAction")->trigger();
    QVERIFY(!copy->camera().parallel());
    QVERIFY(cells.camera().parallel());
    find<QWidget>("pageWindow-morphology2")->close();
    QVERIFY(find<QAction>("parallelProjectionAction")->isChecked());

    window->showView(ViewKind::Packing);
    QCOMPARE(visible(), QStringList({"packingSortedAction", "packingByCellAction", "scheduleCompareAction"}));
    window->showView(ViewKind::Plasticity);
    QVERIFY(visible().contains(QStringLiteral("plasticityRunAction")));
    QCOMPARE(find<QAction>("plasticityExportAction")->isEnabled(), find<QPushButton>("plasticityExport")->isEnabled());
    QVERIFY(!find<QAction>("parallelProjectionAction")->isEnabled());
    window->showView(ViewKind::Tree);
    QVERIFY(visible().isEmpty());
  }
};

HINESIGHT_TEST_RUN(runWindowTest<TestCommandPalette>)
#include "test_command_palette.moc"
