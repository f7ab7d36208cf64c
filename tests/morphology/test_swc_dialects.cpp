#include "core/philox.hpp"
#include "morphology/swc_samples.hpp"
#include "paths/paths.hpp"
#include "test_main.hpp"

#include <QHash>
#include <QTest>

#include <cmath>

using namespace hinesight;
using namespace hinesight::morphology;
using namespace swc_samples;

/// What is read, what is read with a warning and what is refused, for every quirk that SWC files are known to have.
class TestSwcDialects : public QObject
{
  Q_OBJECT

private slots:
  void edgeFile_data();
  void edgeFile();
  void plainAndUnusualSpellingsGiveTheSameCell_data();
  void plainAndUnusualSpellingsGiveTheSameCell();
  void strictRefusesWhatIsRepaired();
  void namesUpToTwentyProblems();
  void refusesRow_data();
  void refusesRow();
  void refusesFile_data();
  void refusesFile();
  void warnsOnce_data();
  void warnsOnce();
  void readsWithoutWarning_data();
  void readsWithoutWarning();
  void keepsComments();
  void neverCrashesOnDamagedText();
};

void TestSwcDialects::edgeFile_data()
{
  QTest::addColumn<QString>("file");
  QTest::addColumn<QString>("expected");
  QTest::addColumn<int>("line");
  QTest::addColumn<QString>("message");

  const QString folder = tests::testData("swc/");
  QHash<QByteArray, QByteArrayList> messages;
  for (const QByteArrayList& row : readTable(folder + "messages.tsv"))
    messages.insert(row[0], row);
  const QList<QByteArrayList> table = readTable(folder + "EDGE.tsv");
  QCOMPARE(table.size(), 119);
  for (const QByteArrayList& row : table) {
    const QByteArrayList expected = messages.value(row[0]);
    QCOMPARE(expected.isEmpty(), row[1] == "accept");
    QTest::newRow(row[0].constData()) << folder + row[0] << QString(row[1]) << expected.value(1).toInt()
                                      << QString(expected.value(2));
  }
}

void TestSwcDialects::edgeFile()
{
  QFETCH(QString, file);
  QFETCH(QString, expected);
  QFETCH(int, line);
  QFETCH(QString, message);

  std::shared_ptr<const Morphology> morphology;
  const auto error = errorOf([&] { morphology = readSwc(file.toStdString()); });
  if (expected == "error") {
    QVERIFY(error);
    QCOMPARE(error->code(), ErrorCode::BadFormat);
    QCOMPARE(QString::fromStdString(error->file()), file);
    QCOMPARE(error->line(), line);
    QVERIFY2(error->message().find(message.toStdString()) != std::string::npos, error->what());
    return;
  }
  QVERIFY2(!error, error ? error->what() : "");
  if (expected == "accept")
    QVERIFY2(morphology->warnings.empty(), describeWarnings(*morphology));
  else
    QVERIFY2(hasWarning(*morphology, line, message.toStdString()), describeWarnings(*morphology));
}

