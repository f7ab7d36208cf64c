#include "core/error.hpp"
#include "projection/populations/population.hpp"
#include "test_main.hpp"

#include <QTest>

#include <cmath>
#include <limits>

using namespace hinesight;
using namespace hinesight::projection;

class TestPopulation : public QObject
{
  Q_OBJECT

private slots:
  void numbersAGridAlongXFirst()
  {
    PopulationParameters p;
    p.size = {4, 3, 2};
    p.spacing = {2, 3, 5};
    p.origin = {10, 20, 30};
    const auto grid = makePopulation(p);
    QCOMPARE(grid->count(), std::uint64_t{24});
    QVERIFY(grid->isGrid());
    QVERIFY((grid->position(0) == Position{10, 20, 30}));
    QVERIFY((grid->position(3) == Position{16, 20, 30}));
    QVERIFY((grid->position(4) == Position{10, 23, 30}));
    QVERIFY((grid->position(23) == Position{16, 26, 35}));
    QVERIFY((grid->bounds() == std::array<Position, 2>{Position{10, 20, 30}, Position{16, 26, 35}}));
    QVERIFY((grid->period() == Position{8, 9, 10}));
  }

  void holdsNoPositionsOfAGrid()
  {
    PopulationParameters p;
    p.size = {4000, 2500, 1};
    const auto grid = makePopulation(p);
    QCOMPARE(grid->count(), std::uint64_t{10'000'000});
    QVERIFY(grid->coordinates(0).empty());
    QVERIFY((grid->position(9'999'999) == Position{3999, 2499, 0}));
    QVERIFY((grid->period() == Position{4000, 2500, 0}));
  }

