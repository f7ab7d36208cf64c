#pragma once

#include "core/run_control.hpp"
#include "projection/problem.hpp"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace hinesight::io {

/// Names and values in the order in which they stand in a file.
using Metadata = std::vector<std::pair<std::string, std::string>>;

/// The value of a name; empty where there is none.
std::string valueOf(const Metadata& metadata, const std::string& name);
/// The whole number of that name. Throws Error(BadFormat) where there is none.
std::uint64_t countOf(const Metadata& metadata, const std::string& name, const std::string& file);

/// How a population is made, as "ROLE-kind", "ROLE-size", ... (PopulationParameters; lengths apart by blanks).
Metadata describePopulation(const std::string& role, const projection::Population& population);

/// The population that a file's metadata describe: a grid, a box or a sphere. Null where they describe none, or one
/// whose positions they do not hold (of a file, of somata). Throws Error(BadFormat) for values that make no
/// population of `count` neurons, and as makePopulation.
std::shared_ptr<const projection::Population> restorePopulation(const Metadata& metadata, const std::string& role,
                                                                std::uint64_t count, const std::string& file,
                                                                const RunControl& control);

/// The parameters of a projection by the names of projection::describe; what is not named keeps its default. Throws
/// Error(BadFormat) for a value that is none.
projection::ProjectionParameters restoreParameters(const Metadata& metadata, const std::string& file);

} // namespace hinesight::io
