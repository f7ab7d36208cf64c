#include "core/error.hpp"
#include "core/files.hpp"
#include "hines/solvers.hpp"
#include "io/csv.hpp"
#include "io/runs/benchmark_report.hpp"
#include "test_main.hpp"

#include <QTemporaryDir>
#include <QTest>

#include <limits>
#include <sstream>

#include <nlohmann/json.hpp>

using namespace hinesight;

namespace {

hines::BenchmarkRow measuredRow()
{
  hines::BenchmarkRow row;
  row.table = "copies";
  row.what = "a \"cell\", with commas";
  row.label = "fine, as read";
  row.cells = 10;
  row.shapes = 1;
  row.compartments = 14'030;
  row.solve.solver = hines::kFine;
  row.solve.backend = Backend::Cuda;
  row.parameters = "balance none, split none";
  row.settings = {{"split", "none"}, {"seed", "7"}};
  row.device = "NVIDIA H200";
  row.driver = "580.159.03, CUDA 13.0";
  row.repetitions.assign(7, 1.0 / 3);
  row.milliseconds = {0.1, 0.125, 1.0 / 3, 0.5, 0.75};
  row.predicted = 0.375;
  row.compartmentsPerSecond = 42'090'000;
  row.bytesMoved = 448'960;
  row.copyBandwidth = 4.25e12;
  row.bandwidthFraction = 0.25;
  row.accuracy = {1e-15, 2e-16};
  row.memoryBytes = 1'000'000;
  return row;
}

hines::BenchmarkRow failedRow()
{
  hines::BenchmarkRow row;
  row.table = "mixed";
  row.accuracy.maxRelativeDifference = std::numeric_limits<double>::infinity();
  row.error = "The batch needs 4 TB, but only 1 GB are free; choose fewer cells.";
  return row;
}

} // namespace

class TestBenchmarkReport : public QObject
{
  Q_OBJECT

private slots:
  void csvReadsBack()
  {
    std::ostringstream text;
    io::writeBenchmarkCsv(std::vector{measuredRow(), failedRow()}, text);
    const auto lines = io::parseCsv(text.str(), "rows.csv");
    QCOMPARE(lines.size(), std::size_t{3});
    const auto field = [&](std::size_t row, const char* name) {
      const auto& names = lines[0].fields;
      const auto column = std::find(names.begin(), names.end(), name) - names.begin();
      return lines[row].fields.at(static_cast<std::size_t>(column));
    };
    QCOMPARE(field(1, "what"), measuredRow().what);
    QCOMPARE(field(1, "solver"), std::string("fine"));
    QCOMPARE(field(1, "backend"), std::string("cuda"));
    QCOMPARE(field(1, "precision"), std::string("double"));
    QCOMPARE(std::stod(field(1, "medianMs")), 1.0 / 3);
    QCOMPARE(std::stod(field(1, "predictedMs")), 0.375);
    QCOMPARE(std::stod(field(1, "upperQuartileMs")), 0.5);
    QCOMPARE(field(1, "memoryBytes"), std::string("1000000"));
    QCOMPARE(settingsOfLines(field(1, "settings")), measuredRow().settings);
    QCOMPARE(field(2, "maxRelativeDifference"), std::string("inf"));
    QCOMPARE(field(2, "error"), failedRow().error);
  }

  void jsonReadsBack()
  {
    std::ostringstream text;
    io::writeBenchmarkJson(std::vector{measuredRow(), failedRow()}, text);
    const auto rows = nlohmann::json::parse(text.str()).at("rows");
    QCOMPARE(rows.size(), std::size_t{2});
    QCOMPARE(rows[0].at("medianMs").get<double>(), 1.0 / 3);
    QCOMPARE(rows[0].at("predictedMs").get<double>(), 0.375);
    QCOMPARE(rows[0].at("driver").get<std::string>(), measuredRow().driver);
    QCOMPARE(rows[0].at("cells").get<int>(), 10);
    QCOMPARE(settingsOfLines(rows[0].at("settings").get<std::string>()), measuredRow().settings);
    QCOMPARE(rows[1].at("maxRelativeDifference").get<std::string>(), std::string("inf"));
    QCOMPARE(rows[1].at("error").get<std::string>(), failedRow().error);
  }

  void filesFollowTheirExtension()
  {
    const QTemporaryDir folder;
    const auto path = [&](const char* name) { return folder.filePath(QLatin1String(name)).toStdString(); };
    const std::vector rows = {measuredRow()};
    io::writeBenchmark(rows, path("rows.JSON"));
    QVERIFY(nlohmann::json::accept(readFile(path("rows.JSON"))));
    io::writeBenchmark(rows, path("rows.csv"));
    QCOMPARE(io::parseCsv(readFile(path("rows.csv")), "rows.csv").size(), std::size_t{2});
    QVERIFY_THROWS_EXCEPTION(Error, io::writeBenchmark(rows, path("rows.txt")));
    QVERIFY_THROWS_EXCEPTION(Error, io::writeBenchmark(rows, path("no/rows.csv")));
  }
};

HINESIGHT_TEST(TestBenchmarkReport)
#include "test_benchmark_report.moc"
