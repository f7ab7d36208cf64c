#include "io/models/acc/cable_regions.hpp"

#include "core/error.hpp"
#include "core/fixed/fixed_math.hpp"
#include "core/philox.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

namespace hinesight::io {

namespace {

constexpr double kBoundless = std::numeric_limits<double>::infinity(); // µm
constexpr int kDeepest = 100;                                          // labels that name labels

using Locations = std::vector<CableLocation>;

Locations distinct(Locations locations)
{
  std::ranges::sort(locations);
  locations.erase(std::ranges::unique(locations).begin(), locations.end());
  return locations;
}

} // namespace

Cables merged(Cables cables)
{
  std::ranges::sort(cables, [](const Cable& a, const Cable& b) {
    return a.branch != b.branch ? a.branch < b.branch : a.from < b.from;
  });
  Cables made;
  for (const Cable& cable : cables)
    if (!made.empty() && made.back().branch == cable.branch && cable.from <= made.back().to)
      made.back().to = std::max(made.back().to, cable.to);
    else
      made.push_back(cable);
  return made;
}

Cables common(const Cables& a, const Cables& b)
{
  Cables made;
  for (const Cable& x : a)
    for (const Cable& y : b)
      if (x.branch == y.branch && std::max(x.from, y.from) < std::min(x.to, y.to))
        made.push_back({x.branch, std::max(x.from, y.from), std::min(x.to, y.to)});
  return merged(std::move(made));
}

Cables without(const Cables& a, const Cables& b)
{
  Cables left = a;
  for (const Cable& cut : b) {
    Cables next;
    for (const Cable& cable : left) {
      if (cable.branch != cut.branch || cut.to <= cable.from || cut.from >= cable.to) {
        next.push_back(cable);
        continue;
      }
      if (cut.from > cable.from)
        next.push_back({cable.branch, cable.from, cut.from});
      if (cut.to < cable.to)
        next.push_back({cable.branch, cut.to, cable.to});
    }
    left = std::move(next);
  }
  return merged(std::move(left));
}

void CableRegions::fail(const SExpression& at, const std::string& what) const
{
  throw Error(ErrorCode::BadFormat, what, path, at.line);
}

void CableRegions::requireArguments(const SExpression& at, std::size_t least, std::size_t most) const
{
  if (at.arguments() < least || at.arguments() > most)
    fail(at, "\"" + std::string(at.head()) + "\" has " + std::to_string(at.arguments()) + " arguments");
}

double CableRegions::number(const SExpression& of, std::size_t argument) const
{
  if (argument >= of.arguments() || of.argument(argument).kind != SExpression::Kind::Number)
    fail(of, "\"" + std::string(of.head()) + "\" has no number where one is needed");
  return of.argument(argument).number;
}

std::int32_t CableRegions::whole(const SExpression& of, std::size_t argument) const
{
  const double value = number(of, argument);
  if (value != std::floor(value) || std::abs(value) > std::numeric_limits<std::int32_t>::max())
    fail(of, "\"" + std::string(of.head()) + "\" has a number that is not whole where one is needed");
  return static_cast<std::int32_t>(value);
}

std::int32_t CableRegions::branchOf(const SExpression& of, std::size_t argument) const
{
  const std::int32_t branch = whole(of, argument);
  if (branch < 0 || static_cast<std::size_t>(branch) >= tree.branches().size())
    fail(of, "names the branch " + std::to_string(branch) + "; the cell has " + std::to_string(tree.branches().size()) +
                 " branches");
  return branch;
}

void CableRegions::define(const SExpression& definition)
{
  if (definition.arguments() != 2 || definition.argument(0).kind != SExpression::Kind::Text)
    fail(definition, "a label has no name and no expression");
  const std::string_view kind = definition.head();
  auto& into = kind == "region-def" ? regions : kind == "locset-def" ? locsets : expressions;
  if (kind != "region-def" && kind != "locset-def" && kind != "iexpr-def")
    fail(definition, "\"" + std::string(kind) + "\" is no label; there are region-def, locset-def and iexpr-def");
  into[definition.argument(0).text] = &definition.argument(1);
}

const SExpression& CableRegions::defined(const SExpression& reference, const char* kind, int depth) const
{
  requireArguments(reference, 1, 1);
  const auto& from = reference.head() == "region" ? regions : reference.head() == "locset" ? locsets : expressions;
  const auto found = from.find(reference.argument(0).text);
  if (found == from.end())
    fail(reference, "the " + std::string(kind) + " \"" + reference.argument(0).text + "\" is not defined");
  if (depth > kDeepest)
    fail(reference, "the " + std::string(kind) + " \"" + reference.argument(0).text + "\" is defined by itself");
  return *found->second;
}

// --- Regions --------------------------------------------------------------------------------------------------------

Cables CableRegions::allCables() const
{
  Cables all;
  for (std::size_t branch = 0; branch < tree.branches().size(); ++branch)
    all.push_back({static_cast<std::int32_t>(branch), 0, 1});
  return all;
}

Cables CableRegions::ofSegments(const std::function<bool(std::size_t)>& isIn) const
{
  Cables found;
  for (std::size_t i = 0; i < tree.segments().size(); ++i) {
    if (!isIn(i))
      continue;
    const CableSegment& segment = tree.segments()[i];
    const CableBranch& branch = tree.branches()[static_cast<std::size_t>(segment.branch)];
    const bool isLast = branch.segments.back() == static_cast<std::int32_t>(i);
    found.push_back(
        {segment.branch, segment.begin / branch.length, isLast ? 1 : (segment.begin + segment.length) / branch.length});
  }
  return merged(std::move(found));
}

/// Radii change linearly along a segment: it is cut where they are at the limit.
Cables CableRegions::ofRadius(const Cables& of, const std::function<bool(double)>& isIn, double limit) const
{
  Cables found;
  for (const CableSegment& segment : tree.segments()) {
    const CableBranch& branch = tree.branches()[static_cast<std::size_t>(segment.branch)];
    const double r0 = segment.from.diameter / 2.0, r1 = segment.to.diameter / 2.0;
    std::vector<double> ends = {0, 1};
    if (const double part = (limit - r0) / (r1 - r0); r0 != r1 && part > 0 && part < 1)
      ends.insert(ends.begin() + 1, part);
    for (std::size_t k = 0; k + 1 < ends.size(); ++k)
      if (isIn(r0 + (ends[k] + ends[k + 1]) / 2 * (r1 - r0)))
        found.push_back({segment.branch, (segment.begin + ends[k] * segment.length) / branch.length,
                         std::min(1.0, (segment.begin + ends[k + 1] * segment.length) / branch.length)});
  }
  return common(of, merged(std::move(found)));
}

Cables CableRegions::distalOf(const Locations& starts, double extent) const
{
  Cables found;
  const std::function<void(std::int32_t, double, double)> go = [&](std::int32_t number, double from, double left) {
    const CableBranch& branch = tree.branches()[static_cast<std::size_t>(number)];
    const double rest = (1 - from) * branch.length;
    found.push_back({number, from, left < rest ? from + left / branch.length : 1});
    if (left > rest)
      for (const std::int32_t child : branch.children)
        go(child, 0, left - rest);
  };
  for (const CableLocation& start : starts) {
    const CableBranch& branch = tree.branches()[static_cast<std::size_t>(start.branch)];
    if (start.position == 0 && branch.parent < 0)
      for (const std::int32_t root : tree.rootBranches())
        go(root, 0, extent);
    else
      go(start.branch, start.position, extent);
  }
  return merged(std::move(found));
}

Cables CableRegions::proximalOf(const Locations& ends, double extent) const
{
  Cables found;
  for (const CableLocation& end : ends) {
    double left = extent, to = end.position;
    for (std::int32_t number = end.branch; number >= 0 && left >= 0;) {
      const CableBranch& branch = tree.branches()[static_cast<std::size_t>(number)];
      const double rest = to * branch.length;
      found.push_back({number, left < rest ? to - left / branch.length : 0, to});
      left -= rest;
      number = branch.parent;
      to = 1;
    }
  }
  return merged(std::move(found));
}

Cables CableRegions::region(const SExpression& e, int depth) const
{
  const std::string_view head = e.head();
  if (head.empty())
    fail(e, "is no region");
  const auto part = [&](std::size_t k) { return region(e.argument(k), depth + 1); };
  if (head == "all" || head == "region-all")
    return allCables();
  if (head == "nil" || head == "region-nil")
    return {};
  if (head == "region")
    return region(defined(e, "region", depth), depth + 1);
  if (head == "tag") {
    const std::int32_t tag = whole(e, 0);
    return ofSegments([&](std::size_t i) { return tree.segments()[i].tag == tag; });
  }
  if (head == "segment") {
    const std::int32_t segment = whole(e, 0);
    if (segment < 0 || static_cast<std::size_t>(segment) >= tree.segments().size())
      fail(e, "names the segment " + std::to_string(segment) + "; the cell has " +
                  std::to_string(tree.segments().size()) + " segments");
    return ofSegments([&](std::size_t i) { return i == static_cast<std::size_t>(segment); });
  }
  if (head == "branch")
    return {{branchOf(e, 0), 0, 1}};
  if (head == "cable") {
    const Cable cable{branchOf(e, 0), number(e, 1), number(e, 2)};
    if (!(cable.from >= 0 && cable.from <= cable.to && cable.to <= 1))
      fail(e, "is a cable whose ends are not between 0 and 1");
    return {cable};
  }
  if (head == "join" || head == "intersect") {
    requireArguments(e, 1, std::numeric_limits<std::size_t>::max());
    Cables made = part(0);
    for (std::size_t k = 1; k < e.arguments(); ++k) {
      Cables other = part(k);
      if (head == "intersect") {
        made = common(made, other);
      } else {
        made.insert(made.end(), other.begin(), other.end());
        made = merged(std::move(made));
      }
    }
    return made;
  }
  if (head == "difference") {
    requireArguments(e, 2, 2);
    return without(part(0), part(1));
  }
  if (head == "complement") {
    requireArguments(e, 1, 1);
    return without(allCables(), part(0));
  }
  if (head == "complete") { // a fork is an end of branches here, and so is in it already
    requireArguments(e, 1, 1);
    return part(0);
  }
  if (head == "distal-interval" || head == "proximal-interval") {
    requireArguments(e, 1, 2);
    const double extent = e.arguments() == 2 ? number(e, 1) : kBoundless;
    const Locations from = locations(e.argument(0), depth + 1);
    return head == "distal-interval" ? distalOf(from, extent) : proximalOf(from, extent);
  }
  if (head.starts_with("radius-")) {
    requireArguments(e, 2, 2);
    const double limit = number(e, 1);
    const std::string_view how = head.substr(7);
    if (how == "lt")
      return ofRadius(
          part(0), [limit](double r) { return r < limit; }, limit);
    if (how == "le")
      return ofRadius(
          part(0), [limit](double r) { return r <= limit; }, limit);
    if (how == "gt")
      return ofRadius(
          part(0), [limit](double r) { return r > limit; }, limit);
    if (how == "ge")
      return ofRadius(
          part(0), [limit](double r) { return r >= limit; }, limit);
  }
  fail(e, "the region \"" + std::string(head) + "\" is not known");
}

// --- Locations ------------------------------------------------------------------------------------------------------

/// Ends of cables from which nothing of the region lies further from the root.
Locations CableRegions::mostDistal(const Cables& of) const
{
  std::vector<bool> hasBelow(tree.branches().size(), false); // in branches under it
  for (const Cable& cable : of)
    for (std::int32_t b = tree.branches()[static_cast<std::size_t>(cable.branch)].parent; b >= 0;
         b = tree.branches()[static_cast<std::size_t>(b)].parent)
      hasBelow[static_cast<std::size_t>(b)] = true;
  Locations found;
  for (std::size_t k = 0; k < of.size(); ++k) {
    const bool isLast = k + 1 == of.size() || of[k + 1].branch != of[k].branch;
    if (isLast && !hasBelow[static_cast<std::size_t>(of[k].branch)])
      found.push_back({of[k].branch, of[k].to});
  }
  return found;
}

Locations CableRegions::mostProximal(const Cables& of) const
{
  std::vector<bool> hasSome(tree.branches().size(), false);
  for (const Cable& cable : of)
    hasSome[static_cast<std::size_t>(cable.branch)] = true;
  Locations found;
  for (std::size_t k = 0; k < of.size(); ++k) {
    bool isFirst = k == 0 || of[k - 1].branch != of[k].branch;
    for (std::int32_t b = tree.branches()[static_cast<std::size_t>(of[k].branch)].parent; isFirst && b >= 0;
         b = tree.branches()[static_cast<std::size_t>(b)].parent)
      isFirst = !hasSome[static_cast<std::size_t>(b)];
    if (isFirst)
      found.push_back({of[k].branch, of[k].from});
  }
  return found;
}

/// Uniform by length. Arbor's own numbers are others.
Locations CableRegions::drawn(const SExpression& e, int depth) const
{
  requireArguments(e, 4, 4);
  const Cables on = region(e.argument(0), depth + 1);
  const std::int32_t first = whole(e, 1), last = whole(e, 2);
  const auto seed = static_cast<std::uint64_t>(whole(e, 3));
  constexpr std::int32_t kMost = 10'000'000;
  if (first < 0 || last < first || last - first > kMost)
    fail(e, "draws locations " + std::to_string(first) + " to " + std::to_string(last));
  std::vector<double> upTo;
  double length = 0;
  for (const Cable& cable : on)
    upTo.push_back(length += (cable.to - cable.from) * tree.branches()[static_cast<std::size_t>(cable.branch)].length);
  if (!(length > 0))
    return {};
  Locations found;
  for (std::int32_t k = first; k <= last; ++k) {
    const double at = randomUniform(seed, static_cast<std::uint64_t>(k), 0, 0) * length;
    const auto cable = static_cast<std::size_t>(std::ranges::upper_bound(upTo, at) - upTo.begin());
    const Cable& chosen = on[std::min(cable, on.size() - 1)];
    const double begun = cable == 0 ? 0 : upTo[cable - 1];
    found.push_back(
        {chosen.branch,
         std::min(chosen.to,
                  chosen.from + (at - begun) / tree.branches()[static_cast<std::size_t>(chosen.branch)].length)});
  }
  said.push_back(std::to_string(found.size()) + " locations are drawn by the seed " + std::to_string(seed) +
                 "; they are not those that Arbor draws.");
  return found;
}

Locations CableRegions::locations(const SExpression& e, int depth) const
{
  const std::string_view head = e.head();
  if (head.empty())
    fail(e, "is no set of locations");
  if (head == "root")
    return {{0, 0}};
  if (head == "nil" || head == "locset-nil")
    return {};
  if (head == "locset")
    return locations(defined(e, "locset", depth), depth + 1);
  if (head == "terminal") {
    Locations tips;
    for (std::size_t b = 0; b < tree.branches().size(); ++b)
      if (tree.branches()[b].children.empty())
        tips.push_back({static_cast<std::int32_t>(b), 1});
    return tips;
  }
  if (head == "location") {
    const CableLocation location{branchOf(e, 0), number(e, 1)};
    if (!(location.position >= 0 && location.position <= 1))
      fail(e, "is a location that is not between 0 and 1 of its branch");
    return {location};
  }
  if (head == "on-branches") {
    const double position = number(e, 0);
    if (!(position >= 0 && position <= 1))
      fail(e, "is a location that is not between 0 and 1 of its branch");
    Locations all;
    for (std::size_t b = 0; b < tree.branches().size(); ++b)
      all.push_back({static_cast<std::int32_t>(b), position});
    return all;
  }
  if (head == "distal" || head == "proximal" || head == "boundary" || head == "support")
    requireArguments(e, 1, 1);
  if (head == "distal")
    return mostDistal(region(e.argument(0), depth + 1));
  if (head == "proximal")
    return mostProximal(region(e.argument(0), depth + 1));
  if (head == "boundary") {
    Locations ends;
    for (const Cable& cable : region(e.argument(0), depth + 1)) {
      ends.push_back({cable.branch, cable.from});
      ends.push_back({cable.branch, cable.to});
    }
    return distinct(std::move(ends));
  }
  if (head == "uniform")
    return drawn(e, depth);
  if (head == "support")
    return distinct(locations(e.argument(0), depth + 1));
  if (head == "sum" || head == "join") {
    Locations all;
    for (std::size_t k = 0; k < e.arguments(); ++k) {
      const Locations some = locations(e.argument(k), depth + 1);
      all.insert(all.end(), some.begin(), some.end());
    }
    return head == "join" ? distinct(std::move(all)) : all;
  }
  if (head == "restrict" || head == "restrict-to") {
    requireArguments(e, 2, 2);
    const Cables in = region(e.argument(1), depth + 1);
    Locations kept = locations(e.argument(0), depth + 1);
    std::erase_if(kept, [&](const CableLocation& location) {
      return std::ranges::none_of(in, [&](const Cable& cable) {
        return cable.branch == location.branch && cable.from <= location.position && location.position <= cable.to;
      });
    });
    return kept;
  }
  fail(e, "the set of locations \"" + std::string(head) + "\" is not known");
}

// --- Inhomogeneous expressions --------------------------------------------------------------------------------------

/// Along the tree, µm.
double CableRegions::distance(const CableLocation& a, const CableLocation& b) const
{
  const auto branch = [&](std::int32_t number) -> const CableBranch& {
    return tree.branches()[static_cast<std::size_t>(number)];
  };
  const auto fromRoot = [&](const CableLocation& at) {
    return branch(at.branch).distance + at.position * branch(at.branch).length;
  };
  if (a.branch == b.branch)
    return std::abs(fromRoot(a) - fromRoot(b));
  std::vector<std::int32_t> above; // a and what it hangs on
  for (std::int32_t n = a.branch; n >= 0; n = branch(n).parent)
    above.push_back(n);
  std::int32_t meet = b.branch, below = -1; // the branch under the meeting point towards b
  while (meet >= 0 && std::ranges::find(above, meet) == above.end()) {
    below = meet;
    meet = branch(meet).parent;
  }
  double meeting = 0; // µm from the root
  if (meet >= 0)
    meeting = meet == b.branch ? fromRoot(b) : meet == a.branch ? fromRoot(a) : branch(below).distance;
  return fromRoot(a) + fromRoot(b) - 2 * meeting;
}

std::function<double(const CableLocation&)> CableRegions::value(const SExpression& e, int depth) const
{
  using Value = std::function<double(const CableLocation&)>;
  if (e.kind == SExpression::Kind::Number)
    return [constant = e.number](const CableLocation&) { return constant; };
  const std::string_view head = e.head();
  if (head == "scalar")
    return [constant = number(e, 0)](const CableLocation&) { return constant; };
  if (head == "pi")
    return [](const CableLocation&) { return std::numbers::pi; };
  if (head == "iexpr")
    return value(defined(e, "expression", depth), depth + 1);
  if (head == "radius" || head == "diameter") {
    const double scale = (e.arguments() > 0 ? number(e, 0) : 1) * (head == "diameter" ? 2 : 1);
    return [this, scale](const CableLocation& at) { return scale * tree.radiusAt(at); };
  }
  if (head == "distance") {
    requireArguments(e, 1, 2);
    const double scale = e.arguments() == 2 ? number(e, 0) : 1;
    const Locations to = locations(e.argument(e.arguments() - 1), depth + 1);
    if (to.empty())
      fail(e, "is a distance to no location");
    return [this, scale, to](const CableLocation& at) {
      double least = kBoundless;
      for (const CableLocation& each : to)
        least = std::min(least, distance(at, each));
      return scale * least;
    };
  }
  if (head == "exp" || head == "log") {
    requireArguments(e, 1, 1);
    const Value of = value(e.argument(0), depth + 1);
    return head == "exp" ? Value([of](const CableLocation& at) { return fixedExp(of(at)); })
                         : Value([of](const CableLocation& at) { return fixedLog(of(at)); });
  }
  if (head == "add" || head == "sub" || head == "mul" || head == "div") {
    requireArguments(e, 2, std::numeric_limits<std::size_t>::max());
    std::vector<Value> parts;
    for (std::size_t k = 0; k < e.arguments(); ++k)
      parts.push_back(value(e.argument(k), depth + 1));
    return [parts, operation = head[0] == 's'   ? '-'
                               : head[0] == 'a' ? '+'
                               : head[0] == 'm' ? '*'
                                                : '/'](const CableLocation& at) {
      double result = parts.front()(at);
      for (std::size_t k = 1; k < parts.size(); ++k) {
        const double next = parts[k](at);
        result = operation == '+'   ? result + next
                 : operation == '-' ? result - next
                 : operation == '*' ? result * next
                                    : result / next;
      }
      return result;
    };
  }
  fail(e, "the expression \"" + std::string(head) + "\" is not known");
}

} // namespace hinesight::io
