#pragma once

#include "model/project.hpp"

#include <span>
#include <string>
#include <vector>

namespace hinesight::model {

/// One thing that differs between two projects.
struct Change
{
  std::string path;  ///< "populations.E.count", as setByPath takes it; of a list that has other members, "populations"
  std::string words; ///< "E: Neurons 1000 to 200", "Add the population E", "Open stellate"

  bool operator==(const Change&) const = default;
};

/// What has become of `before`: in the order of the project's parts, of those fields first that have an effect. Empty
/// where both are equal.
std::vector<Change> changesBetween(const Project& before, const Project& after);

/// In a line: what changed first, and how much else did. Empty for none.
std::string summarize(std::span<const Change> changes);

/// What setByPath is to be told, one after another, so that `saved` becomes `now` in all that lies below one of these
/// beginnings of paths: "populations.", "connections.input.". Of what only a picture shows, and of hashes of files,
/// nothing. Throws Error(BadParameter) where a part was added, removed or renamed, or a list of parts in it changed: no
/// assignment says that.
std::vector<std::string> assignmentsBetween(const Project& saved, const Project& now,
                                            std::span<const std::string> below);

} // namespace hinesight::model
