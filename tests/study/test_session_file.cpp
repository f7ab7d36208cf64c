#include "core/error.hpp"
#include "core/files.hpp"
#include "core/time_text.hpp"
#include "model/moved_files.hpp"
#include "model/session_file.hpp"
#include "paths/paths.hpp"
#include "study/cells/cell_measures.hpp"
#include "test_main.hpp"

#include <QDir>
#include <QFileInfo>
#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>

#include <nlohmann/json.hpp>

using namespace hinesight;
using namespace hinesight::model;

namespace {

ReadSession parse(const std::string& text)
{
  return parseSession(text, "folder", "folder/a.hinesight");
}

using Json = nlohmann::ordered_json;

/// A solve of so many cells of these files.
io::RunRecord solveOf(std::size_t cells, std::vector<std::string> files = {})
{
  io::RunRecord run;
  run.startedAt = "2026-03-01T12:34:56.789Z";
  run.source = "a \"quoted\" µ.swc";
  run.cells = cells;
  run.solver = "multicore";
  run.timings.device = "AMD EPYC, 2 threads";
  run.timings.stages = {{"read", 1.0 / 3}, {"solve", 0.5}};
  run.repetitions = {0.5, 0.1 + 0.2};
  run.settings = {{"copies", "3"}};
  run.files = std::move(files);
  return run;
}

io::SharedRuns shared(const std::vector<io::RunRecord>& records)
{
  io::SharedRuns runs;
  for (const io::RunRecord& record : records)
    runs.push_back(std::make_shared<const io::RunRecord>(record));
  return runs;
}

/// A session with one cell and these runs.
Json sessionOf(const std::vector<io::RunRecord>& records)
{
  Project project;
  project.cells.emplace_back().name = "a";
  return Json::parse(sessionText(project, "folder", {}, shared(records)));
}

/// The error of reading a text, or of checking what was read.
std::optional<Error> errorOf(const std::string& text)
{
  try {
    validate(parse(text).project);
    return std::nullopt;
  } catch (const Error& error) {
    return error;
  }
}

} // namespace

class TestSessionFile : public QObject
{
  Q_OBJECT

  /// One of everything as it was on that day, written by HINESIGHT_KEEP_SESSION.
  static constexpr const char* kKept = "format1-2026-11-27.hinesight";

  QTemporaryDir folder;

  Project everything() const { return everything(folder.path().toStdString()); }

