#include "fuzzing.hpp"
#include "hines/choice/cost_cache.hpp"

#include <algorithm>
#include <cmath>

// Costs of solvers, as they are kept between runs. They are taken or not, and those that are taken are the same when
// they are kept and loaded again.

using namespace hinesight;

namespace {

const hines::CostKey kKey{"device", "driver", "version"};
constexpr auto kBackend = Backend::Cpu;
constexpr auto kPrecision = hines::Precision::Double;

bool isCost(double nanoseconds)
{
  return std::isfinite(nanoseconds) && nanoseconds >= 0;
}

} // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***)
{
  if (const char* folder = fuzz::seedFolder())
    hines::saveCosts(std::filesystem::path(folder) / "built_in", kKey, hines::builtInCosts(kBackend, kPrecision));
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size)
{
  static const fuzz::Folder folder;
  const std::filesystem::path file = folder.write("costs.json", fuzz::textOf(bytes, size));
  return fuzz::attempt([&] {
    const auto costs = hines::loadCosts(file, kKey, kBackend, kPrecision);
    if (!costs)
      return;
    for (const hines::SolverCost& cost : costs->costs)
      fuzz::require(std::ranges::all_of(cost.nanoseconds, isCost), "a cost that is none");
    fuzz::whenAccepted([&] { hines::saveCosts(file, kKey, *costs); });
    fuzz::require(hines::loadCosts(file, kKey, kBackend, kPrecision) == costs,
                  "other costs when kept and loaded again");
  });
}
