#include "synapse/formation/formation.hpp"
#include "synapse/search/search.hpp"
#include "test_main.hpp"
#include "widgets/synapse/synapse_figures.hpp"

#include <QtTest>

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace hinesight;
using namespace hinesight::widgets;

class TestSynapseFigures : public QObject
{
  Q_OBJECT

private slots:
  void expectsWhatANaiveSearchWeighs_data()
  {
    QTest::addColumn<double>("sigma");
    QTest::newRow("wide") << 200.0;
    QTest::newRow("so narrow that all weights are 0") << 0.1;
  }
  /// The expectation against the probabilities that a search gives single neurons.
  void expectsWhatANaiveSearchWeighs()
  {
    QFETCH(double, sigma);
    synapse::FormationParameters parameters;
    parameters.search.kernel.sigma = sigma;
    const auto formation = synapse::formSynapses(synapse::makeRandomPopulation(300, 26, 0.7, 1), parameters);
    DistanceFigure figure = measureDistances(*formation);
    addExpectation(figure, *formation, {});
    QCOMPARE(figure.seekers, 300U);

    const synapse::Octree& tree = *formation->tree;
    const auto& position = formation->population->position;
    synapse::SearchParameters naive = parameters.search;
    naive.kind = synapse::SearchKind::Naive;
    std::vector<double> expected(figure.expected.size(), 0);
    for (int k = 0; k < 300; ++k) {
      const double along = std::fmod((k + 0.5) * 0.61803398874989485, 1.0);
      const std::uint32_t seeker = tree.order[static_cast<std::size_t>(300 * along)];
      const auto& sought = formation->sought[formation->population->isInhibitory[seeker] ? 1 : 0];
      for (const synapse::AcceptedNode& each : synapse::acceptedNodes(tree, position, sought, seeker, 0, naive)) {
        const synapse::Position& at = position[tree.order[tree.leafBegin[each.node]]];
        const double distance =
            std::hypot(at[0] - position[seeker][0], at[1] - position[seeker][1], at[2] - position[seeker][2]);
        const auto bin = std::min(static_cast<std::size_t>(distance / figure.binWidth), expected.size() - 1);
        expected[bin] += each.probability * static_cast<double>(figure.synapses) / 300;
      }
    }
    for (std::size_t bin = 0; bin < expected.size(); ++bin)
      QVERIFY2(std::abs(figure.expected[bin] - expected[bin]) < 1e-3 * (1 + expected[bin]),
               qPrintable(QStringLiteral("bin %1: %2 and %3").arg(bin).arg(figure.expected[bin]).arg(expected[bin])));
    const double sum = std::accumulate(figure.expected.begin(), figure.expected.end(), 0.0);
    QVERIFY(std::abs(sum - static_cast<double>(figure.synapses)) < 1e-6 * sum);
  }

  void stopsWhenCancelled()
  {
    const auto formation = synapse::formSynapses(synapse::makeRandomPopulation(300, 26, 1, 1), {});
    DistanceFigure figure = measureDistances(*formation);
    RunControl control;
    control.cancel();
    QVERIFY_EXCEPTION_THROWN(addExpectation(figure, *formation, control), std::exception);
    QVERIFY(!figure.hasExpectation());
  }
};

HINESIGHT_TEST(TestSynapseFigures)
#include "test_synapse_figures.moc"
