#include "hines/branch/plan.hpp"
#include "hines/solvers.hpp"
#include "io/runs/run_record.hpp"

#include "core/error.hpp"
#include "core/files.hpp"
#include "io/csv.hpp"
#include "test_main.hpp"

#include <QDateTime>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <limits>

using namespace hinesight;
using io::RunRecord;

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

RunRecord plainRun()
{
  RunRecord run;
  run.startedAt = "2026-03-01T12:34:56.789Z";
  run.source = "cell.swc";
  run.cells = 3;
  run.compartments = 12'345;
  run.solver = "multicore";
  run.precision = "single";
  run.parameters = "balance branches, 2 threads";
  run.choice = "multicore, 2 threads: 0.2 ms expected, \"serial\" 1 ms";
  run.balance = "branches";
  run.split = "fixed:16";
  run.pack = "greedy";
  run.blockSize = 128;
  run.figures = hines::ScheduleFigures{12, 22, 345, 0.1, 4096, 123'456, 2};
  run.accuracy = {1.0 / 3 * 1e-15, 2.5e-16};
  run.timings.device = "AMD EPYC, 2 threads";
  run.timings.stages = {{"read", 1.0 / 3}, {"discretize", 0}, {"plan", 2.5}, {"permute", 0.1}, {"solve", 1e-7}};
  run.repetitions = {0.1, 1e-7, 1.0 / 3};
  return run;
}

/// Everything that makes a format stumble.
RunRecord oddRun()
{
  RunRecord run = plainRun();
  run.source = "a \"quoted\", b;\nsecond line\r\nthird, \xC2\xB5m";
  run.cells = std::numeric_limits<std::size_t>::max();
  run.figures->barriers = std::numeric_limits<std::int64_t>::max();
  run.figures->occupancy = -0.0;
  run.accuracy = {kNaN, kInfinity};
  run.plannedFor = "a \"GPU\",\nof two lines";
  run.predicted = 1.0 / 3;
  run.others = 0.7;
  run.timings.backend = Backend::Cuda;
  run.timings.device = "";
  run.timings.stages = {{"read", 5e-324},
                        {"plan", 1.7976931348623157e308},
                        {"upload", 3},
                        {"solve", -kInfinity},
                        {"download, \"all\"", 4}};
  run.repetitions = {-kInfinity};
  return run;
}

/// What is no solve.
RunRecord growthRun()
{
  RunRecord run = io::startRecord(io::RunKind::Growth, "no synapses", {});
  run.timings.device = "AMD EPYC, 2 threads";
  run.timings.stages = {{"electrical", 12}, {"growth", 3}};
  run.cells = 2000;
  run.size = "2000 neurons, 500 steps";
  run.parameters = "target-calcium 0.5, \"fast\"";
  return run;
}

bool sameBits(double a, double b)
{
  return (std::isnan(a) && std::isnan(b)) || (a == b && std::signbit(a) == std::signbit(b));
}

void compare(const std::vector<Stage>& a, const std::vector<Stage>& b)
{
  QCOMPARE(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    QCOMPARE(a[i].name, b[i].name);
    QVERIFY(sameBits(a[i].milliseconds, b[i].milliseconds));
  }
}

void compare(const RunRecord& a, const RunRecord& b)
{
  QCOMPARE(a.startedAt, b.startedAt);
  QCOMPARE(a.source, b.source);
  QCOMPARE(a.cells, b.cells);
  QCOMPARE(a.compartments, b.compartments);
  QCOMPARE(a.solver, b.solver);
  QCOMPARE(a.precision, b.precision);
  QCOMPARE(a.parameters, b.parameters);
  QCOMPARE(a.choice, b.choice);
  QCOMPARE(a.balance, b.balance);
  QCOMPARE(a.split, b.split);
  QCOMPARE(a.pack, b.pack);
  QCOMPARE(a.blockSize, b.blockSize);
  QVERIFY(a.figures == b.figures);
  QVERIFY(!a.figures || sameBits(a.figures->occupancy, b.figures->occupancy));
  QVERIFY(sameBits(a.accuracy.maxRelativeDifference, b.accuracy.maxRelativeDifference));
  QVERIFY(sameBits(a.accuracy.relativeResidual, b.accuracy.relativeResidual));
  QVERIFY(a.repetitions == b.repetitions);
  QVERIFY(a.kind == b.kind);
  QCOMPARE(a.size, b.size);
  QCOMPARE(a.plannedFor, b.plannedFor);
  QVERIFY(sameBits(a.predicted, b.predicted));
  QVERIFY(sameBits(a.others, b.others));
  QVERIFY(a.timings.backend == b.timings.backend);
  QCOMPARE(a.timings.device, b.timings.device);
  compare(a.timings.stages, b.timings.stages);
}

} // namespace

