#include "cli/ranks/ranks.hpp"
#include "core/device.hpp"

#include "test_main.hpp"

#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QTest>

using namespace hinesight::tests;

// Work that ranks of one process or processes of MPI share: files are those of one rank, byte for byte.

namespace {

/// A command that writes files, by the folder that they go to.
struct Work
{
  const char* name;
  QStringList arguments;
  QStringList files;
};

const QStringList kProject = {"project",   "--side", "30",         "--cut", "0.01",
                              "--sigma-m", "20",     "--velocity", "2",     "--out"};

const Work kWorks[] = {
    {"form",
     {"form", "--neurons", "900", "--excitatory", "0.8", "--axons", "3", "--dendrites", "2", "--sigma", "100", "--out",
      "network.h5"},
     {"network.h5"}},
    {"form-exact",
     {"form", "--neurons", "400", "--search", "exact", "--kernel", "gamma", "--axons", "2", "--out", "network.csv"},
     {"network.csv"}},
    {"grow",
     {"grow",
      "--neurons",
      "300",
      "--excitatory",
      "0.8",
      "--steps",
      "230",
      "--model",
      "izhikevich",
      "--background",
      "normal",
      "--background-mean",
      "8",
      "--background-spread",
      "4",
      "--growth-rate",
      "0.01",
      "--initial-most",
      "4",
      "--out",
      "grown.csv",
      "--records",
      "records.csv",
      "--record-every",
      "10",
      "--monitors",
      "monitors.csv",
      "--monitor-neurons",
      "1,250",
      "--areas",
      "areas.csv",
      "--monitor-every",
      "50",
      "--checkpoint",
      "checkpoint",
      "--checkpoint-every",
      "100"},
     {"grown.csv", "records.csv", "monitors.csv", "areas.csv", "checkpoint"}},
    {"project-npy", kProject + QStringList{"table.npy"}, {"table.npy", "table.npy.json"}},
    {"project-h5", kProject + QStringList{"table.h5"}, {"table.h5"}},
    {"project-spineml",
     kProject + QStringList{"table.spineml"},
     {"table.spineml", "table.spineml.connections.bin", "table.spineml.weights.bin"}},
    {"project-csv", kProject + QStringList{"table.csv"}, {"table.csv"}},
    {"simulate",
     {"simulate", kSimulation, "--tstop", "60", "--out", "out", "--checkpoint", "checkpoint", "--checkpoint-every",
      "25"},
     {"out/spikes.h5", "out/soma_v.h5", "out/tree_v.h5", "checkpoint"}},
};

} // namespace

class TestCliRanks : public QObject
{
  Q_OBJECT

  /// What hinesight-cli alone leaves, by name: of each work once for all tests.
  const QMap<QString, QByteArray>& filesAlone(const Work& work)
  {
    QMap<QString, QByteArray>& files = ofOneProcess[work.name];
    if (files.isEmpty()) {
      const QTemporaryDir folder;
      const ProgramRun run = runIn(folder, programPath(), work.arguments);
      if (run.status != 0)
        qFatal("%s", run.text().constData());
      for (const QString& file : work.files)
        files[file] = contentOf(folder.filePath(file));
    }
    return files;
  }

  void compareFiles(const Work& work, const QTemporaryDir& folder)
  {
    const QMap<QString, QByteArray>& expected = filesAlone(work);
    for (const QString& file : work.files) {
      QVERIFY(expected[file].size() > 100);
      QVERIFY2(contentOf(folder.filePath(file)) == expected[file], qPrintable(QString(work.name) + ": " + file));
    }
  }

  /// Whether a program leaves the same files as hinesight-cli alone.
  void compare(const Work& work, const QString& program, const QStringList& arguments)
  {
    const QTemporaryDir split;
    const ProgramRun run = runIn(split, program, arguments);
    QVERIFY2(run.status == 0, run.text());
    QVERIFY2(run.out.contains("rank") && !run.err.contains("warning"), run.text());
    compareFiles(work, split);
  }

