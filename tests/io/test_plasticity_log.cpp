#include "cancellation.hpp"
#include "core/files.hpp"
#include "io/csv.hpp"
#include "io/runs/plasticity_log.hpp"
#include "test_main.hpp"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include <sys/syscall.h>
#include <unistd.h>

using namespace hinesight;
using namespace hinesight::io;
using hinesight::tests::failureOf;

namespace {

/// Files that were brought to the disk, in this order: the name of each and what it held then.
using Flushed = std::vector<std::pair<std::string, std::string>>;

Flushed* watched = nullptr;

} // namespace

/// In place of the system's.
extern "C" int fsync(int handle)
{
  if (watched) {
    const std::filesystem::path file = std::filesystem::read_symlink("/proc/self/fd/" + std::to_string(handle));
    const bool isFile = std::filesystem::is_regular_file(file);
    watched->emplace_back(file.filename().string(), isFile ? readFile(file) : std::string());
  }
  return static_cast<int>(syscall(SYS_fsync, handle));
}

class TestPlasticityLog : public QObject
{
  Q_OBJECT

  QTemporaryDir folder;

  std::filesystem::path path(const char* name) const { return folder.filePath(name).toStdString(); }

  void put(const char* name, const std::string& text) const { std::ofstream(path(name), std::ios::binary) << text; }

  /// What is in a file after a row was added to it at step 7.
  std::string resumed(const std::string& before) const
  {
    put("log", before);
    StepLog log(path("log"), "step,x", 7);
    log.write("8,new\n");
    log.flush();
    return readFile(path("log"));
  }

private slots:
  void initTestCase() { QVERIFY(folder.isValid()); }

  void beginsAnew()
  {
    put("log", "something else");
    StepLog log(path("log"), "step,x");
    log.write("1,2\n");
    log.flush();
    QCOMPARE(readFile(path("log")), std::string("step,x\n1,2\n"));
  }

  void cutsOffWhatCameAfterTheCheckpoint()
  {
    const std::string kept = "step,x\n5,a\n7,b\n7,c\n";
    QCOMPARE(resumed(kept), kept + "8,new\n");
    QCOMPARE(resumed(kept + "8,d\n9,e\n"), kept + "8,new\n");
    QCOMPARE(resumed(kept + "8,d\n70"), kept + "8,new\n");
    QCOMPARE(resumed(kept + "7"), kept + "8,new\n");
    QCOMPARE(resumed(kept + "7,half"), kept + "8,new\n");
    QCOMPARE(resumed("step,x\n9,e\n"), std::string("step,x\n8,new\n"));
    QCOMPARE(resumed("step"), std::string("step,x\n8,new\n"));
    QCOMPARE(resumed(""), std::string("step,x\n8,new\n"));
  }

  /// With the parameters that stand in it, whichever this run would write.
  void goesOnBehindTheHeadThatIsThere()
  {
    const auto resumedWith = [this](const std::string& before, const std::string& head) {
      put("log", before);
      StepLog log(path("log"), head, 7);
      log.write("8,new\n");
      log.flush();
      return readFile(path("log"));
    };
    const std::string parameters = "# parameter seed=1\n# parameter theta=0.3\n";
    QCOMPARE(resumedWith(parameters + "step,x\n7,a\n9,b\n", parameters + "step,x"),
             parameters + "step,x\n7,a\n8,new\n");
    QCOMPARE(resumedWith("step,x\n7,a\n9,b\n", parameters + "step,x"), std::string("step,x\n7,a\n8,new\n"));
    QCOMPARE(resumedWith(parameters + "step,x\n7,a\n", "step,x"), parameters + "step,x\n7,a\n8,new\n");
    // One that was cut short while it was written.
    QCOMPARE(resumedWith("# parameter se", parameters + "step,x"), parameters + "step,x\n8,new\n");
    QCOMPARE(resumedWith(parameters + "st", parameters + "step,x"), parameters + "step,x\n8,new\n");
    for (const std::string other : {"# parameter seed=2\n", "# parameter seed=2", "# a\ntime,x\n", "# a\n\n"}) {
      QCOMPARE(failureOf([&] { resumedWith(other, parameters + "step,x"); }), ErrorCode::BadFormat);
      QCOMPARE(readFile(path("log")), other);
    }
  }

  /// A text of several lines stays in one.
  void theHeadNamesEveryParameter()
  {
    synapse::PlasticityParameters parameters;
    parameters.search.seed = 7;
    parameters.search.theta = 0.25;
    parameters.stimuli = {{1, 5, 1, 0.5, {}}};
    parameters.threads = 3;
    const auto model = synapse::makePlasticityModel(synapse::makeRandomPopulation(5, 26, 1, 7), parameters);
    const std::string head = logHead(*model, "step,x", "two\nlines");
    std::vector<Setting> settings;
    std::size_t lines = 0;
    for (std::size_t begin = 0; head[begin] == '#'; begin = head.find('\n', begin) + 1, ++lines)
      takeParameter(std::string_view(head).substr(begin, head.find('\n', begin) - begin), settings);
    QCOMPARE(settings.size(), lines);
    const auto has = [&](const Setting& setting) { return std::ranges::count(settings, setting) == 1; };
    QVERIFY(has({"theta", "0.25"}) && has({"seed", "7"}) && has({"neurons", "5"}) && has({"stimuli", "1"}));
    QVERIFY(has({"network", "two\nlines"}));
    QVERIFY(std::ranges::count(settings, std::string("threads"), &Setting::name) == 0); // no bit depends on it
    QVERIFY(head.ends_with("\nstep,x"));
    QVERIFY(logHead(*model, "step,x", {}).find("network") == std::string::npos);
  }

