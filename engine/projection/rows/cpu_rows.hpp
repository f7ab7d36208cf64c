#pragma once

#include "core/run_control.hpp"
#include "projection/problem.hpp"

#include <cstddef>
#include <cstdint>

namespace hinesight::projection::detail {

/// What counting the rows of a source finds.
struct RowCount
{
  std::uint64_t rows = 0;
  std::uint64_t negative = 0; ///< pairs with a probability below 0
  bool isFinite = true;       ///< false: a pair has a value that is no finite number
};

/// What the CPU does for one source, compiled for one set of instructions. `compact` takes destinations in the order of
/// their slots. A source may have millions of candidates: all throw Error(Cancelled) in their midst.
template <typename Form>
struct RowKernels
{
  /// How many rows the source has, and what is to be said of its values.
  RowCount (*count)(const Form& form, const ProblemView& problem, std::uint32_t source, const RunControl& control);
  /// Writes destination and weight of every row; `weight` may be null.
  void (*compact)(const Form& form, const ProblemView& problem, std::uint32_t source, std::uint32_t* destination,
                  float* weight, const RunControl& control);
  /// Writes the weights of rows whose destinations are known.
  void (*weigh)(const Form& form, const ProblemView& problem, std::uint32_t source, const std::uint32_t* destination,
                std::size_t rows, float* weight, const RunControl& control);
};

/// Null where the program was not compiled for such processors. One function a set of instructions.
template <typename Form>
const RowKernels<Form>* portableRows();
template <typename Form>
const RowKernels<Form>* avx2Rows();
template <typename Form>
const RowKernels<Form>* avx512Rows();

/// The best that this processor executes.
template <typename Form>
const RowKernels<Form>& rowKernels();

/// Applies a macro to the name of every form.
#define HINESIGHT_FOR_EVERY_FORM(define)                                                                               \
  define(RadialForm) define(EllipticForm) define(ExponentialForm) define(ConstantForm) define(NearestForm)             \
      define(GaborForm) define(DifferenceForm) define(ExpressionForm)

} // namespace hinesight::projection::detail
