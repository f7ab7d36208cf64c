#pragma once

#include "core/run_control.hpp"
#include "morphology/branches.hpp"
#include "morphology/morphology.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

// What a morphologist measures. Lengths in µm, angles in degrees. A segment joins a sample and its parent, as a
// truncated cone with the radii of both, and is of the type of the sample.

namespace hinesight::morphology {

/// Whether the segment above a sample joins a neurite with the soma.
bool isStem(const Morphology& morphology, std::int32_t sample);

/// A branch as a table of morphometry has it. The segment that joins a neurite with a sample of the soma is the soma's:
/// it counts in path distances, and not in length, distance, area and volume.
struct BranchMeasures
{
  std::int32_t branch = 0;
  std::int32_t parent = -1; ///< branch; -1 at a root
  std::int32_t type = 0;
  std::int32_t order = 0;    ///< as BranchTree::order
  std::int32_t strahler = 1; ///< 1 at tips; one more than its children where two of them have the most (Strahler 1952)
  std::int32_t samples = 0;
  double length = 0;       ///< along the branch
  double distance = 0;     ///< of its ends
  double meanDiameter = 0; ///< of its segments, by their length; of its samples where it has no length
  double area = 0;         ///< lateral, µm²
  double volume = 0;       ///< µm³
  double startPath = 0;    ///< path distance of its first end from the root
  double endPath = 0;      ///< of its last
  bool isTip = false;      ///< nothing follows
  /// Between the two branches that follow, at the first sample of each; NaN unless there are exactly two, of lengths
  /// above 0.
  double localAngle = 0;
  /// The same at the end of each.
  double remoteAngle = 0;

  /// Of 1 where it is straight; 1 where it has no length.
  double contraction() const { return length > 0 ? distance / length : 1; }
};

/// One of each branch. Linear. Throws Error(Cancelled).
std::vector<BranchMeasures> measureBranches(const Morphology& morphology, const BranchTree& branches,
                                            const RunControl& control = {});

/// What all branches of a type come to.
struct TypeMeasures
{
  std::int32_t type = 0;
  std::int32_t branches = 0;
  std::int32_t tips = 0;
  std::int32_t bifurcations = 0; ///< branches that end where two or more begin
  std::int32_t maxOrder = 0;
  double length = 0;
  double area = 0;
  double volume = 0;
  double maxPath = 0; ///< from the root
};

/// By type, ascending. Samples of a soma that are a branch are a type too.
std::vector<TypeMeasures> totalsByType(const std::vector<BranchMeasures>& branches);

/// Spheres side by side that a segment crosses, each of them once.
struct ShollCrossing
{
  std::int32_t sample = 0; ///< whose segment it is
  std::uint32_t first = 0; ///< sphere
  std::uint32_t end = 0;   ///< the one after the last
};

/// How often the segments of a cell cross spheres around a point (Sholl 1953). A segment crosses those that are farther
/// out than its nearer end and no farther than the other; one that comes nearer in between, on its way in and out. The
/// segments that join neurites with the soma are left out.
struct ShollProfile
{
  std::array<double, 3> centre = {};
  double step = 0;                          ///< sphere k, from 0, has the radius (k + 1) step
  std::vector<std::uint32_t> intersections; ///< of each sphere, up to the last one that is reached
  std::vector<ShollCrossing> crossings;     ///< whose they are; two of a segment that goes in and out
  double reach = 0;                         ///< from the point to the farthest end of these segments, µm
  double radius(std::size_t sphere) const { return static_cast<double>(sphere + 1) * step; }
};

/// Of segments of `types`; empty: all but the soma's. Throws Error(BadParameter) for a step that is not above 0 or
/// gives more than a million spheres, Error(Cancelled).
ShollProfile sholl(const Morphology& morphology, const std::array<double, 3>& centre, double step,
                   const std::vector<std::int32_t>& types = {}, const RunControl& control = {});

/// The centre of the soma; of the first root where there is none.
std::array<double, 3> somaCentreOf(const Morphology& morphology);

/// The way along the tree between two samples.
struct PathBetween
{
  double length = 0;                 ///< along the tree
  double distance = 0;               ///< straight
  std::vector<std::int32_t> samples; ///< from the first to the second
};

/// nullopt for samples of different trees.
std::optional<PathBetween> pathBetween(const Morphology& morphology, std::int32_t from, std::int32_t to);

} // namespace hinesight::morphology
