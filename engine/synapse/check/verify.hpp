#pragma once

#include "core/run_control.hpp"
#include "core/stage_timings.hpp"
#include "synapse/formation/formation.hpp"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace hinesight::synapse {

/// Networks that another program formed in one connectivity update, by seed: of excitatory neurons with a vacant axon
/// and a vacant dendrite each, by Barnes-Hut with theta 0.3 and the Gaussian kernel.
struct ForeignRuns
{
  double sigma = 0; ///< um
  std::vector<Network> networks;
};

struct ForeignNetworks
{
  std::shared_ptr<const NeuronPopulation> population;
  std::vector<ForeignRuns> runs;
};

struct VerifyParameters
{
  Backend backend = Backend::Cpu;
  bool quick = false; ///< small sizes, seconds instead of minutes
  int threads = 0;
  std::vector<int> tests;                         ///< numbers of those to run; empty: all
  std::shared_ptr<const ForeignNetworks> foreign; ///< null: test 13 is skipped
};

enum class CheckOutcome
{
  Passed,
  Failed,
  Skipped
};

/// One thing that was looked at.
struct SynapseCheck
{
  int test = 0;         ///< 1 to 15, as kSynapseTests names them
  std::string subject;  ///< such as "gaussian, theta 0.3"
  std::string quantity; ///< what was measured, such as "p-value"
  double value = 0;
  double bound = 0;
  bool isAtLeast = false; ///< the value must not be below the bound, else not above
  CheckOutcome outcome = CheckOutcome::Skipped;
  std::string reason; ///< why it was skipped
};

inline constexpr int kSynapseTests = 15;

/// What a test is about, such as "octree sums".
std::string_view synapseTestName(int test);

/// The p-value below which a check fails: 1e-3 for all of the fewer than 150 checks together (Bonferroni).
inline constexpr double kLeastP = 1e-3 / 150;

/// The tests that prove a synapse former right, against references of their own (verify_reference.hpp): of trees and
/// what a search gathers in them, of the distribution of what it finds, of conflicts, deletion, growth and the whole
/// model, on the given backend wherever it has code of its own. Everything is seeded: the same figures again and again.
/// `seen` is called with each check when it is done. Failures are reported, not thrown. Throws Error(BadParameter) for
/// a test that there is not, Error(NoDevice), Error(Cancelled), and what forming synapses throws.
std::vector<SynapseCheck> verifySynapses(const VerifyParameters& parameters,
                                         const std::function<void(const SynapseCheck&)>& seen = {},
                                         const RunControl& control = {});

} // namespace hinesight::synapse