void TestSwcDialects::plainAndUnusualSpellingsGiveTheSameCell_data()
{
  QTest::addColumn<QByteArray>("text");
  QTest::newRow("tabs and CRLF") << QByteArray("1\t1\t0\t0\t0\t3\t-1\r\n2\t3\t-1.25\t5e0\t1e-3\t.5\t1\r\n");
  QTest::newRow("lone CR") << QByteArray("1 1 0 0 0 3 -1\r2 3 -1.25 5 0.001 0.5 1\r");
  QTest::newRow("commas") << QByteArray("1,1,0,0,0,3,-1\n2,3,-1.25,5,0.001,0.5,1\n");
  QTest::newRow("semicolons with decimal commas") << QByteArray("1;1;0;0;0;3;-1\n2;3;-1,25;5;0,001;0,5;1\n");
  QTest::newRow("quoted blanks") << QByteArray("\"1\" \"1\" 0 0 0 3 -1\n2 3 \"-1.25\" 5 0.001 0.5 1\n");
  QTest::newRow("decimal ids") << QByteArray("1.0 1e0 0 0 0 3 -1.000\n2. 3.0 -1.25 5 0.001 0.5 1.\n");
  QTest::newRow("vertical tabs") << QByteArray("1\v1 0 0 0 3 -1\n\f2 3 -1.25 5 0.001 0.5 1\v\n");
  QTest::newRow("plus signs") << QByteArray("+1 +1 +0 +0. +.0 +3 -1\n2 3 -1.25 +5 +1E-3 +5e-1 +1\n");
  QTest::newRow("text after the parent") << QByteArray("1 1 0 0 0 3 -1 # soma\n2 3 -1.25 5 0.001 0.5 1 a b c\n");
  QTest::newRow("no last line end") << QByteArray("1 1 0 0 0 3 -1\n2 3 -1.25 5 0.001 0.5 1");
  QTest::newRow("many digits") << QByteArray(
      "00000000000000000000001 1 0 0 0 3 -1\n2 3 -1.25000000000000000000000 5 0.00100000000000000000000 0.5 1\n");
}

void TestSwcDialects::plainAndUnusualSpellingsGiveTheSameCell()
{
  QFETCH(QByteArray, text);
  const auto morphology = parse(text.toStdString());
  QCOMPARE(morphology->id, (std::vector<std::int64_t>{1, 2}));
  QCOMPARE(morphology->type, (std::vector<std::int32_t>{1, 3}));
  QCOMPARE(morphology->x, (std::vector<double>{0, -1.25}));
  QCOMPARE(morphology->y, (std::vector<double>{0, 5}));
  QCOMPARE(morphology->z, (std::vector<double>{0, 0.001}));
  QCOMPARE(morphology->radius, (std::vector<double>{3, 0.5}));
  QCOMPARE(morphology->parent, (std::vector<std::int32_t>{-1, 0}));
  QCOMPARE(morphology->line, (std::vector<std::int64_t>{1, 2}));
}

void TestSwcDialects::strictRefusesWhatIsRepaired()
{
  const std::string missing = "1 1 0 0 0 3 -1\n2 3 0 5 0 1 99\n3 3 0 9 0 1 2\n4 3 0 9 9 1 98\n";
  QCOMPARE(parse(missing)->roots, (std::vector<std::int32_t>{0, 1, 3}));
  const auto missingError = parseError(missing, true);
  QVERIFY(missingError);
  QCOMPARE(missingError->line(), 2);
  QVERIFY2(missingError->message().find("parent 99 does not exist") != std::string::npos, missingError->what());
  QVERIFY2(missingError->message().find("test.swc:4: parent 98") != std::string::npos, missingError->what());

  const std::string cut = "1 1 0 0 0 3 -1\n2 3 0 5 0 1 1\n3 3 0 9";
  QCOMPARE(parse(cut)->samples(), 2u);
  const auto cutError = parseError(cut, true);
  QVERIFY(cutError);
  QCOMPARE(cutError->line(), 3);

  QCOMPARE(parse("1 1 0 0 0 3 -1\n2 3 0 5 0 1 1\n", true)->samples(), 2u);
}

void TestSwcDialects::namesUpToTwentyProblems()
{
  std::string text = "1 1 0 0 0 3 -1\n";
  for (int row = 0; row < 100; ++row)
    text += "oops 3 0 0 0 1 1\n2 3 0 0 0 1 1 # good\n";
  const auto error = parseError(text);
  QVERIFY(error);
  QCOMPARE(error->line(), 2);
  const QString message = QString::fromStdString(error->message());
  QCOMPARE(message.count("is not a whole number"), 20);
  QVERIFY2(message.contains("test.swc:40: field 1 (id) \"oops\""), error->what());
  QVERIFY2(message.contains("there may be more"), error->what());

  const auto two = parseError("1 1 0 0 0 3 -1\n2 3 x 0 0 y 1\n");
  QVERIFY(two);
  QCOMPARE(QString::fromStdString(two->message()),
           QStringLiteral("field 3 (x) \"x\" is not a number\ntest.swc:2: field 6 (radius) \"y\" is not a number"));
}

