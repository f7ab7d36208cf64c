#pragma once

#include "core/run_control.hpp"
#include "core/stage_timings.hpp"
#include "projection/kernel_forms.hpp"
#include "projection/parameters.hpp"
#include "projection/populations/population.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <variant>
#include <vector>

namespace hinesight::projection {

/// Two populations and how they are joined.
struct Projection
{
  std::shared_ptr<const Population> source;
  std::shared_ptr<const Population> destination;
  ProjectionParameters parameters;
};

/// Whether pairs of equal indices have no row: that is asked for, and the two populations are one and the same. Neurons
/// of two populations that have one index are two neurons.
bool leavesSelfOut(const Projection& projection);

/// The form of the chosen kernel.
using KernelForm = std::variant<RadialForm, EllipticForm, ExponentialForm, ConstantForm, NearestForm, GaborForm,
                                DifferenceForm, ExpressionForm>;

/// A projection prepared for evaluation: the kernel's terms for each source or row of sources and, for destinations
/// that are on no lattice, the cells that they are sorted into, by the CPU here, else by the device (which sorts them
/// again where nearest neighbours were looked for). `view` points into the other members, and into the populations.
struct Problem
{
  Projection projection;
  KernelForm form;
  std::vector<SourceTerms> terms;
  std::vector<std::uint32_t> cellBegin;
  std::array<std::vector<double>, 3> slotPosition;
  std::vector<std::uint32_t> slotIndex;
  ProblemView view{};
};

/// What counting the rows of all sources finds beside them.
struct CountFindings
{
  static constexpr unsigned kNoSource = ~0u;
  unsigned long long negative = 0;      ///< pairs whose probability is below 0
  unsigned notFiniteSource = kNoSource; ///< the first source of a pair whose value is no finite number
};

/// Throws Error(BadParameter) that names the first pair of that source whose value is no finite number, and the value.
[[noreturn]] void refuseValueOf(const Problem& problem, std::uint32_t source);

/// What is said of populations that the kernel does not join as a person may expect; empty where there is nothing.
std::vector<std::string> joinWarnings(const Projection& projection);

/// Throws as validate(parameters, source, destination); Error(Cancelled), Error(OutOfMemory).
std::unique_ptr<const Problem> makeProblem(const Projection& projection, Backend backend, int threads,
                                           const RunControl& control);

} // namespace hinesight::projection
