#pragma once

#include "core/fields.hpp"
#include "core/run_control.hpp"
#include "morphology/cell_place.hpp"
#include "morphology/morphology.hpp"

#include <array>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hinesight::morphology {

/// What can be mended in a file that was read with warnings, in the order in which it is done.
enum class Repair
{
  Scale,
  Radius,
  Parts,
  Soma,
  Order,
  Place
};

inline constexpr Choice kRepairs[] = {
    {"scale", "Scale to micrometres", "Coordinates and radii are multiplied by the unit of the file."},
    {"radius", "Fill in unknown radii", "A radius that is 0, negative or missing gets a number."},
    {"parts", "Join or drop separate parts", "Trees that hang on nothing are joined to the cell, or left out."},
    {"soma", "Make a soma", "A cell without a sample of type 1 gets a soma at its root."},
    {"order", "Put samples in order", "Parents stand before their children, and ids are 1, 2, 3, ..."},
    {"place", "Centre, turn and move", "The soma comes to the origin; the cell is turned about its soma, and moved."},
};
inline std::span<const Choice> tableOf(Repair)
{
  return kRepairs;
}

enum class RadiusRule
{
  Interpolated,
  BranchMedian
};

inline constexpr Choice kRadiusRules[] = {
    {"interpolated", "Interpolated", "Between the nearest known radii of both sides, by the distance along the tree."},
    {"median", "Median of the branch", "The median of the known radii of the branch; interpolated where it has none."},
};
inline std::span<const Choice> tableOf(RadiusRule)
{
  return kRadiusRules;
}

enum class PartRule
{
  Joined,
  Dropped
};

inline constexpr Choice kPartRules[] = {
    {"joined", "Joined", "The root of a part hangs on the nearest sample of the cell. Parts with a soma are left."},
    {"dropped", "Dropped", "Only the part with the most samples is kept."},
};
inline std::span<const Choice> tableOf(PartRule)
{
  return kPartRules;
}

enum class SomaRule
{
  OneSample,
  ThreePoints
};

inline constexpr Choice kSomaRules[] = {
    {"one", "One sample", "The root becomes the soma, a sphere."},
    {"three", "Three points", "The same with two samples one radius beside it, as NeuroMorpho.Org writes a sphere."},
};
inline std::span<const Choice> tableOf(SomaRule)
{
  return kSomaRules;
}

struct RepairParameters
{
  double unit = 0; ///< µm per unit of the file; 0: as its warning suggests
  RadiusRule radii = RadiusRule::Interpolated;
  PartRule parts = PartRule::Joined;
  SomaRule soma = SomaRule::OneSample;
  double somaRadius = 0; ///< µm; 0: the root's
  CellPlace place;

  bool operator==(const RepairParameters&) const = default;
};

template <typename Visitor>
void visitFields(RepairParameters& p, Visitor&& visit)
{
  visit(Field{.name = "unit",
              .label = "Unit",
              .unit = "µm per unit",
              .range = from(0, 1e6),
              .slider = {0.001, 1000, true},
              .special = {0, "suggested"},
              .help = "What coordinates and radii are multiplied by.",
              .section = {"Rules", "How the repairs are done."}},
        p.unit);
  visit(Field{.name = "radii", .label = "Unknown radii", .help = "What an unknown radius becomes."}, p.radii);
  visit(Field{.name = "parts", .label = "Separate parts", .help = "What becomes of trees that hang on nothing."},
        p.parts);
  visit(Field{.name = "soma", .label = "Soma", .help = "How a soma is written where there is none."}, p.soma);
  visit(Field{.name = "soma-radius",
              .label = "Radius of the soma",
              .unit = "µm",
              .range = from(0, 1e3),
              .slider = {0, 20},
              .special = {0, "of the root"},
              .help = "Radius of a soma that is made."},
        p.somaRadius);
  visitFields(p.place, visit);
}

/// What one repair did.
struct RepairChange
{
  Repair repair = Repair::Scale;
  std::size_t samples = 0; ///< that were changed, added or left out
  std::string sentence;    ///< "12 unknown radii are interpolated along the branches"
};

struct RepairedCell
{
  /// As the file that is written reads, its comments with what was repaired; the cell that was given where `changes` is
  /// empty.
  std::shared_ptr<const Morphology> morphology;
  std::vector<RepairChange> changes; ///< in the order of Repair; only of repairs that had something to do
};

inline constexpr std::array<Repair, std::size(kRepairs)> kAllRepairs = {Repair::Scale, Repair::Radius, Repair::Parts,
                                                                        Repair::Soma,  Repair::Order,  Repair::Place};

/// Repairs a cell as far as `wanted` says. What is written is in µm: a cell of another unit scale is brought to it
/// whether or not that is wanted. Throws Error(BadParameter), Error(Cancelled).
RepairedCell repair(const std::shared_ptr<const Morphology>& cell, std::span<const Repair> wanted,
                    const RepairParameters& parameters = {}, const RunControl& control = {});

} // namespace hinesight::morphology
