#pragma once

#include "cable/discretization.hpp"
#include "cable/hines_system.hpp"

#include <cstdint>
#include <vector>

namespace hinesight::cable {

/// The backward Euler system of compartments at rest plus the soma current (huber 2018, section 1):
/// (C/dt + g_leak + sum g) V_i - sum g V_j = C/dt E + g_leak E + I. Conductances in uS, currents in nA, voltages in mV.
/// `area` in um2, `axialConductance` in uS to the parent. A compartment without area has couplings only. The current
/// goes into every compartment without parent.
HinesSystem assembleSystem(std::vector<std::int32_t> parent, const std::vector<double>& area,
                           const std::vector<double>& axialConductance, const DiscretizationParameters& parameters,
                           const RunControl& control = {});

/// Bytes per compartment of a HinesSystem.
constexpr std::size_t kSystemBytes = sizeof(std::int32_t) + 3 * sizeof(double);

} // namespace hinesight::cable
