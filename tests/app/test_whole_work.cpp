#include "app/cells/data_panel.hpp"
#include "app/document/history.hpp"
#include "app/measure/measure_page.hpp"
#include "app/projection/population_dialog.hpp"
#include "app/projection/population_panel.hpp"
#include "app/projection/projection_page.hpp"
#include "app/selection/branch_selection.hpp"
#include "app/synapses/formation_page.hpp"
#include "app_fixture.hpp"
#include "model/project_changes.hpp"
#include "model/session_file.hpp"
#include "test_main.hpp"
#include "widgets/cells/morphology/morphology_view.hpp"
#include "widgets/cells/morphology/path_overlay.hpp"
#include "widgets/cells/morphology/tube_geometry.hpp"
#include "widgets/elided_label.hpp"
#include "window_fixture.hpp"

#include <QAction>
#include <QClipboard>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QHeaderView>
#include <QImage>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QProcess>
#include <QTabWidget>
#include <QToolButton>
#include <QTreeView>
#include <QtTest>

using namespace hinesight;
using namespace hinesight::app;

/// One person's work from beginning to end in the real main window, at the size of a small screen: a folder of real
/// cells, a selection, a circuit, steps back and forth, a session, a window that is killed, and what is exported.
class TestWholeWork : public QObject, WindowFixture
{
  Q_OBJECT

  static constexpr QSize kSmallScreen{1280, 720};
  static constexpr std::size_t kFewestCells = 60;

  QTemporaryDir folder;

  QString path(const char* name) const { return folder.filePath(name); }

  void settle()
  {
    QCoreApplication::processEvents();
    QVERIFY(QTest::qWaitFor([this] { return !window->isOpening() && !window->jobs().isActive(); }, 4 * kPatience));
    QCoreApplication::processEvents();
  }
  void trigger(const char* action)
  {
    find<QAction>(action)->trigger();
    settle();
  }
  /// Writes to the path by the file dialog that the action opens.
  void writeBy(const char* dialogName, const QString& to)
  {
    auto* dialog = find<QFileDialog>(dialogName);
    QVERIFY(QTest::qWaitForWindowExposed(dialog));
    auto* line = dialog->findChild<QLineEdit*>();
    line->setFocus();
    line->selectAll();
    line->insert(to); // a completer would take part in what is typed
    QTRY_VERIFY_WITH_TIMEOUT(dialog->selectedFiles().value(0).startsWith(to), kPatience);
    QTest::mouseClick(dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Save), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(to), kPatience);
    settle();
  }
  void addPopulation(const char* name, const char* count)
  {
    click("addPopulation");
    auto* dialog = find<PopulationDialog>("populationDialog");
    QVERIFY(QTest::qWaitForWindowExposed(dialog));
    auto* edit = dialog->findChild<QLineEdit*>(QStringLiteral("populationName"));
    edit->selectAll();
    QTest::keyClicks(edit, QLatin1String(name));
    auto* kind = dialog->findChild<QComboBox*>(QStringLiteral("populationKind"));
    kind->setCurrentIndex(kind->findData(static_cast<int>(projection::PopulationKind::Box)));
    type("populationCount", count); // Enter takes the dialog, too
    settle();
  }

  widgets::MorphologyView& morphology()
  {
    return static_cast<widgets::MorphologyView&>(window->view(ViewKind::Morphology));
  }
  /// With the ruler, between the ends of two tubes of the cell, to which the view is fitted.
  void measureAPath(const std::string& name)
  {
    const auto& cells = window->scene()->cells;
    const auto drawn = std::ranges::find(cells, name, &widgets::SceneCell::name);
    QVERIFY(drawn != cells.end());
    const auto cell = static_cast<std::int32_t>(drawn - cells.begin());
    const widgets::TubeGeometry& tubes = morphology().geometry();
    QTest::mouseClick(find<QToolButton>("measurePath"), Qt::LeftButton);
    std::vector<QPoint> picked;
    for (std::size_t tube = 0; tube < tubes.tubes() && picked.size() < 2; ++tube) {
      if (tubes.cell[tube] != cell)
        continue;
      const widgets::ScreenPoint at =
          morphology().camera().project({tubes.endB[3 * tube], tubes.endB[3 * tube + 1], tubes.endB[3 * tube + 2]});
      const QPoint pixel = QPointF(at.x, at.y).toPoint();
      constexpr int kApart = 100; // pixels
      if (picked.empty() || (pixel - picked.front()).manhattanLength() > kApart)
        picked.push_back(pixel);
    }
    QCOMPARE(picked.size(), std::size_t{2});
    for (const QPoint& pixel : picked)
      QTest::mouseClick(morphology().canvas(), Qt::LeftButton, {}, pixel);
    const auto& samples = morphology().path().samples();
    QVERIFY(samples.size() >= 2);
    QCOMPARE(samples.front().cell, cell);
    const auto expected =
        morphology::pathBetween(*drawn->discretization->morphology, samples.front().sample, samples.back().sample);
    const std::vector<MeasuredPath>& paths = find<MeasurePage>("measurePage")->paths();
    QCOMPARE(paths.size(), std::size_t{1});
    QCOMPARE(*paths.front().length, expected->length);
    QVERIFY(*paths.front().length >= paths.front().distance);
    QTest::mouseClick(find<QToolButton>("measurePath"), Qt::LeftButton);
  }

