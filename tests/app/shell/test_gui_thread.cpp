#include "app/app_fixture.hpp"
#include "app/cells/data_panel.hpp"
#include "app/figures/figure_dialog.hpp"
#include "app/pages/view_area.hpp"
#include "app/projection/projection_page.hpp"
#include "app/synapses/formation_page.hpp"
#include "test_main.hpp"
#include "thread_watch.hpp"
#include "widgets/theme.hpp"

#include <QAction>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QtTest>

using namespace hinesight;
using namespace hinesight::app;

/// What a person does in the real main window must not keep its thread busy: then nothing is seen to move.
class TestGuiThread : public QObject, ThreadWatch
{
  Q_OBJECT

private slots:
  void init() { QVERIFY(showWindow({1280, 720})); }
  void cleanup() { window.reset(); }

  void isNeverBusyForLong()
  {
    QStringList files;
    for (const char* name : {"stellate.swc", "bipolar.swc"})
      files << dataFile(name);
    for (const char* sample : {":/samples/synthetic_purkinje.swc", ":/samples/synthetic_pyramidal.swc"})
      files << QLatin1String(sample);
    watch("opening", [&] { window->openFiles(files); });
    // Once, so that each page is made; then again, so that it is shown.
    for (const char* time : {"first", "second"})
      for (int page = 0; page < window->viewArea().count(); ++page)
        watch(QStringLiteral("page %1, %2 time").arg(page).arg(QLatin1String(time)),
              [&] { window->viewArea().showView(page); });
    watch("Morphology", [&] { window->showView(ViewKind::Morphology); });
    watch("copies", [&] { find<QDoubleSpinBox>("copiesSpin")->setValue(20); });
    watch("run again", [&] { find<QAction>("runAction")->trigger(); });
    watch("a colour", [&] { window->setColorBy(widgets::ColorBy::PathDistance); });
    watch("a cell", [&] { find<DataPanel>("dataPanel")->chooseCell(2); });
    watch("a selection", [&] {
      find<QAction>("selectWhereAction")->trigger();
      find<QLineEdit>("selectWhere")->setText(QStringLiteral("type == axon"));
    });
    watch("hidden branches", [&] { find<QAction>("hideBranchesAction")->trigger(); });
    watch("a projection", [&] {
      window->showView(ViewKind::Projection);
      find<QDoubleSpinBox>("projectionSigmaMSpin")->setValue(40);
    });
    watch("synapses", [&] {
      window->showView(ViewKind::Synapses);
      find<QPushButton>("formationForm")->click();
    });
    watch("growth", [&] {
      window->showView(ViewKind::Plasticity);
      find<QPushButton>("plasticityStep")->click();
    });
    watch("Morphology again", [&] { window->showView(ViewKind::Morphology); });
    watch("a figure", [&] { find<QAction>("saveViewAction")->trigger(); });
    QTRY_VERIFY_WITH_TIMEOUT(!find<QLabel>("figurePreview")->pixmap(Qt::ReturnByValue).isNull(), kPatience);
    watch("a figure copied", [&] { find<QPushButton>("figureCopy")->click(); });
    watch("the figure closed", [&] { find<FigureDialog>("figureDialog")->close(); });
    for (int k = 0; k < 3; ++k)
      watch("undo", [&] { find<QAction>("undoAction")->trigger(); });
    // Widgets follow another theme a few at a time, and look as those that began in it.
    const auto look = [this] { return find<DataPanel>("dataPanel")->grab().toImage(); };
    const QImage before = look();
    watch("another theme", [&] { find<QAction>("themeAction")->trigger(); });
    application().watchAnew();
    const auto* unseen = find<QPushButton>("plasticityStep");
    const QColor dark = unseen->palette().color(QPalette::WindowText);
    QTRY_VERIFY_WITH_TIMEOUT(unseen->palette().color(QPalette::WindowText) != dark, kPatience);
    takeBlocks(QStringLiteral("the rest of it"));
    const QImage light = look();
    QVERIFY(light != before);
    watch("the first theme", [&] { find<QAction>("themeAction")->trigger(); });
    QTRY_COMPARE_WITH_TIMEOUT(look(), before, kPatience);
    find<QAction>("themeAction")->trigger();
    QTRY_COMPARE_WITH_TIMEOUT(look(), light, kPatience);
    find<QAction>("themeAction")->trigger();
    widgets::setTheme(widgets::ThemeMode::Dark);
    widgets::setTheme(widgets::ThemeMode::Light); // all at once
    QCOMPARE(look(), light);
    widgets::setTheme(widgets::ThemeMode::Dark);
    watch("remove all", [&] { find<QPushButton>("removeAllButton")->click(); });
    judge("test_gui_thread");
  }
};

static int runWatched(int argc, char** argv)
{
  return runInApplication<WatchedApplication>(argc, argv, [&] {
    TestGuiThread test;
    return QTest::qExec(&test, argc, argv);
  });
}

HINESIGHT_TEST_RUN(runWatched)
#include "test_gui_thread.moc"