  /// One of everything, none of it at its default. `here`: the folder of its session.
  static Project everything(const std::string& here)
  {
    Project project;
    project.cells = {{"a",
                      here + "/cells/a.swc",
                      "0123456789abcdef",
                      0.001,
                      false,
                      {true, {10, -20, 0.5}, {1, 2.25, -3}},
                      {"layer 5", "pyramidal"},
                      "2026-03-01T12:34:56.789Z"},
                     {"b, c", here + "/b.swc", "", 8.0, true}};
    Population grid;
    grid.placement.name = "E";
    grid.placement.size = {7, 5, 3};
    grid.placement.spacing = {1.5, 2.25, 0.1};
    grid.colour = "#e69f00";
    grid.cells = {"a", "b, c"};
    grid.isTurned = true;
    grid.seed = 18446744073709551615U;
    Population file;
    file.placement.name = "I";
    file.placement.kind = projection::PopulationKind::File;
    file.placement.file = here + "/neurons.csv";
    file.role = Role::Inhibitory;
    grid.models = {"pyramidal", "fitted"};
    file.models = {"point"};
    Population outside;
    outside.placement.name = "outside";
    project.populations = {grid, file, outside};
    NeuronModel pyramidal;
    pyramidal.name = "pyramidal";
    pyramidal.startPotential = -70.25;
    pyramidal.axon = AxonChoice::StubAsThick;
    pyramidal.membrane = {
        {Sections::All, "pas", "", 0}, {Sections::Dend, "hh", "gnabar", 0.1 + 0.2}, {Sections::Soma, "", "cm", 1.5}};
    NeuronModel fitted;
    fitted.name = "fitted";
    fitted.kind = NeuronKind::Fit;
    fitted.file = here + "/models/a_fit.json";
    NeuronModel point;
    point.name = "point";
    point.kind = NeuronKind::Point;
    point.tau = 7;
    point.refractory = 2;
    project.models = {pyramidal, fitted, point};
    Stimulus step;
    step.name = "step";
    step.population = "E";
    step.neurons = {0, 17};
    step.on = Sections::Apic;
    step.section = 3;
    step.position = 0.25;
    step.amplitude = 0.2;
    step.duration = 100;
    Stimulus clamp;
    clamp.name = "clamp";
    clamp.kind = StimulusKind::VoltageClamp;
    clamp.population = "E";
    clamp.potentials = {-70, -10};
    clamp.durations = {20, 5.5};
    Stimulus noise;
    noise.name = "noise";
    noise.kind = StimulusKind::Noise;
    noise.population = "E";
    noise.seed = 5;
    Stimulus listed;
    listed.name = "listed";
    listed.kind = StimulusKind::Spikes;
    listed.population = "outside";
    listed.file = here + "/spikes.csv";
    Stimulus poisson;
    poisson.name = "poisson";
    poisson.kind = StimulusKind::Poisson;
    poisson.population = "outside";
    poisson.rate = 12.5;
    project.stimuli = {step, clamp, noise, listed, poisson};
    ProbeRequest probe;
    probe.name = "calcium";
    probe.population = "E";
    probe.quantity = ProbeQuantity::Calcium;
    probe.places = ProbePlaces::Place;
    probe.on = Sections::Dend;
    project.probes = {probe};
    project.simulate.emplace();
    project.simulate->stop = 250;
    project.simulate->threshold = -20;
    project.simulate->parameters.timeStep = 0.05;
    project.simulate->parameters.celsius = 34;
    Connection projected;
    projected.name = "EI";
    projected.source = "E";
    projected.target = "I";
    projected.projection.kernel = projection::KernelKind::Gaussian;
    projected.projection.sigma = 0.1 + 0.2;
    projected.projection.wrap = true;
    projected.synapses.place = SynapsePlace::Sections;
    projected.synapses.on = Sections::Dend;
    projected.synapses.farthest = 200;
    projected.synapses.weight = 0.0005;
    projected.synapses.delayRule = SynapseDelay::Distance;
    Connection formed;
    formed.name = "all";
    formed.kind = ConnectionKind::Formed;
    formed.between = {"E", "I"};
    formed.formation.axons = 7;
    formed.formation.search.theta = 0.25;
    Connection table;
    table.name = "old";
    table.kind = ConnectionKind::File;
    table.source = table.target = "E";
    table.file = here + "/../table.npy";
    project.connections = {projected, formed, table};
    project.solve.batch.copies = 17;
    project.solve.solve.backend = Backend::Cuda;
    project.compute.threads = 3;
    project.selections = {{"far axons", "type == axon && pathDistance > 200"},
                          {"pair", "", {"b, c", "a"}},
                          {"hubs", "outDegree > 20", {}, selection::SetKind::Neurons},
                          {"strong", "weight > 0.5", {}, selection::SetKind::Synapses, "excitation"}};
    project.form.emplace();
    project.form->source.path = here + "/positions.txt";
    project.form->formation.search.theta = 0.125;
    project.grow.emplace();
    project.grow->source.placement.neurons = 70;
    project.grow->source.network = here + "/network.csv";
    project.grow->model.targetDecayPeriod = 17; // of a decay that is off
    project.grow->model.stimuli.emplace_back().end = 17;
    project.grow->steps = 5000;
    project.solverBenchmark.emplace();
    project.solverBenchmark->cells = BenchmarkCells::Tables;
    project.solverBenchmark->tables = {"copies", "ring"};
    project.solverBenchmark->counts = {10, 100};
    project.solverBenchmark->measurement.minRepetitions = 9;
    project.projectionBenchmark.emplace().sides = {8, 16};
    project.synapseBenchmark.emplace().thetas = {0.25};
    project.simulationBenchmark.emplace().quick = true;
    return project;
  }

  static SessionView seen()
  {
    SessionView view;
    view.page = "projection";
    view.connection = "local";
    view.formed = "near";
    view.isCircuitOpen = true;
    view.hidden = {{"a", "2-4,7 of 31"}, {"b", "1 of 9"}};
    view.hiddenNeurons = {{"E", "0-3,7"}};
    view.inChosenCells = true;
    view.chosenCells = {"a"};
    view.sortBy = "length";
    view.isDescending = true;
    view.isParallel = true;
    view.measureBeside = "b";
    view.histogramOf = choiceName(study::BranchQuantity::LocalAngle);
    view.shollStep = 2.5;
    view.paths = {{"a", 3, "a", 9, 12.5, 10.25}, {"a", 1, "b", 2, kBoundless, 100}};
    view.savedAs = "/somewhere/all.hinesight";
    return view;
  }

private slots:
  void initTestCase()
  {
    QVERIFY(folder.isValid());
    // A session of today, for later versions to read. One that is kept is never written again.
    if (const QString path = qEnvironmentVariable("HINESIGHT_KEEP_SESSION"); !path.isEmpty()) {
      QVERIFY2(!QFile::exists(path), qPrintable(path));
      writeSession(everything(QFileInfo(path).absolutePath().toStdString()), path.toStdString(), seen());
    }
  }