void TestSwcDialects::refusesRow_data()
{
  QTest::addColumn<QByteArray>("row");
  QTest::addColumn<QString>("message");
  QTest::newRow("infinite radius") << QByteArray("2 3 0 0 0 inf 1") << "field 6 (radius) \"inf\": radius is not finite";
  QTest::newRow("coordinate beyond use") << QByteArray("2 3 0 0 1e101 1 1") << "z is out of range";
  QTest::newRow("long overflow") << QByteArray("2 3 1" + QByteArray(400, '0') + " 0 0 1 1") << "x is out of range";
  QTest::newRow("fractional type") << QByteArray("2 3.5 0 0 0 1 1") << "field 2 (type) \"3.5\" is not a whole number";
  QTest::newRow("parent too large") << QByteArray("2 3 0 0 0 1 9223372036854775808") << "parent does not fit 64 bits";
  QTest::newRow("inexact whole") << QByteArray("1e17 3 0 0 0 1 1") << "id does not fit 64 bits";
  QTest::newRow("two signs") << QByteArray("2 3 +-1 0 0 1 1") << "field 3 (x) \"+-1\" is not a number";
  QTest::newRow("thousands separator") << QByteArray("2 3 1,234.5 0 0 1 1") << "is not a number";
  QTest::newRow("empty field") << QByteArray("2,3,0,,0,1,1") << "field 4 (y) \"\" is not a number";
  QTest::newRow("two points") << QByteArray("2 3 1.2.3 0 0 1 1") << "field 3 (x) \"1.2.3\" is not a number";
  QTest::newRow("lone minus") << QByteArray("2 3 - 0 0 1 1") << "field 3 (x) \"-\" is not a number";
  QTest::newRow("full-width digit") << QByteArray("2 3 \xEF\xBC\x91 0 0 1 1") << "non-ASCII character U+FF11";
  QTest::newRow("unterminated exponent") << QByteArray("2 3 1e 0 0 1 1") << "field 3 (x) \"1e\" is not a number";
  QTest::newRow("comment inside") << QByteArray("2 3 0 0 # 0 1 1") << "4 fields, need 7";
  QTest::newRow("unknown word as radius") << QByteArray("2 3 0 0 0 wide 1") << "field 6 (radius) \"wide\"";
  QTest::newRow("NaN parent") << QByteArray("2 3 0 0 0 1 nan") << "field 7 (parent) \"nan\": parent is not finite";
}

void TestSwcDialects::refusesRow()
{
  QFETCH(QByteArray, row);
  QFETCH(QString, message);
  const auto error = parseError("# header\n1 1 0 0 0 3 -1\n" + row.toStdString() + "\n3 3 0 0 0 1 1\n");
  QVERIFY(error);
  QCOMPARE(error->code(), ErrorCode::BadFormat);
  QCOMPARE(error->line(), 3);
  QVERIFY2(QString::fromStdString(error->message()).contains(message), error->what());
}

void TestSwcDialects::refusesFile_data()
{
  QTest::addColumn<QByteArray>("text");
  QTest::addColumn<int>("line");
  QTest::addColumn<QString>("message");
  QTest::newRow("words only") << QByteArray("# header\nhello world\n") << 2 << "no sample rows, only text";
  QTest::newRow("two titles") << QByteArray("hello\nworld\n1 1 0 0 0 3 -1\n") << 2 << "1 field, need 7";
  QTest::newRow("mark only") << QByteArray("\xEF\xBB\xBF") << 0 << "the file is empty";
  QTest::newRow("web page with a mark") << QByteArray("\xEF\xBB\xBF\n <HTML><body>404") << 1 << "HTML page";
  QTest::newRow("NeuroML") << QByteArray("<?xml version=\"1.0\"?><neuroml/>") << 1 << "looks like XML";
  QTest::newRow("commented ASC") << QByteArray("; V3 text file\n( (Color Red)\n") << 1 << "Neurolucida ASC";
  QTest::newRow("gzip") << QByteArray("\x1F\x8B\x08\x00", 4) << 1 << "gzip";
  QTest::newRow("HDF5") << QByteArray("\x89HDF\r\n\x1A\n") << 1 << "HDF5";
  QTest::newRow("UTF-16 without a mark") << QByteArray("1\0 \0"
                                                       "1\0 \0"
                                                       "0\0",
                                                       10)
                                         << 1 << "not a text file";
  QTest::newRow("only a cut row") << QByteArray("1 1 0 0") << 1 << "4 fields, need 7";
  QTest::newRow("unreadable first id") << QByteArray("x 1 0 0 0 3 -1\n2 3 0 1 0 1 1\n") << 1
                                       << "field 1 (id) \"x\" is not a whole number";
}

