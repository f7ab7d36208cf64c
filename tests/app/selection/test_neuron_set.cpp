#include "app/selection/neuron_set.hpp"
#include "test_main.hpp"

#include <QtTest>

#include <cstdint>
#include <string>

using hinesight::app::NeuronSet;
using Numbers = NeuronSet::Numbers;

class TestNeuronSet : public QObject
{
  Q_OBJECT

private slots:
  void hasEachNeuronOnce();
  void isUnitedAndSubtracted();
  void followsItsPopulations();
  void endsWithItsPopulations();
  void isWrittenAsAnExpression();
  void expressionsFollowANewName();
};

void TestNeuronSet::hasEachNeuronOnce()
{
  NeuronSet set;
  QVERIFY(set.isEmpty());
  set.add("E", Numbers{5, 1, 5});
  set.add("E", 4, 7);
  set.add("I", Numbers{});
  QCOMPARE(set.of("E"), (Numbers{1, 4, 5, 6}));
  QCOMPARE(set.count(), std::size_t{4});
  QVERIFY(set.has("E", 4) && !set.has("E", 3) && !set.has("I", 4));
  QCOMPARE(set.populations().size(), std::size_t{1});
}

void TestNeuronSet::isUnitedAndSubtracted()
{
  NeuronSet a, b;
  a.add("E", 0, 4);
  b.add("E", 2, 6);
  b.add("I", 0, 2);
  QCOMPARE((a | b).of("E"), (Numbers{0, 1, 2, 3, 4, 5}));
  QCOMPARE((a | b).of("I"), (Numbers{0, 1}));
  QCOMPARE((a - b).of("E"), (Numbers{0, 1}));
  QVERIFY((a - a).isEmpty());
  QVERIFY((a - a) == NeuronSet());
}

void TestNeuronSet::followsItsPopulations()
{
  NeuronSet set;
  set.add("E", 0, 4);
  set.renamePopulation("E", "pyramidal");
  QCOMPARE(set.of("pyramidal").size(), std::size_t{4});
  QCOMPARE(set.removeIf([](const std::string&, std::uint32_t neuron) { return neuron >= 1; }), std::size_t{3});
  QCOMPARE(set.of("pyramidal"), Numbers{0});
  set.removeIf([](const std::string& population, std::uint32_t) { return population == "pyramidal"; });
  QVERIFY(set.isEmpty());
}

/// Populations of 4 neurons but one that is gone.
void TestNeuronSet::endsWithItsPopulations()
{
  NeuronSet set;
  set.add("E", Numbers{0, 3, 4, 9});
  set.add("I", Numbers{3});
  set.add("gone", Numbers{0, 1});
  const NeuronSet::Ends ends = [](const std::string& population) -> std::uint64_t {
    return population == "gone" ? 0 : 4;
  };
  QCOMPARE(set.countBehind(ends), std::size_t{4});
  set.cut(ends);
  QCOMPARE(set.of("E"), (Numbers{0, 3}));
  QCOMPARE(set.of("I"), Numbers{3});
  QCOMPARE(set.populations().size(), std::size_t{2});
  QCOMPARE(set.countBehind(ends), std::size_t{0});
}

void TestNeuronSet::isWrittenAsAnExpression()
{
  NeuronSet set;
  QCOMPARE(expressionOf(set), std::string());
  set.add("E", Numbers{7});
  set.add("I", Numbers{1, 2, 3, 9});
  QCOMPARE(expressionOf(set), std::string("population == \"E\" && index == 7 || "
                                          "population == \"I\" && index in {1, 2, 3, 9}"));
  NeuronSet ranges;
  ranges.add("E", Numbers{1});
  ranges.add("E", 10, 41);
  QCOMPARE(expressionOf(ranges), std::string("population == \"E\" && (index == 1 || 10 <= index <= 40)"));
}

/// Only what is the whole name of it.
void TestNeuronSet::expressionsFollowANewName()
{
  std::string expression = "population == \"E\" || population in {'E', \"E2\"} && index > 3";
  QVERIFY(hinesight::app::renamePopulation(expression, "E", "L\"5\""));
  QCOMPARE(expression, std::string("population == 'L\"5\"' || population in {'L\"5\"', \"E2\"} && index > 3"));
  QVERIFY(!hinesight::app::renamePopulation(expression, "E", "I"));
}

HINESIGHT_TEST(TestNeuronSet)
#include "test_neuron_set.moc"