  void isReadAsItWasWritten()
  {
    const std::string path = folder.filePath("all.hinesight").toStdString();
    writeSession(everything(), path);
    const ReadSession read = readSession(path);
    QVERIFY2(read.warnings.empty(), read.warnings.empty() ? "" : read.warnings.front().c_str());
    Project wanted = everything();
    wanted.connections[2].file = std::filesystem::path(wanted.connections[2].file).lexically_normal().string();
    QVERIFY(read.project == wanted);
    // And once more: the same bytes.
    const std::string again = folder.filePath("again.hinesight").toStdString();
    writeSession(read.project, again);
    QCOMPARE(readFile(again), readFile(path));
  }

  /// What a person saw is no part of the project; a session without it is as those before it were.
  void whatWasSeenIsKeptBesideTheProject()
  {
    const SessionView view = seen();
    const ReadSession read = parse(sessionText(everything(), folder.path().toStdString(), view));
    QVERIFY(read.warnings.empty());
    QVERIFY(read.view == view);
    const std::string without = sessionText(everything(), folder.path().toStdString());
    QVERIFY(without.find("\"view\"") == std::string::npos);
    QVERIFY(parse(without).view == SessionView());
  }

  /// Behind all else, a line each; written once more, the bytes are the same.
  void runsAreKept()
  {
    const std::string here = folder.path().toStdString();
    const std::vector<std::string> files = {here + "/cells/of a run.swc", ":/samples/a.swc"};
    io::RunRecord table = io::startRecord(io::RunKind::Table, "EI: E → I", {Backend::Cuda, "GPU", {{"table", 2}}});
    table.size = "10 x 10 neurons, 45 rows";
    io::RunRecord benchmark = solveOf(4);
    benchmark.kind = io::RunKind::Benchmark;
    benchmark.asked = {{"bench-hines.cells", "1,10"}, {"solve.copies", "3"}};
    const std::vector<io::RunRecord> records = {solveOf(1, files), table, solveOf(2, files), benchmark};
    const std::string text = sessionText(everything(), here, seen(), shared(records));
    QVERIFY(text.find(here) == std::string::npos);
    QCOMPARE(QString::fromStdString(text).count(QStringLiteral("\"cells/of a run.swc\"")), 1); // by both of its runs
    QCOMPARE(std::ranges::count(text, '\n'),
             std::ranges::count(sessionText(everything(), here, seen()), '\n') + std::ssize(records) + 2);

    const ReadSession read = parseSession(text, here, here + "/a.hinesight");
    QVERIFY2(read.warnings.empty(), read.warnings.empty() ? "" : read.warnings.front().c_str());
    QCOMPARE(read.runs.size(), records.size());
    for (std::size_t k = 0; k < records.size(); ++k) {
      const io::RunRecord& run = *read.runs[k];
      QCOMPARE(run.startedAt, records[k].startedAt);
      QCOMPARE(run.source, records[k].source);
      QVERIFY(run.kind == records[k].kind);
      QCOMPARE(run.cells, records[k].cells);
      QCOMPARE(run.size, records[k].size);
      QCOMPARE(run.files, records[k].files);
      QVERIFY(run.repetitions == records[k].repetitions);
      QVERIFY(run.settings == records[k].settings);
      QVERIFY(run.asked == records[k].asked);
      QVERIFY(run.timings.backend == records[k].timings.backend);
      QVERIFY(std::ranges::equal(run.timings.stages, records[k].timings.stages, {}, &Stage::milliseconds,
                                 &Stage::milliseconds));
    }
    QCOMPARE(sessionText(read.project, here, read.view, read.runs), text);
  }

  /// Whoever wants to know what is in a session does not read its runs.
  void aSessionIsReadWithoutItsRuns()
  {
    const std::string here = folder.path().toStdString();
    const std::string without = sessionText(everything(), here, seen());
    QVERIFY(!textBeforeRuns(without));
    const std::string with = sessionText(everything(), here, seen(), shared({solveOf(1)}));
    QVERIFY(with != without);
    QCOMPARE(textBeforeRuns(with).value_or(""), without);
    const std::string path = folder.filePath("with runs.hinesight").toStdString();
    writeSession(everything(), path, seen(), shared({solveOf(1)}));
    QCOMPARE(readSession(path).runs.size(), std::size_t{1});
    const ReadSession read = readSession(path, Extent::WithoutRuns);
    QVERIFY(read.runs.empty());
    QVERIFY(read.project == readSession(path).project);
    QVERIFY(read.view == seen());
  }

