#include "app/synapses/formation_fixture.hpp"
#include "paths/paths.hpp"

#include "app/app_fixture.hpp"
#include "app/files/recent_files.hpp"
#include "app/projection/projection_page.hpp"
#include "app/shell/bars/message_banner.hpp"
#include "app/synapses/formation_controller.hpp"
#include "foreign_sonata.hpp"
#include "io/tables/projection_export.hpp"
#include "test_main.hpp"
#include "widgets/synapse/synapse_charts.hpp"

#include <QComboBox>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QTemporaryDir>
#include <QtTest>

#include <fstream>
#include <string>

using namespace hinesight;
using namespace hinesight::app;

/// What the page of synapses reads and writes in the real main window: neurons, networks, timings.
class TestFormationPageFiles : public QObject, FormationFixture
{
  Q_OBJECT

private slots:
  void init() { showNeurons(); }
  void cleanup() { window.reset(); }

  void readsNeuronsFromAFile();
  void saysThatWeightsAreNotRead();
  void saysWhatHoldsNoNeurons();
  void exportsTheNetwork();
  void exportsTimings();
  void opensANetwork_data();
  void opensANetwork();
  void saysWhereNeuronsArePlacedAtRandom();
  void opensEdgesOfOtherPrograms();
  void readsAChangedFileAgain();
  void saysWhatIsWrongWithANetwork();
  void forgetsANetworkThatCannotBeRead();
  void saysWhatIsWrongWithAFile();
  void readsAFileOnceAndTellsHowLong();
};

void TestFormationPageFiles::readsNeuronsFromAFile()
{
  QTemporaryDir folder;
  const QString path = folder.filePath(QStringLiteral("neurons.csv"));
  find<QPushButton>("formationExport")->click();
  auto* dialog = find<QFileDialog>("exportNetworkDialog");
  dialog->selectNameFilter(QStringLiteral("Neurons, CSV (*.csv)"));
  emit dialog->fileSelected(path);
  dialog->close();
  waitForSynapses();
  QVERIFY(QFileInfo::exists(path));
  const auto network = formation().network.synapses;
  emit window->synapses().importRequested();
  emit find<QFileDialog>("importNeuronsDialog")->fileSelected(path);
  waitForSynapses();
  QVERIFY(find<QLabel>("formationFile")->text().endsWith(QStringLiteral("neurons.csv")));
  QVERIFY(!find<QWidget>("formationNeuronsSpin")->isVisible());
  QVERIFY(formation().network.synapses == network); // the same neurons form the same synapses
  QTest::mouseClick(find<QPushButton>("formationClearFile"), Qt::LeftButton);
  waitForSynapses();
  QVERIFY(find<QWidget>("formationNeuronsSpin")->isVisible());
}

