#pragma once

#include "core/fields.hpp"
#include "core/run_control.hpp"
#include "projection/problem.hpp"

#include <memory>
#include <string>
#include <vector>

namespace hinesight::io {

/// What a file carries beside the rows, in its order.
using Metadata = std::vector<Setting>;

/// The value of a name; empty where there is none.
std::string valueOf(const Metadata& metadata, const std::string& name);
/// The whole number of that name. Throws Error(BadFormat) where there is none.
std::uint64_t countOf(const Metadata& metadata, const std::string& name, const std::string& file);

/// How a population is made, as "ROLE-kind", "ROLE-size", ...: the fields of PopulationParameters that apply, but name
/// and count, which files name by themselves.
Metadata describePopulation(const std::string& role, const projection::Population& population);

/// The population that a file's metadata describe: a grid, a box or a sphere. Null where they describe none, or one
/// whose positions they do not hold (of a file, of somata). Throws Error(BadFormat) for values that make no
/// population of `count` neurons, and as makePopulation.
std::shared_ptr<const projection::Population> restorePopulation(const Metadata& metadata, const std::string& role,
                                                                std::uint64_t count, const std::string& file,
                                                                const RunControl& control);

/// The parameters of a projection by the names of their fields; what is not named keeps its default. Throws
/// Error(BadFormat) for a value that is none or out of its range.
projection::ProjectionParameters restoreParameters(const Metadata& metadata, const std::string& file);

} // namespace hinesight::io
