#include "cli/ranks/rank_works.hpp"

#include "test_main.hpp"

#include <QTest>

#include <array>
#include <csignal>
#include <memory>

using namespace hinesight::tests;

// Processes of MPI of which one is killed or has a full disk: all end soon, and files are whole.

class TestCliRankFailures : public QObject
{
  Q_OBJECT

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

  void aFullDiskOfOneRankEndsAll_data()
  {
    QTest::addColumn<QString>("ending");
    for (const char* ending : {"npy", "h5", "spineml"})
      QTest::newRow(ending) << QString(ending);
  }
  /// Each rank writes a part of a table's file. Where one may not write far, that is a full disk to it.
  void aFullDiskOfOneRankEndsAll()
  {
    QFETCH(QString, ending);
    constexpr qint64 kWork = 20'000; // ms
    // By the rank with the full disk; at the same time, because mpirun sleeps when one has failed.
    std::array<std::unique_ptr<RankJob>, kProcesses> jobs;
    for (std::size_t rank = 0; rank < jobs.size(); ++rank) {
      const QString shell = "if [ $OMPI_COMM_WORLD_RANK = " + QString::number(rank) +
                            " ]; then trap '' XFSZ; ulimit -f 16384; fi; exec \"$0\" \"$@\"";
      jobs[rank] = std::make_unique<RankJob>(
          processesOf(kProcesses, {"sh", "-c", shell, kRankProgram, "project", "--side", "90", "--kernel", "gaussian",
                                   "--sigma", "4", "--cut", "0.01", "--threads", "1", "--out", "table." + ending}));
    }
    for (const auto& job : jobs) {
      QVERIFY2(job->endsSoon(kWork), job->run.text());
      QVERIFY2(job->hasFailedInOneSentence("cannot be written"), job->run.text());
      QCOMPARE(filesIn(job->path()).keys(), QStringList());
    }
  }
};

HINESIGHT_TEST(TestCliRankFailures)
#include "test_cli_rank_failures.moc"
