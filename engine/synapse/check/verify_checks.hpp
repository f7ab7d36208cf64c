#pragma once

#include "synapse/check/verify.hpp"
#include "synapse/formation/statistics.hpp"

#include <functional>
#include <memory>
#include <string>
#include <vector>

// The tests behind verifySynapses.

namespace hinesight::synapse::checks {

/// What a test runs with, and where its results go.
class Session
{
public:
  Session(const VerifyParameters& given, std::function<void(const SynapseCheck&)> listener, const RunControl& run)
      : parameters(given), control(run.silenced()), seen(std::move(listener))
  {}

  const VerifyParameters& parameters;
  RunControl control;
  int test = 0; ///< the one that is running

  bool quick() const { return parameters.quick; }
  /// The size of a quick run, or of a full one.
  template <typename Number>
  Number size(Number small, Number large) const
  {
    return parameters.quick ? small : large;
  }

  void atMost(const std::string& subject, const std::string& quantity, double value, double bound);
  void atLeast(const std::string& subject, const std::string& quantity, double value, double bound);
  void pValue(const std::string& subject, double p) { atLeast(subject, "p-value", p, kLeastP); }
  /// Of several tests of one thing: the least of their p-values, times their number.
  void pValue(const std::string& subject, const std::vector<double>& p);
  void skip(const std::string& subject, const std::string& reason);

  std::vector<SynapseCheck> results;

private:
  void add(SynapseCheck check);

  std::function<void(const SynapseCheck&)> seen;
};

/// A kernel with a name for the subject of a check.
struct NamedKernel
{
  std::string name;
  KernelParameters parameters;
};

/// One of each kind whose values differ much over a few hundred um.
std::vector<NamedKernel> someKernels();
KernelParameters gaussianKernel(double sigma);
/// The same at every distance.
KernelParameters flatKernel();

/// What every vacant element of one channel found where no request was refused: how often each seeker found each
/// neuron.
struct Picks
{
  std::shared_ptr<const NeuronPopulation> population;
  std::shared_ptr<const Octree> tree;
  std::uint32_t draws = 0;           ///< elements of a seeker
  std::vector<Synapse> found;        ///< source: the seeker; target: what it found; weight: how often, positive
  std::vector<std::uint32_t> vacant; ///< elements that were sought, by neuron
};

/// `draws` vacant elements of every excitatory neuron seek among the same vacant elements of all, by formSynapses on
/// the backend of the session.
Picks drawPicks(const Session& session, std::shared_ptr<const NeuronPopulation> population,
                const SearchParameters& search, std::uint32_t draws);

/// Picks of some seekers compared with the distributions that they should follow.
struct PickTest
{
  double cells = 1;          ///< p-value of every seeker's counts by what it found, added up
  double targets = 1;        ///< of the counts by what was found, over all seekers
  double lengths = 1;        ///< of the distances
  double lengthDistance = 0; ///< Kolmogorov and Smirnov's of the distances
  bool isComplete = true;    ///< every seeker found as often as it sought, or nothing where nothing can be found

  std::vector<double> pValues() const { return {isComplete ? cells : 0.0, targets, lengths}; }
};

/// `distributionOf`: the probability of every neuron, by seeker; is called from several threads.
PickTest comparePicks(const Session& session, const Picks& picks,
                      const std::function<std::vector<double>(std::uint32_t)>& distributionOf);

void checkTrees(Session& session);         // 1
void checkGathers(Session& session);       // 2
void checkConservation(Session& session);  // 3
void checkRepeatability(Session& session); // 4
void checkExactPicks(Session& session);    // 5
void checkInducedPicks(Session& session);  // 6
void checkApproximation(Session& session); // 7
void checkFlatKernel(Session& session);    // 8
void checkDistances(Session& session);     // 9
void checkConflicts(Session& session);     // 10
void checkDraws(Session& session);         // 11
void checkDeletion(Session& session);      // 12
void checkForeign(Session& session);       // 13
void checkDynamics(Session& session);      // 14
void checkLongGathers(Session& session);   // 15

} // namespace hinesight::synapse::checks