/// Of a weight table within one population: only its neurons are of use here.
void TestFormationPageFiles::saysThatWeightsAreNotRead()
{
  const QTemporaryDir folder;
  const QString path = folder.filePath(QStringLiteral("table.h5"));
  const auto population = projection::makePopulation({});
  projection::ProjectionParameters parameters;
  parameters.kernel = projection::KernelKind::OneToOne;
  io::exportTable(*projection::project({population, population, parameters}), path.toStdString());
  const auto* headline = find<QLabel>("formationHeadline");
  emit window->synapses().importRequested();
  emit find<QFileDialog>("importNeuronsDialog")->fileSelected(path);
  waitForSynapses();
  QTRY_COMPARE_WITH_TIMEOUT(formation().population->size(), std::size_t{22'500}, kPatience);
  waitForSynapses();
  QVERIFY2(headline->text().endsWith("; table.h5: only its neurons are read; its 22500 connections and their weights "
                                     "are not"),
           qPrintable(headline->text()));
  QTest::mouseClick(find<QPushButton>("formationClearFile"), Qt::LeftButton);
  waitForSynapses();
  QVERIFY2(!headline->text().contains("table.h5"), qPrintable(headline->text()));
}

/// A session, a circuit, an empty folder: whatever a person chooses or types.
void TestFormationPageFiles::saysWhatHoldsNoNeurons()
{
  const QTemporaryDir folder;
  for (const QString& path : {tests::sourceFile("docs/example.hinesight"), folder.path()}) {
    emit window->synapses().importRequested();
    emit find<QFileDialog>("importNeuronsDialog")->fileSelected(path);
    const QString name = QFileInfo(path).fileName();
    QTRY_VERIFY2_WITH_TIMEOUT(find<QLabel>("messageText")->text().contains(name),
                              qPrintable(find<QLabel>("messageText")->text()), kPatience);
    find<QFileDialog>("importNeuronsDialog")->close();
  }
}

void TestFormationPageFiles::exportsTheNetwork()
{
  QTemporaryDir folder;
  const QString path = folder.filePath(QStringLiteral("network.csv"));
  find<QPushButton>("formationExport")->click();
  auto* dialog = find<QFileDialog>("exportNetworkDialog");
  const auto proposed = [dialog] { return QFileInfo(dialog->selectedFiles().value(0)).fileName(); };
  QCOMPARE(proposed(), QStringLiteral("network.csv"));
  auto* types = dialog->findChild<QComboBox*>(QStringLiteral("fileTypeCombo"));
  types->setFocus();
  const qsizetype neurons = dialog->nameFilters().indexOf(QStringLiteral("Neurons, CSV (*.csv)"));
  for (qsizetype i = 0; i < neurons; ++i)
    QTest::keyClick(types, Qt::Key_Down);
  QCOMPARE(proposed(), QStringLiteral("neurons.csv"));
  QTest::keyClick(types, Qt::Key_Home);
  QCOMPARE(proposed(), QStringLiteral("network.csv"));
  emit dialog->fileSelected(path);
  waitForSynapses();
  QFile file(path);
  QVERIFY(file.open(QIODevice::ReadOnly));
  const auto lines = static_cast<std::size_t>(file.readAll().count('\n'));
  QVERIFY(lines > formation().network.synapses.size());
}

void TestFormationPageFiles::exportsTimings()
{
  QTemporaryDir folder;
  const QString path = folder.filePath(QStringLiteral("timings.json"));
  find<QPushButton>("formationExport")->click();
  auto* dialog = find<QFileDialog>("exportNetworkDialog");
  dialog->selectNameFilter(QStringLiteral("Timings of all runs, JSON (*.json)"));
  emit dialog->fileSelected(path);
  QFile file(path);
  QVERIFY(file.open(QIODevice::ReadOnly));
  const QJsonArray runs = QJsonDocument::fromJson(file.readAll()).array();
  QCOMPARE(runs.size(), qsizetype{1});
  const QJsonObject run = runs.first().toObject();
  QCOMPARE(run.value(QStringLiteral("neurons")).toInt(), static_cast<int>(kNeurons));
  QCOMPARE(run.value(QStringLiteral("synapses")).toInt(), static_cast<int>(page().outcome().distances.synapses));
  QCOMPARE(run.value(QStringLiteral("milliseconds")).toDouble(), formation().timings.total());
}

void TestFormationPageFiles::opensANetwork_data()
{
  QTest::addColumn<QString>("network");
  QTest::addColumn<QString>("neurons"); // a file beside it; empty: the network's own holds them
  QTest::newRow("SONATA") << "network.h5"
                          << "";
  QTest::newRow("CSV") << "network.csv"
                       << "neurons.csv";
  QTest::newRow("RELeARN") << "rank_0_in_network.txt"
                           << "rank_0_positions.txt";
  QTest::newRow("RELeARN, positions of several networks") << "in_network_sigma750.txt"
                                                          << "positions.txt";
}

/// The same network as was formed comes back, is drawn, and its neurons can be selected.
void TestFormationPageFiles::opensANetwork()
{
  QFETCH(const QString, network);
  QFETCH(const QString, neurons);
  const QTemporaryDir folder;
  const auto formed = page().outcome();
  const std::string path = folder.filePath(network).toStdString();
  study::exportNetwork(formed, path, study::NetworkPart::Everything, {});
  if (!neurons.isEmpty())
    study::exportNetwork(formed, folder.filePath(neurons).toStdString(), study::NetworkPart::Neurons, {});
  type("formationNeuronsSpin", "300");
  waitForSynapses();
  window->showView(ViewKind::Morphology);
  window->openFiles({folder.filePath(network)});
  waitForSynapses();
  QVERIFY(page().outcome().stored);
  QCOMPARE(formation().population->size(), std::size_t{kNeurons});
  QVERIFY(formation().network.synapses == formed.formation->network.synapses);
  QVERIFY(find<QLabel>("formationHeadline")->text().startsWith(network));
  QVERIFY(!find<QLabel>("formationHeadline")->text().contains(QStringLiteral("random")));
  QVERIFY(page().distances().figure().hasExpectation());
  QVERIFY(page().distances().figure().counts == formed.distances.counts);
  clickNeuron(clickable);
  QVERIFY(page().selection() && scene().search());
  const std::uint32_t shown = *page().selection();
  const auto& lists = *page().outcome().content.synapses;
  QCOMPARE(page().view().overlay().arcs(), (lists.outgoing.offset[shown + 1] - lists.outgoing.offset[shown]) +
                                               (lists.incoming.offset[shown + 1] - lists.incoming.offset[shown]));
  QTest::mouseClick(find<QPushButton>("formationClearNetwork"), Qt::LeftButton);
  waitForSynapses();
  QVERIFY(!page().outcome().stored);
}

/// It is said, for lengths mean nothing then; and the longest name leaves the panel its width.
void TestFormationPageFiles::saysWhereNeuronsArePlacedAtRandom()
{
  const QTemporaryDir folder;
  const QString path = folder.filePath(QStringLiteral("a_network_with_a_name_that_no_panel_is_wide_enough_for.csv"));
  study::exportNetwork(page().outcome(), path.toStdString(), study::NetworkPart::Everything, {});
  window->openFiles({path});
  waitForSynapses();
  QVERIFY(find<QLabel>("formationHeadline")->text().endsWith(QStringLiteral("neurons at random places")));
  QVERIFY(find<QLabel>("formationNetworkNote")->isVisible());
  const auto* scroll = find<QScrollArea>("formationScroll");
  QCOMPARE(scroll->widget()->width(), scroll->viewport()->width());
}

/// Edges that another program wrote are a network, with neurons from a file beside them. Where they come with neurons
/// and delays they may be a table of weights as well, and are one where the page of synapses is not seen.
void TestFormationPageFiles::opensEdgesOfOtherPrograms()
{
  const QTemporaryDir folder;
  const QString edges = folder.filePath(QStringLiteral("v1_edges.h5"));
  const std::string nodes = folder.filePath(QStringLiteral("v1_nodes.h5")).toStdString();
  tests::writeForeignEdges(edges.toStdString(), "v1", "v1", {{0, 1}, {0, 7}, {5, 2}});
  const auto neurons = page().outcome().formation->population;
  study::exportNetwork(page().outcome(), nodes, study::NetworkPart::Neurons, {});
  type("formationNeuronsSpin", "300");
  waitForSynapses();
  window->openFiles({edges});
  waitForSynapses();
  QVERIFY(page().outcome().stored);
  QCOMPARE(page().outcome().distances.synapses, std::size_t{3});
  QVERIFY(formation().population->position == neurons->position);
  const auto* banner = find<MessageBanner>("messageBanner");
  QVERIFY(banner->text().isEmpty());
  window->showView(ViewKind::Morphology);
  window->openFiles({edges});
  QTRY_VERIFY_WITH_TIMEOUT(page().isVisible(), kPatience);
  QVERIFY(banner->text().isEmpty());
  window->showView(ViewKind::Morphology);
  const QString whole = folder.filePath(QStringLiteral("whole.h5"));
  tests::writeForeignEdges(whole.toStdString(), "v1", "v1", {{0, 1}, {0, 7}, {5, 2}}, 9);
  window->openFiles({whole});
  QTRY_VERIFY_WITH_TIMEOUT(!banner->text().isEmpty(), kPatience);
  QVERIFY2(banner->text().startsWith(QStringLiteral("whole.h5 was opened as a weight table")),
           qPrintable(banner->text()));
  const auto table = [this] { return window->projections().outcome().table; };
  QTRY_VERIFY_WITH_TIMEOUT(table() && table()->rows() == 3, kPatience);
  QVERIFY2(!banner->text().contains(QLatin1Char('\n')), qPrintable(banner->text())); // nothing failed
}

void TestFormationPageFiles::readsAChangedFileAgain()
{
  const QTemporaryDir folder;
  const QString path = folder.filePath(QStringLiteral("neurons.csv"));
  const auto write = [&](int neurons) {
    std::ofstream file(path.toStdString());
    file << "x,y,z,type,area\n";
    for (int i = 0; i < neurons; ++i)
      file << 10 * i << ",0,0,ex,a\n";
  };
  write(20);
  window->openFiles({path});
  waitForSynapses();
  QCOMPARE(formation().population->size(), std::size_t{20});
  write(30);
  QTest::keyClick(window.get(), Qt::Key_F5);
  waitForSynapses();
  QCOMPARE(formation().population->size(), std::size_t{30});
}

void TestFormationPageFiles::saysWhatIsWrongWithANetwork()
{
  const QTemporaryDir folder;
  const QString path = folder.filePath(QStringLiteral("large.csv"));
  std::ofstream(path.toStdString()) << "source,target,weight,plastic\n5000,1,1,1\n";
  window->openFiles({path});
  waitForSynapses();
  const QString message = find<MessageBanner>("messageBanner")->text();
  QVERIFY2(message.contains(QStringLiteral("large.csv")) && message.contains(QStringLiteral("5001 neurons")),
           qPrintable(message));
  QVERIFY(!page().outcome().stored);
  QVERIFY(find<RecentFiles>("")->paths().contains(path)); // with other neurons it can be opened
}

void TestFormationPageFiles::forgetsANetworkThatCannotBeRead()
{
  const QTemporaryDir folder;
  const QString path = folder.filePath(QStringLiteral("damaged.csv"));
  std::ofstream(path.toStdString()) << "source,target,weight,plastic\n5,none,1,1\n";
  window->openFiles({path});
  QVERIFY(find<RecentFiles>("")->paths().contains(path));
  waitForSynapses();
  QVERIFY(find<MessageBanner>("messageBanner")->text().contains(QStringLiteral("damaged.csv")));
  QVERIFY(!find<RecentFiles>("")->paths().contains(path));
}

void TestFormationPageFiles::saysWhatIsWrongWithAFile()
{
  QTemporaryDir folder;
  const QString path = folder.filePath(QStringLiteral("damaged.csv"));
  std::ofstream(path.toStdString()) << "not,a,population\n1,2\n";
  const auto before = page().outcome().formation;
  panel().setFile(path);
  waitForSynapses();
  QVERIFY(find<MessageBanner>("messageBanner")->text().contains(QStringLiteral("damaged.csv")));
  QCOMPARE(page().outcome().formation, before);
}

/// A seed is of neurons at random: another one leaves what was read.
void TestFormationPageFiles::readsAFileOnceAndTellsHowLong()
{
  const QTemporaryDir folder;
  study::FormationStudy formationStudy;
  study::FormationRequest request;
  request.source.placement.neurons = 200;
  const study::FormationResult formed = formationStudy.run(request, {});
  QCOMPARE(formed.formation->timings.of("read"), 0.0);
  request.source.path = request.source.network = folder.filePath(QStringLiteral("formed.h5")).toStdString();
  study::exportNetwork(formed, request.source.network, study::NetworkPart::Everything, {});
  const study::FormationResult read = formationStudy.run(request, {});
  QCOMPARE(read.formation->timings.stages.front().name, std::string("read"));
  QVERIFY(read.formation->timings.of("read") > 0);
  ++request.source.seed;
  request.source.placement.spacing *= 2;
  const study::FormationResult kept = formationStudy.run(request, {});
  QCOMPARE(kept.stored, read.stored);
  QCOMPARE(kept.formation->timings.of("read"), 0.0);
  request.source.path.clear(); // those at random follow it
  request.source.network.clear();
  const auto first = formationStudy.run(request, {}).formation->population;
  ++request.source.seed;
  QVERIFY(formationStudy.run(request, {}).formation->population != first);
}

HINESIGHT_TEST_RUN(runWindowTest<TestFormationPageFiles>)

#include "test_formation_page_files.moc"
