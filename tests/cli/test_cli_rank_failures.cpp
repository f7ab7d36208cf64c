#include "cli/ranks.hpp"

#include "test_main.hpp"

#include <QTemporaryDir>
#include <QTest>

#include <array>
#include <csignal>
#include <memory>

using namespace hinesight::tests;

// Processes of MPI of which one is killed, or that are interrupted: all end soon, and files are whole.

class TestCliRankFailures : public QObject
{
  Q_OBJECT

  static constexpr int kProcesses = 2;
  static constexpr int kStart = 60'000; ///< ms, on a machine that does much else

  /// What takes minutes; a work that keeps a checkpoint calls it "kept".
  static void addWorks()
  {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<bool>("keeps");
    QTest::newRow("form") << QStringList{"form",      "--neurons", "300000", "--search",   "naive",
                                         "--threads", "1",         "--out",  "network.csv"}
                          << false;
    QTest::newRow("grow") << QStringList{"grow", "--neurons",          "2000", "--steps",   "100000000", "--checkpoint",
                                         "kept", "--checkpoint-every", "20",   "--threads", "1"}
                          << true;
    QTest::newRow("project") << QStringList{"project",    "--side",       "400",           "--kernel",
                                            "expression", "--expression", "exp(-r*r/100)", "--expression-reach",
                                            "5000",       "--cut",        "0.95",          "--threads",
                                            "1",          "--out",        "table.npy"}
                             << false;
    QTest::newRow("simulate") << QStringList{"simulate",     kSimulation, "--tstop",
                                             "100000",       "--out",     "out",
                                             "--checkpoint", "kept",      "--checkpoint-every",
                                             "10",           "--threads", "1"}
                              << true;
  }

  /// Files are those that are whole: a work that is not done leaves what it has kept alone, and goes on from it.
  static void requireWhole(const RankJob& job, const QStringList& arguments, bool keeps)
  {
    for (const QString& name : filesIn(job.path()).keys()) // a killed process leaves temporary files
      QVERIFY2(name == "kept" || name.endsWith(".tmp"), qPrintable(name));
    QCOMPARE(QFile::exists(job.path("kept")), keeps);
    if (!keeps)
      return;
    const bool grows = arguments.first() == "grow";
    const ProgramRun next =
        grows ? runProgram({"grow", "--neurons", "2000", "--steps", "0", "--checkpoint", job.path("kept"), "--resume"})
              : runProgram({"simulate", kSimulation, "--tstop", "400", "--resume", job.path("kept"), "--out",
                            job.path("out")});
    QVERIFY2(grows ? next.err.contains("already") : next.status == 0, next.text());
  }

private slots:
  void initTestCase()
  {
    if (kMpirun.isEmpty())
      QSKIP("built without MPI");
  }

  void aKilledProcessEndsAll_data() { addWorks(); }
  void aKilledProcessEndsAll()
  {
    QFETCH(QStringList, arguments);
    QFETCH(bool, keeps);
    std::array<std::unique_ptr<RankJob>, kProcesses> jobs; // by the rank that is killed
    for (auto& job : jobs)
      job = std::make_unique<RankJob>(onProcesses(kProcesses, arguments));
    for (std::size_t rank = 0; rank < jobs.size(); ++rank) {
      RankJob& job = *jobs[rank];
      QTRY_VERIFY_WITH_TIMEOUT(job.isAtWork(kProcesses, keeps ? "kept" : ""), kStart);
      QVERIFY(job.send(job.ranks()[static_cast<qsizetype>(rank)], SIGKILL));
    }
    for (const auto& job : jobs) {
      QVERIFY2(job->endsSoon(), job->run.text());
      QVERIFY2(job->run.status != 0 && job->run.err.contains("Killed"), job->run.text());
      requireWhole(*job, arguments, keeps);
    }
  }

  void anInterruptEndsAll_data() { addWorks(); }
  void anInterruptEndsAll()
  {
    QFETCH(QStringList, arguments);
    QFETCH(bool, keeps);
    // Time to speak, on a machine that does much else.
    RankJob job(QStringList{"--mca", "odls_base_sigkill_timeout", "2"} + onProcesses(kProcesses, arguments));
    QTRY_VERIFY_WITH_TIMEOUT(job.isAtWork(kProcesses, keeps ? "kept" : ""), kStart);
    QVERIFY(job.send(job.mpirun(), SIGINT));
    QVERIFY2(job.endsSoon(), job.run.text());
    QVERIFY2(job.hasFailedInOneSentence("Cancelled on request"), job.run.text());
    requireWhole(job, arguments, keeps);
  }

  void aFullDiskOfOneRankEndsAll_data()
  {
    QTest::addColumn<QString>("ending");
    QTest::addColumn<QString>("rank");
    for (const QString ending : {"npy", "h5", "spineml"})
      for (const QString rank : {"0", "1"})
        QTest::addRow("%s, rank %s", qPrintable(ending), qPrintable(rank)) << ending << rank;
  }
  /// Each rank writes a part of a table's file. Where one may not write far, that is a full disk to it.
  void aFullDiskOfOneRankEndsAll()
  {
    QFETCH(QString, ending);
    QFETCH(QString, rank);
    constexpr qint64 kWork = 20'000; // ms
    const QString shell =
        "if [ $OMPI_COMM_WORLD_RANK = " + rank + " ]; then trap '' XFSZ; ulimit -f 16384; fi; exec \"$0\" \"$@\"";
    RankJob job(
        processesOf(kProcesses, {"sh", "-c", shell, kRankProgram, "project", "--side", "90", "--kernel", "gaussian",
                                 "--sigma", "4", "--cut", "0.01", "--threads", "1", "--out", "table." + ending}));
    QVERIFY2(job.endsSoon(kWork), job.run.text());
    QVERIFY2(job.hasFailedInOneSentence("cannot be written"), job.run.text());
    QCOMPARE(filesIn(job.path()).keys(), QStringList());
  }

  /// Where one rank alone is interrupted and the others have much to do, they do not do it.
  void anInterruptedRankEndsAll()
  {
    const QStringList arguments = {"form",      "--neurons", "300000", "--search",   "naive",
                                   "--threads", "1",         "--out",  "network.csv"};
    constexpr qint64 kInSearch = 100;                      // hundredths of a second
    std::array<std::unique_ptr<RankJob>, kProcesses> jobs; // by the rank that is interrupted
    for (auto& job : jobs)
      job = std::make_unique<RankJob>(onProcesses(kProcesses, arguments));
    for (std::size_t rank = 0; rank < jobs.size(); ++rank) {
      RankJob& job = *jobs[rank];
      QTRY_VERIFY_WITH_TIMEOUT(job.isAtWork(kProcesses, "", kInSearch), kStart);
      QVERIFY(job.send(job.ranks()[static_cast<qsizetype>(rank)], SIGINT));
    }
    for (const auto& job : jobs) {
      QVERIFY2(job->endsSoon(), job->run.text());
      QVERIFY2(job->hasFailedInOneSentence("Cancelled on request"), job->run.text());
      requireWhole(*job, arguments, false);
    }
  }
};

HINESIGHT_TEST(TestCliRankFailures)
#include "test_cli_rank_failures.moc"