class TestRunRecord : public QObject
{
  Q_OBJECT

  QTemporaryDir folder;

  std::filesystem::path path(const std::string& name) const
  {
    return std::filesystem::path(folder.path().toStdString()) / name;
  }

  std::filesystem::path write(const std::string& name, const std::string& text) const
  {
    writeFileAtomically(path(name), [&](std::ostream& stream) { stream << text; });
    return path(name);
  }

  /// What `read` throws for such a file.
  template <typename Read>
  static Error errorOf(Read read, const std::filesystem::path& file)
  {
    try {
      read(file);
    } catch (const Error& error) {
      return error;
    }
    return Error(ErrorCode::Cancelled, "nothing was thrown");
  }

private slots:
  void quotesFields_data()
  {
    QTest::addColumn<QString>("field");
    QTest::addColumn<QString>("quoted");
    QTest::newRow("plain") << "a b;c"
                           << "a b;c";
    QTest::newRow("empty") << ""
                           << "";
    QTest::newRow("comma") << "a,b"
                           << "\"a,b\"";
    QTest::newRow("quote") << "5\" soma"
                           << "\"5\"\" soma\"";
    QTest::newRow("line end") << "a\nb"
                              << "\"a\nb\"";
  }
  void quotesFields()
  {
    QFETCH(QString, field);
    QFETCH(QString, quoted);
    QCOMPARE(QString::fromStdString(io::quoteCsv(field.toStdString())), quoted);
  }

  void parsesRows_data()
  {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("expected"); // fields by |, rows by /, the line of each row in front
    QTest::newRow("nothing") << ""
                             << "";
    QTest::newRow("plain") << "a,b\nc,d\n"
                           << "1:a|b/2:c|d";
    QTest::newRow("no final line end") << "a,b\nc,d"
                                       << "1:a|b/2:c|d";
    QTest::newRow("CRLF") << "a,b\r\nc,d\r\n"
                          << "1:a|b/2:c|d";
    QTest::newRow("a lone CR belongs to the field") << "a\rx,b\n"
                                                    << "1:a\rx|b";
    QTest::newRow("empty fields") << ",\n,,"
                                  << "1:|/2:||";
    QTest::newRow("empty lines") << "\na\n\n\nb\n"
                                 << "2:a/5:b";
    QTest::newRow("quotes") << "\"a,\"\"b\"\"\",c\n"
                            << "1:a,\"b\"|c";
    QTest::newRow("line ends in quotes") << "\"a\nb\",c\nd,e\n"
                                         << "1:a\nb|c/3:d|e";
    QTest::newRow("empty quotes") << "\"\",a"
                                  << "1:|a";
  }
  void parsesRows()
  {
    QFETCH(QString, text);
    QFETCH(QString, expected);
    QStringList rows;
    for (const io::CsvRow& row : io::parseCsv(text.toStdString(), "x.csv")) {
      QStringList fields;
      for (const std::string& field : row.fields)
        fields << QString::fromStdString(field);
      rows << QString::number(row.line) + ":" + fields.join('|');
    }
    QCOMPARE(rows.join('/'), expected);
  }

