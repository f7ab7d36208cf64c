#include "app/app_fixture.hpp"
#include "app/cells/data_panel.hpp"
#include "app/forms/help_text.hpp"
#include "app/pages/pages.hpp"
#include "app/selection/branch_selection.hpp"
#include "app/shell/help/context_help.hpp"
#include "app/shell/help/tour.hpp"
#include "app/window_fixture.hpp"
#include "paths/paths.hpp"
#include "test_main.hpp"
#include "widgets/cells/morphology/morphology_view.hpp"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAction>
#include <QComboBox>
#include <QDialog>
#include <QDockWidget>
#include <QFile>
#include <QHeaderView>
#include <QItemSelectionModel>
#include <QLabel>
#include <QMenu>
#include <QPointer>
#include <QScrollBar>
#include <QSettings>
#include <QTabBar>
#include <QTabWidget>
#include <QTableView>
#include <QTextBrowser>
#include <QTreeView>
#include <QTreeWidget>
#include <QtTest>

#include <functional>
#include <set>
#include <vector>

using namespace hinesight;
using namespace hinesight::app;

/// Help for what is under the mouse, the guide and the tour in the real main window.
class TestHelp : public QObject, WindowFixture
{
  Q_OBJECT

  /// What F1 says of a part.
  QString helpAt(QWidget& part) { return helpAt(part, part.rect().center()); }
  QString helpAt(QWidget& part, const QPoint& place)
  {
    showHelp(window.get(), part.mapToGlobal(place));
    auto* help = find<ContextHelp>("contextHelp");
    const QString text = find<QLabel>("contextHelpText")->text();
    const QPointer<ContextHelp> shown = help;
    QTest::keyClick(help, Qt::Key_Escape);
    return QTest::qWaitFor([&] { return !shown; }) ? text : QString();
  }

  static QString guide()
  {
    QFile file(QStringLiteral(":/user-guide.md"));
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
  }

  /// Of the user guide.
  static bool isSection(const QString& name)
  {
    return guide().contains(QStringLiteral("\n## %1\n").arg(name)) ||
           guide().contains(QStringLiteral("\n### %1\n").arg(name));
  }

  /// What of an open dialog leads elsewhere than to that section; empty: nothing. The dialog is closed.
  QString leadingElsewhere(const char* name, const QString& section)
  {
    const auto found = [&] { return window->findChild<QDialog*>(QLatin1String(name)); };
    if (!QTest::qWaitFor([&] { return found() && found()->isVisible(); }, kPatience))
      return QStringLiteral("it is not there");
    const QPointer<QDialog> dialog = found();
    QString elsewhere;
    for (const QWidget* part : QWidgetList{dialog} + dialog->findChildren<QWidget*>())
      if (const QString leads = helpOf(*part).section; leads != section)
        elsewhere += QStringLiteral("%1 \"%2\": %3; ")
                         .arg(QLatin1String(part->metaObject()->className()), part->objectName(), leads);
    dialog->close();
    return QTest::qWaitFor([&] { return !dialog || !dialog->isVisible(); }) ? elsewhere
                                                                            : QStringLiteral("it stays open");
  }

private slots:
  void init()
  {
    QSettings().clear();
    QVERIFY(showWindow({1280, 900}));
  }
  void cleanup() { window.reset(); }

  void f1SaysWhatIsUnderTheMouse()
  {
    QWidget& view = window->view(ViewKind::Morphology);
    QCursor::setPos(view.mapToGlobal(view.rect().center()));
    QTest::keyClick(window.get(), Qt::Key_F1);
    QTRY_VERIFY(window->findChild<ContextHelp*>());
    const QString text = find<QLabel>("contextHelpText")->text();
    QVERIFY2(text.contains(QStringLiteral("What does this neuron look like")), qPrintable(text));
    QVERIFY2(text.contains(QStringLiteral("Drag turns")), qPrintable(text));
  }

  void aParameterIsExplainedWithItsParagraph()
  {
    auto* label = find<QLabel>("copiesLabel");
    const QString text = helpAt(*label);
    const QString paragraph = find<QLabel>("copiesDetail")->text();
    QVERIFY(!paragraph.isEmpty());
    QVERIFY2(text.contains(paragraph.toHtmlEscaped()), qPrintable(text));
    QCOMPARE(helpOf(*find<QDoubleSpinBox>("copiesSpin")), helpOf(*label));
  }

  void aButtonIsExplainedByItsTooltip()
  {
    auto* open = find<QPushButton>("removeAllButton");
    QVERIFY(helpAt(*open).contains(open->toolTip().toHtmlEscaped()));
  }

