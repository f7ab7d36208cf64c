#include "app/app_fixture.hpp"
#include "app/simulation/simulation_controller.hpp"
#include "app/simulation/simulation_panel.hpp"
#include "morphology/samples.hpp"
#include "paths/paths.hpp"
#include "simulation_fixture.hpp"
#include "small_circuit.hpp"
#include "study/simulation/simulation_model.hpp"
#include "test_main.hpp"
#include "widgets/simulation/raster_chart.hpp"
#include "widgets/simulation/trace_chart.hpp"

#include <QDir>
#include <QFileDialog>
#include <QImage>
#include <QLabel>
#include <QTemporaryDir>
#include <QTreeWidget>
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>

using namespace hinesight;
using namespace hinesight::app;

/// What the page of simulations reads and writes in the real main window.
class TestSimulationFiles : public QObject, SimulationFixture
{
  Q_OBJECT

private slots:
  void init() { begin(); }
  void cleanup() { window.reset(); }

  void listsChannelsByRegion();
  void asksForTheFormOfAFit();
  void opensAFitWithItsForm();
  void opensACircuitOfFiles();
  void drawsTracesByTheStepOfTheFiles();
  void saysWhatIsWrongWithAFile();
  void exportsSpikesTracesAndCharts();
  void writesAMovie();
  void simulatesAPublishedCell();

private:
  /// Answers a dialog for a file or folder.
  void answer(const char* dialog, const QString& path)
  {
    auto* files = find<QFileDialog>(dialog);
    emit files->fileSelected(path);
    if (files->fileMode() == QFileDialog::ExistingFiles)
      emit files->filesSelected({path});
    files->deleteLater();
  }

  void exportAs(const QString& start, const QString& path)
  {
    click("simulationExport");
    auto* dialog = find<QFileDialog>("exportSimulationDialog");
    const QStringList filters = dialog->nameFilters();
    const auto filter = std::ranges::find_if(filters, [&](const QString& each) { return each.startsWith(start); });
    QVERIFY(filter != filters.end());
    dialog->selectNameFilter(*filter);
    answer("exportSimulationDialog", path);
    QTRY_VERIFY_WITH_TIMEOUT(QFileInfo(path).size() > 0 && !window->jobs().isActive(), kPatience);
  }
};

void TestSimulationFiles::listsChannelsByRegion()
{
  open(kCell);
  auto* tree = find<QTreeWidget>("simulationChannelTree");
  QCOMPARE(tree->topLevelItemCount(), 1);
  const QTreeWidgetItem* cell = tree->topLevelItem(0);
  QCOMPARE(cell->childCount(), 4);
  QCOMPARE(cell->child(0)->text(0), QStringLiteral("Soma"));
  const auto found = tree->findItems(QStringLiteral("gnabar"), Qt::MatchExactly | Qt::MatchRecursive);
  QCOMPARE(found.size(), 2); // soma and axon
  QCOMPARE(found[0]->text(1), QStringLiteral("0.6 S/cm2"));
  QCOMPARE(found[0]->text(2), QStringLiteral("0 or more"));
}

void TestSimulationFiles::asksForTheFormOfAFit()
{
  QTemporaryDir folder;
  const QString fit = folder.filePath(QStringLiteral("cell_fit.json"));
  std::ofstream(fit.toStdString()) << *morphology::sampleText(kCell.toStdString());
  window->openFiles({fit});
  QTRY_VERIFY_WITH_TIMEOUT(window->findChild<QFileDialog*>(QStringLiteral("openMorphologyDialog")), kPatience);
  const QString swc = folder.filePath(QStringLiteral("form.swc"));
  std::ofstream(swc.toStdString()) << *morphology::sampleText(":/samples/synthetic_pyramidal.swc");
  QSignalSpy opened(&page(), &SimulationPage::opened);
  answer("openMorphologyDialog", swc);
  QTRY_COMPARE_WITH_TIMEOUT(opened.size(), 1, kPatience);
  QCOMPARE(QString::fromStdString(page().model()->request.morphology), swc);
}

void TestSimulationFiles::opensAFitWithItsForm()
{
  QTemporaryDir fits;
  QTemporaryDir forms;
  const QString fit = fits.filePath(QStringLiteral("cell_fit.json"));
  std::ofstream(fit.toStdString()) << *morphology::sampleText(kCell.toStdString());
  const QString swc = forms.filePath(QStringLiteral("form.swc"));
  std::ofstream(swc.toStdString()) << *morphology::sampleText(":/samples/synthetic_pyramidal.swc");
  open(fit, {swc}); // dropped together
  QCOMPARE(QString::fromStdString(page().model()->request.morphology), swc);
  QCOMPARE(window->cells().rowCount(), 0);
  more();
  QVERIFY(page().raster().store().spikes().size() > 1);
}

void TestSimulationFiles::opensACircuitOfFiles()
{
  QTemporaryDir folder;
  const std::string file = tests::SmallCircuit().write(folder.path().toStdString());
  open(QString::fromStdString(file));
  QCOMPARE(page().model()->circuit.network.cells(), std::size_t{2});
  QCOMPARE(page().parameters().celsius, 34.0);
  more();
}

