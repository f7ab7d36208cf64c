#include "cli/ranks/ranks.hpp"
#include "paths/paths.hpp"

#include "test_main.hpp"

#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QTest>

#include <memory>
#include <vector>

using namespace hinesight::tests;

// Memory that is short on one of MPI's processes, wherever it is in its work: all end soon, with one sentence.

class TestCliRankMemory : public QObject
{
  Q_OBJECT

  static constexpr int kProcesses = 2;
  static constexpr int kPlaces = 3;      ///< that are tried of each rank and work
  static constexpr int kLarge = 100'000; ///< bytes

  QTemporaryDir folder;
  QList<int> beforeWork; ///< large pieces of memory that each rank takes to begin

  QString library() const { return folder.filePath("fail_nth.so"); }

  /// Starts processes with the library of tests/faults on one rank, or on all. Pieces of `least` bytes count; MPI's own
  /// are smaller.
  std::unique_ptr<RankJob> started(const QStringList& arguments, const QString& rank, const QString& call, int at = 0,
                                   int least = kLarge) const
  {
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    for (const auto& [name, value] : {std::pair<const char*, QString>("RANK", rank),
                                      {"LIBRARY", library()},
                                      {"FAIL_CALL", call},
                                      {"FAIL_AT", QString::number(at)},
                                      {"FAIL_LEAST", QString::number(least)}})
      environment.insert(name, value);
    const QString shell = "if [ $RANK = all ] || [ $RANK = $OMPI_COMM_WORLD_RANK ]; then "
                          "export LD_PRELOAD=\"$LIBRARY\" FAIL_COUNTS=counts.$OMPI_COMM_WORLD_RANK; fi; "
                          "exec \"$0\" \"$@\"";
    return std::make_unique<RankJob>(processesOf(kProcesses, QStringList{"sh", "-c", shell, kRankProgram} + arguments),
                                     environment);
  }

  /// Files that a work leaves, the pieces that each rank takes for it, and ms that it takes.
  struct Undisturbed
  {
    QMap<QString, QByteArray> files;
    QList<int> pieces;
    qint64 time = 0;
  };
  Undisturbed undisturbed(const QStringList& arguments, int least = kLarge) const
  {
    constexpr qint64 kLonger = 60'000;
    Undisturbed found;
    QElapsedTimer timer;
    timer.start();
    const auto job = started(arguments, "all", "none", 0, least);
    if (!job->endsSoon(kLonger) || job->run.status != 0)
      qFatal("%s", job->run.text().constData());
    found.time = timer.elapsed();
    found.files = filesIn(job->path());
    for (int rank = 0; rank < kProcesses; ++rank) {
      const QByteArray counts = found.files.take(QString("counts.%1").arg(rank));
      found.pieces << counts.split('\n').first().split(' ').last().toInt(); // of "allocate"
    }
    return found;
  }

private slots:
  void initTestCase()
  {
    if (kMpirun.isEmpty())
      QSKIP("built without MPI");
    QVERIFY(folder.isValid());
    QProcess compiler;
    compiler.start("cc", {"-O1", "-shared", "-fPIC", "-o", library(), sourceFile("tests/faults/fail_nth.c"), "-ldl"});
    const ProgramRun compiled = finish(compiler);
    QVERIFY2(compiled.status == 0, compiled.text());
    beforeWork = undisturbed({"parameters", "--json"}).pieces;
  }

  void allEndWithOneSentence_data()
  {
    QTest::addColumn<QStringList>("arguments");
    QTest::newRow("form") << QStringList{"form", "--neurons", "20000", "--threads", "1", "--out", "network.csv"};
    QTest::newRow("grow") << QStringList{"grow", "--neurons", "30000",       "--steps",        "110", "--threads",
                                         "1",    "--out",     "network.csv", "--initial-most", "3",   "--growth-rate",
                                         "0.01"};
    QTest::newRow("project") << QStringList{"project",    "--side", "120",       "--cut", "0.01",  "--sigma-m", "20",
                                            "--velocity", "2",      "--threads", "1",     "--out", "table.npy"};
    QTest::newRow("simulate") << QStringList{"simulate",  kSimulation, "--tstop", "30",
                                             "--threads", "1",         "--out",   "out"};
  }
  void allEndWithOneSentence()
  {
    QFETCH(QStringList, arguments);
    const Undisturbed expected = undisturbed(arguments);
    int failed = 0;
    for (int rank = 0; rank < kProcesses; ++rank) {
      const int first = beforeWork[rank] + 1, last = expected.pieces[rank];
      QVERIFY(last > first);
      std::vector<std::unique_ptr<RankJob>> jobs; // at the same time, because mpirun sleeps when one has failed
      for (int place = 1; place <= kPlaces; ++place)
        jobs.push_back(started(arguments, QString::number(rank), "allocate", first + (last - first) * place / kPlaces));
      for (const auto& job : jobs) {
        QVERIFY2(job->endsSoon(kPlaces * expected.time), job->run.text());
        // Some pieces can be done without.
        failed += job->run.status != 0;
        QVERIFY2(job->run.status == 0 || job->hasFailedInOneSentence("memory"), job->run.text());
        const QMap<QString, QByteArray> left = filesIn(job->path());
        for (const QString& name : left.keys())
          if (!name.startsWith("counts."))
            QVERIFY2(name.endsWith(".json") ? expected.files.contains(name) : left[name] == expected.files[name],
                     qPrintable(name));
      }
    }
    QVERIFY(failed >= kProcesses * kPlaces - 2);
  }

  /// A column of a rank's share takes more, one of a slab less.
  void noRankHoldsATableThatIsWritten()
  {
    constexpr int kColumn = 5'000'000; // bytes
    const QStringList arguments = {"project", "--side", "90",   "--kernel",  "gaussian", "--sigma",
                                   "4",       "--cut",  "0.01", "--threads", "1"};
    for (const int pieces : undisturbed(arguments, kColumn).pieces)
      QVERIFY(pieces > 0);
    for (const QString file : {"table.npy", "table.csv"})
      QCOMPARE(undisturbed(arguments + QStringList{"--out", file}, kColumn).pieces, QList<int>(kProcesses, 0));
  }
};

HINESIGHT_TEST(TestCliRankMemory)
#include "test_cli_rank_memory.moc"