  /// What is called by its tooltip alone has no title that says the same.
  void noHelpSaysTheSameTwice()
  {
    for (const QAbstractButton* button : window->findChildren<QAbstractButton*>()) {
      const HelpText help = helpOf(*button);
      QVERIFY2(help.title != help.text, qPrintable(help.text));
    }
  }

  /// Keys say which entry, wherever the mouse is.
  void anEntryOfAMenuIsExplained()
  {
    QAction* entry = find<QAction>("helpAction");
    auto* menu = qobject_cast<QMenu*>(entry->associatedObjects().constFirst());
    QVERIFY(menu);
    menu->popup(window->mapToGlobal(QPoint(100, 100)));
    QVERIFY(QTest::qWaitForWindowExposed(menu));
    menu->setActiveAction(entry);
    QTest::keyClick(menu, Qt::Key_F1);
    QTRY_VERIFY(window->findChild<ContextHelp*>());
    const QString text = find<QLabel>("contextHelpText")->text();
    QVERIFY2(text.contains(entry->iconText()), qPrintable(text));
    QVERIFY2(text.contains(entry->statusTip().toHtmlEscaped()), qPrintable(text));
    find<ContextHelp>("contextHelp")->close();
    menu->close();
  }

  void aTabIsExplainedByItsPage()
  {
    auto* tabs = find<QTabBar>("viewTabs");
    for (const PageDefinition& page : allPages()) {
      const auto place = static_cast<int>(&page - allPages().data());
      const QString text = helpAt(*tabs, tabs->tabRect(place).center());
      QVERIFY2(text.contains(titleOf(page)) && text.contains(questionOf(page).toHtmlEscaped()), qPrintable(text));
    }
  }

  void aColumnIsExplainedByItsHeading()
  {
    auto* headings = find<QTreeView>("cellList")->header();
    const QPoint ofLength(headings->sectionViewportPosition(1) + 4, headings->height() / 2);
    const QString text = helpAt(*headings->viewport(), ofLength);
    const QAbstractItemModel& model = *headings->model();
    for (const int role : {Qt::DisplayRole, Qt::ToolTipRole})
      QVERIFY2(text.contains(model.headerData(1, Qt::Horizontal, role).toString().toHtmlEscaped()), qPrintable(text));
  }

  /// The help is about the part, not about the window behind it.
  void aPageInAWindowOfItsOwnIsExplained()
  {
    window->showView(ViewKind::Morphology);
    find<QAction>("duplicateViewAction")->trigger();
    auto* copy = find<QWidget>("pageWindow-morphology2");
    QVERIFY(QTest::qWaitForWindowExposed(copy));
    const QString text = helpAt(*copy->findChild<widgets::MorphologyView*>());
    QVERIFY2(text.contains(QStringLiteral("What does this neuron look like")), qPrintable(text));
  }

  /// Also in one that waits for its answer, where the guide could not be read.
  void f1SaysWhatIsUnderTheMouseInADialog()
  {
    const auto helpIn = [this](const char* action, const char* dialog, const char* part) {
      find<QAction>(action)->trigger();
      auto* shown = find<QDialog>(dialog);
      if (!QTest::qWaitForWindowExposed(shown))
        return QString();
      if (auto* pointed = shown->findChild<QWidget*>(QLatin1String(part)))
        QCursor::setPos(pointed->mapToGlobal(pointed->rect().center()));
      QTest::keyClick(shown, Qt::Key_F1);
      if (!QTest::qWaitFor([this] { return window->findChild<ContextHelp*>() != nullptr; }))
        return QString();
      return find<QLabel>("contextHelpText")->text();
    };
    const auto close = [this](const char* dialog) {
      find<ContextHelp>("contextHelp")->close();
      find<QDialog>(dialog)->close();
      return QTest::qWaitFor([&] { return !window->findChild<QDialog*>(QLatin1String(dialog)); });
    };
    const QString ofFigure = helpIn("saveViewAction", "figureDialog", "figureSave");
    QVERIFY2(ofFigure.contains(QStringLiteral("Write the figure as PNG, SVG or PDF")), qPrintable(ofFigure));
    QVERIFY(!find<QLabel>("contextHelpLink")->isHidden());
    QVERIFY(find<QLabel>("contextHelpLink")->text().contains(QStringLiteral("User guide: Figures")));
    QVERIFY(close("figureDialog"));
    QVERIFY(!helpIn("saveWorkspaceAction", "workspaceNameDialog", "").isEmpty());
    QVERIFY(find<QLabel>("contextHelpLink")->isHidden());
    QVERIFY(close("workspaceNameDialog"));
  }

