#include "cancellation.hpp"
#include "core/device.hpp"
#include "core/error.hpp"
#include "paths/paths.hpp"
#include "projection/projection.hpp"
#include "projection/reference.hpp"
#include "test_main.hpp"

#include <QFile>
#include <QProcess>
#include <QTest>

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <numeric>

using namespace hinesight;
using namespace hinesight::projection;
using namespace hinesight::tests;

namespace {

using Change = std::function<void(ProjectionParameters&)>;

/// How far apart two numbers are, in units of the last place of single precision.
bool isWithinOneUlp(float value, double reference)
{
  const auto nearest = static_cast<float>(reference);
  return value == nearest || value == std::nextafter(nearest, value);
}

/// Empty where the table is the reference, else what differs first.
QByteArray difference(const WeightTable& table, const std::vector<ReferenceRow>& rows)
{
  std::size_t row = 0;
  for (std::uint64_t s = 0; s < table.sources(); ++s)
    for (std::uint64_t at = table.offsets[s]; at < table.offsets[s + 1]; ++at, ++row) {
      if (row == rows.size())
        return "the table has more rows than the " + QByteArray::number(qulonglong(rows.size())) + " of the reference";
      const ReferenceRow& expected = rows[row];
      // The offset and the sine cancel numbers of size 1 where the weight is small.
      const bool weightAgrees =
          isWithinOneUlp(table.weight[at], expected.weight) || std::abs(table.weight[at] - expected.weight) < 1e-14;
      if (s != expected.source || table.destination[at] != expected.destination || !weightAgrees ||
          !isWithinOneUlp(table.delayOf(at), expected.delay))
        return "row " + QByteArray::number(qulonglong(row)) + ": " + QByteArray::number(qulonglong(s)) + " to " +
               QByteArray::number(table.destination[at]) + ", weight " + QByteArray::number(table.weight[at], 'g', 9) +
               ", delay " + QByteArray::number(table.delayOf(at), 'g', 9) + "; expected " +
               QByteArray::number(expected.source) + " to " + QByteArray::number(expected.destination) + ", " +
               QByteArray::number(expected.weight, 'g', 9) + ", " + QByteArray::number(expected.delay, 'g', 9);
    }
  return row == rows.size() ? QByteArray() : "the table has too few rows: " + QByteArray::number(qulonglong(row));
}

bool isSameTable(const WeightTable& a, const WeightTable& b)
{
  return a.offsets == b.offsets && std::equal(a.destination.begin(), a.destination.end(), b.destination.begin()) &&
         std::equal(a.weight.begin(), a.weight.end(), b.weight.begin()) &&
         std::equal(a.delay.begin(), a.delay.end(), b.delay.begin(), b.delay.end());
}

std::vector<Backend> backends()
{
  return cudaDevices().empty() ? std::vector{Backend::Cpu} : std::vector{Backend::Cpu, Backend::Cuda};
}

} // namespace

class TestWeightTable : public QObject
{
  Q_OBJECT

  static void compare(const Projection& projection)
  {
    const auto rows = BruteForce(*projection.source, *projection.destination, projection.parameters).rows();
    for (const Backend backend : backends()) {
      const auto table = project(projection, {backend});
      const QByteArray what = difference(*table, rows);
      QVERIFY2(what.isEmpty(), what);
    }
  }

private slots:
  void givesThePapersRows_data()
  {
    QTest::addColumn<double>("boxCut");
    QTest::addColumn<qulonglong>("rows");
    QTest::newRow("figure 1A") << 0.0 << qulonglong{22'208'750};
    QTest::newRow("with the box of 3 sigma") << 3.0 << qulonglong{21'867'250};
  }

  void givesThePapersRows()
  {
    QFETCH(double, boxCut);
    QFETCH(qulonglong, rows);
    ProjectionParameters p = jamesParameters();
    p.boxCut = boxCut;
    const auto field = grid(150, 150);
    for (const Backend backend : backends()) {
      const auto table = project({field, field, p}, {backend});
      QCOMPARE(qulonglong(table->rows()), rows);
      QCOMPARE(qulonglong(table->offsets.back()), rows);
      QVERIFY(std::all_of(table->weight.begin(), table->weight.end(), [&](float w) { return w > 0.00799999F; }));
    }
  }