/// Which is another one than that of the fields before.
void TestSimulationFiles::drawsTracesByTheStepOfTheFiles()
{
  constexpr double kStep = 0.1;
  QTemporaryDir folder;
  tests::SmallCircuit circuit;
  std::string& text = circuit.texts["config.json"];
  const std::string before = R"("dt": 0.025)";
  const std::size_t at = text.find(before);
  QVERIFY(at != std::string::npos);
  text.replace(at, before.size(), R"("dt": 0.1)");
  QVERIFY(find<SimulationPanel>("simulationPanel")->request().run.timeStep != kStep);
  open(QString::fromStdString(circuit.write(folder.path().toStdString())));
  QCOMPARE(page().parameters().timeStep, kStep);
  more();
  const study::Trace& trace = page().traces().lines()[0].trace;
  QVERIFY(trace.valueAt(99));
  QVERIFY(!trace.valueAt(101));
  QCOMPARE(trace.timeStep(), kStep);
}

void TestSimulationFiles::saysWhatIsWrongWithAFile()
{
  open(kCell);
  QTemporaryDir folder;
  const QString fit = folder.filePath(QStringLiteral("odd_fit.json"));
  std::ofstream(fit.toStdString())
      << R"({"genome": [{"section": "soma", "mechanism": "Kx", "name": "gbar_Kx", "value": 1}]})";
  QSignalSpy unreadable(window.get(), &MainWindow::unreadable);
  window->openFiles({fit});
  QTRY_COMPARE_WITH_TIMEOUT(unreadable.size(), 1, kPatience);
  const auto* said = find<QLabel>("messageText");
  QTRY_VERIFY_WITH_TIMEOUT(said->text().contains(QStringLiteral("Kx")), kPatience);
  QVERIFY(page().model()); // what was open stays
  more();
}

void TestSimulationFiles::exportsSpikesTracesAndCharts()
{
  open(kCell);
  more();
  QTemporaryDir folder;
  exportAs(QStringLiteral("Spikes, CSV"), folder.filePath(QStringLiteral("spikes.csv")));
  QFile csv(folder.filePath(QStringLiteral("spikes.csv")));
  QVERIFY(csv.open(QIODevice::ReadOnly));
  const QByteArrayList lines = csv.readAll().trimmed().split('\n');
  QCOMPARE(lines[0].trimmed(), QByteArray("timestamps population node_ids"));
  QCOMPARE(static_cast<std::size_t>(lines.size() - 1), page().raster().store().spikes().size());
  exportAs(QStringLiteral("Spikes, SONATA"), folder.filePath(QStringLiteral("spikes.h5")));
  exportAs(QStringLiteral("Traces in mV, CSV"), folder.filePath(QStringLiteral("traces.csv")));
  exportAs(QStringLiteral("Traces in mV, NumPy"), folder.filePath(QStringLiteral("traces.npy")));
  exportAs(QStringLiteral("Charts, SVG"), folder.filePath(QStringLiteral("charts.svg")));
  QFile traces(folder.filePath(QStringLiteral("traces.csv")));
  QVERIFY(traces.open(QIODevice::ReadOnly));
  QCOMPARE(traces.readAll().count('\n'), static_cast<qsizetype>(std::llround(100 / 0.025)) + 1);
}

void TestSimulationFiles::writesAMovie()
{
  open(kCell);
  more();
  page().setSpeed(100); // 3.3 ms a picture
  QTemporaryDir folder;
  click("simulationMovie");
  answer("movieDialog", folder.filePath(QStringLiteral("movie")));
  QTRY_VERIFY_WITH_TIMEOUT(!window->jobs().isActive() && QDir(folder.filePath(QStringLiteral("movie"))).exists(),
                           4 * kPatience);
  const QStringList pictures = QDir(folder.filePath(QStringLiteral("movie"))).entryList({QStringLiteral("*.png")});
  QVERIFY2(pictures.size() >= 29 && pictures.size() <= 32, qPrintable(QString::number(pictures.size())));
  const QImage first(folder.filePath(QStringLiteral("movie/")) + pictures.first());
  const QImage later(folder.filePath(QStringLiteral("movie/")) + pictures[pictures.size() / 2]);
  QVERIFY(!first.isNull());
  QCOMPARE(first.width() % 2, 0);
  QVERIFY(first != later);
}

void TestSimulationFiles::simulatesAPublishedCell()
{
  namespace fs = std::filesystem;
  const fs::path components = tests::sharedFile("models/bmtk/bio_1cell/components").toStdString();
  const fs::path fit = components / "biophysical_neuron_templates/472363762_fit.json";
  const fs::path form = components / "morphologies/Scnn1a_473845048_m.swc";
  if (!fs::exists(fit))
    QSKIP("the published models are not there");
  open(QString::fromStdString(fit.string()), {QString::fromStdString(form.string())});
  QCOMPARE(page().model()->compartments(), std::size_t{387});
  QCOMPARE(page().parameters().celsius, 34.0);
  more();
  QVERIFY(page().raster().store().spikes().size() >= 1);
  QVERIFY(!find<QTreeWidget>("simulationChannelTree")
               ->findItems(QStringLiteral("NaTs"), Qt::MatchExactly | Qt::MatchRecursive)
               .isEmpty());
}

HINESIGHT_TEST_RUN(runWindowTest<TestSimulationFiles>)
#include "test_simulation_files.moc"
