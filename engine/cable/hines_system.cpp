#include "cable/hines_system.hpp"

#include "cable/assembly.hpp"
#include "core/error.hpp"

#include <cmath>
#include <limits>
#include <string>
#include <utility>

namespace hinesight::cable {

namespace {

constexpr std::size_t kCheckpointInterval = 1 << 16;

[[noreturn]] void rejectCompartment(std::size_t i, const std::string& what)
{
  throw Error(ErrorCode::BadFormat, "Compartment " + std::to_string(i) + " of a Hines system " + what +
                                        "; number compartments root first and give finite values.");
}

} // namespace

void validate(const HinesSystem& system)
{
  const std::size_t n = system.size();
  if (system.d.size() != n || system.u.size() != n || system.b.size() != n)
    throw Error(ErrorCode::BadFormat, "A Hines system has " + std::to_string(n) + " parents but " +
                                          std::to_string(system.d.size()) + " diagonal values, " +
                                          std::to_string(system.u.size()) + " couplings and " +
                                          std::to_string(system.b.size()) +
                                          " right-hand sides; all four must have one value per compartment.");
  if (n > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()))
    throw Error(ErrorCode::BadFormat,
                "A Hines system has " + std::to_string(n) + " compartments; at most 2147483647 can be numbered.");
  for (std::size_t i = 0; i < n; ++i) {
    const std::int32_t parent = system.parent[i];
    if (parent < -1 || parent >= static_cast<std::int64_t>(i))
      rejectCompartment(i, "has parent " + std::to_string(parent) + ", which is neither before it nor -1");
    if (!std::isfinite(system.d[i]) || !std::isfinite(system.u[i]) || !std::isfinite(system.b[i]))
      rejectCompartment(i, "has a value that is not finite");
  }
}

HinesSystem assembleSystem(std::vector<std::int32_t> parent, const std::vector<double>& area,
                           const std::vector<double>& axialConductance, const DiscretizationParameters& parameters,
                           const RunControl& control)
{
  // C/dt: 1 um2 uF/cm2 / ms = 1e-8 mS = 1e-5 uS. Leak: 1 um2 S/cm2 = 1e-8 S = 1e-2 uS.
  const double capacitancePerArea = 1e-5 * parameters.membraneCapacitance / parameters.timeStep;
  const double leakPerArea = 1e-2 * parameters.leakConductance;

  HinesSystem system;
  system.parent = std::move(parent);
  const std::size_t n = system.size();
  system.d.reserve(n);
  system.u.reserve(n);
  system.b.reserve(n);
  for (std::size_t i = 0; i < n; ++i) {
    if (i % kCheckpointInterval == 0)
      control.checkpoint();
    const double membrane = (capacitancePerArea + leakPerArea) * area[i];
    const double g = axialConductance[i];
    system.d.push_back(membrane + g);
    system.u.push_back(-g);
    system.b.push_back(membrane * parameters.leakReversal);
    if (system.parent[i] < 0) {
      system.u[i] = 0;
      system.b[i] += parameters.somaCurrent;
    } else {
      system.d[static_cast<std::size_t>(system.parent[i])] += g;
    }
  }
  return system;
}

} // namespace hinesight::cable