  /// The rest of a session of somebody else opens.
  void brokenRunsAreLeftOut()
  {
    const auto warningsOf = [](const Json& session, std::size_t sound) {
      const ReadSession read = parse(session.dump());
      [&] {
        QCOMPARE(read.runs.size(), sound);
        QCOMPARE(read.project.cells.size(), std::size_t{1});
      }();
      return read.warnings;
    };
    const std::vector<io::RunRecord> two = {solveOf(1), solveOf(2)};
    Json session = sessionOf(two);
    QVERIFY(warningsOf(session, 2).empty());
    session["runs"][1].erase("solver");
    QCOMPARE(warningsOf(session, 1),
             std::vector<std::string>{"1 of 2 runs has been left out: run 2 has no \"solver\"."});
    session["runs"][0] = 7;
    QCOMPARE(warningsOf(session, 0),
             std::vector<std::string>{"2 of 2 runs have been left out: run 1 has no \"startedAt\"."});
    for (const char* time : {"nan", "-1", "1e300"}) { // none that can be sorted and drawn
      session = sessionOf(two);
      session["runs"][0]["repetitions"][1] = time;
      QCOMPARE(warningsOf(session, 1),
               std::vector<std::string>{"1 of 2 runs has been left out: run 1 has times that are none."});
      session = sessionOf(two);
      session["runs"][0]["stages"][0]["milliseconds"] = time;
      QCOMPARE(warningsOf(session, 1),
               std::vector<std::string>{"1 of 2 runs has been left out: run 1 has times that are none."});
    }
    session["runs"] = Json::object();
    QCOMPARE(warningsOf(session, 0), std::vector<std::string>{"\"runs\" is no list and has been left out."});
    QVERIFY(!QTest::currentTestFailed());
  }

  /// A file stays small, whatever was run and whoever wrote it.
  void ofManyRunsTheNewestAreKept()
  {
    std::vector<io::RunRecord> many;
    for (std::size_t k = 0; k < kMostRuns + 7; ++k)
      many.push_back(solveOf(k));
    Json session = sessionOf(many);
    ReadSession read = parse(session.dump());
    QVERIFY(read.warnings.empty());
    QCOMPARE(read.runs.size(), kMostRuns);
    QCOMPARE(read.runs.front()->cells, std::size_t{7});
    QCOMPARE(read.runs.back()->cells, kMostRuns + 6);
    session["runs"].push_back(session["runs"][0]);
    read = parse(session.dump());
    QCOMPARE(read.warnings, std::vector<std::string>{"Of its 1001 runs the newest 1000 were read."});
    QCOMPARE(read.runs.front()->cells, std::size_t{8});

    io::RunRecord large = solveOf(1);
    large.repetitions.assign(1000, 1.0 / 3);
    many.assign(500, large);
    many.back().cells = 2;
    const std::string text = sessionText({}, "folder", {}, shared(many));
    QVERIFY(text.size() < 4'100'000);
    read = parse(text);
    QVERIFY(read.runs.size() > 100 && read.runs.size() < 500);
    QCOMPARE(read.runs.back()->cells, std::size_t{2});
  }

  /// A few lines cannot fill the memory.
  void namesOfFilesThatRunsShareAreBounded()
  {
    const std::vector<std::string> files(2000, "a.swc");
    Json session = sessionOf({solveOf(1, files), solveOf(2, files)});
    QVERIFY(!session["runs"][0].contains("files"));
    const Json sharing = session["runs"][0];
    for (std::size_t k = 2; k < kMostRuns; ++k)
      session["runs"].insert(session["runs"].begin(), sharing);
    const ReadSession read = parse(session.dump());
    QCOMPARE(read.warnings, std::vector<std::string>{"Of its 1000 runs the newest 250 were read."});
    QCOMPARE(read.runs.size(), std::size_t{250});
    for (const auto& run : read.runs)
      QCOMPARE(run->files.size(), files.size());
    const std::vector<io::RunRecord> as(1000, solveOf(1, files));
    QCOMPARE(sessionOf(as)["runs"].size(), std::size_t{250});
  }