  void refusesBadQuotes_data()
  {
    QTest::addColumn<QString>("text");
    QTest::addColumn<qint64>("line");
    QTest::newRow("not closed") << "a\n\"b\nc\n" << qint64{2};
    QTest::newRow("in a field") << "a\nb\"c\n" << qint64{2};
    QTest::newRow("behind a closed one") << "\"a\nb\"c\n" << qint64{2};
  }
  void refusesBadQuotes()
  {
    QFETCH(QString, text);
    QFETCH(qint64, line);
    const Error error = errorOf([&](const std::filesystem::path&) { io::parseCsv(text.toStdString(), "x.csv"); }, {});
    QVERIFY(error.code() == ErrorCode::BadFormat);
    QCOMPARE(error.line(), line);
    QCOMPARE(error.file(), std::string("x.csv"));
  }

  void readsBackWhatItWrote_data()
  {
    QTest::addColumn<QString>("extension");
    QTest::newRow("csv") << ".csv";
    QTest::newRow("json") << ".json";
    QTest::newRow("upper case") << ".CSV";
  }
  void readsBackWhatItWrote()
  {
    QFETCH(QString, extension);
    const auto file = path("runs" + extension.toStdString());
    const bool csv = extension.toLower() == ".csv";
    for (const std::vector<RunRecord>& runs : {std::vector<RunRecord>{},
                                               {plainRun()},
                                               {plainRun(), oddRun(), growthRun(), plainRun()},
                                               {oddRun(), plainRun()}}) {
      io::writeTimings(runs, file);
      const auto read = csv ? io::readTimingsCsv(file) : io::readTimingsJson(file);
      QCOMPARE(read.size(), runs.size());
      for (std::size_t i = 0; i < runs.size(); ++i) {
        compare(read[i], runs[i]);
        if (QTest::currentTestFailed())
          return;
      }
    }
  }

  void hasTheColumnsThatScriptsRead()
  {
    RunRecord second = plainRun();
    second.timings.stages = {{"read", 1}, {"upload", 2.5}, {"solve", 3}};
    io::writeTimingsCsv({plainRun(), second}, path("columns.csv"));
    const auto rows = io::parseCsv(readFile(path("columns.csv")), "");
    QCOMPARE(rows.size(), std::size_t{3});
    const std::vector<std::string> expected = {"startedAt",
                                               "source",
                                               "cells",
                                               "compartments",
                                               "solver",
                                               "precision",
                                               "parameters",
                                               "choice",
                                               "backend",
                                               "device",
                                               "balance",
                                               "split",
                                               "pack",
                                               "blockSize",
                                               "levels",
                                               "barriers",
                                               "criticalPath",
                                               "occupancy",
                                               "paddingBytes",
                                               "bytesMoved",
                                               "blocks",
                                               "maxRelativeDifference",
                                               "relativeResidual",
                                               "repetitions",
                                               "read ms",
                                               "upload ms",
                                               "discretize ms",
                                               "plan ms",
                                               "permute ms",
                                               "solve ms",
                                               "milliseconds",
                                               "files",
                                               "settings",
                                               "kind",
                                               "size",
                                               "plannedFor",
                                               "predictedMilliseconds",
                                               "processorsOfOthers",
                                               "medianLow",
                                               "medianHigh"};
    QCOMPARE(rows[0].fields, expected);
    QCOMPARE(rows[1].fields[23], std::string("0.1 1e-07 0.3333333333333333"));
    QCOMPARE(rows[1].fields[25], std::string()); // no upload
    QCOMPARE(rows[2].fields[25], std::string("2.5"));
    QCOMPARE(rows[2].fields[30], std::string("6.5"));
    QCOMPARE(rows[1].fields[33], std::string("solve"));
    QCOMPARE(rows[1].fields.back(), std::string()); // three repetitions have no interval
  }

