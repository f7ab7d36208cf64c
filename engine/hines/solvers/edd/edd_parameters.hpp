#pragma once

#include "core/fields.hpp"
#include "hines/cut_length.hpp"
#include "hines/solver_id.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace hinesight::hines {

/// Exact domain decomposition (edd_plan.hpp): chains between junctions side by side, recursively.
inline constexpr SolverId kEdd{"edd"};

/// How exact domain decomposition finds junctions and solves the chains between them (vooturi 2019, sections III-D and
/// IV-C).
enum class EddMethod
{
  Fine,    ///< R-FINE-TPT: bifurcations and every K-th compartment are junctions; one thread a chain; recursive
  MinTpt,  ///< bifurcations are junctions; one thread a chain; recursive
  MinTrsv, ///< MIN-TRSV: bifurcations are junctions; all chains by one tridiagonal solve, on CUDA of cuSPARSE
};

inline constexpr Choice kEddMethods[] = {
    {"fine", "Every K-th", "Bifurcations and every K-th compartment (R-FINE-TPT)."},
    {"min-tpt", "At forks", "Bifurcations only, a lane a chain (MIN-TPT)."},
    {"min-trsv", "At forks, one solve",
     "Bifurcations only, all chains by one tridiagonal solve; on CUDA NVIDIA's cuSPARSE does it (MIN-TRSV)."},
};
inline std::span<const Choice> tableOf(EddMethod)
{
  return kEddMethods;
}
inline std::string_view eddMethodName(EddMethod method)
{
  return choiceName(method);
}

struct EddParameters
{
  EddMethod method = EddMethod::Fine;
  std::int32_t chainLength = 0; ///< K, compartments; 0: by the number of cells
  std::int32_t depth = -1;    ///< -1: until `threshold`. A recursion that would leave every row a junction is not made
  std::int32_t threshold = 0; ///< rows; 0: as fitted on the device (eddThreshold)
  /// R. The first is the batch's; the others differ from it by a current that moves every voltage of a cell by a random
  /// amount.
  std::int32_t rightHandSides = 1;
  bool keepFactors = false;
  /// Of MinTrsv, in which row sums are rounded away in diagonals. None in the paper; one is enough where the systems
  /// are not all but singular.
  std::int32_t refinements = 1;

  bool operator==(const EddParameters&) const = default;
};

template <typename Visitor>
void visitFields(EddParameters& p, Visitor&& visit)
{
  visit(Field{.name = "method",
              .label = "Method",
              .help = "Which compartments are junctions.",
              .detail = "Junctions divide the cell into chains that do not wait for one another. More of them mean "
                        "shorter chains and a larger system of junctions (Vooturi 2019, sections III-D and IV-C)."},
        p.method);
  visit(Field{.name = "chain-length",
              .label = "K",
              .unit = "comp.",
              .range = from(0, kLongestCut),
              .slider = {0, 256},
              .special = {0, "automatic"},
              .help = "Compartments from junction to junction; automatic is 6, or 16 for 512 cells or more.",
              .detail = "Short chains are more lanes and more junctions, and so more recursions (Vooturi 2019, figures "
                        "7 and 12).",
              .former = "edd-k"}
            .when(p.method == EddMethod::Fine),
        p.chainLength);
  visit(Field{.name = "depth",
              .label = "Depth",
              .range = from(-1, 64),
              .slider = {-1, 10},
              .special = {-1, "as needed"},
              .help = "Recursions before the serial sweep. As needed: until no more than the serial rows are left.",
              .detail = "The junctions are a smaller system of the same kind, which is decomposed again (Vooturi 2019, "
                        "figure 8)."},
        p.depth);
  visit(Field{.name = "threshold",
              .label = "Serial rows",
              .unit = "rows",
              .range = from(0, 1'000'000),
              .slider = {0, 10'000},
              .special = {0, "as fitted"},
              .help = "Rows left to the serial sweep.",
              .detail = "With fewer rows another recursion takes longer than a sweep. The device is measured once "
                        "(Vooturi 2019, figure 11)."}
            .when(p.depth < 0),
        p.threshold);
  visit(Field{.name = "rhs",
              .label = "Right-hand sides",
              .range = from(1, 64),
              .help = "Right-hand sides solved with one factorization.",
              .detail = "The factors are made once for all of them (Vooturi 2019, figure 10)."},
        p.rightHandSides);
  visit(Field{.name = "refinements",
              .label = "Refinements",
              .range = from(0, 3),
              .help = "Corrections of the solution by its residual.",
              .detail = "Tridiagonal solvers eliminate diagonals, in which the small numbers of short compartments are "
                        "rounded away. One correction makes up for it; the paper has none."}
            .when(p.method == EddMethod::MinTrsv),
        p.refinements);
  visit(Field{.name = "keep-factors",
              .label = "Keep factors",
              .help = "Factorizes once, before the solves.",
              .detail = "The matrix of a linear neuron stays the same from step to step."},
        p.keepFactors);
}

/// K as it is used for a batch of so many cells.
std::int32_t chainLengthFor(const EddParameters& parameters, std::size_t cells);

/// Throws Error(BadParameter) for what is out of range.
void validate(const EddParameters& parameters);

} // namespace hinesight::hines
