#include "app/app_fixture.hpp"
#include "app/cells/cell_texts.hpp"
#include "app/cells/data_panel.hpp"
#include "app/document/history.hpp"
#include "app/measure/measure_page.hpp"
#include "app/projection/population_dialog.hpp"
#include "app/projection/population_panel.hpp"
#include "app/projection/projection_page.hpp"
#include "app/selection/branch_selection.hpp"
#include "app/synapses/formation_page.hpp"
#include "app/typed_path.hpp"
#include "app/window_fixture.hpp"
#include "model/project_changes.hpp"
#include "model/session_file.hpp"
#include "paths/paths.hpp"
#include "test_main.hpp"
#include "widgets/cells/morphology/morphology_view.hpp"
#include "widgets/cells/morphology/path_overlay.hpp"
#include "widgets/cells/morphology/tube_geometry.hpp"
#include "widgets/elided_label.hpp"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QClipboard>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDockWidget>
#include <QFileDialog>
#include <QHeaderView>
#include <QImage>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QProcess>
#include <QPushButton>
#include <QTabBar>
#include <QTabWidget>
#include <QTreeView>
#include <QtTest>

using namespace hinesight;
using namespace hinesight::app;

/// One person's work from beginning to end in the real main window, by mouse and keyboard: a folder of real cells, a
/// selection, a circuit, steps back and forth, a session, a program that is killed, and what is exported.
class TestWholeWork : public QObject, WindowFixture
{
  Q_OBJECT

  static constexpr std::size_t kFewestCells = 60;
  static constexpr int kUndone = 5;
  // Of the process that is killed.
  static constexpr const char* kFolder = "HINESIGHT_WORK_FOLDER";
  static constexpr const char* kSize = "HINESIGHT_WORK_SIZE";

  QTemporaryDir ownFolder;
  QString folder = ownFolder.path();

  QString path(const char* name) const { return QDir(folder).filePath(QLatin1String(name)); }
  static QDir realCells() { return QDir(tests::sharedFile("morphologies/real")); }

