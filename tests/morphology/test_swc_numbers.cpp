#include "core/philox.hpp"
#include "morphology/swc_numbers.hpp"
#include "test_main.hpp"

#include <QTest>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <string>

using namespace hinesight;
using namespace hinesight::morphology;

/// The fast scanners and the tolerant parsers against the C library, which rounds correctly.
class TestSwcNumbers : public QObject
{
  Q_OBJECT

private slots:
  void scansRealsAsTheLibraryDoes();
  void scansWholes();
  void skipsBlanksBeforeAField();
  void classifies_data();
  void classifies();
};

namespace {

/// Decimal numbers of every length: up to 25 digits, with and without sign, point and exponent.
std::string randomReal(std::uint64_t number)
{
  const auto draw = [&](std::uint32_t which) { return randomUniform(3, number, 0, which); };
  std::string text = draw(0) < 0.5 ? "-" : "";
  const auto digits = 1 + static_cast<std::uint32_t>(draw(1) * 25);
  const auto point = static_cast<std::uint32_t>(draw(2) * (digits + 2));
  for (std::uint32_t at = 0; at < digits; ++at) {
    if (at == point)
      text += '.';
    text += static_cast<char>('0' + static_cast<int>(draw(10 + at) * 10));
  }
  if (draw(3) < 0.2)
    text += (draw(4) < 0.5 ? "e-" : "E+") + std::to_string(static_cast<int>(draw(5) * 30));
  return text;
}

} // namespace

void TestSwcNumbers::scansRealsAsTheLibraryDoes()
{
  for (std::uint64_t number = 0; number < 200'000; ++number) {
    const std::string text = randomReal(number);
    const double expected = std::strtod(text.c_str(), nullptr);
    double scanned = 0;
    const std::string line = text + "\n";
    const char* end = scanReal(line.data(), scanned);
    QVERIFY2(end == line.data() + text.size(), text.c_str());
    QVERIFY2(std::memcmp(&scanned, &expected, sizeof expected) == 0, text.c_str());
    double parsed = 0;
    QCOMPARE(parseReal(text, parsed), NumberStatus::Plain);
    QVERIFY2(std::memcmp(&parsed, &expected, sizeof expected) == 0, text.c_str());
  }
}

void TestSwcNumbers::scansWholes()
{
  for (const std::int64_t value :
       {std::int64_t{0}, std::int64_t{7}, std::int64_t{-1}, std::int64_t{999'999'999'999'999'999}}) {
    const std::string line = std::to_string(value) + "\t";
    std::int64_t scanned = 12345;
    QCOMPARE(scanWhole(line.data(), scanned), line.data() + line.size() - 1);
    QCOMPARE(scanned, value);
  }
  for (const char* line : {"1000000000000000000\n", "+1\n", "1.0\n", "\n", "-\n", "1,\n", "1#\n"}) {
    std::int64_t scanned = 0;
    QVERIFY2(scanWhole(line, scanned) == nullptr, line);
  }
}

/// Rows whose blanks were not skipped would be read by the tolerant parsers: to the same samples, and slowly.
void TestSwcNumbers::skipsBlanksBeforeAField()
{
  for (const std::string blanks : {"", " ", "\t", "  ", " \t", "\t \t\t "})
    for (const std::string rest : {"1\n", "-1\n", "\n", "\r\n", "\v1\n", "#\n"}) {
      const std::string line = blanks + rest;
      QCOMPARE(skipBlanks(line.data()) - line.data(), static_cast<std::ptrdiff_t>(blanks.size()));
    }
}

void TestSwcNumbers::classifies_data()
{
  QTest::addColumn<QByteArray>("text");
  QTest::addColumn<int>("asReal");
  QTest::addColumn<int>("asWhole");
  const auto add = [](const char* text, NumberStatus real, NumberStatus whole) {
    QTest::newRow(text) << QByteArray(text) << static_cast<int>(real) << static_cast<int>(whole);
  };
  using enum NumberStatus;
  add("12", Plain, Plain);
  add("+12", Plain, Plain);
  add("-0", Plain, Plain);
  add("12.0", Plain, WholeDecimal);
  add("1.2e1", Plain, WholeDecimal);
  add("720575940661139073.000", Plain, WholeDecimal);
  add("12.5", Plain, NotWhole);
  add("1e400", OutOfRange, OutOfRange);
  add("-1e99999999999999999999", OutOfRange, OutOfRange);
  add("0.0e999999", Plain, WholeDecimal);
  add("1e18", Plain, OutOfRange);
  add("9223372036854775807", Plain, Plain);
  add("9223372036854775808", Plain, OutOfRange);
  add("1e101", OutOfRange, OutOfRange);
  add("nan", NotFinite, NotFinite);
  add("-inf", NotFinite, NotFinite);
  add("0x1A", NotANumber, NotANumber);
  add("1e", NotANumber, NotANumber);
  add("", NotANumber, NotANumber);
  add("-", NotANumber, NotANumber);
  add("+", NotANumber, NotANumber);
  add("+-1", NotANumber, NotANumber);
  add("--1", NotANumber, NotANumber);
  add("1 ", NotANumber, NotANumber);
}

void TestSwcNumbers::classifies()
{
  QFETCH(QByteArray, text);
  QFETCH(int, asReal);
  QFETCH(int, asWhole);
  double real = 0;
  std::int64_t whole = 0;
  QCOMPARE(static_cast<int>(parseReal(text.toStdString(), real)), asReal);
  const auto status = parseWhole(text.toStdString(), whole);
  QCOMPARE(static_cast<int>(status), asWhole);
  if (text.startsWith("7205"))
    QCOMPARE(whole, std::int64_t{720'575'940'661'139'073});
}

HINESIGHT_TEST(TestSwcNumbers)
#include "test_swc_numbers.moc"