  void sessionsOfEarlierVersionsAreRead_data()
  {
    QTest::addColumn<QString>("path");
    const QDir sessions(tests::testData("sessions"));
    for (const QFileInfo& file : sessions.entryInfoList({QStringLiteral("*.hinesight")}, QDir::Files))
      QTest::newRow(qPrintable(file.fileName())) << file.filePath();
  }
  void sessionsOfEarlierVersionsAreRead()
  {
    QFETCH(QString, path);
    const ReadSession read = readSession(path.toStdString());
    QVERIFY2(read.warnings.empty(), read.warnings.empty() ? "" : read.warnings.front().c_str());
    QVERIFY(parse(sessionTextForAnyFolder(read.project)).project == read.project);
    if (QFileInfo(path).fileName() != QLatin1String(kKept))
      return;
    // What everything() gets later is to be taken back here, as below.
    Project wanted = everything(QFileInfo(path).absolutePath().toStdString());
    wanted.selections.resize(1);
    wanted.cells[0].tags.clear();
    wanted.cells[0].modified.clear();
    wanted.connections[2].file = std::filesystem::path(wanted.connections[2].file).lexically_normal().string();
    QVERIFY(read.project == wanted);
    SessionView view = seen();
    view.isCircuitOpen = false;
    view.hiddenNeurons.clear();
    QVERIFY(read.view == view);
  }

  /// As the first version with sessions wrote it.
  void aSessionOfTheFirstFormatIsRead()
  {
    const ReadSession read = readSession(tests::testData("sessions/format1.hinesight").toStdString());
    QVERIFY2(read.warnings.empty(), read.warnings.empty() ? "" : read.warnings.front().c_str());
    Project wanted = everything();
    wanted.solve.solve.repeat = 1; // as the file says; it was the default
    const std::filesystem::path here = tests::testData("sessions").toStdString();
    wanted.cells[0].file = (here / "cells/a.swc").string();
    wanted.cells[1].file = (here / "b.swc").string();
    wanted.populations[1].placement.file = (here / "neurons.csv").string();
    wanted.connections[2].file = (here.parent_path() / "table.npy").string();
    // What the format did not have yet.
    wanted.cells[0].isShown = true;
    wanted.cells[0].place = {};
    wanted.cells[0].tags.clear();
    wanted.cells[0].modified.clear();
    wanted.selections.clear();
    wanted.form.reset();
    wanted.grow.reset();
    wanted.solverBenchmark.reset();
    wanted.projectionBenchmark.reset();
    wanted.synapseBenchmark.reset();
    wanted.simulationBenchmark.reset();
    wanted.populations.pop_back(); // what has no model
    for (Population& population : wanted.populations)
      population.models.clear();
    wanted.connections[0].synapses = {};
    wanted.models.clear();
    wanted.stimuli.clear();
    wanted.probes.clear();
    wanted.simulate.reset();
    QVERIFY(read.project == wanted);
  }

  /// What a session has nothing of is added by its first assignment.
  void aPartThatIsMissingIsAddedByItsPath()
  {
    Project project;
    setByPath(project, "grow.steps=700");
    setByPath(project, "bench-hines.solvers=serial,fine");
    QCOMPARE(project.grow->steps, std::uint32_t{700});
    QVERIFY((project.solverBenchmark->solvers == std::vector<std::string>{"serial", "fine"}));
    QVERIFY(!project.simulate && !project.form);
  }

  void filesAreNamedAsSeenFromTheSession()
  {
    const std::string text = sessionText(everything(), folder.path().toStdString());
    QVERIFY2(text.find("\"cells/a.swc\"") != std::string::npos, text.c_str());
    QVERIFY(text.find("\"../table.npy\"") != std::string::npos);
    QVERIFY(text.find(folder.path().toStdString()) == std::string::npos);
    // The folder moves, and the session with it.
    const ReadSession moved = parseSession(text, "/elsewhere", "/elsewhere/a.hinesight");
    QCOMPARE(moved.project.cells[0].file, std::string("/elsewhere/cells/a.swc"));
    QCOMPARE(moved.project.connections[2].file, std::string("/table.npy"));
  }

  void whatIsLeftOutHasItsDefault()
  {
    const ReadSession read = parse(R"({"session": 1, "populations": [{"name": "E"}]})");
    QCOMPARE(read.project.populations.size(), std::size_t{1});
    Population wanted;
    wanted.placement.name = "E";
    QVERIFY(read.project.populations[0] == wanted);
    QVERIFY(read.project.solve == study::CellParameters{});
  }

