#pragma once

#include "cell/mechanism.hpp"

#include <filesystem>
#include <string>
#include <string_view>

namespace hinesight::io {

/// Mechanisms of a user's own, as a table of expressions (docs/simulation.md):
///
///     {"mechanisms": [
///       {"name": "kdr", "ion": "k",
///        "parameters": [{"name": "gbar", "value": 0.01}, {"name": "half", "unit": "mV", "value": -20}],
///        "gates": [{"name": "n", "power": 4, "inf": "1/(1+exp(-(v-half)/9))", "tau": "2+3*exp(-(v/30)^2)"}]}]}
///
/// "ion" is na, k or ca, or there is a "reversal" (mV). A gate has "alpha" and "beta" (1/ms), or "inf" and "tau" (ms),
/// or "inf" alone. Throws as readFile, Error(BadFormat) with the mechanism, the gate and what is wrong: a name that
/// there is twice, an expression that cannot be read, a rate below 0 or a time constant that is not above 0 at a
/// potential from -150 to 100 mV.
cell::MechanismTables readMechanismTables(const std::filesystem::path& path);
/// The same for the text of a file. `path` is only for messages.
cell::MechanismTables parseMechanismTables(std::string_view text, const std::string& path);

/// Those of all JSON files in a folder, in the order of their names; none where there is no such folder.
cell::MechanismTables readMechanismFolder(const std::filesystem::path& folder);

} // namespace hinesight::io
