#pragma once

#include "cli/ranks/ranks.hpp"

#include <QFile>
#include <QTest>

// Works of processes that are made to fail or interrupted in their midst.

namespace hinesight::tests {

inline constexpr int kProcesses = 2;
inline constexpr int kStart = 60'000; ///< ms, on a machine that does much else

/// What takes minutes; a work that keeps a checkpoint calls it "kept".
inline void addWorks()
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
inline void requireWhole(const RankJob& job, const QStringList& arguments, bool keeps)
{
  for (const QString& name : filesIn(job.path()).keys()) // a killed process leaves temporary files
    QVERIFY2(name == "kept" || name.endsWith(".tmp"), qPrintable(name));
  QCOMPARE(QFile::exists(job.path("kept")), keeps);
  if (!keeps)
    return;
  const bool grows = arguments.first() == "grow";
  const ProgramRun next =
      grows ? runProgram({"grow", "--neurons", "2000", "--steps", "0", "--checkpoint", job.path("kept"), "--resume"})
            : runProgram(
                  {"simulate", kSimulation, "--tstop", "400", "--resume", job.path("kept"), "--out", job.path("out")});
  QVERIFY2(grows ? next.err.contains("already") : next.status == 0, next.text());
}

} // namespace hinesight::tests
