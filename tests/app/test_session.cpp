#include "app/projection/population_panel.hpp"
#include "app/projection/projection_page.hpp"
#include "app/projection/projection_panel.hpp"
#include "app/shell/bars/message_banner.hpp"
#include "app_fixture.hpp"
#include "core/files.hpp"
#include "model/session_file.hpp"
#include "test_main.hpp"
#include "window_fixture.hpp"

#include <QAction>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QLineEdit>
#include <QtTest>

using namespace hinesight;
using namespace hinesight::app;

/// Saves and opens sessions in the real main window.
class TestSession : public QObject, WindowFixture
{
  Q_OBJECT

  QTemporaryDir folder;

  QString path(const char* name) const { return folder.filePath(name); }
  std::string savedText(const char* name) const { return readFile(path(name).toStdString()); }

  void open(const QStringList& paths)
  {
    window->openFiles(paths);
    QTRY_VERIFY_WITH_TIMEOUT(!window->isOpening(), kPatience);
    QVERIFY(waitForJobs());
  }
  /// By the shortcut and the dialog.
  void save(const char* name)
  {
    window->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(window.get()));
    QTest::keyClick(window.get(), Qt::Key_S, Qt::ControlModifier | Qt::ShiftModifier);
    auto* dialog = find<QFileDialog>("saveSessionDialog");
    QVERIFY(QTest::qWaitForWindowExposed(dialog));
    auto* line = dialog->findChild<QLineEdit*>();
    line->setFocus();
    line->selectAll();
    QTest::keyClicks(line, path(name));
    QTRY_VERIFY(dialog->selectedFiles().value(0).startsWith(path(name)));
    auto* button = dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Save);
    QTRY_VERIFY(button->isEnabled());
    QTest::mouseClick(button, Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(path(name)), kPatience);
    QVERIFY(waitForJobs());
  }
  void newWindow()
  {
    window.reset();
    QVERIFY(showWindow());
  }

private slots:
  void init()
  {
    QVERIFY(folder.isValid());
    QVERIFY(showWindow());
  }
  void cleanup() { window.reset(); }

  /// What a person has made is there again in the next window.
  void isOpenedAsItWasSaved()
  {
    open({dataFile("stellate.swc"), dataFile("bipolar.swc")});
    window->cells().setScale({1}, 0.5);
    type("copiesSpin", "3");
    QVERIFY(waitForJobs());
    window->showView(ViewKind::Projection);
    QVERIFY(waitForJobs());
    type("projectionSigmaMSpin", "20");
    QVERIFY(waitForJobs());
    const auto rows = window->projections().outcome().table->rows();
    save("all.hinesight");
    const model::Project saved = model::readSession(path("all.hinesight").toStdString()).project;
    QCOMPARE(saved.cells.size(), std::size_t{2});
    QCOMPARE(saved.cells[1].scale, 0.5);
    QCOMPARE(saved.cells[1].hash, model::contentHash(dataFile("bipolar.swc").toStdString()));
    QCOMPARE(saved.populations.size(), std::size_t{2});
    QCOMPARE(saved.connections.size(), std::size_t{1});
    QCOMPARE(saved.connections[0].projection.sigmaM, 20.0);
    model::validate(saved);

    newWindow();
    window->showView(ViewKind::Projection);
    QVERIFY(waitForJobs());
    open({path("all.hinesight")});
    QCOMPARE(window->cells().rowCount(), 2);
    QCOMPARE(window->cells().cells()[1].source.scale, 0.5);
    QCOMPARE(window->parameters().batch.copies, 3);
    QTRY_COMPARE_WITH_TIMEOUT(window->projections().outcome().table->rows(), rows, kPatience);
    QCOMPARE(newestOf(io::RunKind::Solve).cells, std::size_t{6});
    save("again.hinesight");
    QCOMPARE(savedText("again.hinesight"), savedText("all.hinesight"));
  }

  /// The window shows one projection; the others, roles and pools are not lost.
  void keepsWhatTheWindowDoesNotShow()
  {
    const QString example = QStringLiteral(HINESIGHT_TEST_DATA "/../../docs/example.hinesight");
    open({example});
    QCOMPARE(window->cells().rowCount(), 1);
    QCOMPARE(find<PopulationPanel>("populationPanel")->populations().size(), std::size_t{3});
    save("example.hinesight");
    model::Project before = model::readSession(example.toStdString()).project;
    const model::Project after = model::readSession(path("example.hinesight").toStdString()).project;
    QVERIFY(after.populations == before.populations);
    QVERIFY(after.connections == before.connections);
    QVERIFY(after.solve == before.solve);
    QVERIFY(std::filesystem::equivalent(after.cells[0].file, before.cells[0].file));
    // A change of the shown projection is the only one.
    window->showView(ViewKind::Projection);
    QVERIFY(waitForJobs());
    type("projectionSigmaSpin", "90");
    QVERIFY(waitForJobs());
    save("changed.hinesight");
    const model::Project changed = model::readSession(path("changed.hinesight").toStdString()).project;
    QCOMPARE(changed.connections[0].projection.sigma, 90.0);
    before.connections[0].projection.sigma = 90;
    QVERIFY(changed.connections == before.connections);
  }

  void opensCellsBesideASession()
  {
    open({dataFile("stellate.swc"), QStringLiteral(HINESIGHT_TEST_DATA "/../../docs/example.hinesight"),
          dataFile("bipolar.swc")});
    QCOMPARE(window->cells().rowCount(), 3);
    QVERIFY(window->cells().cells()[0].source.path.ends_with("synthetic_stellate.swc"));
    QCOMPARE(newestOf(io::RunKind::Solve).cells, std::size_t{300});
  }

  void aBrokenSessionLeavesWhatIsOpen()
  {
    open({dataFile("stellate.swc")});
    writeFileAtomically(path("broken.hinesight").toStdString(),
                        [](std::ostream& stream) { stream << "{\"session\":"; });
    open({path("broken.hinesight")});
    QVERIFY(find<MessageBanner>("messageBanner")->isVisible());
    QCOMPARE(window->cells().rowCount(), 1);
    writeFileAtomically(path("odd.hinesight").toStdString(), [](std::ostream& stream) {
      stream << R"({"session": 1, "rooms": [], "cells": [{"name": "gone", "file": "gone.swc"}]})";
    });
    open({path("odd.hinesight")});
    QCOMPARE(window->cells().rowCount(), 1);
    QVERIFY(window->cells().cells()[0].error); // marked, until the file is there
  }

  /// Samples are no files; a session with one opens again.
  void samplesAreKept()
  {
    window->loadSamples();
    QTRY_COMPARE_WITH_TIMEOUT(window->cells().rowCount(), 4, kPatience);
    QVERIFY(waitForJobs());
    save("samples.hinesight");
    newWindow();
    open({path("samples.hinesight")});
    QCOMPARE(window->cells().rowCount(), 4);
    for (const OpenCell& cell : window->cells().cells())
      QVERIFY(cell.morphology);
  }
};

HINESIGHT_TEST_RUN(runWindowTest<TestSession>)
#include "test_session.moc"
