#pragma once

#include "core/choices.hpp"
#include "core/run_control.hpp"
#include "morphology/morphometry.hpp"

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hinesight::study {

/// Which branch of the views and of expressions (docs/selection.md) a measured branch is, or is a part of, such as the
/// pieces of a soma are.
struct BranchPlace
{
  std::int32_t number = 0;     ///< from 1
  std::int32_t parent = 0;     ///< number of the branch that it hangs on; 0: it is at a root
  std::int32_t lastSample = 0; ///< the sample at its end
};

/// What is measured of a cell. µm.
struct CellMeasures
{
  std::string file;                                 ///< or what the cell is called
  std::vector<morphology::BranchMeasures> branches; ///< by number; `branch` and `parent` are places in this
  std::vector<morphology::TypeMeasures> types;
  morphology::ShollProfile sholl;          ///< around the soma; step 0: it was not asked for
  std::vector<BranchPlace> places = {};    ///< per branch
  std::vector<std::int32_t> branchOf = {}; ///< per sample, its place in `branches`; -1 of roots
};

/// Branches of a cell that has no equations, because a number is out of range, are numbered in the order of its file.
/// `shollStep`: µm from one sphere to the next; 0: no spheres. Throws as morphology::sholl.
CellMeasures measureCell(const std::string& file, const morphology::Morphology& morphology, double shollStep,
                         const RunControl& control = {});

/// What a histogram counts branches by.
enum class BranchQuantity
{
  Length,
  Diameter,
  Order,
  PathDistance,
  LocalAngle,
  RemoteAngle,
  Contraction
};

inline constexpr Choice kBranchQuantities[] = {
    {"length", "Length", "The length along a branch, \u00b5m."},
    {"diameter", "Diameter", "The mean diameter of a branch, \u00b5m."},
    {"order", "Branch order", "How many branch points lie between a branch and the root."},
    {"path-distance", "Path distance",
     "The distance of the end of a branch from the root, along the branches, \u00b5m."},
    {"local-angle", "Local angle", "The angle of the two branches that follow, where they begin, degrees."},
    {"remote-angle", "Remote angle",
     "The angle of the two branches that follow, as seen from where they end, degrees."},
    {"contraction", "Contraction",
     "The straight distance of the ends of a branch over its length: 1 where it is straight."},
};
inline std::span<const Choice> tableOf(BranchQuantity)
{
  return kBranchQuantities;
}

/// "um", "deg"; empty: none.
std::string_view unitOf(BranchQuantity quantity);
/// NaN: the branch has none.
double valueOf(BranchQuantity quantity, const morphology::BranchMeasures& branch);

/// How many branches of each of some cells are in each class of a quantity.
struct BranchHistogram
{
  BranchQuantity quantity{};
  double width = 1;                               ///< class k is from k to k + 1 widths, without its upper end
  std::vector<std::vector<std::uint32_t>> counts; ///< per cell and class, up to the last one with a branch

  /// nullopt: the branch is not counted, because it has no such quantity or is the soma's.
  std::optional<std::size_t> classOf(const morphology::BranchMeasures& branch) const;
};

/// In classes whose width is 1, 2 or 5 times a power of ten, about twenty of them; of orders, 1.
BranchHistogram histogramOf(std::span<const CellMeasures> cells, BranchQuantity quantity);

// Branches of a cell by their places in `branches`, ascending. Linear.

/// In the classes from `first` on, without `end`.
std::vector<std::int32_t> branchesInClasses(const CellMeasures& cell, const BranchHistogram& histogram,
                                            std::size_t first, std::size_t end);
/// How many of some branches are in each class, up to the last one with any of these.
std::vector<std::uint32_t> countInClasses(const CellMeasures& cell, const BranchHistogram& histogram,
                                          std::span<const std::int32_t> branches);
/// Those that cross any of the spheres from `first` on, without `end`.
std::vector<std::int32_t> branchesThroughSpheres(const CellMeasures& cell, std::size_t first, std::size_t end);
/// How often some branches cross each sphere of the cell's profile.
std::vector<std::uint32_t> intersectionsOf(const CellMeasures& cell, std::span<const std::int32_t> branches);

// Tables as CSV, a line a branch, a type, a sphere; of an angle that is none nothing stands.

void writeBranchTable(std::span<const CellMeasures> cells, std::ostream& stream);
void writeTypeTable(std::span<const CellMeasures> cells, std::ostream& stream);
void writeShollTable(std::span<const CellMeasures> cells, std::ostream& stream);
void writeHistogram(std::span<const CellMeasures> cells, BranchQuantity quantity, std::ostream& stream);

} // namespace hinesight::study