  /// Or a run that goes on after a power cut would begin behind rows that are gone.
  void rowsAreOnTheDiskBeforeTheirCheckpoint()
  {
    StepLog first(path("first"), "step,x"), second(path("second"), "step,x");
    const auto model = synapse::makePlasticityModel(synapse::makeRandomPopulation(5, 26, 1, 1), {});
    first.write("1,a\n");
    second.write("1,b\n");
    StepLog* const logs[] = {&first, &second};
    Flushed flushed;
    watched = &flushed;
    writeCheckpoint(*model, path("model"), logs);
    watched = nullptr;
    const auto checkpoint = std::find_if(flushed.begin(), flushed.end(), [](const auto& file) {
      return file.second.starts_with("Hinesight plasticity checkpoint");
    });
    QVERIFY(checkpoint != flushed.end());
    QVERIFY(checkpoint->first.starts_with(".hinesight-")); // it has its own name only then
    for (const auto& rows : Flushed{{"first", "step,x\n1,a\n"}, {"second", "step,x\n1,b\n"}})
      QVERIFY2(std::find(flushed.begin(), checkpoint, rows) != checkpoint, rows.first.c_str());
    QCOMPARE(flushed.back().first, folder.path().section('/', -1).toStdString()); // of the folder: the names in it
  }

  void anotherFileIsLeftAlone()
  {
    put("log", "time,x\n1,2\n");
    QCOMPARE(failureOf([&] { StepLog(path("log"), "step,x", 7); }), ErrorCode::BadFormat);
    QCOMPARE(readFile(path("log")), std::string("time,x\n1,2\n"));
    QCOMPARE(failureOf([&] { StepLog(path("no/folder"), "step,x"); }), ErrorCode::WriteFailed);
    QCOMPARE(failureOf([&] { StepLog(path("no/folder"), "step,x", 7); }), ErrorCode::WriteFailed);
  }

  void rowsHaveTheirColumns()
  {
    synapse::NeuronPopulation population;
    population.position.resize(3);
    population.isInhibitory = {0, 1, 0};
    population.area = {0, 1, 0};
    population.areaNames = {"a", "b, c"};
    synapse::NeuronState state;
    state.membrane = {0.1, 0.2, 0.3};
    state.recovery = {1, 2, 3};
    state.fired = {1, 0, 1};
    state.calcium = {0.25, 0.5, 0.75};
    state.target = {0.7, 0.7, 0.65};
    state.enabled = {1, 0, 1};
    state.grown = {{{1.5, 2, 0.5}, {0, 0, 0}, {4, 5, 6}}};
    state.connected = {{{1, 2, 0}, {0, 0, 0}, {3, 4, 5}}};
    const auto table = [](std::string_view columns, const std::string& rows) {
      return parseCsv(std::string(columns) + "\n" + rows, "");
    };
    synapse::StepRecord record;
    record.step = 4;
    record.enabled = 2;
    record.calcium.mean = 0.1;
    record.target = 0.65;
    const auto records = table(recordColumns(), recordRow(record));
    QCOMPARE(records[1].fields.size(), records[0].fields.size());
    QCOMPARE(records[1].fields[2], std::string("2"));
    QCOMPARE(records[1].fields[4], std::string("0.1"));
    QCOMPARE(records[1].fields[6], std::string("0.65"));

    const std::uint32_t chosen[] = {2, 0};
    const auto neurons = table(neuronColumns(), neuronRows(9, state, chosen));
    QCOMPARE(neurons.size(), std::size_t{3});
    QCOMPARE(neurons[1].fields, (std::vector<std::string>{"9", "2", "1", "1", "0.3", "3", "0.75", "0.65", "0.5", "0",
                                                          "0", "0", "6", "5"}));
    QCOMPARE(neurons[0].fields.size(), neurons[1].fields.size());

    const auto areas = table(areaColumns(), areaRows(9, state, population));
    QCOMPARE(areas[1].fields, (std::vector<std::string>{"9", "a", "2", "2", "0.5", "2", "1", "0", "0", "10", "8"}));
    QCOMPARE(areas[2].fields[1], std::string("b, c"));
    QCOMPARE(areas[2].fields[2], std::string("0")); // its neuron is disabled
    QCOMPARE(areas[0].fields.size(), areas[1].fields.size());
  }
};

HINESIGHT_TEST(TestPlasticityLog)
#include "test_plasticity_log.moc"
