#include "io/runs/history_records.hpp"
#include "test_main.hpp"

#include <QTest>

#include <optional>
#include <string>

using namespace hinesight;

class TestHistoryRecords : public QObject
{
  Q_OBJECT

private slots:
  /// What a run was of is found again in its source, whatever the names are.
  void knowsTheConnectionOfARun()
  {
    using Name = std::optional<std::string>;
    io::RunRecord run;
    const std::string joined = io::joinInWords("E: a", "I → b");
    run.source = joined;
    QVERIFY(io::connectionOf(run, joined) == Name(""));
    run.source = io::nameConnection("", joined);
    QVERIFY(io::connectionOf(run, joined) == Name(""));
    run.source = io::nameConnection("E: I → b", joined);
    QVERIFY(io::connectionOf(run, joined) == Name("E: I → b"));
    QVERIFY(!io::connectionOf(run, io::joinInWords("E", "I")));
    QVERIFY(!io::connectionOf(run, "b")); // no whole source
    run.source = io::nameConnection("near", std::string(io::kFormedInWords));
    QVERIFY(io::connectionOf(run, io::kFormedInWords) == Name("near"));
    QVERIFY(!io::connectionOf(run, joined));
  }

  /// As a record of a table is named.
  void aTableIsNamedByWhatItJoins()
  {
    projection::PopulationParameters source;
    source.name = "E";
    source.size = {3, 1, 1};
    projection::PopulationParameters target = source;
    target.name = "I";
    projection::Projection joins;
    joins.source = projection::makePopulation(source);
    joins.destination = projection::makePopulation(target);
    const auto table = projection::project(joins);
    const io::RunRecord made = io::recordOf(*table, {}, table->timings);
    QVERIFY(io::connectionOf(made, io::joinInWords("E", "I")) == std::optional<std::string>(""));
    const io::RunRecord read = io::recordOf(*table, "folder/a.npy", table->timings);
    QCOMPARE(read.source, "a.npy: " + io::joinInWords("E", "I"));
  }
};

HINESIGHT_TEST(TestHistoryRecords)
#include "test_history_records.moc"
