#include "io/fields.hpp"
#include "test_main.hpp"

#include <QTest>

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <sstream>
#include <string>
#include <vector>

using namespace hinesight;

namespace {

struct Solve
{
  std::string device = "none";
  std::int32_t order = -1;
  std::uint64_t bytes = std::numeric_limits<std::uint64_t>::max();
  double ms = 0.1;
  std::optional<double> floor;
};

template <typename Visitor>
void visitFields(const Solve& solve, Visitor&& visit)
{
  visit("device", solve.device);
  visit("order", solve.order);
  visit("bytes", solve.bytes);
  visit("ms", solve.ms);
  visit("floorMs", solve.floor);
}

const std::vector<Solve> kSolves = {
    {"a \"GPU\", new", 2, 7, 1.0 / 3, 0.25},
    {"\xff", -1, std::numeric_limits<std::uint64_t>::max(), std::numeric_limits<double>::infinity(), {}}};

} // namespace

class TestFieldTables : public QObject
{
  Q_OBJECT

private slots:
  void csvHasALineARow()
  {
    std::ostringstream text;
    io::writeCsv(io::fieldTable(std::span(kSolves)), text);
    QCOMPARE(text.str(), std::string("device,order,bytes,ms,floorMs\n"
                                     "\"a \"\"GPU\"\", new\",2,7,0.3333333333333333,0.25\n"
                                     "\xff,-1,18446744073709551615,inf,\n"));
  }

  void jsonHasAnObjectARow()
  {
    std::ostringstream text;
    io::writeJson("solves", io::fieldTable(std::span(kSolves)), text,
                  {{"crossover", io::fieldValue(std::optional<double>())}, {"pairs", io::fieldValue(12)}});
    QCOMPARE(text.str(), std::string("{\n"
                                     "  \"solves\": [\n"
                                     "    {\n"
                                     "      \"device\": \"a \\\"GPU\\\", new\",\n"
                                     "      \"order\": 2,\n"
                                     "      \"bytes\": 7,\n"
                                     "      \"ms\": 0.3333333333333333,\n"
                                     "      \"floorMs\": 0.25\n"
                                     "    },\n"
                                     "    {\n"
                                     "      \"device\": \"\uFFFD\",\n"
                                     "      \"order\": -1,\n"
                                     "      \"bytes\": 18446744073709551615,\n"
                                     "      \"ms\": \"inf\",\n"
                                     "      \"floorMs\": null\n"
                                     "    }\n"
                                     "  ],\n"
                                     "  \"crossover\": null,\n"
                                     "  \"pairs\": 12\n"
                                     "}\n"));
  }

  void aTableWithoutRowsHasNames()
  {
    std::ostringstream csv, json;
    const io::FieldTable table = io::fieldTable(std::span<const Solve>());
    io::writeCsv(table, csv);
    io::writeJson("solves", table, json);
    QCOMPARE(csv.str(), std::string("device,order,bytes,ms,floorMs\n"));
    QCOMPARE(json.str(), std::string("{\n  \"solves\": []\n}\n"));
  }
};

HINESIGHT_TEST(TestFieldTables)
#include "test_field_tables.moc"