  void everyDialogLeadsToItsSection()
  {
    QVERIFY(showWindow({1500, 950}));
    window->openFiles({tests::sourceFile("docs/example.hinesight")});
    QTRY_VERIFY_WITH_TIMEOUT(!window->isOpening(), kPatience);
    QVERIFY(waitForJobs());
    find<DataPanel>("dataPanel")->chooseCells({0});
    find<QAction>("selectWhereAction")->trigger();
    window->findChild<BranchSelection*>()->selectWhere("type == axon");
    window->findChild<BranchSelection*>()->saveAs(QStringLiteral("axons"));
    find<QAction>("runAction")->trigger();
    QVERIFY(waitForJobs());
    if (!find<QDockWidget>("circuitDock")->isVisible())
      find<QAction>("circuitDockAction")->trigger();

    const auto byMenu = [this](const char* action) { return [this, action] { find<QAction>(action)->trigger(); }; };
    const auto bySets = [this](const char* entry) {
      return [this, entry] {
        auto* sets = find<QComboBox>("selectionSets");
        emit sets->activated(sets->findText(QString::fromUtf8(entry)));
      };
    };
    const auto inCircuit = [this](int tab, const char* button) {
      return [this, tab, button] {
        find<QTabWidget>("circuitTabs")->setCurrentIndex(tab);
        click(button);
      };
    };
    const auto compareRuns = [this] {
      const auto* runs = find<QTableView>("runTable");
      for (const int row : {0, 1})
        runs->selectionModel()->select(runs->model()->index(row, 0),
                                       QItemSelectionModel::Select | QItemSelectionModel::Rows);
      find<QAction>("compareRunsAction")->trigger();
    };
    const auto editPart = [this] {
      find<QTabWidget>("circuitTabs")->setCurrentIndex(2);
      auto* parts = find<QTreeWidget>("simulatedPartList");
      parts->setCurrentItem(parts->topLevelItem(0)->child(0));
      click("editSimulatedPart");
    };
    const auto choosePopulations = [this] {
      window->showView(ViewKind::Plasticity);
      click("plasticityPopulations");
    };
    struct Opened
    {
      const char* dialog;
      QString section;
      std::function<void()> open;
    };
    const std::vector<Opened> all = {
        {"figureDialog", "Figures", byMenu("saveViewAction")},
        {"repairDialog", "Cells", byMenu("repairCellAction")},
        {"placeDialog", "Cells", byMenu("placeCellsAction")},
        {"tagsDialog", "Cells", byMenu("tagCellsAction")},
        {"setNameDialog", "Selection", byMenu("saveCellSetAction")},
        {"renameSetDialog", "Selection", bySets("Rename a set…")},
        {"removeSetDialog", "Selection", bySets("Remove a set…")},
        {"runComparisonDialog", "Runs", compareRuns},
        {"populationDialog", "The circuit", inCircuit(0, "addPopulation")},
        {"networkComparisonDialog", "The circuit", inCircuit(1, "compareConnections")},
        {"betweenDialog", "The synapses page", inCircuit(1, "formConnection")},
        {"partDialog", "The simulation page", editPart},
        {"betweenDialog", "The plasticity page", choosePopulations},
        {"workspaceNameDialog", "Arranging the window", byMenu("saveWorkspaceAction")},
        {"shortcutsDialog", "Keys", byMenu("shortcutsAction")},
        {"guideDialog", "Help", byMenu("guideAction")},
    };
    for (const Opened& each : all) {
      QVERIFY2(isSection(each.section), qPrintable(each.section));
      each.open();
      const QString elsewhere = leadingElsewhere(each.dialog, each.section);
      QVERIFY2(elsewhere.isEmpty(), qPrintable(QStringLiteral("%1: %2").arg(QLatin1String(each.dialog), elsewhere)));
      QVERIFY(waitForJobs());
    }
  }

  /// Wherever F1 is pressed.
  void everySectionIsInTheGuide()
  {
    std::set<QString> sections;
    for (const QWidget* part : window->findChildren<QWidget*>())
      sections.insert(helpOf(*part).section);
    QVERIFY(sections.size() > 10);
    for (const QString& section : sections)
      QVERIFY2(isSection(section), qPrintable(section));
    QCOMPARE(helpOf(*find<QDockWidget>("dataDock")).section, QStringLiteral("Cells"));
    QCOMPARE(helpOf(*find<QWidget>("neuronBar")).section, QStringLiteral("Neurons of the circuit"));
  }

  void theLinkOpensTheGuideAtTheSection()
  {
    showHelp(window.get(), window->view(ViewKind::Morphology).mapToGlobal(QPoint(200, 200)));
    emit find<QLabel>("contextHelpLink")->linkActivated(QStringLiteral("guide"));
    auto* text = find<QTextBrowser>("userGuide");
    QTRY_VERIFY(text->isVisible());
    QCOMPARE(text->textCursor().block().text(), QStringLiteral("The views"));
    QVERIFY(text->verticalScrollBar()->value() > 0);
    find<QAction>("guideAction")->trigger();
    QVERIFY(text->textCursor().atStart());
    QCOMPARE(text->verticalScrollBar()->value(), 0);
  }