void TestSwcDialects::refusesFile()
{
  QFETCH(QByteArray, text);
  QFETCH(int, line);
  QFETCH(QString, message);
  const auto error = parseError(text.toStdString());
  QVERIFY(error);
  QCOMPARE(error->code(), ErrorCode::BadFormat);
  QCOMPARE(error->file(), std::string("test.swc"));
  QCOMPARE(error->line(), line);
  QVERIFY2(QString::fromStdString(error->message()).contains(message), error->what());
}

void TestSwcDialects::warnsOnce_data()
{
  QTest::addColumn<QByteArray>("text");
  QTest::addColumn<int>("line");
  QTest::addColumn<QString>("message");
  const QByteArray soma = "1 1 0 0 0 3 -1\n";
  QTest::newRow("radii of all unknown kinds")
      << soma + "2 3 0 1 0 NA 1\n3 3 0 2 0 -1 2\n4 3 0 3 0 0 3\n5 3 0 4 0 N/A 4\n"
      << 2 << "radius unknown on 4 of 5 samples (1 zero, 1 negative, 2 NaN or NA)";
  QTest::newRow("nanometres") << soma + "2 3 0 25000 0 1 1\n" << 1 << "spans 25000 units";
  QTest::newRow("cut in the middle of the parent's sign")
      << soma + "2 3 0 1 0 1 1\n3 3 0 2 0 1 -" << 3 << "incomplete (7 fields";
  QTest::newRow("cut with commas") << QByteArray("1,1,0,0,0,3,-1\n2,3,0,1") << 2 << "incomplete (4 fields";
  QTest::newRow("several missing parents") << soma + "2 3 0 1 0 1 7\n3 3 0 2 0 1 8\n"
                                           << 2 << "2 samples have a parent that does not exist (first: 7)";
  QTest::newRow("parent 0 beside a root") << soma + "2 3 0 1 0 1 0\n" << 2 << "does not exist (first: 0)";
  QTest::newRow("two samples a row, 14 columns") << soma + "2 3 0 1 0 1 1 3 3 0 2 0 1 2\n" << 2 << "14 numbers";
  QTest::newRow("three samples a row") << soma + "2 3 0 1 0 1 1 3 3 0 2 0 1 2 4 3 0 3 0 1 3\n"
                                       << 2 << "several samples";
  QTest::newRow("second soma below a neurite") << soma + "2 3 0 1 0 1 1\n3 1 0 2 0 1 2\n4 1 0 3 0 1 2\n"
                                               << 3 << "2 soma samples (type 1) lie below";
}

void TestSwcDialects::warnsOnce()
{
  QFETCH(QByteArray, text);
  QFETCH(int, line);
  QFETCH(QString, message);
  const auto morphology = parse(text.toStdString());
  QVERIFY2(hasWarning(*morphology, line, message.toStdString()), describeWarnings(*morphology));
  QCOMPARE(describeWarnings(*morphology).count(message.toUtf8()), 1);
}

