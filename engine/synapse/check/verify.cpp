#include "synapse/check/verify.hpp"

#include "core/device.hpp"
#include "core/error.hpp"
#include "synapse/check/verify_checks.hpp"

#include <algorithm>
#include <array>

namespace hinesight::synapse {

namespace {

struct Test
{
  std::string_view name;
  void (*run)(checks::Session&);
};

constexpr std::array<Test, kSynapseTests> kTests = {{{"octree sums", checks::checkTrees},
                                                     {"gathered nodes", checks::checkGathers},
                                                     {"conservation", checks::checkConservation},
                                                     {"same network", checks::checkRepeatability},
                                                     {"exact kernel", checks::checkExactPicks},
                                                     {"induced distribution", checks::checkInducedPicks},
                                                     {"approximation", checks::checkApproximation},
                                                     {"flat kernel", checks::checkFlatKernel},
                                                     {"lengths", checks::checkDistances},
                                                     {"conflicts", checks::checkConflicts},
                                                     {"independence", checks::checkDraws},
                                                     {"deletion", checks::checkDeletion},
                                                     {"RELeARN's networks", checks::checkForeign},
                                                     {"dynamics", checks::checkDynamics},
                                                     {"long gathers", checks::checkLongGathers}}};

std::vector<int> testsOf(const VerifyParameters& parameters)
{
  std::vector<int> tests = parameters.tests;
  for (int test = 1; parameters.tests.empty() && test <= kSynapseTests; ++test)
    tests.push_back(test);
  for (const int test : tests)
    if (test < 1 || test > kSynapseTests)
      throw Error(ErrorCode::BadParameter,
                  "There is no test " + std::to_string(test) + "; choose 1 to " + std::to_string(kSynapseTests) + ".");
  return tests;
}

} // namespace

std::string_view synapseTestName(int test)
{
  return kTests[static_cast<std::size_t>(test - 1)].name;
}

std::vector<SynapseCheck> verifySynapses(const VerifyParameters& parameters,
                                         const std::function<void(const SynapseCheck&)>& seen,
                                         const RunControl& control)
{
  const std::vector<int> tests = testsOf(parameters);
  requireDevice(parameters.backend);
  checks::Session session(parameters, seen, control);
  for (std::size_t i = 0; i < tests.size(); ++i) {
    control.report("verify", static_cast<double>(i) / static_cast<double>(tests.size()));
    session.test = tests[i];
    kTests[static_cast<std::size_t>(tests[i] - 1)].run(session);
  }
  control.report("verify", 1);
  return std::move(session.results);
}

namespace checks {

void Session::add(SynapseCheck check)
{
  check.test = test;
  results.push_back(std::move(check));
  if (seen)
    seen(results.back());
}

void Session::atMost(const std::string& subject, const std::string& quantity, double value, double bound)
{
  add({0, subject, quantity, value, bound, false, value <= bound ? CheckOutcome::Passed : CheckOutcome::Failed, {}});
}

void Session::atLeast(const std::string& subject, const std::string& quantity, double value, double bound)
{
  add({0, subject, quantity, value, bound, true, value >= bound ? CheckOutcome::Passed : CheckOutcome::Failed, {}});
}

void Session::pValue(const std::string& subject, const std::vector<double>& p)
{
  pValue(subject, std::min(1.0, *std::ranges::min_element(p) * static_cast<double>(p.size())));
}

void Session::skip(const std::string& subject, const std::string& reason)
{
  add({0, subject, {}, 0, 0, false, CheckOutcome::Skipped, reason});
}

} // namespace checks

} // namespace hinesight::synapse