  /// The guide says of every page what the help says, and has its section.
  void theGuideSaysTheSame()
  {
    const QString text = guide();
    for (const PageDefinition& page : allPages()) {
      QVERIFY2(text.contains(questionOf(page)), page.title);
      QVERIFY2(text.contains(QLatin1String(page.use)), page.title);
      QVERIFY2(text.contains(QStringLiteral("\n## %1\n").arg(QLatin1String(page.section))), page.section);
    }
  }

  void theTourGoesForthAndBackAndEnds()
  {
    QVERIFY(!window->findChild<Tour*>());
    QVERIFY(!Tour::isOver());
    window->offerTour();
    const QPointer<Tour> tour = window->findChild<Tour*>();
    QVERIFY(tour);
    // Nothing of the window is seen through its card.
    const QPoint inside(tour->width() - 4, tour->height() - 4);
    QCOMPARE(window->grab().toImage().pixelColor(tour->mapTo(window.get(), inside)), tour->palette().window().color());
    QVERIFY(waitForJobs());
    QVERIFY(window->cells().rowCount() > 0);
    auto* text = find<QLabel>("tourText");
    const QString first = text->text();
    auto* next = find<QPushButton>("tourNext");
    QTRY_VERIFY(next->hasFocus());
    QTest::keyClick(next, Qt::Key_Right);
    QVERIFY(text->text() != first);
    QVERIFY(window->rect().contains(tour->geometry()));
    QTest::keyClick(next, Qt::Key_Left);
    QCOMPARE(text->text(), first);
    // A part that is folded meanwhile has no frame.
    const auto* outline = find<QFrame>("tourFrame");
    QVERIFY(outline->isVisible());
    find<QAction>("focusAction")->trigger();
    QTRY_VERIFY(!outline->isVisible());
    find<QAction>("focusAction")->trigger();
    QTRY_VERIFY(outline->isVisible());
    constexpr int kStops = 7; // docks that are folded have theirs too
    for (int stop = 0; stop < kStops; ++stop) {
      QVERIFY(tour);
      QVERIFY2(window->rect().contains(tour->geometry()), qPrintable(text->text()));
      QTest::mouseClick(next, Qt::LeftButton);
    }
    QTRY_VERIFY(!tour);
    QVERIFY(Tour::isOver());
    window->offerTour();
    QVERIFY(!window->findChild<Tour*>());
    find<QAction>("tourAction")->trigger();
    QVERIFY(window->findChild<Tour*>());
    // Esc ends it also where the keys go elsewhere.
    find<QAbstractItemView>("cellList")->setFocus();
    QTest::keyClick(find<QAbstractItemView>("cellList"), Qt::Key_Escape);
    QTRY_VERIFY(!window->findChild<Tour*>());
    find<QAction>("tourAction")->trigger();
    QVERIFY(window->findChild<Tour*>());
  }

  void theTourTakesEnterAndSpaceAfterAClickBesideIt()
  {
    QVERIFY(waitForJobs());
    window->offerTour();
    const QPointer<Tour> tour = window->findChild<Tour*>();
    QVERIFY(tour);
    QWidget* canvas = static_cast<widgets::MorphologyView&>(window->view(ViewKind::Morphology)).canvas();
    QTest::mouseClick(canvas, Qt::LeftButton, {}, {4, canvas->height() - 4});
    QVERIFY(!find<QPushButton>("tourNext")->hasFocus());
    auto* text = find<QLabel>("tourText");
    for (const Qt::Key key : {Qt::Key_Return, Qt::Key_Space}) {
      const QString before = text->text();
      QTest::keyClick(canvas, key);
      QVERIFY(text->text() != before);
    }
    // In a list they are of the list.
    auto* list = find<QAbstractItemView>("cellList");
    list->setFocus();
    const QString before = text->text();
    QTest::keyClick(list, Qt::Key_Return);
    QCOMPARE(text->text(), before);
    QTest::keyClick(list, Qt::Key_Escape);
    QTRY_VERIFY(!tour);
  }

  void escapeSkipsTheTour()
  {
    window->offerTour();
    const QPointer<Tour> tour = window->findChild<Tour*>();
    QTest::keyClick(find<QPushButton>("tourNext"), Qt::Key_Escape);
    QTRY_VERIFY(!tour);
    QVERIFY(Tour::isOver());
    QVERIFY(waitForJobs());
  }
};

HINESIGHT_TEST_RUN(runWindowTest<TestHelp>)
#include "test_help.moc"
