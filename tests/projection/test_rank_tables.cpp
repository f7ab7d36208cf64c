#include "projection/ranks/table_ranks.hpp"

#include "cancellation.hpp"
#include "core/device.hpp"
#include "core/error.hpp"
#include "core/thread_ranks.hpp"
#include "io/tables/projection_export.hpp"
#include "io/tables/rank_writers.hpp"
#include "test_main.hpp"

#include <QDir>
#include <QFile>
#include <QMap>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <functional>
#include <vector>

using namespace hinesight;
using namespace hinesight::projection;
using hinesight::tests::cancelAfter;
using hinesight::tests::failureOf;

namespace {

constexpr int kRanks[] = {1, 2, 3, 5, 8};

void onRanks(int ranks, const std::function<void()>& body, const RunControl& control = {})
{
  runRanks(ranks, [&](Communicator& communicator) { leadTasks(communicator, io::rankTasks(control), body); });
}

bool isSame(const WeightTable& a, const WeightTable& b)
{
  const auto sameBytes = [](const auto& x, const auto& y) {
    return x.size() == y.size() &&
           (x.size() == 0 || std::memcmp(x.data(), y.data(), x.size() * sizeof(*x.data())) == 0);
  };
  return a.offsets == b.offsets && sameBytes(a.destination, b.destination) && sameBytes(a.weight, b.weight) &&
         sameBytes(a.delay, b.delay) && a.constantDelay == b.constantDelay && a.warnings == b.warnings;
}

std::shared_ptr<const Population> grid(std::uint32_t side)
{
  PopulationParameters p;
  p.name = "a grid";
  p.size = {side, side, 1};
  return makePopulation(p);
}

std::shared_ptr<const Population> ball(std::uint64_t count)
{
  PopulationParameters p;
  p.name = "a ball";
  p.kind = PopulationKind::Sphere;
  p.count = count;
  p.radius = 12;
  p.origin = {8, 8, 0};
  return makePopulation(p);
}

/// All kernels, some of them with all that can be asked of a row.
std::vector<ProjectionParameters> someProjections()
{
  std::vector<ProjectionParameters> all;
  for (const KernelKind kernel : allKernels()) {
    ProjectionParameters p;
    p.kernel = kernel;
    p.cut = 0.05;
    p.sigma = 3;
    p.sigmaM = 10;
    p.fieldSize = 20;
    p.neighbours = 7;
    p.expression = "exp(-r^2/9) - 0.1";
    p.expressionReach = 8;
    all.push_back(p);
    p.velocity = 0.3;
    p.selfConnections = false;
    p.offsetX = 1.5;
    if (!isJoin(kernel)) {
      p.cut = 0;
      p.rule = ConnectionRule::Random;
      p.seed = 7;
    }
    all.push_back(p);
  }
  return all;
}

const QString kEndings[] = {"csv", "npy", "h5", "xml", "spineml"};

std::string tableIn(const QTemporaryDir& folder, const QString& ending)
{
  return folder.filePath("table." + ending).toStdString();
}

/// Content by name.
QMap<QString, QByteArray> filesIn(const QTemporaryDir& folder)
{
  QMap<QString, QByteArray> files;
  for (const QString& name : QDir(folder.path()).entryList(QDir::Files | QDir::Hidden)) {
    QFile file(folder.filePath(name));
    if (!file.open(QIODevice::ReadOnly))
      qFatal("cannot read %s", qPrintable(name));
    files[name] = file.readAll();
  }
  return files;
}

/// Whether ranks write the files of one rank, slab by slab (0: slabs of any size).
bool ranksWriteTheSame(const Projection& projection, const QString& ending, int ranks, std::uint64_t slabRows)
{
  const QTemporaryDir alone, split;
  io::exportTable(*project(projection), tableIn(alone, ending));
  std::vector<std::string> warnings;
  onRanks(ranks, [&] {
    const auto prepared = prepare(projection, {});
    warnings = io::exportStreamed(*prepared, tableIn(split, ending), {}, slabRows);
  });
  return warnings.empty() && filesIn(split) == filesIn(alone);
}

Projection withDelays()
{
  ProjectionParameters p;
  p.cut = 0.01;
  p.sigmaM = 20;
  p.velocity = 2;
  return {grid(20), grid(20), p};
}

} // namespace