  /// What stands behind the repetitions bounds their median.
  void hasTheIntervalOfTheMedian()
  {
    RunRecord run = plainRun();
    run.repetitions = {3, 1, 2, 7, 5, 4, 6, 9, 8};
    io::writeTimings({run}, path("interval.csv"));
    const auto rows = io::parseCsv(readFile(path("interval.csv")), "");
    const std::vector<std::string>& cells = rows[1].fields;
    QCOMPARE(cells[cells.size() - 2], std::string("2"));
    QCOMPARE(cells.back(), std::string("8"));
    io::writeTimings({run, plainRun()}, path("interval.json"));
    const QJsonArray runs =
        QJsonDocument::fromJson(QByteArray::fromStdString(readFile(path("interval.json"))))["runs"].toArray();
    QCOMPARE(runs[0]["medianLow"].toDouble(), 2.0);
    QCOMPARE(runs[0]["medianHigh"].toDouble(), 8.0);
    QVERIFY(runs[1]["medianLow"].isNull());
  }

  /// Runs are compared where they did as much of the same, by the solve or by all of the run.
  void saysWhatARunIsComparedBy()
  {
    RunRecord other = plainRun();
    other.solver = "serial";
    QCOMPARE(io::comparedAs(other), io::comparedAs(plainRun()));
    other.compartments += 1;
    QVERIFY(io::comparedAs(other) != io::comparedAs(plainRun()));
    RunRecord longer = growthRun();
    longer.size = "2000 neurons, 5000 steps";
    QVERIFY(io::comparedAs(longer) != io::comparedAs(growthRun()));
    QCOMPARE(io::timeOf(plainRun()).median, 0.1);
    QCOMPARE(io::timeOf(growthRun()).median, 15.0);
    RunRecord old = plainRun();
    old.repetitions.clear();
    QCOMPARE(io::timeOf(old).median, 1e-7);
    QVERIFY(!io::timeOf(old).interval);
  }

  /// What each of several devices took, in JSON; CSV has the run without it.
  void keepsTheStagesOfDevices()
  {
    RunRecord run = plainRun();
    run.timings.backend = Backend::Cuda;
    run.timings.devices = {{Backend::Cuda, "GPU 1", {{"solve", 1.0 / 3}, {"wait", 0}}},
                           {Backend::Cuda, "GPU 0", {{"solve", 0.1}, {"wait", kInfinity}}}};
    io::writeTimings({run, plainRun()}, path("devices.json"));
    const std::vector<RunRecord> read = io::readTimings(path("devices.json"));
    compare(read[0], run);
    QCOMPARE(read[0].timings.devices.size(), std::size_t{2});
    for (std::size_t k = 0; k < 2; ++k) {
      QVERIFY(read[0].timings.devices[k].backend == Backend::Cuda);
      QCOMPARE(read[0].timings.devices[k].device, run.timings.devices[k].device);
      compare(read[0].timings.devices[k].stages, run.timings.devices[k].stages);
    }
    QVERIFY(read[1].timings.devices.empty());
    const QJsonArray runs =
        QJsonDocument::fromJson(QByteArray::fromStdString(readFile(path("devices.json"))))["runs"].toArray();
    QVERIFY(runs[0].toObject().contains("devices") && !runs[1].toObject().contains("devices"));
    io::writeTimings({run}, path("devices.csv"));
    compare(io::readTimings(path("devices.csv"))[0], run);

    QString text = QString::fromStdString(readFile(path("devices.json")));
    text.replace("\"name\": \"GPU 0\"", "\"name\": 0");
    const Error error = errorOf([](const std::filesystem::path& p) { io::readTimingsJson(p); },
                                write("bad devices.json", text.toStdString()));
    QVERIFY(error.code() == ErrorCode::BadFormat);
    QVERIFY2(QString(error.what()).contains("run 1: 0 is no value for \"name\""), error.what());
  }

