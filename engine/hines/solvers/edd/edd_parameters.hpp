#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace hinesight::hines {

/// How exact domain decomposition finds junctions and solves the chains between them (vooturi 2019, sections III-D and
/// IV-C).
enum class EddMethod
{
  Fine,    ///< R-FINE-TPT: bifurcations and every K-th compartment are junctions; one thread a chain; recursive
  MinTpt,  ///< bifurcations are junctions; one thread a chain; recursive
  MinTrsv, ///< MIN-TRSV: bifurcations are junctions; all chains by one tridiagonal solve, on CUDA of cuSPARSE
};

/// "fine", "min-tpt", "min-trsv".
std::string_view eddMethodName(EddMethod method);

struct EddParameters
{
  EddMethod method = EddMethod::Fine;
  /// K: compartments from one junction to the next on a branch; 0: by the number of cells; Fine only; 0 to 1,000,000.
  std::int32_t chainLength = 0;
  /// Recursions before the rest is solved serially; -1: until `threshold`; -1 to 64. A recursion that would leave every
  /// row a junction is not made.
  std::int32_t depth = -1;
  /// Rows that are solved serially where `depth` does not say; 0: as fitted on the device
  /// (eddThreshold); 0 to 1,000,000.
  std::int32_t threshold = 0;
  /// R: right-hand sides solved with one factorization; 1 to 64. The first is the batch's; the others differ from it by
  /// a current that moves every voltage of a cell by a random amount.
  std::int32_t rightHandSides = 1;
  /// The matrix stays over the solves (a linear neuron): it is factorized once, while preparing.
  bool keepFactors = false;

  /// Of MinTrsv, in which row sums are rounded away in diagonals: how often the solution is corrected by what it leaves
  /// of the equations. None in the paper; one is enough where the systems are not all but singular; 0 to 3.
  std::int32_t refinements = 1;

  bool operator==(const EddParameters&) const = default;
};

/// K as it is used for a batch of so many cells.
std::int32_t chainLengthFor(const EddParameters& parameters, std::size_t cells);

/// Throws Error(BadParameter) for what is out of range.
void validate(const EddParameters& parameters);

} // namespace hinesight::hines