  void settle()
  {
    QCoreApplication::processEvents();
    QVERIFY(QTest::qWaitFor([this] { return !window->isOpening() && !window->jobs().isActive(); }, 4 * kPatience));
    QCoreApplication::processEvents();
  }
  void press(Qt::Key key, Qt::KeyboardModifiers modifiers = {})
  {
    window->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(window.get()));
    QTest::keyClick(window.get(), key, modifiers);
    settle();
  }
  /// By the command palette, whose first entry the words are to find.
  void command(const char* words)
  {
    press(Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
    auto* line = find<QLineEdit>("paletteText");
    QTest::keyClicks(line, QLatin1String(words));
    QVERIFY2(find<QListWidget>("paletteList")->item(0)->flags() & Qt::ItemIsEnabled, words);
    QTest::keyClick(line, Qt::Key_Return);
    settle();
  }
  /// A button that is seen.
  void push(const char* name)
  {
    auto* button = find<QAbstractButton>(name);
    QVERIFY2(button->isVisible() && button->isEnabled(), name);
    QTest::mouseClick(button, Qt::LeftButton, {}, {8, button->height() / 2});
    settle();
  }
  /// A dock whose title stands at the edge of a small window.
  void unfold(const char* dock)
  {
    if (find<QDockWidget>(dock)->isVisible())
      return;
    auto* title = find<QAbstractButton>(qPrintable(QLatin1String(dock) + QStringLiteral("Unfold")));
    QVERIFY(title->isVisible());
    QTest::mouseClick(title, Qt::LeftButton);
    QTRY_VERIFY(find<QDockWidget>(dock)->isVisible());
  }
  /// A place in a list that is seen.
  void clickOn(QAbstractItemView* list, const QModelIndex& index)
  {
    QVERIFY(list->isVisible());
    list->scrollTo(index);
    QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualRect(index).center());
    settle();
  }
  /// The file dialog that is open takes a path that is typed.
  void answer(const char* dialogName, const QString& with, QDialogButtonBox::StandardButton button)
  {
    QTRY_VERIFY2_WITH_TIMEOUT(window->findChild<QFileDialog*>(QLatin1String(dialogName)), dialogName, kPatience);
    auto* dialog = find<QFileDialog>(dialogName);
    QVERIFY(QTest::qWaitForWindowExposed(dialog));
    QTRY_VERIFY_WITH_TIMEOUT(typedPath(*dialog, with), kPatience);
    auto* box = dialog->findChild<QDialogButtonBox*>();
    QTest::mouseClick(box->button(button) ? box->button(button) : box->buttons().front(), Qt::LeftButton);
    settle();
  }
  void writeBy(const char* dialogName, const QString& to)
  {
    answer(dialogName, to, QDialogButtonBox::Save);
    QTRY_VERIFY2_WITH_TIMEOUT(QFile::exists(to), qPrintable(to), kPatience);
    settle();
  }
  static qsizetype linesOf(const QString& file)
  {
    QFile read(file);
    return read.open(QIODevice::ReadOnly) ? read.readAll().count('\n') : 0;
  }

  void addPopulation(const char* name, const char* count)
  {
    push("addPopulation");
    auto* dialog = find<PopulationDialog>("populationDialog");
    QVERIFY(QTest::qWaitForWindowExposed(dialog));
    auto* edit = dialog->findChild<QLineEdit*>(QStringLiteral("populationName"));
    edit->selectAll();
    QTest::keyClicks(edit, QLatin1String(name));
    auto* kind = dialog->findChild<QComboBox*>(QStringLiteral("populationKind"));
    choose("populationKind", kind->findData(static_cast<int>(projection::PopulationKind::Box)));
    type("populationCount", count);
    QTest::mouseClick(dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok), Qt::LeftButton);
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
    press(Qt::Key_M);
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
    press(Qt::Key_M);
  }

  void openAndScaleTheCells()
  {
    press(Qt::Key_O, Qt::ControlModifier | Qt::ShiftModifier);
    answer("openFolderDialog", realCells().path(), QDialogButtonBox::Open);
    const auto& cells = window->cells().cells();
    QTRY_VERIFY_WITH_TIMEOUT(cells.size() >= kFewestCells, kPatience);
    settle();
    QVERIFY(window->scene() && window->scene()->plan);
    // Those that cannot be read are listed and do no harm.
    const auto read = std::ranges::count_if(cells, [](const OpenCell& cell) { return cell.morphology != nullptr; });
    QVERIFY(read >= static_cast<std::ptrdiff_t>(kFewestCells) - 10);

    // The cells that seem to be in nanometres, in one click for all alike.
    const auto suggesting = [&] {
      return std::ranges::count_if(cells, [](const OpenCell& cell) { return suggestedScale(cell) > 0; });
    };
    const auto before = suggesting();
    QVERIFY(before > 0);
    push("unitsAgree");
    QVERIFY(suggesting() < before);
  }

  void findMeasureAndHide()
  {
    // The longest: sort by a click on the header.
    const auto& cells = window->cells().cells();
    auto* list = find<QTreeView>("cellList");
    QHeaderView* header = list->header();
    const int column = CellListModel::LengthColumn;
    QTest::mouseClick(
        header->viewport(), Qt::LeftButton, {},
        {header->sectionViewportPosition(column) + header->sectionSize(column) / 2, header->height() / 2});
    double longest = 0;
    std::string longestName;
    for (const OpenCell& cell : cells) {
      double neurites = 0;
      for (const morphology::TypeMeasures& type : cell.types)
        neurites += type.type == morphology::kSoma ? 0 : type.length;
      if (cell.morphology && neurites > longest) {
        longest = neurites;
        longestName = cell.name.toStdString();
      }
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
    clickOn(list, first);
    QTest::mouseDClick(list->viewport(), Qt::LeftButton, {}, list->visualRect(first).center());
    measureAPath(longestName);

    // All axons, by an expression, are hidden.
    press(Qt::Key_F, Qt::ControlModifier);
    auto* where = find<QLineEdit>("selectWhere");
    QTRY_VERIFY(where->hasFocus());
    QTest::keyClicks(where, QStringLiteral("type == axon"));
    const QString count = find<QLabel>("selectionCount")->text();
    QVERIFY2(count.contains(QStringLiteral(" of ")) && !count.startsWith(QStringLiteral("0 of")), qPrintable(count));
    QTest::keyClick(where, Qt::Key_H, Qt::ControlModifier);
    settle();
    QVERIFY(find<QLabel>("selectionCount")->text().contains(QStringLiteral("hidden")));
  }

  /// Three populations, four connections.
  void makeTheCircuit()
  {
    press(Qt::Key_6, Qt::ControlModifier);
    unfold("circuitDock");
    addPopulation("basket", "300");
    QCOMPARE(find<PopulationPanel>("populationPanel")->populations().size(), std::size_t{3});
    auto* tabs = find<QTabWidget>("circuitTabs")->tabBar();
    QTest::mouseClick(tabs, Qt::LeftButton, {}, tabs->tabRect(1).center());
    push("addConnection");
    push("addConnection");
    push("formConnection");
    QTRY_VERIFY(window->findChild<QDialog*>(QStringLiteral("betweenDialog")));
    QTest::mouseClick(find<QDialog>("betweenDialog")->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok),
                      Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(window->synapses().isVisible(), kPatience);
    settle();
    QCOMPARE(window->project().connections.size(), std::size_t{4});
    const std::size_t neurons = std::size_t{60} * 60 * 2 + 300;
    QTRY_VERIFY_WITH_TIMEOUT(window->synapses().outcome().formation, kPatience);
    QCOMPARE(window->synapses().outcome().formation->population->size(), neurons);
    command("make all connections");
    const auto* connections = find<QListWidget>("connectionList");
    const std::vector<model::Connection> made = window->project().connections;
    for (int row = 0; row < connections->count(); ++row) {
      const bool isFormed = made[static_cast<std::size_t>(row)].kind == model::ConnectionKind::Formed;
      QVERIFY(connections->item(row)
                  ->data(Qt::UserRole)
                  .toString()
                  .contains(isFormed ? QStringLiteral("synapses of") : QStringLiteral("rows")));
    }
  }

  /// A split length and a width, and five steps back and forth.
  void changeAndUndo()
  {
    press(Qt::Key_4, Qt::ControlModifier);
    choose("splitCombo", static_cast<int>(hines::SplitStrategy::FixedLength));
    settle();
    type("splitLengthSpin", "7");
    settle();
    press(Qt::Key_6, Qt::ControlModifier);
    type("projectionSigmaMSpin", "42");
    settle();
    const model::Project done = window->project();
    QUndoStack& stack = window->history().stack();
    const int steps = stack.count();
    QVERIFY(steps >= 8);
    for (int k = 0; k < kUndone; ++k)
      press(Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(stack.index(), steps - kUndone);
    QVERIFY(window->project() != done);
    for (int k = 0; k < kUndone; ++k)
      press(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
    const std::string differences = model::summarize(model::changesBetween(done, window->project()));
    QVERIFY2(differences.empty(), differences.c_str());
  }

private slots:
  void init() { QVERIFY(ownFolder.isValid()); }
  void cleanup() { window.reset(); }

  /// What the process does that fromCellsToFiguresAndBack kills.
  void worksUntilItIsKilled()
  {
    if (!qEnvironmentVariableIsSet(kFolder))
      QSKIP("a part of fromCellsToFiguresAndBack");
    folder = qEnvironmentVariable(kFolder);
    const QStringList size = qEnvironmentVariable(kSize).split(QLatin1Char('x'));
    QVERIFY(showWindow({size.at(0).toInt(), size.at(1).toInt()}));
    window->history().setMergeTime(0);
    window->keepOpenIn(path("state"));
    openAndScaleTheCells();
    if (!QTest::currentTestFailed())
      findMeasureAndHide();
    if (!QTest::currentTestFailed())
      makeTheCircuit();
    if (!QTest::currentTestFailed())
      changeAndUndo();
    if (QTest::currentTestFailed())
      return;
    press(Qt::Key_S, Qt::ControlModifier);
    writeBy("saveSessionDialog", path("work.hinesight"));
    QCOMPARE(model::readSession(path("work.hinesight").toStdString()).project.connections.size(), std::size_t{4});
    // One step more, which is not saved.
    type("projectionSigmaMSpin", "43");
    settle();
    const std::vector<model::Connection> done = window->project().connections;
    const auto kept = [&] {
      const QDir state(path("state"));
      const QString name = state.entryList({QStringLiteral("window-*.hinesight")}, QDir::Files).value(0);
      return model::readSession(state.filePath(name).toStdString()).project.connections;
    };
    QTRY_VERIFY_WITH_TIMEOUT(kept() == done, kPatience);
    QFile ready(path("ready"));
    QVERIFY(ready.open(QIODevice::WriteOnly));
    ready.close();
    QTest::qWait(10 * kPatience);
    QFAIL("nobody killed this process");
  }

  /// CMake runs the small one at a ratio of two as well.
  void fromCellsToFiguresAndBack_data()
  {
    QTest::addColumn<QSize>("size");
    QTest::newRow("large") << QSize(1600, 1000);
    QTest::newRow("small") << QSize(1280, 720);
  }

  void fromCellsToFiguresAndBack()
  {
    QFETCH(QSize, size);
    if (realCells().entryList({QStringLiteral("*.swc")}, QDir::Files).size() < static_cast<int>(kFewestCells))
      QSKIP("the reconstructed cells are not here");
    const QTemporaryDir ofThisSize;
    folder = ofThisSize.path();
    QProcess worker;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QLatin1String(kFolder), folder);
    environment.insert(QLatin1String(kSize), QStringLiteral("%1x%2").arg(size.width()).arg(size.height()));
    worker.setProcessEnvironment(environment);
    worker.setProcessChannelMode(QProcess::MergedChannels);
    worker.start(QCoreApplication::applicationFilePath(),
                 {QStringLiteral("test_whole_work"), QStringLiteral("worksUntilItIsKilled")});
    QVERIFY(QTest::qWaitFor([&] { return QFile::exists(path("ready")) || worker.state() == QProcess::NotRunning; },
                            10 * kPatience));
    QVERIFY2(QFile::exists(path("ready")), worker.readAll().constData());
    worker.kill(); // SIGKILL
    QVERIFY(worker.waitForFinished(kPatience));
    QCOMPARE(worker.exitStatus(), QProcess::CrashExit);

    // The next start offers all of it, with the step that was not saved.
    QVERIFY(showWindow(size));
    window->keepOpenIn(path("state"));
    push("recoveryAgree");
    const model::Project saved = model::readSession(path("work.hinesight").toStdString()).project;
    const model::Project now = window->project();
    QCOMPARE(now.cells.size(), saved.cells.size());
    QVERIFY(std::ranges::equal(now.cells, saved.cells, [](const model::Cell& a, const model::Cell& b) {
      return a.file == b.file && a.scale == b.scale;
    }));
    QVERIFY(std::ranges::any_of(now.cells, [](const model::Cell& cell) { return cell.scale < 1; }));
    QVERIFY(now.populations == saved.populations);
    QVERIFY(now.solve == saved.solve);
    QCOMPARE(window->scene()->plan->parameters.splitLength, 7);
    const auto widthOf = [](const model::Project& project) {
      std::vector<double> widths;
      for (const model::Connection& connection : project.connections)
        widths.push_back(connection.projection.sigmaM);
      return widths;
    };
    QCOMPARE(std::ranges::count(widthOf(now), 43.0), 1);
    QCOMPARE(std::ranges::count(widthOf(saved), 42.0), 1);
    QVERIFY(std::ranges::any_of(window->sessionView().hidden,
                                [](const model::HiddenBranches& hidden) { return !hidden.branches.empty(); }));

    // The circuit, figures, tables.
    command("export circuit");
    auto* dialog = find<QFileDialog>("exportCircuitDialog");
    QVERIFY(QTest::qWaitForWindowExposed(dialog));
    dialog->setDirectory(folder); // in which there is no folder "circuit" yet
    QVERIFY(!QFile::exists(path("circuit")));
    QTest::mouseClick(dialog->findChild<QDialogButtonBox*>()->buttons().front(), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(path("circuit/circuit_config.json")), kPatience);
    settle();
    QCOMPARE(QDir(path("circuit/network")).entryList({QStringLiteral("*_nodes.h5")}).size(), 3);
    QCOMPARE(QDir(path("circuit/network")).entryList({QStringLiteral("*_edges.h5")}).size(), 3 + 3 * 3);
    press(Qt::Key_E, Qt::ControlModifier);
    writeBy("exportDialog", path("timings.csv"));
    QVERIFY(linesOf(path("timings.csv")) > 1);
    command("export table of cells");
    writeBy("exportCellsDialog", path("cells.csv"));
    QCOMPARE(linesOf(path("cells.csv")), static_cast<qsizetype>(1 + now.cells.size()));
    for (const auto& [page, file] : {std::pair(Qt::Key_1, "cells.png"), std::pair(Qt::Key_2, "tree.svg")}) {
      press(page, Qt::ControlModifier);
      press(Qt::Key_E, Qt::ControlModifier | Qt::ShiftModifier);
      QTRY_VERIFY(window->findChild<QPushButton*>(QStringLiteral("figureSave")));
      push("figureSave");
      writeBy("saveViewDialog", path(file));
      QTRY_VERIFY(!window->findChild<QDialog*>(QStringLiteral("figureDialog"))); // it is done
    }
    QVERIFY(QImage(path("cells.png")).width() > 1000);
    QVERIFY(linesOf(path("tree.svg")) > 10);
  }
};

HINESIGHT_TEST_RUN(runWindowTest<TestWholeWork>)
#include "test_whole_work.moc"