class TestRankTables : public QObject
{
  Q_OBJECT

private slots:
  void everyKernelGivesTheSame()
  {
    const auto plane = grid(20), cloud = ball(350);
    ComputeParameters compute;
    compute.threads = 2;
    for (const ProjectionParameters& p : someProjections())
      for (const Projection& projection :
           {Projection{plane, plane, p}, Projection{plane, cloud, p}, Projection{cloud, cloud, p}}) {
        const auto alone = project(projection, compute);
        for (const int ranks : kRanks)
          onRanks(ranks, [&] {
            QVERIFY2(isSame(*project(projection, compute), *alone), std::string(kernelName(p.kernel)).c_str());
          });
      }
  }

  /// Ranks without a source, and tables without a row.
  void ranksMayBeEmpty()
  {
    ProjectionParameters p;
    p.kernel = KernelKind::Gaussian;
    for (const double cut : {0.05, 2.0}) {
      p.cut = cut;
      for (const std::uint32_t side : {1U, 2U}) {
        const Projection projection{grid(side), ball(3), p};
        const auto alone = project(projection);
        for (const int ranks : kRanks)
          onRanks(ranks, [&] { QVERIFY(isSame(*project(projection), *alone)); });
      }
    }
  }

  void everyRankWritesItsShare()
  {
    const std::vector<std::uint64_t> offsets = {0, 10, 10, 11, 400, 410, 500, 500, 505};
    for (const SourceRange sources : {SourceRange{0, 8}, {1, 3}, {3, 4}, {2, 7}, {6, 7}})
      for (const int ranks : kRanks) {
        const auto parts = cutByRows(offsets, sources, ranks);
        QCOMPARE(parts.size(), static_cast<std::size_t>(ranks));
        std::uint64_t next = sources.begin;
        for (const SourceRange& part : parts) {
          QCOMPARE(part.begin, next);
          QVERIFY(part.end >= part.begin && part.end <= sources.end);
          next = part.end;
        }
        QCOMPARE(next, sources.end);
      }
    std::vector<std::uint64_t> even(10'001);
    for (std::size_t i = 0; i < even.size(); ++i)
      even[i] = i * 10 + i % 3;
    for (const SourceRange& part : cutByRows(even, {0, 10'000}, 4))
      QVERIFY(std::abs(static_cast<double>(even[part.end] - even[part.begin]) / 25'000 - 1) < 0.01);
  }

  void filesAreTheSame()
  {
    const Projection projection = withDelays();
    QVERIFY(project(projection)->rows() > 50'000);
    for (const QString& ending : kEndings) {
      for (const int ranks : kRanks)
        for (const std::uint64_t slabRows : {0, 3'000})
          QVERIFY2(ranksWriteTheSame(projection, ending, ranks, slabRows), qPrintable(ending));
      const QTemporaryDir alone, whole;
      io::exportTable(*project(projection), tableIn(alone, ending));
      onRanks(3, [&] { io::exportTable(*project(projection), tableIn(whole, ending)); });
      QVERIFY2(filesIn(whole) == filesIn(alone), qPrintable(ending));
    }
  }

  /// Ranks without a source, sources without a row, and a table without one.
  void filesOfEmptyRanksAreTheSame()
  {
    ProjectionParameters p;
    p.kernel = KernelKind::Gaussian;
    for (const double cut : {0.05, 2.0}) {
      p.cut = cut;
      for (const Projection& projection :
           {Projection{grid(1), ball(3), p}, Projection{grid(2), grid(3), p}, Projection{ball(5), grid(2), p}})
        for (const QString& ending : kEndings)
          for (const int ranks : kRanks)
            QVERIFY2(ranksWriteTheSame(projection, ending, ranks, 2), qPrintable(ending));
    }
  }

  void aRankThatFailsLeavesNoFile_data()
  {
    QTest::addColumn<QString>("ending");
    QTest::addColumn<int>("failing");
    QTest::addColumn<int>("passed");
    for (const QString& ending : kEndings)
      for (const int failing : {0, 1, 2})
        for (const int passed : {0, 60})
          QTest::addRow("%s, rank %d after %d", qPrintable(ending), failing, passed) << ending << failing << passed;
  }
  /// A rank finds the disk full after so many looks; then all go on together.
  void aRankThatFailsLeavesNoFile()
  {
    QFETCH(QString, ending);
    QFETCH(int, failing);
    QFETCH(int, passed);
    const Projection projection = withDelays();
    const QTemporaryDir alone, split;
    io::exportTable(*project(projection), tableIn(alone, ending));
    std::atomic<bool> isWriting = false;
    std::atomic<int> looks = 0;
    runRanks(3, [&](Communicator& communicator) {
      const RunControl control(nullptr, [&, isFailing = communicator.rank() == failing] {
        if (isFailing && isWriting && looks++ == passed)
          throw Error(ErrorCode::WriteFailed, "cannot be written: the disk is full", "the table");
      });
      leadTasks(communicator, io::rankTasks(control), [&] {
        const auto prepared = prepare(projection, {}, control);
        const auto write = [&] { io::exportStreamed(*prepared, tableIn(split, ending), control, 3'000); };
        isWriting = true;
        QCOMPARE(failureOf(write), ErrorCode::WriteFailed);
        isWriting = false;
        QCOMPARE(filesIn(split).keys(), QStringList());
        write();
      });
    });
    QVERIFY(filesIn(split) == filesIn(alone));
  }

  void aCancelledRankLeavesNoFile()
  {
    const Projection projection = withDelays();
    for (const QString& ending : kEndings) {
      const QTemporaryDir folder;
      onRanks(3, [&] {
        const auto prepared = prepare(projection, {});
        for (const std::size_t passed : {0, 1, 100}) {
          const auto write = [&](const RunControl& control) {
            io::exportStreamed(*prepared, tableIn(folder, ending), control, 3'000);
          };
          QCOMPARE(cancelAfter(passed, write).failure, ErrorCode::Cancelled);
          QCOMPARE(filesIn(folder).keys(), QStringList());
        }
      });
    }
  }

  /// Rows of any sources, in any order, of several tables.
  void partsAreWritten()
  {
    ProjectionParameters p;
    p.kernel = KernelKind::Gaussian;
    p.sigma = 2;
    const Projection one{grid(25), grid(25), p}, other{ball(200), grid(25), p};
    const auto ofOne = project(one), ofOther = project(other);
    onRanks(3, [&] {
      const auto a = prepare(one, {}), b = prepare(other, {});
      const auto writesPart = [](PreparedProjection& prepared, const WeightTable& whole, std::uint64_t begin,
                                 std::uint64_t end) {
        const std::uint64_t first = whole.offsets[begin], rows = whole.offsets[end] - first;
        std::vector<std::uint32_t> destination(rows);
        std::vector<float> weight(rows);
        prepared.write(begin, end, {destination.data(), weight.data(), nullptr}, {});
        return std::equal(destination.begin(), destination.end(), whole.destination.begin() + first) &&
               std::equal(weight.begin(), weight.end(), whole.weight.begin() + first);
      };
      QVERIFY(writesPart(*b, *ofOther, 100, 200));
      QVERIFY(writesPart(*a, *ofOne, 13, 14));
      QVERIFY(writesPart(*a, *ofOne, 0, 600));
      QVERIFY(writesPart(*b, *ofOther, 0, 1));
      QVERIFY(writesPart(*a, *ofOne, 40, 40));
    });
  }

  void failuresAreThoseOfOneRank()
  {
    ProjectionParameters p;
    p.kernel = KernelKind::Expression;
    p.expression = "1/(r - 5)";
    p.expressionReach = 6;
    const Projection projection{grid(20), grid(20), p};
    const auto message = [&] {
      try {
        project(projection);
      } catch (const Error& error) {
        return error.message();
      }
      return std::string();
    };
    const std::string alone = message();
    QVERIFY(!alone.empty());
    p.expression = "1";
    const Projection sound{projection.source, projection.destination, p};
    const RunControl cancelled;
    cancelled.cancel();
    for (const int ranks : kRanks)
      onRanks(ranks, [&] {
        QCOMPARE(message(), alone);
        QCOMPARE(failureOf([&] { project(sound, {}, cancelled); }), ErrorCode::Cancelled);
        if (cudaDevices().empty())
          QCOMPARE(failureOf([&] { project(sound, {.backend = Backend::Cuda}); }), ErrorCode::NoDevice);
        const auto prepared = prepare(sound, {});
        QCOMPARE(failureOf([&] { makeTable(*prepared, cancelled); }), ErrorCode::Cancelled);
        QVERIFY(makeTable(*prepared)->rows() > 1'000);
      });
  }
};

HINESIGHT_TEST(TestRankTables)
#include "test_rank_tables.moc"