  void fillsABoxEvenly()
  {
    PopulationParameters p;
    p.kind = PopulationKind::Box;
    p.count = 80'000;
    p.origin = {-1, 2, 5};
    p.extent = {2, 4, 0};
    const auto box = makePopulation(p);
    std::array<int, 8> eighths{};
    for (std::uint64_t i = 0; i < box->count(); ++i) {
      const Position at = box->position(i);
      QVERIFY(at[0] >= -1 && at[0] <= 1 && at[1] >= 2 && at[1] <= 6 && at[2] == 5);
      ++eighths[static_cast<std::size_t>((at[0] > 0 ? 4 : 0) + static_cast<int>(std::min(3.0, at[1] - 2)))];
    }
    for (const int count : eighths)
      QVERIFY(std::abs(count - 10'000) < 500); // five standard deviations
    QVERIFY((box->period() == Position{2, 4, 0}));
    const auto again = makePopulation(p);
    QVERIFY(again->coordinates(0) == box->coordinates(0));
    p.seed = 2;
    QVERIFY(makePopulation(p)->coordinates(0) != box->coordinates(0));
  }

  void fillsASphereEvenly()
  {
    PopulationParameters p;
    p.kind = PopulationKind::Sphere;
    p.count = 40'000;
    p.origin = {1, 2, 3};
    p.radius = 2;
    const auto ball = makePopulation(p);
    int inner = 0;
    Position sum{};
    for (std::uint64_t i = 0; i < ball->count(); ++i) {
      const Position at = ball->position(i);
      const double distance = std::hypot(at[0] - 1, at[1] - 2, at[2] - 3);
      QVERIFY(distance <= 2 * (1 + 1e-12));
      inner += distance < 1;
      for (std::size_t a = 0; a < 3; ++a)
        sum[a] += at[a] - p.origin[a];
    }
    QVERIFY(std::abs(inner - 5'000) < 5 * 66); // an eighth of the volume
    for (const double s : sum)
      QVERIFY(std::abs(s) / 40'000 < 5 * 2 / std::sqrt(5.0) / 200); // the mean of a coordinate is 0
    QVERIFY(ball->period() == Position{});
  }

  void knowsOneAndTheSamePopulation()
  {
    PopulationParameters p;
    p.size = {4, 3, 2};
    const auto grid = makePopulation(p);
    QVERIFY(isSamePopulation(*grid, *grid));
    PopulationParameters again = p;
    again.seed = 7; // of no use to a grid
    QVERIFY(isSamePopulation(*grid, *makePopulation(again)));
    again.name = "another";
    QVERIFY(!isSamePopulation(*grid, *makePopulation(again)));
    again = p;
    again.spacing[1] = 2;
    QVERIFY(!isSamePopulation(*grid, *makePopulation(again)));
    p.kind = PopulationKind::Box;
    again = p;
    QVERIFY(isSamePopulation(*makePopulation(p), *makePopulation(again)));
    again.seed = 7;
    QVERIFY(!isSamePopulation(*makePopulation(p), *makePopulation(again)));
    const std::array<std::vector<double>, 3> places = {std::vector{0.0, 1.0}, std::vector{0.0, 1.0},
                                                       std::vector{0.0, 1.0}};
    auto others = places;
    others[2][1] = 3;
    QVERIFY(isSamePopulation(*populationAt("somata", places), *populationAt("somata", places)));
    QVERIFY(!isSamePopulation(*populationAt("somata", places), *populationAt("somata", others)));
  }

  void readsAndWritesSeveralNumbersOfAField()
  {
    PopulationParameters p;
    p.size = {8, 7, 2};
    std::vector<BoundField> fields = fieldsOf(p);
    BoundField& size = *findField(fields, "size");
    QCOMPARE(size.text(), std::string("8,7,2"));
    QVERIFY(!size.isDefault());
    size.setText("4,5 6");
    QVERIFY((p.size == std::array<std::uint32_t, 3>{4, 5, 6}));
    for (const char* bad : {"", "4 5", "4 5 6 7", "4 5 six", "4 5 6,", "4 5 6.5"})
      QVERIFY_EXCEPTION_THROWN(size.setText(bad), std::invalid_argument);
    QVERIFY((p.size == std::array<std::uint32_t, 3>{4, 5, 6}));
    findField(fields, "spacing")->setText("1 -0.5 2");
    try {
      validate(p);
      QFAIL("not refused");
    } catch (const Error& error) {
      QCOMPARE(error.message(),
               std::string("Population \"population\": Spacing is -0.5; choose above 0, at most 1e+12."));
    }
    p.kind = PopulationKind::Sphere; // has no spacing
    validate(p);
  }

  void refusesBadParameters_data()
  {
    QTest::addColumn<int>("bad");
    for (int bad = 0; bad < 13; ++bad)
      QTest::addRow("%d", bad) << bad;
  }

  void refusesBadParameters()
  {
    QFETCH(int, bad);
    constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
    PopulationParameters p;
    p.kind = bad < 5 ? PopulationKind::Grid : bad < 10 ? PopulationKind::Box : PopulationKind::Sphere;
    const auto spoil = [&] {
      switch (bad) {
      case 0:
        p.size[1] = 0;
        break;
      case 1:
        p.spacing[0] = 0;
        break;
      case 2:
        p.spacing[2] = kNan;
        break;
      case 3:
        p.size = {4'000'000'000u, 4'000'000'000u, 1};
        break;
      case 4:
        p.name = "";
        break;
      case 5:
        p.count = 0;
        break;
      case 6:
        p.extent[0] = -1;
        break;
      case 7:
        p.extent = {0, 0, 0};
        break;
      case 8:
        p.origin[1] = kNan;
        break;
      case 9:
        p.count = kMaxNeurons + 1;
        break;
      case 10:
        p.radius = 0;
        break;
      case 11:
        p.radius = kNan;
        break;
      default:
        p.kind = PopulationKind::File;
        break;
      }
    };
    spoil();
    try {
      makePopulation(p);
      QFAIL("not refused");
    } catch (const Error& error) {
      QCOMPARE(error.code(), ErrorCode::BadParameter);
    }
    p = {};
    p.kind = PopulationKind::File; // whose positions are to be read elsewhere
    p.file = "positions.csv";
    QVERIFY_EXCEPTION_THROWN(makePopulation(p), Error);
    QVERIFY_EXCEPTION_THROWN(populationAt("none", {}), Error);
    for (const char* name : {"", "a/b", ".a"}) // which no session takes either
      QVERIFY_EXCEPTION_THROWN(populationAt(name, {{{0}, {0}, {0}}}), Error);
    QVERIFY_EXCEPTION_THROWN(populationAt("uneven", {std::vector<double>(2), std::vector<double>(2), {}}), Error);
    QVERIFY_EXCEPTION_THROWN(populationAt("nan", {std::vector{0.0}, std::vector{kNan}, std::vector{0.0}}), Error);
  }
};

HINESIGHT_TEST(TestPopulation)
#include "test_population.moc"