  /// Of a benchmark, in JSON; CSV has the run without it.
  void keepsWhatWasAsked()
  {
    RunRecord run = plainRun();
    run.kind = io::RunKind::Benchmark;
    run.asked = {{"bench-hines.cells", "1,10"}, {"solve.copies", "a \"b\""}};
    io::writeTimings({run, plainRun()}, path("asked.json"));
    const std::vector<RunRecord> read = io::readTimings(path("asked.json"));
    compare(read[0], run);
    QVERIFY(read[0].asked == run.asked);
    QVERIFY(read[1].asked.empty());
    io::writeTimings({run}, path("asked.csv"));
    compare(io::readTimings(path("asked.csv"))[0], run);
    const Error error =
        errorOf([](const std::filesystem::path& p) { io::readTimingsJson(p); },
                write("bad asked.json",
                      QString::fromStdString(readFile(path("asked.json"))).replace("\"1,10\"", "7").toStdString()));
    QVERIFY2(QString(error.what()).contains("run 1: \"asked\" holds no text"), error.what());
  }

  void keepsThatFiguresAreNotKnown()
  {
    RunRecord run = plainRun();
    run.figures.reset();
    for (const char* name : {"unknown.csv", "unknown.json"}) {
      io::writeTimings({run, plainRun()}, path(name));
      const std::vector<RunRecord> read =
          io::isTimingsJson(path(name)) ? io::readTimingsJson(path(name)) : io::readTimingsCsv(path(name));
      QCOMPARE(read.size(), std::size_t{2});
      QVERIFY(!read[0].figures);
      compare(read[1], plainRun());
    }
  }

  /// Of version 0.1.0: it did not say how often a batch was solved, but whether the plan of branches was executed.
  void readsFilesOfEarlierVersions()
  {
    for (const char* plan : {"executed", "not executed"}) {
      RunRecord run = plainRun();
      run.repetitions.clear();
      io::writeTimingsCsv({run}, path("now.csv"));
      QString csv = QString::fromStdString(readFile(path("now.csv")));
      csv.replace(",balance,", ",plan,balance,").replace(",branches,", QStringLiteral(",%1,branches,").arg(plan));
      csv.remove("repetitions,");
      const QString residual = ",2.5e-16,";
      const auto cell = csv.indexOf(residual);
      QVERIFY(cell >= 0);
      csv.remove(cell + residual.size(), 1); // of the empty cell behind it
      csv.remove(",kind,size,plannedFor,predictedMilliseconds,processorsOfOthers,medianLow,medianHigh");
      csv.remove(",solve,,,0,0,,");
      write("earlier.csv", csv.toStdString());

      io::writeTimingsJson({run}, path("now.json"));
      QJsonObject object =
          QJsonDocument::fromJson(QByteArray::fromStdString(readFile(path("now.json"))))["runs"][0].toObject();
      for (const char* newer : {"repetitions", "kind", "size", "plannedFor", "predictedMilliseconds",
                                "processorsOfOthers", "medianLow", "medianHigh"})
        object.remove(newer);
      object["plan"] = plan;
      write("earlier.json", QJsonDocument(QJsonObject{{"runs", QJsonArray{object}}}).toJson().toStdString());

      if (plan == std::string("not executed")) {
        run.figures.reset();
        run.balance = run.split = run.pack = "";
        run.blockSize = 0;
      }
      for (const auto& read : {io::readTimingsJson(path("earlier.json")), io::readTimingsCsv(path("earlier.csv"))}) {
        QCOMPARE(read.size(), std::size_t{1});
        compare(read[0], run);
      }
    }
  }

