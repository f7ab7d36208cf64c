#include "core/error.hpp"
#include "simulation/samples/sample_networks.hpp"
#include "simulation/simulation.hpp"
#include "test_main.hpp"

#include <QTest>

#include <array>
#include <cstring>
#include <limits>
#include <span>
#include <string_view>
#include <vector>

using namespace hinesight;
using namespace hinesight::simulation;

namespace {

constexpr double kTime = 6; // ms

Network makeNetwork()
{
  Network network = samples::ring();
  network.pointNeurons.resize(1);
  network.connections.push_back({4, 4, 1.5, 0.5}); // the train excites the point neuron
  network.connections.push_back({0, 4, 0.5, 9});
  network.probes.push_back({.cell = 0, .node = 0});
  return network;
}

/// What a checkpoint has under a name, null where it has none: its parts are the sizes of name and content, then both.
std::byte* contentOf(Checkpoint& checkpoint, std::string_view name)
{
  for (std::span<std::byte> rest = checkpoint.bytes; !rest.empty();) {
    std::array<std::uint64_t, 2> sizes{};
    std::memcpy(sizes.data(), rest.data(), sizeof sizes);
    std::byte* const begin = rest.data() + sizeof sizes;
    if (std::string_view(reinterpret_cast<const char*>(begin), sizes[0]) == name)
      return begin + sizes[0];
    rest = rest.subspan(sizeof sizes + sizes[0] + sizes[1]);
  }
  return nullptr;
}

} // namespace

/// A file may be a checkpoint by its sums, and yet hold what no simulation has.
class TestCheckpoint : public QObject
{
  Q_OBJECT

private slots:
  void refusesWhatNoSimulationHas_data()
  {
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<int>("at");
    QTest::addColumn<QByteArray>("bytes");
    const auto row = [](const char* title, const char* name, int at, auto value) {
      QTest::newRow(title) << QByteArray(name) << at << QByteArray(reinterpret_cast<const char*>(&value), sizeof value);
    };
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    row("a later step", "step", 0, std::int64_t{1'000'000});
    row("a step without time", "step", 0, std::numeric_limits<std::int64_t>::max());
    row("a potential", "v", 0, kNone);
    row("a state", "states", 8, std::numeric_limits<double>::infinity());
    row("time of an event", "events", 0, kNone);
    row("an event that is over", "events", 0, 0.0);
    row("an event in all eternity", "events", 0, 1e300);
    row("weight of an event", "events", 8, kNone);
    row("target of an event", "events", 16, std::uint64_t{6});
    row("level of a point neuron", "point neurons", 0, kNone);
    row("a point neuron of a later time", "point neurons", 8, 1e9);
    row("a cell of a spike", "cells of spikes", 0, std::uint32_t{5});
    row("time of a spike", "times of spikes", 0, kNone);
    row("first step of records", "first steps", 0, std::int64_t{-1});
    row("another first step of records", "first steps", 0, std::int64_t{7});
  }

  void refusesWhatNoSimulationHas()
  {
    QFETCH(const QByteArray, name);
    QFETCH(const int, at);
    QFETCH(const QByteArray, bytes);
    Simulation simulation(makeNetwork(), {});
    simulation.runUntil(kTime);
    const std::vector<double> potentials = simulation.potentialsOf(0);
    Checkpoint checkpoint = simulation.checkpoint(true);
    simulation.restore(checkpoint);
    std::byte* const content = contentOf(checkpoint, std::string_view(name.constData(), std::size_t(name.size())));
    QVERIFY(content);
    std::memcpy(content + at, bytes.constData(), std::size_t(bytes.size()));
    try {
      simulation.restore(checkpoint);
      QFAIL("it was restored");
    } catch (const Error& error) {
      QCOMPARE(error.code(), ErrorCode::BadFormat);
      QVERIFY2(error.message().starts_with("The checkpoint "), error.what());
    }
    QCOMPARE(simulation.time(), kTime);
    QCOMPARE(simulation.potentialsOf(0), potentials);
  }

  void refusesAnotherTime()
  {
    Simulation simulation(makeNetwork(), {});
    simulation.runUntil(kTime);
    Checkpoint checkpoint = simulation.checkpoint(true);
    checkpoint.time = kTime + 1;
    QVERIFY_EXCEPTION_THROWN(simulation.restore(checkpoint), Error);
    checkpoint.time = kTime;
    checkpoint.bytes.push_back({});
    QVERIFY_EXCEPTION_THROWN(simulation.restore(checkpoint), Error);
  }
};

HINESIGHT_TEST(TestCheckpoint)
#include "test_checkpoint.moc"
