#include "core/check_sum.hpp"
#include "test_main.hpp"

#include <QTest>

#include <string>

using namespace hinesight;

class TestCheckSum : public QObject
{
  Q_OBJECT

private slots:
  /// Of the vectors that Fowler, Noll and Vo publish with their hash.
  void givesThePublishedHashes()
  {
    QCOMPARE(fnv1a(""), 0xcbf29ce484222325u);
    QCOMPARE(fnv1a("a"), 0xaf63dc4c8601ec8cu);
    QCOMPARE(fnv1a("foobar"), 0x85944171f73967e8u);
    QCOMPARE(fnv1a("bar", fnv1a("foo")), 0x85944171f73967e8u);
  }

  /// Checkpoints hold these numbers: another hash would refuse those of earlier versions. Computed in Python.
  void givesTheNumbersOfEarlierVersions()
  {
    QCOMPARE(checkSum(""), 0xcbf29ce484222325u);
    QCOMPARE(checkSum("a"), 0xaf63dc4c296230c0u);
    QCOMPARE(checkSum("12345678"), 0x49f2564e64f252b2u);
    QCOMPARE(checkSum("a checkpoint of 28 bytes or so"), 0xbe826da88a67a32du);
    QCOMPARE(checkSum("9", checkSum("12345678")), checkSum("123456789"));
  }

  void tellsEveryBit()
  {
    const std::string bytes = "some twenty-one bytes";
    for (std::size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
      std::string other = bytes;
      other[bit / 8] = static_cast<char>(other[bit / 8] ^ 1 << bit % 8);
      QVERIFY(checkSum(other) != checkSum(bytes));
      QVERIFY(fnv1a(other) != fnv1a(bytes));
    }
  }
};

HINESIGHT_TEST(TestCheckSum)

#include "test_check_sum.moc"
