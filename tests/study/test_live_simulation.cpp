#include "core/error.hpp"
#include "small_circuit.hpp"
#include "study/simulation/channel_table.hpp"
#include "study/simulation/live_simulation.hpp"
#include "study/simulation/sample_circuit.hpp"
#include "study/simulation/spike_store.hpp"
#include "study/simulation/trace_export.hpp"
#include "test_main.hpp"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>

using namespace hinesight;
using namespace hinesight::study;
using simulation::Spike;

/// What a page looks at of a simulation that runs: models that are opened, frames, traces, spikes.
class TestLiveSimulation : public QObject
{
  Q_OBJECT

  QTemporaryDir folder;

  static std::shared_ptr<const SimulationModel> sample(std::size_t number)
  {
    SimulationRequest request;
    request.file = sampleModels()[number].path;
    return std::make_shared<const SimulationModel>(openModel(request));
  }

  static simulation::SimulationParameters parametersOf(const SimulationModel& model)
  {
    simulation::SimulationParameters parameters;
    parameters.celsius = model.circuit.celsius;
    return parameters;
  }

  static std::vector<float> waves(std::size_t count)
  {
    std::vector<float> values;
    for (std::size_t i = 0; i < count; ++i)
      values.push_back(static_cast<float>(40 * std::sin(0.013 * static_cast<double>(i * i % 100'003))));
    return values;
  }

  std::string write(const char* name, const char* text)
  {
    const std::string path = folder.filePath(QLatin1String(name)).toStdString();
    QFile file(QString::fromStdString(path));
    if (!file.open(QIODevice::WriteOnly))
      qFatal("cannot write");
    file.write(text);
    return path;
  }

private slots:
  void everySampleOpensAndSpikes_data()
  {
    QTest::addColumn<int>("number");
    for (std::size_t k = 0; k < sampleModels().size(); ++k)
      QTest::newRow(sampleModels()[k].title.c_str()) << static_cast<int>(k);
  }

  void everySampleOpensAndSpikes()
  {
    QFETCH(int, number);
    const auto model = sample(static_cast<std::size_t>(number));
    QVERIFY(model->circuit.notes.empty());
    QVERIFY(model->compartments() > 30);
    LiveSimulation live(model, parametersOf(*model), {});
    live.runUntil(150);
    const std::vector<Spike> spikes = live.takeSpikes();
    QVERIFY2(spikes.size() >= 3, qPrintable(QString::number(spikes.size())));
    // More than a spike each ms of a neuron would be no neuron.
    QVERIFY(spikes.size() < 150 * (model->circuit.network.cells() + 1));
  }

  void samplesAreAlwaysTheSame()
  {
    const CircuitSimulation a = buildSampleCircuit();
    const CircuitSimulation b = buildSampleCircuit();
    QCOMPARE(a.network.connections.size(), b.network.connections.size());
    for (std::size_t i = 0; i < a.network.connections.size(); ++i) {
      QCOMPARE(a.network.connections[i].weight, b.network.connections[i].weight);
      QCOMPARE(a.network.connections[i].delay, b.network.connections[i].delay);
      QCOMPARE(a.network.synapses[i].node, b.network.synapses[i].node);
    }
    QCOMPARE(a.network.trains, b.network.trains);
    QVERIFY(a.network.trains.front().size() > 100);
    QCOMPARE(a.network.poisson.size(), a.network.trains.size()); // which go on
  }

  void filesAreToldApartByWhatTheySay()
  {
    QCOMPARE(modelFileKind(":/samples/synthetic_pyramidal_fit.json"), ModelFileKind::Cell);
    QCOMPARE(modelFileKind(write("fit.json", R"({"genome": []})")), ModelFileKind::Cell);
    QCOMPARE(modelFileKind(write("run.json", R"({"run": {}, "network": "c.json"})")), ModelFileKind::Configuration);
    QCOMPARE(modelFileKind(write("circuit.json", R"({"networks": {}})")), ModelFileKind::None);
    QCOMPARE(modelFileKind(write("broken.json", R"({"genome": [)")), ModelFileKind::None);
    QCOMPARE(modelFileKind(write("list.json", "[1, 2]")), ModelFileKind::None);
    QCOMPARE(modelFileKind(folder.filePath("nothing.json").toStdString()), ModelFileKind::None);
  }

  void aFitWithoutItsFormSaysSo()
  {
    const std::string fit = write("lonely_fit.json", R"({"genome": []})");
    SimulationRequest request;
    request.file = fit;
    try {
      openModel(request);
      QFAIL("it was opened");
    } catch (const Error& error) {
      QCOMPARE(error.code(), ErrorCode::BadParameter);
      QCOMPARE(QString::fromStdString(error.file()), QString::fromStdString(fit));
      QVERIFY(QByteArray(error.what()).contains("SWC"));
    }
  }

  void whatIsMissingIsNamed()
  {
    const std::string fit =
        write("odd_fit.json", R"({"genome": [{"section": "soma", "mechanism": "Kx", "name": "gbar_Kx",
                                                     "value": 1}]})");
    SimulationRequest request;
    request.file = fit;
    request.morphology = ":/samples/synthetic_pyramidal.swc";
    try {
      openModel(request);
      QFAIL("it was opened");
    } catch (const Error& error) {
      QVERIFY(QByteArray(error.what()).contains("Kx"));
    }
  }

  void aCircuitOfFilesOpens()
  {
    SimulationRequest request;
    request.file = tests::SmallCircuit().write(folder.path().toStdString());
    const SimulationModel model = openModel(request);
    QVERIFY(!model.isSingleCell);
    QCOMPARE(model.circuit.network.cells(), std::size_t{2});
    QVERIFY(model.circuit.network.probes.empty());
    QVERIFY(!model.nameOf(0).empty());
    QVERIFY(model.nameOf(0) != model.nameOf(1));
    QVERIFY(model.nameOf(2) != model.nameOf(0)); // the point neuron
  }

  void channelsAreListedByRegion()
  {
    const auto model = sample(0);
    const std::vector<ModelRow> rows = channelTable(*model);
    QCOMPARE(rows.size(), std::size_t{1});
    QCOMPARE(rows[0].cells, std::size_t{1});
    const auto region = [&](std::int32_t type) { return *std::ranges::find(rows[0].regions, type, &RegionRow::type); };
    const auto has = [&](std::int32_t type, const char* mechanism) {
      return std::ranges::any_of(region(type).channels, [&](const ChannelRow& channel) {
        return cell::allMechanisms()[static_cast<std::size_t>(channel.mechanism)].name == mechanism;
      });
    };
    QVERIFY(has(1, "hh"));
    QVERIFY(has(2, "hh"));
    QVERIFY(!has(3, "hh"));
    QVERIFY(has(3, "pas"));
    QVERIFY(has(4, "pas"));
    double area = 0;
    std::size_t sections = 0;
    for (const RegionRow& each : rows[0].regions) {
      area += each.area;
      sections += each.sections;
    }
    const cell::CutCell& cut = model->circuit.network.models[0]->cut;
    QCOMPARE(sections, cut.sections.size());
    QVERIFY(std::abs(area - std::accumulate(cut.area.begin(), cut.area.end(), 0.0)) < 1e-6);
    // Numbers with their units and ranges.
    for (const ChannelRow& channel : region(1).channels)
      for (const ChannelNumber& number : channel.numbers)
        if (number.name == "gnabar") {
          QCOMPARE(number.value, 0.6);
          QCOMPARE(number.unit, std::string("S/cm2"));
          QCOMPARE(number.range, std::string("0 or more"));
        }
    const std::vector<std::size_t> mechanisms = mechanismsOf(*model);
    QCOMPARE(mechanisms, (std::vector<std::size_t>{cell::kPassive, cell::kHh}));
  }

  /// Looked at in pieces, it gives what a run at once gives.
  void watchingChangesNothing()
  {
    const auto model = sample(2);
    const auto parameters = parametersOf(*model);
    simulation::Network network = model->circuit.network;
    const std::int32_t soma = network.detectors[3].node;
    network.probes = {{3, soma}};
    simulation::Simulation whole(network, parameters);
    whole.runUntil(30);
    LiveSimulation live(model, parameters, {{3, soma}});
    std::vector<Spike> spikes;
    std::vector<float> record;
    for (double time = 0.2; time < 30.1; time += 0.7) {
      live.runUntil(std::min(time, 30.0));
      const auto fresh = live.takeSpikes();
      spikes.insert(spikes.end(), fresh.begin(), fresh.end());
      const auto values = live.takeRecord(0);
      record.insert(record.end(), values.begin(), values.end());
    }
    live.runUntil(30);
    const auto rest = live.takeSpikes();
    spikes.insert(spikes.end(), rest.begin(), rest.end());
    const auto last = live.takeRecord(0);
    record.insert(record.end(), last.begin(), last.end());
    SpikeStore store;
    store.append(spikes);
    QCOMPARE(store.spikes(), whole.spikes());
    QVERIFY(!store.spikes().empty());
    QCOMPARE(record.size(), whole.records()[0].size());
    for (std::size_t i = 0; i < record.size(); ++i)
      QCOMPARE(record[i], static_cast<float>(whole.records()[0][i]));
    const SharedFrame frame = live.frame();
    QCOMPARE(frame->time, 30.0);
    QCOMPARE(frame->levels.size(), model->compartments());
    const auto& potentials = whole.potentialsOf(0);
    for (std::size_t node = 0; node < 50; ++node)
      QCOMPARE(frame->levels[node], levelOf(potentials[node]));
  }

  void levelsCoverTheRangeEvenly()
  {
    QCOMPARE(int{levelOf(-90)}, 0);
    QCOMPARE(int{levelOf(-300)}, 0);
    QCOMPARE(int{levelOf(40)}, 255);
    QCOMPARE(int{levelOf(500)}, 255);
    for (double potential = -90; potential <= 40; potential += 0.37)
      QVERIFY(std::abs(potentialOf(levelOf(potential)) - potential) <= 0.26);
  }

  void aRingKeepsTheNewestFrames()
  {
    FrameRing ring(10 * (sizeof(VoltageFrame) + 1000));
    for (int i = 1; i <= 25; ++i) {
      auto frame = std::make_shared<VoltageFrame>();
      frame->time = i;
      frame->levels.assign(1000, static_cast<std::uint8_t>(i));
      ring.push(frame);
    }
    QCOMPARE(ring.size(), std::size_t{10});
    QCOMPARE(ring[0]->time, 16.0);
    QCOMPARE(ring[ring.size() - 1]->time, 25.0);
    QCOMPARE(ring[ring.indexAt(20.5)]->time, 20.0);
    QCOMPARE(ring[ring.indexAt(20)]->time, 20.0);
    QCOMPARE(ring.indexAt(-5), std::size_t{0});
    QCOMPARE(ring.indexAt(1e9), ring.size() - 1);
    ring.forgetAfter(18);
    QCOMPARE(ring.size(), std::size_t{3});
  }

  void aTraceFindsTheLeastAndTheGreatestOfAnyRange()
  {
    constexpr double kDt = 0.025;
    const std::vector<float> values = waves(10'000);
    Trace trace(kDt);
    for (std::size_t from = 0; from < values.size();) {
      const std::size_t count = std::min<std::size_t>(1 + from % 97, values.size() - from);
      trace.append(static_cast<std::int64_t>(from) + 1, {&values[from], count});
      from += count;
    }
    for (std::size_t k = 0; k < 400; ++k) {
      const std::size_t begin = k * 7919 % values.size();
      const std::size_t end = std::min(values.size(), begin + 1 + k * k % 3000);
      const auto [least, most] = std::minmax_element(values.begin() + static_cast<std::ptrdiff_t>(begin),
                                                     values.begin() + static_cast<std::ptrdiff_t>(end));
      // Value i is that of step i + 1.
      const auto range =
          trace.rangeOf((static_cast<double>(begin) + 0.5) * kDt, (static_cast<double>(end) + 0.5) * kDt);
      QVERIFY(range);
      QCOMPARE(range->least, *least);
      QCOMPARE(range->greatest, *most);
    }
    QVERIFY(!trace.rangeOf(1e6, 2e6));
    QVERIFY(!trace.rangeOf(-5, -1));
  }

  void thePastOfATraceIsFilledIn()
  {
    const std::vector<float> values = waves(1000);
    Trace trace(0.1);
    trace.append(601, {&values[600], 400});
    QVERIFY(!trace.rangeOf(10, 20));
    trace.appendPast(1, {&values[0], 250});
    QVERIFY(!trace.isWhole());
    QCOMPARE(*trace.valueAt(10), values[99]);
    QVERIFY(!trace.valueAt(40));
    trace.appendPast(251, {&values[250], 400}); // 50 of them are there already
    QVERIFY(trace.isWhole());
    QCOMPARE(trace.values(), values);
    QCOMPARE(trace.firstStep(), std::int64_t{1});
    QCOMPARE(trace.endStep(), std::int64_t{1001});
  }

  /// A place that is chosen while the run stands still has its past first.
  void thePastOfATraceMayComeFirst()
  {
    const std::vector<float> values = waves(300);
    Trace trace(0.1);
    trace.appendPast(1, {&values[0], 200});
    QCOMPARE(trace.endStep(), std::int64_t{201});
    QCOMPARE(*trace.lastValue(), values[199]);
    trace.append(201, {&values[200], 100});
    QVERIFY(trace.isWhole());
    QCOMPARE(trace.values(), values);
  }

  void spikesAreKeptByTime()
  {
    SpikeStore store;
    store.append({{2, 5.0}, {0, 1.0}});
    store.append({{1, 4.5}, {1, 6.0}});
    QCOMPARE(store.spikes(), (std::vector<Spike>{{0, 1.0}, {1, 4.5}, {2, 5.0}, {1, 6.0}}));
    const auto part = store.between(4.5, 6.0);
    QCOMPARE(part.size(), std::size_t{2});
    const auto rates = spikeRates(store.spikes(), {0, 0, 1}, 0, 5, 2);
    // Of two neurons one spike and then one in 5 ms each; of one neuron one in the second bin.
    QCOMPARE(rates.size(), std::size_t{2});
    QCOMPARE(rates[0], (std::vector<double>{200, 100}));
    QCOMPARE(rates[1], (std::vector<double>{0, 200}));
  }

  void tracesAreWrittenAsTables()
  {
    std::vector<NamedTrace> traces{{"soma", Trace(0.5)}, {"dend[2] at 0.5", Trace(0.5)}};
    traces[0].trace.append(1, std::vector<float>{-70, -69.5F, -60, 12.25F});
    traces[1].trace.append(3, std::vector<float>{-65, -64});
    const std::string csv = folder.filePath("traces.csv").toStdString();
    writeTracesCsv(traces, csv);
    QFile file(QString::fromStdString(csv));
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll(), QByteArray("time ms,\"soma mV\",\"dend[2] at 0.5 mV\"\n0.5,-70,\n1,-69.5,\n1.5,-60,-65\n"
                                        "2,12.25,-64\n"));
    const std::string npy = folder.filePath("traces.npy").toStdString();
    writeTracesNpy(traces, npy);
    QFile matrix(QString::fromStdString(npy));
    QVERIFY(matrix.open(QIODevice::ReadOnly));
    const QByteArray bytes = matrix.readAll();
    QVERIFY(bytes.startsWith("\x93NUMPY\x01"));
    QVERIFY(bytes.contains("'shape': (4, 3)"));
    constexpr qsizetype kNumbers = 12;
    QCOMPARE((bytes.size() - kNumbers * 8) % 64, 0);
    double numbers[kNumbers];
    std::memcpy(numbers, bytes.constData() + bytes.size() - kNumbers * 8, sizeof numbers);
    QCOMPARE(numbers[0], 0.5);
    QCOMPARE(numbers[1], -70.0);
    QVERIFY(std::isnan(numbers[2]));
    QCOMPARE(numbers[9], 2.0);
    QCOMPARE(numbers[10], 12.25);
    QCOMPARE(numbers[11], -64.0);
  }

  void placesAreNamedAsNeuronNamesThem()
  {
    const auto model = sample(0);
    const cell::CellModel& cell = *model->circuit.network.models[0];
    QCOMPARE(placeName(cell, cell.cut.nodeAt(0, 0.5)), std::string("soma"));
    std::int32_t dendrite = -1;
    for (std::size_t s = 0; s < cell.cut.sections.size() && dendrite < 0; ++s)
      if (cell.cut.sections[s].type == 3)
        dendrite = static_cast<std::int32_t>(s);
    const cell::Section& section = cell.cut.sections[static_cast<std::size_t>(dendrite)];
    const QString name = QString::fromStdString(placeName(cell, section.firstNode));
    QVERIFY2(name.startsWith("dend[0] at 0."), qPrintable(name));
    QCOMPARE(placeName(cell, section.firstNode + section.segments), std::string("dend[0] at 1"));
  }

  void changesAreSaidInWords()
  {
    LiveFactors before;
    LiveFactors after;
    after.conductance.assign(cell::allMechanisms().size(), 1);
    after.conductance[cell::kHh] = 0.5;
    after.celsius = 30;
    QCOMPARE(describeChange(before, after), std::string("hh x 0.5, 30 °C"));
    LiveFactors more = after;
    more.stimuli = 2;
    QCOMPARE(describeChange(after, more), std::string("stimuli x 2"));
    QCOMPARE(describeChange(after, after), std::string());
  }
};

HINESIGHT_TEST(TestLiveSimulation)
#include "test_live_simulation.moc"