void TestSwcDialects::readsWithoutWarning_data()
{
  QTest::addColumn<QByteArray>("text");
  QTest::newRow("comment with NUL") << QByteArray("# a\0b and more text\n1 1 0 0 0 3 -1\n", 35);
  QTest::newRow("eSWC with features") << QByteArray("1 1 0 0 0 3 -1 0 0 1 2 3 0.5 0.5 0.5 0.5\n");
  QTest::newRow("underflow is zero") << QByteArray("1 1 1e-400 -1e-400 0 3 -1\n");
  QTest::newRow("largest id") << QByteArray("9223372036854775807 1 0 0 0 3 -1\n2 3 0 1 0 1 9223372036854775807\n");
  QTest::newRow("contour-like start of a branch") << QByteArray(
      "1 1 0 0 0 3 -1\n2 3 0 0 0 1 1\n3 3 0 5 0 1 2\n4 3 0 5 0 1 3\n5 3 1 9 0 1 4\n6 3 0 5 0 1 3\n7 3 -1 9 0 1 6\n");
  QTest::newRow("three-point soma, swapped, off one axis")
      << QByteArray("1 1 1 2 3 5 -1\n2 1 1 5 7 5 1\n3 1 1 -1 -1 5 1\n4 3 9 9 9 1 1\n");
}

void TestSwcDialects::readsWithoutWarning()
{
  QFETCH(QByteArray, text);
  const auto morphology = parse(text.toStdString());
  QVERIFY2(morphology->warnings.empty(), describeWarnings(*morphology));
}

void TestSwcDialects::keepsComments()
{
  const auto morphology =
      parse("# first\r\n#\n  ## indented\n1 1 0 0 0 3 -1 # beside\n#last, with \"quotes\", and tab\t\n2 3 0 1 0 1 1\n");
  QCOMPARE(morphology->comments,
           (std::vector<std::string>{" first", "", "# indented", "last, with \"quotes\", and tab\t"}));
  QVERIFY(morphology->warnings.empty());
}

/// Thousands of files with bytes changed, dropped or doubled: each is read or refused with an Error, whatever it is.
void TestSwcDialects::neverCrashesOnDamagedText()
{
  const std::string alphabet = "0123456789 \t\r\n.,;-+eE#\"nNaAxX\v\f\x1A\xA0\xEF\xBB";
  std::string original = "# header\n1 1 0 0 0 3 -1\n2 1 0 -3 0 3 1\n3 1 0 3 0 3 1\n";
  for (int id = 4; id < 20; ++id)
    original +=
        std::to_string(id) + " 3 " + std::to_string(id * 0.37) + " 5e-1 -7 0.5 " + std::to_string(id / 2) + "\n";
  int read = 0;
  int refused = 0;
  for (std::uint64_t trial = 0; trial < 5000; ++trial) {
    std::string text = original;
    const auto edits = 1 + static_cast<std::uint32_t>(randomUniform(7, trial, 0, 0) * 8);
    for (std::uint32_t edit = 1; edit <= edits; ++edit) {
      const auto at = static_cast<std::size_t>(randomUniform(7, trial, edit, 0) * static_cast<double>(text.size()));
      const char byte =
          alphabet[static_cast<std::size_t>(randomUniform(7, trial, edit, 1) * static_cast<double>(alphabet.size()))];
      const double action = randomUniform(7, trial, edit, 2);
      if (action < 0.4)
        text[at] = byte;
      else if (action < 0.6)
        text.erase(at, 1 + static_cast<std::size_t>(randomUniform(7, trial, edit, 3) * 5));
      else if (action < 0.9)
        text.insert(at, 1, byte);
      else
        text.resize(at + 1);
    }
    const auto error = errorOf([&] {
      const auto morphology = parse(text);
      ++read;
      QCOMPARE(morphology->order.size(), morphology->samples());
      for (const double radius : morphology->solvedRadius)
        QVERIFY(std::isfinite(radius) && radius > 0);
    });
    if (error) {
      ++refused;
      QCOMPARE(error->code(), ErrorCode::BadFormat);
    }
  }
  QCOMPARE(read + refused, 5000);
  QVERIFY2(read > 200 && refused > 200, qPrintable(QStringLiteral("%1 read, %2 refused").arg(read).arg(refused)));
}

HINESIGHT_TEST(TestSwcDialects)
#include "test_swc_dialects.moc"