private slots:
  void init() { QVERIFY(folder.isValid()); }
  void cleanup() { window.reset(); }

  void fromCellsToFiguresAndBack()
  {
    const QDir real(QStringLiteral(HINESIGHT_MORPHOLOGIES "/real"));
    if (real.entryList({QStringLiteral("*.swc")}, QDir::Files).size() < static_cast<int>(kFewestCells))
      QSKIP("the reconstructed cells are not here");
    QVERIFY(showWindow(kSmallScreen));
    window->history().setMergeTime(0);
    window->keepOpenIn(path("state"));

    // A folder of real files; those that cannot be read are listed and do no harm.
    window->openFiles({real.path()});
    settle();
    const auto& cells = window->cells().cells();
    QVERIFY(cells.size() >= kFewestCells);
    QVERIFY(window->scene() && window->scene()->plan);
    const auto read = std::ranges::count_if(cells, [](const OpenCell& cell) { return cell.morphology != nullptr; });
    QVERIFY(read >= static_cast<std::ptrdiff_t>(kFewestCells) - 10);

    // The cells that seem to be in nanometres, in one click for all alike.
    auto* list = find<QTreeView>("cellList");
    const auto suggests = [&] {
      for (std::size_t row = 0; row < cells.size(); ++row)
        if (suggestedScale(cells[row]) > 0)
          return static_cast<int>(row);
      return -1;
    };
    if (const int row = suggests(); row >= 0) {
      const double scale = suggestedScale(cells[static_cast<std::size_t>(row)]);
      find<DataPanel>("dataPanel")->chooseCell(row);
      auto* all = find<QPushButton>("scaleAlike");
      QTest::mouseClick(all->isVisible() ? all : find<QPushButton>("scaleSuggested"), Qt::LeftButton);
      settle();
      QVERIFY(window->cells().rowsSuggesting(scale).empty());
    }

    // The longest: sort by a click on the header.
    QHeaderView* header = list->header();
    const int column = CellListModel::LengthColumn;
    QTest::mouseClick(
        header->viewport(), Qt::LeftButton, {},
        {header->sectionViewportPosition(column) + header->sectionSize(column) / 2, header->height() / 2});
    double longest = 0;
    std::string longestName;
    for (const OpenCell& cell : cells)
      if (cell.morphology && cell.metrics.totalLength > longest) {
        longest = cell.metrics.totalLength;
        longestName = cell.name.toStdString();
      }
    QCOMPARE(list->model()->index(0, 0).data().toString().toStdString(), longestName);

    // The view is fitted to it by a double click, and the way between two of its samples measured.
    const auto isDrawn = [&] {
      return morphology()
          .findChild<widgets::ElidedLabel*>(QStringLiteral("viewText"))
          ->text()
          .contains(QStringLiteral("segments"));
    };
    QTRY_VERIFY_WITH_TIMEOUT(isDrawn(), kPatience);
    const QModelIndex first = list->model()->index(0, 0);
    list->scrollToTop();
    QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualRect(first).center());
    QTest::mouseDClick(list->viewport(), Qt::LeftButton, {}, list->visualRect(first).center());
    measureAPath(longestName);

    // All axons, by an expression, are hidden.
    window->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(window.get()));
    QTest::keyClick(window.get(), Qt::Key_F, Qt::ControlModifier);
    auto* where = find<QLineEdit>("selectWhere");
    QTRY_VERIFY(where->hasFocus());
    QTest::keyClicks(where, QStringLiteral("type == axon"));
    const QString count = find<QLabel>("selectionCount")->text();
    QVERIFY2(count.contains(QStringLiteral(" of ")) && !count.startsWith(QStringLiteral("0 of")), qPrintable(count));
    trigger("hideBranchesAction");
    QVERIFY(find<QLabel>("selectionCount")->text().contains(QStringLiteral("hidden")));

    // A smaller batch for what follows: one cell is left.
    window->cells().removeAll();
    settle();
    window->openFiles({dataFile("stellate.swc")});
    settle();

    // Three populations, four connections.
    addPopulation("basket", "300");
    QCOMPARE(find<PopulationPanel>("populationPanel")->populations().size(), std::size_t{3});
    find<QTabWidget>("circuitTabs")->setCurrentIndex(1);
    click("addConnection");
    settle();
    click("addConnection");
    settle();
    click("formConnection");
    QTRY_VERIFY(window->findChild<QDialog*>(QStringLiteral("betweenDialog")));
    QTest::mouseClick(find<QDialog>("betweenDialog")->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok),
                      Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(window->synapses().isVisible(), kPatience);
    settle();
    QCOMPARE(window->project().connections.size(), std::size_t{4});
    const std::size_t neurons = std::size_t{60} * 60 * 2 + 300;
    QCOMPARE(window->synapses().outcome().formation->population->size(), neurons);
    click("makeConnections");
    settle();
    const auto* connections = find<QListWidget>("connectionList");
    const std::vector<model::Connection> made = window->project().connections;
    for (int row = 0; row < connections->count(); ++row) {
      const bool isFormed = made[static_cast<std::size_t>(row)].kind == model::ConnectionKind::Formed;
      QVERIFY(connections->item(row)
                  ->data(Qt::UserRole)
                  .toString()
                  .contains(isFormed ? QStringLiteral("synapses of") : QStringLiteral("rows")));
    }

    // A split length and a width, and five steps back and forth.
    window->showView(ViewKind::Splitting);
    settle();
    choose("splitCombo", static_cast<int>(hines::SplitStrategy::FixedLength));
    settle();
    type("splitLengthSpin", "7");
    settle();
    window->showView(ViewKind::Projection);
    settle();
    type("projectionSigmaMSpin", "42");
    settle();
    const model::Project done = window->project();
    QUndoStack& stack = window->history().stack();
    const int steps = stack.count();
    QVERIFY(steps >= 8);
    for (int k = 0; k < 5; ++k)
      trigger("undoAction");
    QCOMPARE(stack.index(), steps - 5);
    QVERIFY(window->project() != done);
    for (int k = 0; k < 5; ++k)
      trigger("redoAction");
    const std::string differences = model::summarize(model::changesBetween(done, window->project()));
    QVERIFY2(differences.empty(), differences.c_str());

    // Saved; then the window is killed, and its work comes back.
    find<QAction>("saveSessionAsAction")->trigger();
    writeBy("saveSessionDialog", path("work.hinesight"));
    QCOMPARE(model::readSession(path("work.hinesight").toStdString()).project.connections.size(), std::size_t{4});
    const QDir state(path("state"));
    const auto keptFile = [&] {
      return state.filePath(state.entryList({QStringLiteral("window-*.hinesight")}, QDir::Files).value(0));
    };
    const auto kept = [&] { return model::readSession(keptFile().toStdString()).project.connections; };
    QTRY_COMPARE_WITH_TIMEOUT(kept().size(), done.connections.size(), kPatience);
    QTRY_VERIFY_WITH_TIMEOUT(kept() == done.connections, kPatience);
    QVERIFY(QFile::copy(keptFile(), state.filePath(QStringLiteral("window-1-0.hinesight"))));
    window->close();
    window.reset();
    QVERIFY(showWindow(kSmallScreen));
    window->keepOpenIn(path("state"));
    QVERIFY(find<QPushButton>("recoveryAgree")->isVisible());
    click("recoveryAgree");
    settle();
    QVERIFY(window->project().connections == done.connections);
    QVERIFY(window->project().solve == done.solve);

    // The circuit, a figure, the timings.
    find<QAction>("exportCircuitAction")->trigger();
    auto* dialog = find<QFileDialog>("exportCircuitDialog");
    QVERIFY(QTest::qWaitForWindowExposed(dialog));
    dialog->setDirectory(folder.path()); // in which there is no folder "circuit" yet
    QVERIFY(!QFile::exists(path("circuit")));
    QTest::mouseClick(dialog->findChild<QDialogButtonBox*>()->buttons().front(), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(path("circuit/circuit_config.json")), kPatience);
    settle();
    find<QAction>("exportAction")->trigger();
    writeBy("exportDialog", path("timings.csv"));
    window->showView(ViewKind::Morphology);
    settle();
    find<QAction>("saveViewAction")->trigger();
    QTRY_VERIFY(window->findChild<QPushButton*>(QStringLiteral("figureSave")));
    click("figureSave");
    writeBy("saveViewDialog", path("cell.png"));
    QVERIFY(QImage(path("cell.png")).width() > 1000);
  }

  /// In a process of its own: the ratio is read once, when an application starts.
  void worksAtTwicePixelRatio()
  {
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("QT_SCALE_FACTOR"), QStringLiteral("2"));
    process.setProcessEnvironment(environment);
    process.start(QCoreApplication::applicationFilePath(),
                  {QStringLiteral("test_whole_work"), QStringLiteral("fromCellsToFiguresAndBack")});
    QVERIFY(process.waitForFinished(10 * kPatience));
    QVERIFY2(process.exitStatus() == QProcess::NormalExit && process.exitCode() == 0,
             process.readAllStandardOutput().constData());
  }
};

HINESIGHT_TEST_RUN(runWindowTest<TestWholeWork>)
#include "test_whole_work.moc"