  void namesThatNobodyKnowsAreWarnedOf()
  {
    const ReadSession read =
        parse(R"({"session": 1, "views": {}, "populations": [{"name": "E", "sizze": 4, "count": 12}]})");
    QCOMPARE(read.warnings.size(), std::size_t{2});
    QVERIFY2(read.warnings[0].find("\"views\"") != std::string::npos, read.warnings[0].c_str());
    QVERIFY2(read.warnings[1].find("populations 1: \"sizze\"") != std::string::npos, read.warnings[1].c_str());
    QCOMPARE(read.project.populations[0].placement.count, std::uint64_t{12});
  }

  /// Others are left out, and said in a sentence; an expression holds for whatever cells there are.
  void setsHaveCellsOfTheSession()
  {
    const auto setsOf = [](const std::string& sets) {
      return parse(R"({"session": 1, "cells": [{"name": "a"}, {"name": "b"}], "selections": [)" + sets + "]}");
    };
    const ReadSession whole = setsOf(R"({"name": "pair", "cells": ["b", "a"]}, {"name": "axons", "expression": "x"})");
    QVERIFY(whole.warnings.empty());
    QCOMPARE(whole.project.selections,
             (std::vector<selection::NamedSelection>{{"pair", "", {"b", "a"}}, {"axons", "x"}}));
    const ReadSession part = setsOf(R"({"name": "three", "cells": ["b", "c", "a"]})");
    QCOMPARE(part.warnings, std::vector<std::string>{"The set \"three\" names the cell \"c\", which the session has "
                                                     "not; that has been left out."});
    QCOMPARE(part.project.selections.at(0).cells, (std::vector<std::string>{"b", "a"}));
    const ReadSession none = setsOf(R"({"name": "lost", "cells": ["c", "d", "e"]}, {"name": "axons"})");
    QCOMPARE(none.warnings, std::vector<std::string>{"The set \"lost\" names the cell \"c\" and 2 more, which the "
                                                     "session has not; the set has been left out."});
    QCOMPARE(none.project.selections, (std::vector<selection::NamedSelection>{{"axons", ""}}));
    // A set of branches is written as it was before there were others.
    Project branches;
    branches.selections = {{"axons", "type == axon"}};
    const std::string text = sessionText(branches, "/");
    const std::size_t begin = text.find("\"selections\"");
    QVERIFY(begin != std::string::npos);
    const std::string sets = text.substr(begin, text.find(']', begin) - begin);
    QVERIFY2(sets.find("type == axon") != std::string::npos && sets.find("cells") == std::string::npos &&
                 sets.find("\"of\"") == std::string::npos,
             sets.c_str());
    const ReadSession circuit = setsOf(R"({"name": "hubs", "of": "neurons", "expression": "outDegree > 20"})");
    QCOMPARE(circuit.project.selections,
             (std::vector<selection::NamedSelection>{{"hubs", "outDegree > 20", {}, selection::SetKind::Neurons}}));
  }

