#include "cable/hines_system.hpp"
#include "core/error.hpp"
#include "test_main.hpp"

#include <QTest>

#include <functional>
#include <limits>

using hinesight::Error;
using hinesight::ErrorCode;
using hinesight::cable::HinesSystem;

class TestHinesSystem : public QObject
{
  Q_OBJECT

private slots:
  void acceptsForests();
  void rejectsMalformed_data();
  void rejectsMalformed();
};

namespace {

HinesSystem goodSystem()
{
  return {{-1, 0, 1, 0, -1, 4}, {3, 4, 3, 2, 5, 6}, {0, -1, -1, -1, 0, -2}, {1, 2, 3, 4, 5, 6}};
}

} // namespace

void TestHinesSystem::acceptsForests()
{
  validate(goodSystem());
  validate(HinesSystem{});
  QCOMPARE(goodSystem().size(), std::size_t{6});
}

void TestHinesSystem::rejectsMalformed_data()
{
  QTest::addColumn<int>("which");
  QTest::addColumn<QString>("named"); // what the message must say
  QTest::newRow("short d") << 0 << "5 diagonal";
  QTest::newRow("long u") << 1 << "7 couplings";
  QTest::newRow("short b") << 2 << "0 right-hand sides";
  QTest::newRow("parent after") << 3 << "Compartment 2 ";
  QTest::newRow("own parent") << 4 << "Compartment 3 ";
  QTest::newRow("parent -2") << 5 << "Compartment 1 ";
  QTest::newRow("d NaN") << 6 << "Compartment 5 ";
  QTest::newRow("u infinite") << 7 << "Compartment 1 ";
  QTest::newRow("b infinite") << 8 << "Compartment 0 ";
}

void TestHinesSystem::rejectsMalformed()
{
  QFETCH(int, which);
  QFETCH(QString, named);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  HinesSystem s = goodSystem();
  const std::function<void()> spoil[] = {
      [&] { s.d.pop_back(); },  [&] { s.u.push_back(1); },   [&] { s.b.clear(); },
      [&] { s.parent[2] = 4; }, [&] { s.parent[3] = 3; },    [&] { s.parent[1] = -2; },
      [&] { s.d[5] = nan; },    [&] { s.u[1] = -infinity; }, [&] { s.b[0] = infinity; },
  };
  spoil[which]();
  try {
    validate(s);
    QFAIL("accepted");
  } catch (const Error& error) {
    QCOMPARE(error.code(), ErrorCode::BadFormat);
    QVERIFY2(QString(error.what()).contains(named), error.what());
  }
}

HINESIGHT_TEST(TestHinesSystem)
#include "test_hines_system.moc"