  void writesJsonThatOthersRead()
  {
    RunRecord run = oddRun();
    run.source = "a\xFF.swc"; // no UTF-8
    io::writeTimingsJson({plainRun(), run}, path("runs.json"));
    QJsonParseError failure;
    const std::string text = readFile(path("runs.json"));
    const QJsonDocument document = QJsonDocument::fromJson(QByteArray::fromStdString(text), &failure);
    QVERIFY2(!document.isNull(), qPrintable(failure.errorString()));
    const QJsonArray runs = document["runs"].toArray();
    QCOMPARE(runs.size(), 2);
    const QJsonObject first = runs[0].toObject();
    QCOMPARE(first["compartments"].toInteger(), 12'345);
    QCOMPARE(first["occupancy"].toDouble(), 0.1);
    QCOMPARE(first["backend"].toString(), "cpu");
    QCOMPARE(first["stages"].toArray().size(), 5);
    QCOMPARE(first["stages"][0]["name"].toString(), "read");
    QCOMPARE(first["stages"][0]["milliseconds"].toDouble(), 1.0 / 3);
    QCOMPARE(first["milliseconds"].toDouble(), plainRun().timings.total());
    QCOMPARE(runs[1]["source"].toString(), QString::fromUtf8("a\uFFFD.swc"));
    QCOMPARE(runs[1]["maxRelativeDifference"].toString(), "nan");
    QCOMPARE(runs[1]["relativeResidual"].toString(), "inf");
  }

  void refusesBadFiles_data()
  {
    QTest::addColumn<QString>("extension");
    QTest::addColumn<QString>("from");
    QTest::addColumn<QString>("to");
    QTest::addColumn<qint64>("line");
    QTest::addColumn<QString>("says");
    const auto csv = [](const char* name) -> QTestData& { return QTest::newRow(name) << ".csv"; };
    csv("csv: missing column") << "blockSize"
                               << "block" << qint64{1} << "blockSize";
    csv("csv: word for a number") << ",128,"
                                  << ",many," << qint64{2} << "many";
    csv("csv: number that does not fit") << ",128,"
                                         << ",99999999999," << qint64{2} << "99999999999";
    csv("csv: unknown backend") << ",cpu,"
                                << ",abacus," << qint64{2} << "abacus";
    csv("csv: word for a repetition") << "0.1 1e-07"
                                      << "0.1 soon" << qint64{2} << "soon";
    csv("csv: field too many") << ",128,"
                               << ",128,128," << qint64{2} << "40 fields where the header has 39";
    const auto json = [](const char* name) -> QTestData& { return QTest::newRow(name) << ".json"; };
    json("json: syntax") << "\"solver\":"
                         << "\"solver\"" << qint64{8} << "JSON";
    json("json: missing key") << "\"blockSize\""
                              << "\"block\"" << qint64{0} << "run 1 has no \"blockSize\"";
    json("json: word for a number") << ": 128"
                                    << ": \"many\"" << qint64{0} << "many";
    json("json: number that does not fit") << ": 128"
                                           << ": 99999999999" << qint64{0} << "99999999999";
    json("json: fraction of a cell") << "\"cells\": 3"
                                     << "\"cells\": 3.5" << qint64{0} << "3.5";
    json("json: word for a repetition") << "1e-07"
                                        << "\"soon\"" << qint64{0} << "repetitions";
    json("json: other file") << "\"runs\""
                             << "\"walks\"" << qint64{0} << "runs";
    json("json: stages of another kind") << "\"stages\": ["
                                         << "\"stages\": 1, \"x\": [" << qint64{0} << "stages";
  }
  void refusesBadFiles()
  {
    QFETCH(QString, extension);
    QFETCH(QString, from);
    QFETCH(QString, to);
    QFETCH(qint64, line);
    QFETCH(QString, says);
    const auto file = path("bad" + extension.toStdString());
    io::writeTimings({plainRun()}, file);
    QString text = QString::fromStdString(readFile(file));
    const auto at = text.indexOf(from);
    QVERIFY(at >= 0);
    text.replace(at, from.size(), to);
    write(file.filename().string(), text.toStdString());
    const Error error = errorOf(
        [&](const std::filesystem::path& p) {
          if (extension == ".csv")
            io::readTimingsCsv(p);
          else
            io::readTimingsJson(p);
        },
        file);
    QVERIFY(error.code() == ErrorCode::BadFormat);
    QCOMPARE(error.file(), file.string());
    QCOMPARE(error.line(), line);
    QVERIFY2(QString(error.what()).contains(says), error.what());
  }

  void refusesEmptyAndMissingFiles()
  {
    const auto csv = [](const std::filesystem::path& p) { io::readTimingsCsv(p); };
    const auto json = [](const std::filesystem::path& p) { io::readTimingsJson(p); };
    QVERIFY(errorOf(csv, write("empty.csv", "")).code() == ErrorCode::BadFormat);
    QVERIFY(errorOf(json, write("empty.json", "")).code() == ErrorCode::BadFormat);
    QVERIFY(errorOf(json, write("array.json", "[1]")).code() == ErrorCode::BadFormat);
    QVERIFY(errorOf(csv, path("missing.csv")).code() == ErrorCode::FileNotFound);
  }

  void refusesOtherExtensions_data()
  {
    QTest::addColumn<QString>("name");
    QTest::newRow("text") << "a.txt";
    QTest::newRow("none") << "csv";
    QTest::newRow("hidden") << ".csv";
  }
  void refusesOtherExtensions()
  {
    QFETCH(QString, name);
    const auto file = path(name.toStdString());
    const Error error = errorOf([](const std::filesystem::path& p) { io::writeTimings({}, p); }, file);
    QVERIFY(error.code() == ErrorCode::BadParameter);
    QVERIFY(!std::filesystem::exists(file));
  }

  void leavesTheOldFileWhenItCannotWrite()
  {
    const Error error =
        errorOf([](const std::filesystem::path& p) { io::writeTimings({plainRun()}, p); }, path("no folder/a.csv"));
    QVERIFY(error.code() == ErrorCode::WriteFailed);
  }

  void recordsARun()
  {
    const auto system =
        std::make_shared<const cable::HinesSystem>(cable::HinesSystem{{-1, 0, 0}, {2, 2, 2}, {0, -1, -1}, {1, 2, 3}});
    hines::PlanParameters parameters;
    parameters.split = hines::SplitStrategy::FixedLength;
    parameters.splitLength = 7;
    const auto batch = hines::makeBatch({system}, 4);
    hines::SolveParameters solve;
    solve.solver = hines::kFine;
    solve.of<hines::PlanParameters>() = parameters;
    solve.repeat = 3;
    const auto solution = hines::solve(batch, solve);
    StageTimings timings = solution->timings;
    timings.stages = {{"read", 250}, {"solve", 250}};

    const QDateTime before = QDateTime::currentDateTimeUtc();
    const RunRecord run = io::recordRun("three.swc", *solution, {1e-16, 2e-16}, timings);
    const QDateTime after = QDateTime::currentDateTimeUtc();
    QCOMPARE(run.source, std::string("three.swc"));
    QCOMPARE(run.cells, std::size_t{4});
    QCOMPARE(run.compartments, std::size_t{12});
    QCOMPARE(run.solver, std::string("fine"));
    QCOMPARE(run.balance, std::string("branches"));
    QCOMPARE(run.split, std::string("fixed:7"));
    QCOMPARE(run.pack, std::string("greedy"));
    QVERIFY(run.figures == hines::makePlan(batch, parameters)->figures);
    QCOMPARE(run.accuracy.relativeResidual, 2e-16);
    QCOMPARE(run.timings.total(), 500.0);
    QCOMPARE(run.repetitions, solution->repetitions);
    QCOMPARE(run.repetitions.size(), std::size_t{3});
    const QDateTime started = QDateTime::fromString(QString::fromStdString(run.startedAt), Qt::ISODateWithMs);
    QVERIFY2(started.isValid() && run.startedAt.back() == 'Z', run.startedAt.c_str());
    // It took half a second; the text is cut to the millisecond.
    QVERIFY(started >= before.addMSecs(-501) && started <= after.addMSecs(-500));

    // A solver with a schedule of its own has its own figures, and no plan of branches.
    solve.solver = hines::kSerial;
    const RunRecord serial = io::recordRun("three.swc", *hines::solve(batch, solve), {}, timings);
    QCOMPARE(serial.figures->units, std::size_t{4});
    QCOMPARE(serial.figures->criticalPath, std::int64_t{3});
    QCOMPARE(serial.figures->occupancy, 1.0);
    QVERIFY(serial.balance.empty() && serial.split.empty() && serial.pack.empty() && serial.blockSize == 0);
  }
};

HINESIGHT_TEST(TestRunRecord)
#include "test_run_record.moc"