  void saysWhatIsWrong_data()
  {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("sentence");
    QTest::addColumn<int>("line");
    const auto row = [](const char* title, const char* text, const char* sentence, int line = 0) {
      QTest::newRow(title) << text << sentence << line;
    };
    row("empty", "", "is no JSON from here on", 1);
    row("syntax", "{\"session\": 1,\n\"cells\": [\n}", "is no JSON from here on", 3);
    row("other JSON", "[1, 2]", "is no session");
    row("no version", "{\"cells\": []}", "is no session");
    row("later version", "{\"session\": 2}", "a later version wrote");
    row("no list", R"({"session": 1, "cells": {}})", "\"cells\" is no list");
    row("no object", R"({"session": 1, "cells": [3]})", "cells 1 is no object");
    row("no number", R"({"session": 1, "cells": [{"name": "a", "scale": "wide"}]})", "\"scale\": 'wide' is no number");
    row("null", R"({"session": 1, "cells": [{"name": null}]})", "\"name\" is no single value");
    row("too few", R"({"session": 1, "populations": [{"name": "E", "size": [1, 2]}]})", "has 2 values where 3 are");
    row("choice", R"({"session": 1, "populations": [{"name": "E", "role": "both"}]})", "\"role\": 'both' is");
    row("range", R"({"session": 1, "cells": [{"name": "a", "scale": 0}]})", "cell \"a\"");
    row("no name", R"({"session": 1, "populations": [{"name": ""}]})", "name \"\" of a population will not do");
    row("name of a folder", R"({"session": 1, "connections": [{"name": "../x", "source": "E", "target": "E"}],
                               "populations": [{"name": "E"}]})",
        "name \"../x\" of a connection will not do");
    row("twice", R"({"session": 1, "populations": [{"name": "E"}, {"name": "E"}]})", "is there twice");
    row("no such cell", R"({"session": 1, "populations": [{"name": "E", "cells": ["a"]}]})", "the cell \"a\"");
    row("no such population",
        R"({"session": 1, "connections": [{"name": "c", "source": "E", "target": "I"}], "populations": [{"name": "E"}]})",
        "joins the population \"I\"");
    row("between none", R"({"session": 1, "connections": [{"name": "c", "kind": "formed"}]})",
        "between no populations");
    row("between one twice",
        R"({"session": 1, "populations": [{"name": "E"}],
            "connections": [{"name": "c", "kind": "formed", "between": ["E", "E"]}]})",
        "names a population twice");
    const char* const kEnd = R"(], "populations": [{"name": "E", "models": ["m"], "cells": ["a"]}],
        "cells": [{"name": "a"}], "models": [{"name": "m"}]})";
    const auto simulated = [&](const char* title, const std::string& begin, const char* sentence) {
      row(title, (R"({"session": 1, )" + begin + kEnd).c_str(), sentence);
    };
    simulated("stimulus of nobody", R"("stimuli": [{"name": "s", "population": "I"})", "of the population \"I\"");
    simulated("clamp without levels", R"("stimuli": [{"name": "s", "kind": "voltage-clamp", "population": "E"})",
              "has 0 potentials");
    simulated("everywhere", R"("stimuli": [{"name": "s", "on": "all", "population": "E"})", "needs a place");
    simulated("probe of nobody", R"("probes": [{"name": "p", "population": "I"})", "probe \"p\"");
    simulated("time step", R"("simulate": {"dt": 0}, "probes": [)", "Time step");
    simulated("no number in it", R"("simulate": {"dt": "nan"}, "probes": [)", "Time step");
    simulated(
        "synapses that rise slowly",
        R"("connections": [{"name": "c", "source": "E", "target": "E", "synapse-place": "soma", "synapse-tau1": 9})",
        "rise more slowly");
    simulated("no conductance",
              R"("connections": [{"name": "c", "source": "E", "target": "E", "synapse-place": "soma",
                                  "synapse-weight": -1})",
              "Conductance of weight 1");
    row("no such model", R"({"session": 1, "populations": [{"name": "E", "models": ["m"]}]})", "the model \"m\"");
    row("a form without cells",
        R"({"session": 1, "populations": [{"name": "E", "models": ["m"]}], "models": [{"name": "m"}]})",
        "names no cell");
    row("models for other cells",
        R"({"session": 1, "populations": [{"name": "E", "cells": ["a"], "models": ["m", "m"]}],
            "cells": [{"name": "a"}], "models": [{"name": "m"}]})",
        "has 2 models for 1 cells");
    row("a fit without file", R"({"session": 1, "models": [{"name": "m", "kind": "fit"}]})", "names no file");
    row("no value", R"({"session": 1, "models": [{"name": "m", "membrane":
            [{"mechanism": "hh", "parameter": "gnabar", "value": "nan"}]}]})",
        "Value");
  }
  void saysWhatIsWrong()
  {
    QFETCH(QString, text);
    QFETCH(QString, sentence);
    QFETCH(int, line);
    const auto error = errorOf(text.toStdString());
    QVERIFY2(error, "nothing is wrong");
    QVERIFY2(QString::fromStdString(error->message()).contains(sentence), error->what());
    QCOMPARE(error->line(), std::int64_t{line});
  }

  void fieldsAreSetByPath()
  {
    Project project = everything();
    setByPath(project, "connections.EI.sigma=4.5");
    setByPath(project, "populations.E.size=2,3,4");
    setByPath(project, "cells.b, c.scale=0.008");
    setByPath(project, "solve.copies=5");
    setByPath(project, "compute.backend=cuda");
    setByPath(project, "compute.devices=2");
    setByPath(project, "connections.all.between=E");
    QCOMPARE(project.connections[0].projection.sigma, 4.5);
    QVERIFY((project.populations[0].placement.size == std::array<std::uint32_t, 3>{2, 3, 4}));
    QCOMPARE(project.cells[1].scale, 0.008);
    setByPath(project, "cells.a.turn=0,0,90");
    QCOMPARE(project.cells[0].place.turn, (std::array{0.0, 0.0, 90.0}));
    QCOMPARE(project.solve.batch.copies, 5);
    QVERIFY(project.compute.backend == Backend::Cuda);
    QCOMPARE(project.compute.devices, 2);
    QVERIFY(project.connections[1].between == std::vector<std::string>{"E"});
    for (const char* const wrong : {"connections.EI.sigma", "sigma=4", "connections.none.sigma=4", "rooms.E.size=4",
                                    "connections.EI.sizze=4", "connections.EI.sigma=wide", "solve.x.copies=4"}) {
      Project copy = project;
      QVERIFY_EXCEPTION_THROWN(setByPath(copy, wrong), Error);
      QVERIFY2(copy == project, wrong);
    }
  }

  void theContentOfAFileIsKnownByItsHash()
  {
    const std::string path = folder.filePath("content").toStdString();
    std::ofstream(path) << "";
    QCOMPARE(contentHash(path), std::string("cbf29ce484222325")); // the offset basis of FNV-1a
    std::ofstream(path) << "foobar";
    QCOMPARE(contentHash(path), std::string("85944171f73967e8")); // Fowler, Noll and Vo's own test vector
  }

  void aFileThatIsGoneIsTakenFromBesideTheSession()
  {
    namespace fs = std::filesystem;
    const fs::path here = fs::path(folder.path().toStdString()) / "beside";
    fs::create_directories(here / "cells");
    fs::create_directories(here / "deep" / "cells");
    const auto write = [](const fs::path& file, const char* text) { std::ofstream(file) << text; };
    write(here / "cells" / "a.swc", "1 1 0 0 0 1 -1");
    Project project;
    project.cells = {{"a", (here / "cells" / "a.swc").string(), contentHash(here / "cells" / "a.swc"), 1, true},
                     {"b", (here / "cells" / "b.swc").string(), "", 1, true}};
    Population grid; // the name of a file that nothing reads
    grid.placement.name = "E";
    grid.placement.file = "gone.csv";
    Population ofFile;
    ofFile.placement.name = "I";
    ofFile.placement.kind = projection::PopulationKind::File;
    ofFile.placement.file = (here / "neurons.csv").string();
    project.populations = {grid, ofFile};
    writeSession(project, here / "a.hinesight");
    QCOMPARE(readSession(here / "a.hinesight").missing,
             (std::vector<std::string>{here / "cells" / "b.swc", here / "neurons.csv"}));

    // One of the same name and other content is another file.
    fs::rename(here / "cells" / "a.swc", here / "deep" / "cells" / "a.swc");
    write(here / "a.swc", "another");
    write(here / "b.swc", "of any content");
    const ReadSession read = readSession(here / "a.hinesight");
    QCOMPARE(read.project.cells[1].file, (here / "b.swc").string());
    QCOMPARE(read.missing, (std::vector<std::string>{here / "cells" / "a.swc", here / "neurons.csv"}));
    QCOMPARE(read.warnings.size(), std::size_t{1});
    QVERIFY(read.warnings[0].find("b.swc was taken in its place") != std::string::npos);

    // The one whose folders have the same names is taken of several.
    write(here / "deep" / "neurons.csv", "");
    fs::create_directories(here / "deep" / "beside");
    write(here / "deep" / "beside" / "neurons.csv", "");
    const std::vector<MovedFile> moved = findMovedFiles(read.project, here / "deep", Search::FoldersToo);
    QVERIFY((moved == std::vector<MovedFile>{{here / "cells" / "a.swc", here / "deep" / "cells" / "a.swc"},
                                             {here / "neurons.csv", here / "deep" / "beside" / "neurons.csv"}}));
    Project found = read.project;
    moveFiles(found, moved);
    QVERIFY(missingFiles(found).empty());
    QVERIFY(changedCells(found).empty());
    write(here / "deep" / "cells" / "a.swc", "edited");
    const std::string edited = (here / "deep" / "cells" / "a.swc").string();
    const std::string sentence = edited + " is another file than the session was made with";
    QVERIFY((changedCells(found) == std::vector<std::string>{sentence + "."}));
    // The content decides, whatever the times are.
    found.cells[0].modified = modificationTime(edited);
    QVERIFY((changedCells(found) == std::vector<std::string>{sentence + "."}));
    found.cells[0].modified = "2026-03-01T12:34:56.789Z";
    QVERIFY((changedCells(found) == std::vector<std::string>{sentence + ", written at " + modificationTime(edited) +
                                                             " and not at 2026-03-01T12:34:56.789Z."}));
    found.cells[0].hash = contentHash(edited);
    QVERIFY(changedCells(found).empty());
    QVERIFY(findMovedFiles(read.project, here / "no such folder", Search::FoldersToo).empty());
    const RunControl cancelled;
    cancelled.cancel();
    QVERIFY_EXCEPTION_THROWN(findMovedFiles(read.project, here, Search::FoldersToo, cancelled), Error);
  }
};

HINESIGHT_TEST(TestSessionFile)

#include "test_session_file.moc"
