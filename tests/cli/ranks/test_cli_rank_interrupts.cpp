#include "cli/ranks/rank_works.hpp"

#include "test_main.hpp"

#include <QTest>

#include <array>
#include <csignal>
#include <memory>

using namespace hinesight::tests;

// Processes of MPI that are interrupted, all or one: all end soon, and files are whole.

class TestCliRankInterrupts : public QObject
{
  Q_OBJECT

private slots:
  void initTestCase()
  {
    if (kMpirun.isEmpty())
      QSKIP("built without MPI");
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

HINESIGHT_TEST(TestCliRankInterrupts)
#include "test_cli_rank_interrupts.moc"
