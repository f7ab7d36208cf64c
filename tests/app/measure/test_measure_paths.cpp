#include "measure_fixture.hpp"
#include "test_main.hpp"
#include "widgets/cells/morphology/morphology_view.hpp"

#include <QAction>
#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QPointer>
#include <QTabWidget>
#include <QTableView>
#include <QTemporaryDir>
#include <QtTest>

using namespace hinesight;
using namespace hinesight::app;

/// Paths, lengths and files of the page Measure in the real main window.
class TestMeasurePaths : public QObject, MeasureFixture
{
  Q_OBJECT

  QTemporaryDir folder;

  QTableView* tab(int place, const char* name)
  {
    find<QTabWidget>("measureTables")->setCurrentIndex(place);
    return find<QTableView>(name);
  }

  /// By the ruler; both of the only cell.
  void measureBetween(std::int32_t from, std::int32_t to)
  {
    auto& view = static_cast<widgets::MorphologyView&>(window->view(ViewKind::Morphology));
    emit view.pointsPicked({0, from}, {0, to});
  }

  QString told() { return find<QLabel>("resultLabel")->text(); }

  QString proposed()
  {
    click("exportMeasures");
    const QPointer<QFileDialog> dialog = find<QFileDialog>("exportMeasuresDialog");
    const QString name = QFileInfo(dialog->selectedFiles().value(0)).fileName();
    dialog->close();
    [&] { QTRY_VERIFY(!dialog); }();
    return name;
  }

private slots:
  void init()
  {
    QSettings().clear();
    QVERIFY(showWindow({1280, 720}));
    open({dataFile("stellate.swc")});
  }
  void cleanup() { window.reset(); }

  void anEmptyTableOfPathsSaysHowToFillIt()
  {
    auto* button = find<QPushButton>("exportMeasures");
    const auto* hint = find<QLabel>("pathHint");
    QVERIFY(button->isEnabled() && !hint->isVisible()); // of the table that is in front
    const auto* table = tab(4, "measurePaths");
    QVERIFY(!button->isEnabled());
    QVERIFY(!find<QAction>("exportMeasuresAction")->isEnabled());
    QVERIFY2(button->toolTip().contains("Pick two points with the ruler"), qPrintable(button->toolTip()));
    QTRY_VERIFY(hint->isVisible() && table->viewport()->rect().contains(hint->geometry()));
    QVERIFY(hint->text().startsWith("Pick two points with the ruler: "));
    measureBetween(1, 9);
    QTRY_COMPARE(table->model()->rowCount(), 1);
    QVERIFY(button->isEnabled() && !hint->isVisible());
    QVERIFY2(button->toolTip().contains("the table Paths"), qPrintable(button->toolTip()));
    // The name that is proposed is that of the table in front.
    QCOMPARE(proposed(), QStringLiteral("stellate-paths.csv"));
    tab(0, "measureTypes");
    QCOMPARE(proposed(), QStringLiteral("stellate-types.csv"));
    tab(1, "measureBranches");
    QCOMPARE(proposed(), QStringLiteral("stellate-branches.csv"));
  }

  /// And it is so.
  void saysThatTheSegmentToTheSomaIsLeftOut()
  {
    const auto* model = tab(1, "measureBranches")->model();
    QString help;
    for (int column = 0; column < model->columnCount(); ++column)
      if (model->headerData(column, Qt::Horizontal).toString() == QStringLiteral("Length µm"))
        help = model->headerData(column, Qt::Horizontal, Qt::ToolTipRole).toString();
    QVERIFY2(help.contains("without the segment that joins it with the soma"), qPrintable(help));
    QVERIFY2(help.contains("path distances"), qPrintable(help));
    const auto* headline = find<QLabel>("measureHeadline");
    QVERIFY2(headline->text().endsWith("µm of neurites, without the segments to the soma"),
             qPrintable(headline->text()));
    int leaving = 0;
    const morphology::Morphology& cell = *window->cells().cells()[0].morphology;
    const morphology::BranchTree tree = morphology::findBranches(cell);
    for (std::size_t k = 0; k < measures().branches.size(); ++k) {
      const morphology::BranchMeasures& branch = measures().branches[k];
      const auto ofFile =
          static_cast<std::size_t>(tree.ofSample[static_cast<std::size_t>(measures().places[k].lastSample)]);
      const std::int32_t first = tree.sample[static_cast<std::size_t>(tree.sampleBegin[ofFile])];
      const bool leaves = morphology::isStem(cell, first);
      leaving += leaves ? 1 : 0;
      const double leftOut = leaves ? morphology::sampleDistance(cell, first, cell.parent[first]) : 0;
      QVERIFY(std::abs(branch.endPath - branch.startPath - branch.length - leftOut) < 1e-9 * (1 + branch.endPath));
    }
    QVERIFY(leaving > 0);
  }

  void whatWasDoneIsForgottenOnAnotherPage()
  {
    QTRY_VERIFY(!told().isEmpty());
    const QString solved = told();
    measureBetween(1, 9);
    QVERIFY2(told().startsWith("From sample "), qPrintable(told()));
    window->showView(ViewKind::Tree);
    QCOMPARE(told(), solved);
    window->showView(ViewKind::Measure);
    click("exportMeasures");
    const QString path = folder.filePath("types.csv");
    const QPointer<QFileDialog> dialog = find<QFileDialog>("exportMeasuresDialog");
    emit dialog->fileSelected(path);
    dialog->close();
    QTRY_VERIFY_WITH_TIMEOUT(!dialog && QFile::exists(path), kPatience);
    QTRY_VERIFY2(told().startsWith("Exported to "), qPrintable(told()));
    window->showView(ViewKind::Morphology);
    QCOMPARE(told(), solved);
  }
};

HINESIGHT_TEST_RUN(runWindowTest<TestMeasurePaths>)
#include "test_measure_paths.moc"