  QMap<QString, QMap<QString, QByteArray>> ofOneProcess; ///< by the name of a work

private slots:
  void ranksOfAProcessWriteTheSame_data()
  {
    QTest::addColumn<int>("work");
    for (int i = 0; i < static_cast<int>(std::size(kWorks)); ++i)
      QTest::newRow(kWorks[i].name) << i;
  }
  void ranksOfAProcessWriteTheSame()
  {
    QFETCH(int, work);
    for (const char* ranks : {"2", "5"})
      compare(kWorks[work], programPath(), kWorks[work].arguments + QStringList{"--threads", "2", "--ranks", ranks});
  }

  void failuresAreOneSentence()
  {
    for (const QStringList& arguments :
         {QStringList{"form", "--positions", "/none/such", "--ranks", "3"},
          QStringList{"form", "--neurons", "100", "--ranks", "0"},
          QStringList{"grow", "--neurons", "50", "--steps", "10", "--out", "/none/such.csv", "--ranks", "3"},
          QStringList{"simulate", "/none/such.json", "--ranks", "3"},
          QStringList{"simulate", kSimulation, "--dt", "5", "--ranks", "3"}}) {
      const ProgramRun run = runProgram(arguments);
      QVERIFY2(run.status == 1, run.text());
      QCOMPARE(run.err.trimmed().count('\n'), 0);
    }
    if (hinesight::cudaDevices().empty())
      for (const QStringList& arguments :
           {QStringList{"form", "--neurons", "1000000", "--backend", "cuda", "--ranks", "2"},
            QStringList{"simulate", kSimulation, "--backend", "cuda", "--ranks", "2"}}) {
        const ProgramRun run = runProgram(arguments);
        QVERIFY2(run.status == 1, run.text());
        QCOMPARE(run.err.trimmed().count('\n'), 0);
      }
    const ProgramRun wrong = runProgram({"solve", "--ranks", "2"});
    QVERIFY2(wrong.status == 2, wrong.text());
  }

  /// Each rank with what its own neurons need of the octree, as on several machines.
  void essentialTreesWriteTheSame()
  {
    for (const Work& work : kWorks) {
      if (!QStringList{"form", "grow"}.contains(work.arguments.front()))
        continue;
      const QStringList arguments = work.arguments + QStringList{"--tree", "essential"};
      const QTemporaryDir folder;
      const ProgramRun run = runIn(folder, hinesight::tests::programPath(), arguments + QStringList{"--ranks", "2"});
      QVERIFY2(run.out.contains("2 ranks with essential trees"), run.text());
      compare(work, hinesight::tests::programPath(), arguments + QStringList{"--ranks", "5"});
      if (!kMpirun.isEmpty())
        compare(work, kMpirun, onProcesses(3, arguments));
    }
    const ProgramRun wrong = runProgram({"form", "--neurons", "100", "--tree", "half"});
    QVERIFY2(wrong.status == 2 && wrong.err.contains("auto|whole|essential"), wrong.text());
  }

  void processesWriteTheSame_data()
  {
    QTest::addColumn<int>("work");
    QTest::addColumn<int>("processes");
    for (int i = 0; i < static_cast<int>(std::size(kWorks)); ++i)
      for (int processes = 1; processes <= 4; ++processes)
        QTest::addRow("%s on %d", kWorks[i].name, processes) << i << processes;
  }
  void processesWriteTheSame()
  {
    if (kMpirun.isEmpty())
      QSKIP("built without MPI");
    QFETCH(int, work);
    QFETCH(int, processes);
    if (processes > 1)
      return compare(kWorks[work], kMpirun, onProcesses(processes, kWorks[work].arguments));
    const QTemporaryDir one;
    const ProgramRun run = runIn(one, kMpirun, onProcesses(1, kWorks[work].arguments));
    QVERIFY2(run.status == 0, run.text());
    compareFiles(kWorks[work], one);
  }

