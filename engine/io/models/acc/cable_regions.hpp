#pragma once

#include "io/models/acc/cable_tree.hpp"
#include "io/models/acc/s_expression.hpp"

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace hinesight::io {

/// A part of a branch, from 0 to 1 of its length.
struct Cable
{
  std::int32_t branch;
  double from, to;
};
/// A region: by branch and start, none touching another of its branch.
using Cables = std::vector<Cable>;

/// Evaluates regions, sets of locations and inhomogeneous expressions of Arbor on a cell (Arbor documentation, "Cable
/// cell labels").
class CableRegions
{
public:
  /// Both outlive it. `path` is for messages.
  CableRegions(const CableTree& cableTree, const std::string& file) : tree(cableTree), path(file) {}

  /// Takes `(region-def "NAME" REGION)`, `(locset-def "NAME" LOCSET)` and `(iexpr-def ...)`, which live as long as it.
  void define(const SExpression& definition);

  /// Throws Error(BadFormat) with the line, for a region, locset or expression that is not known.
  Cables region(const SExpression& expression) const { return region(expression, 0); }
  std::vector<CableLocation> locations(const SExpression& expression) const { return locations(expression, 0); }
  /// The value at a place.
  std::function<double(const CableLocation&)> value(const SExpression& expression) const
  {
    return value(expression, 0);
  }

  /// What was chosen by chance.
  const std::vector<std::string>& notes() const { return said; }

private:
  [[noreturn]] void fail(const SExpression& at, const std::string& what) const;
  void requireArguments(const SExpression& at, std::size_t least, std::size_t most) const;
  double number(const SExpression& of, std::size_t argument) const;
  std::int32_t whole(const SExpression& of, std::size_t argument) const;
  std::int32_t branchOf(const SExpression& of, std::size_t argument) const;
  const SExpression& defined(const SExpression& reference, const char* kind, int depth) const;

  Cables region(const SExpression& expression, int depth) const;
  Cables allCables() const;
  Cables ofSegments(const std::function<bool(std::size_t)>& isIn) const;
  Cables ofRadius(const Cables& of, const std::function<bool(double)>& isIn, double limit) const;
  Cables distalOf(const std::vector<CableLocation>& starts, double extent) const;
  Cables proximalOf(const std::vector<CableLocation>& ends, double extent) const;

  std::vector<CableLocation> locations(const SExpression& expression, int depth) const;
  std::vector<CableLocation> mostDistal(const Cables& of) const;
  std::vector<CableLocation> mostProximal(const Cables& of) const;
  std::vector<CableLocation> drawn(const SExpression& expression, int depth) const;

  std::function<double(const CableLocation&)> value(const SExpression& expression, int depth) const;
  double distance(const CableLocation& a, const CableLocation& b) const;

  const CableTree& tree;
  const std::string& path;
  std::map<std::string, const SExpression*, std::less<>> regions, locsets, expressions;
  mutable std::vector<std::string> said;
};

/// Regions as sets.
Cables merged(Cables cables);
Cables common(const Cables& a, const Cables& b);
/// What of `a` is not in `b`.
Cables without(const Cables& a, const Cables& b);

} // namespace hinesight::io
