#pragma once

#include "core/simd/instruction_set.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace hinesight::hines::detail {

/// How a compartment takes part in the sweeps of its shape, as bits. A compartment hands what it leaves to the one
/// numbered before it in registers where that is its parent, else through memory.
enum InterleavedStep : std::uint8_t
{
  kGathers = 1, ///< has children that are not numbered next: their sums wait in memory, its value is kept there
  kJumps = 2,   ///< its parent is not numbered before it, or it is a root
  kFirst = 4,   ///< and is the first to reach that parent in the backward sweep
  kIsRoot = 8,
};

/// A shape as the sweeps of interleaved cells read it; of every compartment its bits and its parent (0 at a root).
struct InterleavedShape
{
  const std::uint8_t* steps = nullptr;
  const std::int32_t* parent = nullptr;
  std::size_t compartments = 0;
};

/// What a sweep reads and writes: a number a compartment each.
template <typename Real>
struct InterleavedRows
{
  const Real* excess = nullptr;
  const Real* u = nullptr;
  const Real* b = nullptr;
  Real* x = nullptr;
};

/// Solves as many cells of one shape as there are lanes. In `rows` compartment i of lane k is number i * lanes + k; of
/// roots no coupling is read. `factors`: lanes * compartments numbers of scratch memory. All arrays are aligned to 64
/// bytes. In single precision row sums are summed in double.
template <typename Real>
using InterleavedSweep = void (*)(const InterleavedShape& shape, const InterleavedRows<Real>& rows, Real* factors);

/// One width in which cells can be taken side by side.
template <typename Real>
struct InterleavedWidth
{
  std::size_t lanes = 0;
  InterleavedSweep<Real> sweep = nullptr;
};

// The sweeps are compiled for several instruction sets. All give the same bytes: they differ in speed alone.

/// The best that this build and this processor have.
InstructionSet bestVectorInstructions();
/// Whether this build and this processor have them.
bool hasVectorInstructions(InstructionSet instructions);

/// By falling number of lanes.
template <typename Real>
std::span<const InterleavedWidth<Real>> interleavedWidths(InstructionSet instructions);

// The same of one set of instructions, ended by a width of no lanes; nothing but that end where this build lacks them.
template <typename Real>
const InterleavedWidth<Real>* portableWidths();
template <typename Real>
const InterleavedWidth<Real>* avx2Widths();
template <typename Real>
const InterleavedWidth<Real>* avx512Widths();

} // namespace hinesight::hines::detail