  /// A rank that works in another folder finds another one where rank 0 finds its own.
  void rankZeroWritesWhatOthersCannotOpen()
  {
    if (kMpirun.isEmpty())
      QSKIP("built without MPI");
    const QString shell =
        "if [ $OMPI_COMM_WORLD_RANK = 1 ]; then mkdir elsewhere && cd elsewhere; fi; exec \"$0\" \"$@\"";
    for (const QString ending : {"npy", "h5", "spineml"}) {
      const QString name = "table." + ending;
      const QTemporaryDir alone, split;
      const ProgramRun expected = runIn(alone, programPath(), kProject + QStringList{name});
      QVERIFY2(expected.status == 0, expected.text());
      const QStringList arguments = kProject + QStringList{"/proc/self/cwd/" + name};
      const ProgramRun run =
          runIn(split, kMpirun, processesOf(3, QStringList{"sh", "-c", shell, kRankProgram} + arguments));
      QVERIFY2(run.status == 0 && run.err.count("1 of 3 ranks cannot open /proc/self/cwd/table.") == 1, run.text());
      QVERIFY(filesIn(split.path()) == filesIn(alone.path()));
    }
  }

  /// A checkpoint that four processes wrote goes on on one, and the other way round.
  void checkpointsPassBetweenPrograms()
  {
    if (kMpirun.isEmpty())
      QSKIP("built without MPI");
    const auto grow = [](const QString& steps) {
      return QStringList{"grow",
                         "--steps",
                         steps,
                         "--resume",
                         "--checkpoint",
                         "kept",
                         "--checkpoint-every",
                         "50",
                         "--neurons",
                         "300",
                         "--initial-most",
                         "4",
                         "--growth-rate",
                         "0.01",
                         "--out",
                         "grown.csv"};
    };
    const QTemporaryDir alone, split;
    for (const char* steps : {"100", "150", "200"}) {
      const ProgramRun run = runIn(alone, programPath(), grow(steps));
      QVERIFY2(run.status == 0, run.text());
    }
    for (const auto& [steps, processes] : {std::pair("100", 4), {"150", 0}, {"200", 3}}) {
      const ProgramRun run = processes > 0 ? runIn(split, kMpirun, onProcesses(processes, grow(steps)))
                                           : runIn(split, programPath(), grow(steps));
      QVERIFY2(run.status == 0, run.text());
    }
    for (const char* file : {"kept", "grown.csv"})
      QVERIFY(contentOf(split.filePath(file)) == contentOf(alone.filePath(file)));
  }

  /// The same of a simulation, which stops and goes on.
  void simulationsPassBetweenPrograms()
  {
    if (kMpirun.isEmpty())
      QSKIP("built without MPI");
    const auto simulate = [](const QString& stop) {
      return QStringList{"simulate", kSimulation,    "--tstop", stop,    "--resume",
                         "kept",     "--checkpoint", "kept",    "--out", "out"};
    };
    const QTemporaryDir alone, split;
    const ProgramRun whole = runIn(alone, programPath(), simulate("60"));
    QVERIFY2(whole.status == 0, whole.text());
    for (const auto& [stop, processes] : {std::pair("20", 4), {"40", 0}, {"60", 3}}) {
      const ProgramRun run = processes > 0 ? runIn(split, kMpirun, onProcesses(processes, simulate(stop)))
                                           : runIn(split, programPath(), simulate(stop));
      QVERIFY2(run.status == 0, run.text());
    }
    for (const char* file : {"kept", "out/spikes.h5", "out/tree_v.h5"})
      QVERIFY2(contentOf(split.filePath(file)) == contentOf(alone.filePath(file)), file);
  }

  void failuresOfProcessesAreToldOnce()
  {
    if (kMpirun.isEmpty())
      QSKIP("built without MPI");
    QElapsedTimer timer;
    timer.start();
    const QTemporaryDir folder;
    for (const QStringList& arguments :
         {QStringList{"form", "--positions", "/none/such"}, QStringList{"form", "--neurons", "100", "--ranks", "2"},
          QStringList{"simulate", kSimulation, "--dt", "5"}}) {
      const ProgramRun run = runIn(folder, kMpirun, onProcesses(3, arguments));
      QVERIFY2(run.status == 1, run.text());
      QCOMPARE(run.err.count("hinesight-mpi: "), 1);
    }
    // Commands that nobody shares are rank 0's.
    const ProgramRun info = runIn(folder, kMpirun, onProcesses(2, {"parameters", "--json"}));
    QVERIFY2(info.status == 0 && info.json().isObject(), info.text());
    QVERIFY(timer.elapsed() < 30'000);
  }
};

HINESIGHT_TEST(TestCliRanks)
#include "test_cli_ranks.moc"