  void reproducesTheAuthorsTables_data()
  {
    QTest::addColumn<int>("side");
    QTest::addColumn<bool>("gabor");
    QTest::addColumn<QList<double>>("numbers");
    // sigma_m, sigma_0, cut, offset
    QTest::newRow("widening_d24_sm100_s03_cut008_off5_0") << 24 << false << QList<double>{100, 3, 0.008, 5};
    QTest::newRow("widening_d30_sm37_s003_cut01") << 30 << false << QList<double>{37, 0.3, 0.01, 0};
    // sigma_g, gain_g, lambda_s, gain_s, direction, cut, region
    QTest::newRow("gabor_d20_sg3_gg2_ls6_gs05_dir135_wco01_roi7")
        << 20 << true << QList<double>{3, 2, 6, 0.5, 135, 0.01, 7};
    QTest::newRow("gabor_d24_sg4_gg1_ls8_gs1_dir30_wco001_roi10")
        << 24 << true << QList<double>{4, 1, 8, 1, 30, 0.001, 10};
  }

  void reproducesTheAuthorsTables()
  {
    QFETCH(int, side);
    QFETCH(bool, gabor);
    QFETCH(QList<double>, numbers);
    const QString file = sharedFile("reference/james_tables/%1.csv.gz").arg(QTest::currentDataTag());
    if (!QFile::exists(file))
      QSKIP("the authors' tables are not here");
    QProcess unpack;
    unpack.start("gzip", {"-dc", file});
    QVERIFY(unpack.waitForFinished());
    std::vector<ReferenceRow> rows;
    for (const QByteArray& line : unpack.readAllStandardOutput().split('\n').mid(1)) {
      const auto fields = line.split(',');
      if (fields.size() == 3)
        rows.push_back({fields[0].toUInt(), fields[1].toUInt(), fields[2].toDouble(), 1});
    }
    QVERIFY(rows.size() > 10'000);

    ProjectionParameters p = jamesParameters();
    if (gabor) {
      p.kernel = KernelKind::Gabor;
      p.offsetX = 0;
      p.sigma = numbers[0];
      p.gain = numbers[1];
      p.wavelength = numbers[2];
      p.sineGain = numbers[3];
      p.direction = numbers[4];
      p.cut = numbers[5];
      p.region = numbers[6];
    } else {
      p.sigmaM = numbers[0];
      p.sigma0 = numbers[1];
      p.cut = numbers[2];
      p.offsetX = numbers[3];
      p.boxCut = 3;
    }
    const auto field = grid(static_cast<std::uint32_t>(side), static_cast<std::uint32_t>(side));
    for (const Backend backend : backends()) {
      const QByteArray what = difference(*project({field, field, p}, {backend}), rows);
      QVERIFY2(what.isEmpty(), what);
    }
  }

  void equalsTheDoubleLoop_data()
  {
    QTest::addColumn<int>("kernel");
    QTest::addColumn<int>("variant");
    const std::vector<std::string> variants = {
        "plain",      "large cut", "offset", "wrap",           "wrap and offset",
        "box cut",    "no self",   "delays", "wrapped delays", "box cut, wrap and offset",
        "half-spaced"};
    for (const KernelKind kernel : allKernels())
      for (std::size_t variant = 0; kernel != KernelKind::Expression && variant < variants.size(); ++variant)
        QTest::addRow("%s, %s", std::string(kernelName(kernel)).c_str(), variants[variant].c_str())
            << static_cast<int>(kernel) << static_cast<int>(variant);
  }

  void equalsTheDoubleLoop()
  {
    QFETCH(int, kernel);
    QFETCH(int, variant);
    ProjectionParameters p = jamesParameters();
    p.kernel = static_cast<KernelKind>(kernel);
    p.offsetX = 0;
    p.sigma = 2.5;
    p.sigmaY = 1.25;
    p.angle = 27;
    p.surroundSigma = 4.1;
    p.decay = 2;
    p.gain = -1.5;
    p.cut = variant == 1 ? 0.4 : 0.011;
    if (variant == 2 || variant == 4 || variant == 9) {
      p.offsetX = 7.25;
      p.offsetY = -3.5;
    }
    p.wrap = variant == 3 || variant == 4 || variant == 8 || variant == 9;
    p.neighbours = 6; // on a grid the fifth and sixth are two of four that are equally near
    const bool hasWidth = !isJoin(p.kernel);
    if ((variant == 5 || variant == 9) && hasWidth)
      p.boxCut = 2.1;
    p.selfConnections = variant != 6;
    if (variant == 7 || variant == 8)
      p.velocity = 3;
    compare({grid(40, 40), variant == 10 ? grid(30, 50, 1, 0.5, {3, -2, 0}) : grid(40, 40), p});
  }

  void equalsTheDoubleLoopInSpace_data()
  {
    QTest::addColumn<int>("kernel");
    QTest::addColumn<bool>("wrap");
    QTest::addColumn<bool>("fromGrid");
    QTest::addColumn<bool>("toGrid");
    for (const KernelKind kernel : allKernels())
      for (int i = 0; kernel != KernelKind::Expression && i < 8; ++i)
        QTest::addRow("%s%s, %s to %s", std::string(kernelName(kernel)).c_str(), (i & 1) != 0 ? ", wrapped" : "",
                      (i & 2) != 0 ? "cube" : "random", (i & 4) != 0 ? "cube" : "random")
            << static_cast<int>(kernel) << ((i & 1) != 0) << ((i & 2) != 0) << ((i & 4) != 0);
  }

  void equalsTheDoubleLoopInSpace()
  {
    QFETCH(int, kernel);
    QFETCH(bool, wrap);
    QFETCH(bool, fromGrid);
    QFETCH(bool, toGrid);
    ProjectionParameters p = jamesParameters();
    p.kernel = static_cast<KernelKind>(kernel);
    p.fieldSize = 12;
    p.sigmaM = 5;
    p.sigma0 = 0.8;
    p.fshift = 0.1;
    p.sigma = 1.1;
    p.sigmaZ = 2.3;
    p.surroundSigma = 1.7;
    p.decay = 0.9;
    p.offsetX = 0.75;
    p.offsetZ = -2.2;
    p.neighbours = 5;
    p.wrap = wrap;
    p.velocity = 2;
    compare({fromGrid ? grid(9, 7, 8, 1.5) : randomBox(500, {12, 11, 13}, 3),
             toGrid ? grid(11, 10, 12, 1.25) : randomBox(700, {13, 12, 11}, 4), p});
  }

  /// One population has them, two that are equally large have none: neurons of equal index are two neurons.
  void leavesOutSelfConnectionsOfOnePopulationOnly_data()
  {
    QTest::addColumn<int>("kernel");
    for (const KernelKind kernel : allKernels())
      QTest::newRow(std::string(kernelName(kernel)).c_str()) << static_cast<int>(kernel);
  }

  void leavesOutSelfConnectionsOfOnePopulationOnly()
  {
    QFETCH(int, kernel);
    ProjectionParameters p = jamesParameters();
    p.kernel = static_cast<KernelKind>(kernel);
    p.offsetX = 0;
    p.sigma = 2;
    p.gain = 0.9;
    p.expression = "if(r < 3, 1, 0)";
    ProjectionParameters withoutSelf = p;
    withoutSelf.selfConnections = false;
    PopulationParameters other;
    other.name = "other";
    other.size = {12, 12, 1};
    const auto one = grid(12, 12), two = makePopulation(other);
    const auto again = grid(12, 12); // the same once more
    QVERIFY(leavesSelfOut({one, again, withoutSelf}) && !leavesSelfOut({one, again, p}));
    for (const Backend backend : backends()) {
      QVERIFY(isSameTable(*project({one, two, withoutSelf}, {backend}), *project({one, two, p}, {backend})));
      const auto all = project({one, one, p}, {backend});
      const auto less = project({one, one, withoutSelf}, {backend});
      const auto lessAgain = project({one, again, withoutSelf}, {backend});
      QVERIFY(isSameTable(*less, *lessAgain));
      // A Gabor is 0 at the source; beside itself a neuron has another nearest one.
      const bool isAsMany = p.kernel == KernelKind::Gabor || p.kernel == KernelKind::Nearest;
      QCOMPARE(all->rows() - less->rows(), isAsMany ? std::uint64_t{0} : std::uint64_t{144});
    }
  }

  void refusesValuesThatAreNoNumbers_data()
  {
    QTest::addColumn<QString>("expression");
    QTest::addColumn<QString>("value"); // empty: it is taken
    QTest::addColumn<int>("destination");
    QTest::newRow("infinite") << "1/r"
                              << "inf" << 5;
    QTest::newRow("minus infinite") << "-1/r"
                                    << "-inf" << 5;
    QTest::newRow("undefined") << "dx/r"
                               << "nan" << 5;
    QTest::newRow("undefined far away") << "sqrt(9 - r)"
                                        << "nan" << 15;
    QTest::newRow("more than single precision") << "if(r > 3, 1e200, 1)"
                                                << "1e+200" << 0;
    QTest::newRow("beyond the reach") << "if(r > 8, 1/0, 1)"
                                      << "" << 0;
    QTest::newRow("mended") << "if(r > 0, 1/r, 0)"
                            << "" << 0;
  }

  /// The first pair by source and destination is named, whatever the threads and the backend.
  void refusesValuesThatAreNoNumbers()
  {
    QFETCH(QString, expression);
    QFETCH(QString, value);
    QFETCH(int, destination);
    ProjectionParameters p = jamesParameters();
    p.kernel = KernelKind::Expression;
    p.offsetX = 0;
    p.expression = expression.toStdString();
    p.expressionReach = expression.contains("r > 8") ? 6 : 0;
    const auto line = grid(40, 1);
    std::array<std::vector<double>, 3> places = {std::vector<double>(40), std::vector<double>(40), {}};
    places[2] = places[1];
    std::iota(places[0].begin(), places[0].end(), 0.0);
    for (const Backend backend : backends())
      for (const ConnectionRule rule : {ConnectionRule::Weighted, ConnectionRule::Random})
        for (const auto& to : {line, populationAt("places", places)}) // on a lattice, and in cells
          for (const int threads : {1, 3}) {
            p.rule = rule;
            const Projection projection{grid(30, 1, 1, 1, {5, 0, 0}), to, p};
            QString failure;
            try {
              project(projection, {backend, threads});
            } catch (const Error& error) {
              QCOMPARE(error.code(), ErrorCode::BadParameter);
              failure = QString::fromStdString(error.message());
            }
            const QString wanted =
                value.isEmpty() ? QString()
                                : QString("The expression is %1 from neuron 0 of \"population\" at (5, 0, 0) to neuron "
                                          "%2 of \"%3\" at (%2, 0, 0), which is no finite number")
                                      .arg(value)
                                      .arg(destination)
                                      .arg(QString::fromStdString(to->name()));
            QVERIFY2(wanted.isEmpty() ? failure.isEmpty() : failure.startsWith(wanted), qPrintable(failure));
          }
  }

  void refusesDelaysThatAreNoNumbers()
  {
    ProjectionParameters p = jamesParameters();
    p.velocity = 1e-300;
    QVERIFY_EXCEPTION_THROWN(project({grid(9, 9), grid(9, 9), p}), Error);
    p.velocity = 1e-30;
    QVERIFY(std::isfinite(project({grid(9, 9), grid(9, 9), p})->delay[0]));
  }

  void saysThatProbabilitiesBelowZeroGiveNoConnection_data()
  {
    QTest::addColumn<int>("kernel");
    QTest::addColumn<double>("gain");
    QTest::newRow("Gabor") << static_cast<int>(KernelKind::Gabor) << 1.0;
    QTest::newRow("surround") << static_cast<int>(KernelKind::DifferenceOfGaussians) << 1.0;
    QTest::newRow("negative") << static_cast<int>(KernelKind::Gaussian) << -0.7;
    QTest::newRow("expression") << static_cast<int>(KernelKind::Expression) << 1.0;
    QTest::newRow("none is negative") << static_cast<int>(KernelKind::Gaussian) << 0.7;
  }

  void saysThatProbabilitiesBelowZeroGiveNoConnection()
  {
    QFETCH(int, kernel);
    QFETCH(double, gain);
    ProjectionParameters p = jamesParameters();
    p.kernel = static_cast<KernelKind>(kernel);
    p.offsetX = 0;
    p.sigma = 2;
    p.surroundSigma = 4;
    p.gain = gain;
    p.expression = "0.5 - r/10";
    p.expressionReach = 9;
    const auto field = grid(20, 20);
    for (const auto& to : {field, randomBox(500, {20, 20, 0}, 3)}) {
      // As weights the negative values are rows of their own.
      const auto weighted = project({field, to, p});
      QVERIFY(weighted->warnings.empty());
      const auto negative =
          std::count_if(weighted->weight.begin(), weighted->weight.end(), [](float weight) { return weight < 0; });
      ProjectionParameters random = p;
      random.rule = ConnectionRule::Random;
      for (const Backend backend : backends()) {
        const auto table = project({field, to, random}, {backend});
        if (negative == 0) {
          QVERIFY(table->warnings.empty());
          continue;
        }
        QCOMPARE(table->warnings.size(), std::size_t{1});
        QVERIFY2(table->warnings[0].starts_with("The " + std::string(kernelName(p.kernel)) + " is below 0 for " +
                                                std::to_string(negative) + " pairs"),
                 table->warnings[0].c_str());
      }
    }
  }

  void takesPopulationsOfAnyShape()
  {
    ProjectionParameters p = jamesParameters();
    p.kernel = KernelKind::Gaussian;
    p.sigma = 2;
    const std::vector<std::shared_ptr<const Population>> shapes = {
        grid(1, 1),
        grid(1, 37),
        grid(64, 1),
        grid(3, 2, 5),
        randomBox(1, {5, 5, 5}, 1),
        randomBox(200, {40, 0, 0}, 2),
        randomBox(300, {9, 0, 30}, 5),
        populationAt("one place",
                     {std::vector<double>(70, 2.0), std::vector<double>(70, 1.0), std::vector<double>(70, 0.0)})};
    for (const KernelKind kernel : {KernelKind::Gaussian, KernelKind::Nearest})
      for (const int neighbours : {1, 50}) {
        p.kernel = kernel;
        p.neighbours = neighbours;
        for (const auto& source : shapes)
          for (const auto& destination : shapes)
            compare({source, destination, p});
      }
  }

  void findsNearestNeighboursFromFarAway()
  {
    ProjectionParameters p = jamesParameters();
    p.kernel = KernelKind::Nearest;
    p.neighbours = 7;
    p.offsetX = 4096;
    p.offsetY = -1024;
    for (const bool wrap : {false, true}) {
      p.wrap = wrap;
      compare({grid(9, 9), grid(30, 20, 2, 0.5), p});
      compare({grid(9, 9), randomBox(400, {8, 8, 8}, 6), p});
    }
  }

  void drawsAmongTheNearestNeighbours()
  {
    ProjectionParameters p = jamesParameters();
    p.kernel = KernelKind::Nearest;
    p.neighbours = 9;
    p.offsetX = 0;
    p.gain = 0.5;
    const Projection all{grid(25, 25), grid(25, 25), p};
    Projection drawn = all;
    drawn.parameters.rule = ConnectionRule::Random;
    for (const Backend backend : backends()) {
      const auto table = project(all, {backend});
      const auto some = project(drawn, {backend});
      QCOMPARE(table->rows(), std::uint64_t{9 * 625});
      QVERIFY(some->rows() > table->rows() / 3 && some->rows() < table->rows() * 2 / 3);
      for (std::uint64_t s = 0; s < table->sources(); ++s)
        QVERIFY(std::includes(
            table->destination.begin() + table->offsets[s], table->destination.begin() + table->offsets[s + 1],
            some->destination.begin() + some->offsets[s], some->destination.begin() + some->offsets[s + 1]));
    }
  }

  void saysWhatAJoinLeavesOut()
  {
    ProjectionParameters p = jamesParameters();
    p.kernel = KernelKind::OneToOne;
    const auto warningsOf = [&p](const std::shared_ptr<const Population>& from,
                                 const std::shared_ptr<const Population>& to) {
      return project({from, to, p})->warnings;
    };
    QVERIFY(warningsOf(grid(4, 4), grid(16, 1)).empty());
    QCOMPARE(warningsOf(grid(4, 5), populationAt("points", {{{0, 1}, {0, 1}, {0, 1}}})),
             std::vector<std::string>{"One to one joins neurons of equal index, but \"population\" has 20 neurons and "
                                      "\"points\" 2: the last 18 of \"population\" have no connection; nearest "
                                      "neighbours join populations of any size."});
    p.kernel = KernelKind::Nearest;
    p.neighbours = 16;
    QVERIFY(warningsOf(grid(4, 5), grid(4, 4)).empty());
    p.selfConnections = false;
    const auto field = grid(4, 4);
    QCOMPARE(warningsOf(field, field),
             std::vector<std::string>{"Each source has 15 nearest of 16: \"population\" has no more."});
  }

  void isTheSameOnAnyNumberOfThreadsAndInSlabs()
  {
    ProjectionParameters p = jamesParameters();
    p.velocity = 5;
    const auto from = grid(40, 40);
    for (const auto& to : {grid(40, 40), randomBox(1'500, {40, 40, 1}, 8)})
      for (const Backend backend : backends()) {
        const Projection projection{from, to, p};
        const auto one = project(projection, {Backend::Cpu, 1});
        QVERIFY(one->rows() > 1000);
        QVERIFY(isSameTable(*one, *project(projection, {backend, 7})));
        const auto prepared = prepare(projection, {backend, 2, 3'000});
        std::uint64_t rows = 0, next = 0;
        streamTable(*prepared, 5'000, [&](const TableSlab& slab) {
          QCOMPARE(slab.sourceBegin, next);
          next = slab.sourceEnd;
          QVERIFY(slab.destination.size() <= 5'000 || slab.sourceEnd == slab.sourceBegin + 1);
          for (std::size_t i = 0; i < slab.destination.size(); ++i, ++rows)
            if (slab.destination[i] != one->destination[rows] || slab.weight[i] != one->weight[rows] ||
                slab.delay[i] != one->delay[rows])
              QFAIL("a streamed row differs");
        });
        QCOMPARE(rows, one->rows());
        QCOMPARE(next, one->sources());
      }
  }

  /// By several threads, in pieces whose ends are nowhere near those of sources or slabs, to new memory and to used.
  void comesWholeFromTheGpu()
  {
    if (cudaDevices().empty())
      QSKIP("no CUDA device");
    constexpr std::uint64_t kSlabRows = 1'000'003;
    ProjectionParameters p = jamesParameters();
    p.velocity = 5;
    const auto field = grid(90, 90);
    const Projection projection{field, field, p};
    const auto expected = project(projection, {Backend::Cpu});
    QVERIFY(expected->rows() > 4 * kSlabRows);
    TableMemory memory;
    for (const std::uint64_t slabRows : {std::uint64_t{0}, kSlabRows, std::uint64_t{0}}) {
      const auto prepared = prepare(projection, {Backend::Cuda, 0, slabRows});
      QVERIFY(isSameTable(*expected, *makeTable(*prepared, memory)));
      QVERIFY(prepared->timings().of("download") > 0);
    }
  }

  void drawsConnectionsWithTheirProbability()
  {
    ProjectionParameters p;
    p.kernel = KernelKind::Gaussian;
    p.sigma = 6;
    p.gain = 0.8;
    p.cut = 0;
    p.rule = ConnectionRule::Random;
    p.randomWeight = 0.25;
    const auto field = grid(60, 60);
    const auto table = project({field, field, p});
    // By distance: how often drawn, how often expected.
    std::map<int, std::array<double, 2>> rings;
    double expected = 0, variance = 0;
    for (std::uint64_t s = 0; s < field->count(); ++s) {
      const Position a = field->position(s);
      for (std::uint64_t t = 0; t < field->count(); ++t) {
        const Position b = field->position(t);
        const double q = (a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]);
        const double probability = 0.8 * std::exp(-q / 72);
        rings[static_cast<int>(std::sqrt(q) / 3)][1] += probability;
        expected += probability;
        variance += probability * (1 - probability);
      }
      for (std::uint64_t row = table->offsets[s]; row < table->offsets[s + 1]; ++row) {
        const Position b = field->position(table->destination[row]);
        rings[static_cast<int>(std::hypot(a[0] - b[0], a[1] - b[1]) / 3)][0] += 1;
        QCOMPARE(table->weight[row], 0.25F);
      }
    }
    QVERIFY(std::abs(static_cast<double>(table->rows()) - expected) < 5 * std::sqrt(variance));
    for (const auto& [ring, counts] : rings)
      QVERIFY2(std::abs(counts[0] - counts[1]) < 5 * std::sqrt(counts[1]) + 5, QByteArray::number(ring));
    p.seed = 2;
    QVERIFY(!isSameTable(*table, *project({field, field, p})));
  }

  void evaluatesExpressions()
  {
    // What two kernels give, written out.
    ProjectionParameters gaussian = jamesParameters();
    gaussian.kernel = KernelKind::Gaussian;
    gaussian.sigma = 3;
    gaussian.offsetX = 2;
    gaussian.wrap = true;
    ProjectionParameters written = gaussian;
    written.kernel = KernelKind::Expression;
    written.expression = "exp(-r^2/(2*3^2))";
    ProjectionParameters bounded = written;
    bounded.expressionReach = 10;
    for (const auto& field : {grid(30, 30), randomBox(600, {20, 20, 5}, 1)}) {
      const auto rows = BruteForce(*field, *field, gaussian).rows();
      for (const Backend backend : backends()) {
        QCOMPARE(difference(*project({field, field, written}, {backend}), rows), QByteArray());
        QCOMPARE(difference(*project({field, field, bounded}, {backend}), rows), QByteArray());
      }
    }
  }

  void decidesAtTheCutAsTheWeightDoes()
  {
    // The cut is exactly the weight at a distance that the grid has: "greater" leaves it out, the number below not.
    const auto field = grid(21, 21);
    ProjectionParameters p = jamesParameters();
    p.kernel = KernelKind::Exponential;
    p.decay = 1.75;
    p.offsetX = 0;
    const double weight = fixedExp(-5.0 * (1 / 1.75));
    p.cut = weight;
    const auto without = project({field, field, p});
    p.cut = std::nextafter(weight, 0.0);
    const auto with = project({field, field, p});
    // (3, 4), (5, 0) and their turns: twelve in the middle of the grid.
    const std::uint64_t middle = 10 * 21 + 10;
    QCOMPARE(with->offsets[middle + 1] - with->offsets[middle],
             without->offsets[middle + 1] - without->offsets[middle] + 12);
  }

  void stopsWhenCancelled()
  {
    RunControl control;
    int reports = 0;
    RunControl listening([&](std::string_view, double) {
      if (++reports == 20)
        control.cancel();
    });
    control = listening;
    const auto field = grid(150, 150);
    QVERIFY_EXCEPTION_THROWN(project({field, field, jamesParameters()}, {Backend::Cpu, 1}, listening), Error);
    QVERIFY(reports >= 20 && reports < 100);
  }

  void stopsInTheMidstOfASource_data()
  {
    QTest::addColumn<bool>("lattice");
    QTest::addColumn<bool>("counted");
    QTest::newRow("counting, positions") << false << false;
    QTest::newRow("counting, grid") << true << false;
    QTest::newRow("writing, positions") << false << true;
    QTest::newRow("writing, grid") << true << true;
  }

  /// One source whose every destination is looked at, by an expression that takes its time.
  void stopsInTheMidstOfASource()
  {
    QFETCH(bool, lattice);
    QFETCH(bool, counted);
    constexpr std::uint32_t kSide = 1'000;
    constexpr std::size_t kMostSorted = 1 << 18;    // destinations, into their cells
    constexpr std::size_t kMostEvaluated = 1 << 15; // destinations
    const auto field = lattice ? grid(kSide, kSide) : randomBox(kSide * kSide, {100, 100, 100}, 3);
    const std::size_t destinations = field->count();
    ProjectionParameters p;
    p.kernel = KernelKind::Expression;
    p.expression = "abs(sin(dx) + cos(dy) * exp(-r) + sin(r)) ^ 2.5 + (4 + atan2(dy, dx)) ^ 1.5 + (1 + r) ^ exp(-r) + "
                   "(2 + sin(dx * dy)) ^ cos(dz) + (1 + abs(dx)) ^ 0.3 + (1 + abs(dy)) ^ 0.7";
    p.velocity = 3;
    const Projection projection{grid(1, 1), field, p};
    const ComputeParameters oneThread{Backend::Cpu, 1};
    const auto prepared = prepare(projection, oneThread);
    QCOMPARE(prepared->rows(), field->count());
    const auto make = [&](const RunControl& control) {
      if (counted)
        makeTable(*prepared, control);
      else
        prepare(projection, oneThread, control);
    };
    const Checkpoints checkpoints(make);
    QVERIFY(checkpoints.of(counted ? "compact" : "count") >= destinations / kMostEvaluated);
    if (!counted && !lattice)
      QVERIFY(checkpoints.of("bin") >= 2 * destinations / kMostSorted);
    QVERIFY(endsWhereCancelled(make, checkpoints.all(), oneThread.threads));
  }

  void refusesTablesLargerThanMemory()
  {
    ProjectionParameters p;
    p.kernel = KernelKind::AllToAll;
    const auto field = grid(3'000, 1'000);
    const auto prepared = prepare({field, grid(1, 1), p}, {});
    QCOMPARE(prepared->rows(), std::uint64_t{3'000'000});
    try {
      requireMemory(std::size_t{1} << 60, "The table of 5 rows");
      QFAIL("not refused");
    } catch (const Error& error) {
      QCOMPARE(error.code(), ErrorCode::OutOfMemory);
    }
  }
};

HINESIGHT_TEST(TestWeightTable)
#include "test_weight_table.moc"
