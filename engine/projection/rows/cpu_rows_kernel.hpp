#pragma once

#include "projection/rows/cpu_rows.hpp"

// What the CPU does for a source, written once and compiled several times with different instructions: the candidates
// of all rows are lined up in blocks of kLanes, so that loops of a fixed length evaluate them, which the compiler turns
// into vector instructions. Everything here has internal linkage or is always inlined (core/host_device.hpp says why).

namespace hinesight::projection::detail {

namespace {

constexpr int kLanes = 64;

/// Looks for cancellation now and then: often enough for the dearest expression, too seldom to cost anything.
class Pacer
{
public:
  explicit Pacer(const RunControl& runControl) : control(runControl) {}

  /// Before so many candidates, or rows of them, are looked at.
  HINESIGHT_FORMULA void spend(std::uint32_t count)
  {
    spent += count;
    if (spent < kBetweenLooks)
      return;
    spent = 0;
    control.checkpoint();
  }

private:
  static constexpr std::uint64_t kBetweenLooks = 1 << 14;

  const RunControl& control;
  std::uint64_t spent = 0;
};

/// Candidates side by side.
struct Lanes
{
  alignas(64) double d[3][kLanes] = {};
  alignas(64) double position[3][kLanes] = {};
  alignas(64) std::uint32_t index[kLanes] = {};
  int count = 0;
};

struct Values
{
  alignas(64) double value[kLanes];
  alignas(64) std::uint64_t kept[kLanes]; ///< 1 where the candidate has a row, else 0
};

HINESIGHT_FORMULA Target targetIn(const Lanes& lanes, int i)
{
  return {{lanes.d[0][i], lanes.d[1][i], lanes.d[2][i]},
          {lanes.position[0][i], lanes.position[1][i], lanes.position[2][i]},
          lanes.index[i]};
}

template <typename Form>
HINESIGHT_FORMULA void evaluateLanes(const Form& form, const SourceView& source, const Lanes& lanes, double* value)
{
  for (int i = 0; i < kLanes; ++i)
    value[i] = form.value(source, targetIn(lanes, i));
}

template <Operation kOperation>
HINESIGHT_FORMULA void applyToLanes(double* a)
{
  for (int i = 0; i < kLanes; ++i)
    a[i] = applyUnary(kOperation, a[i]);
}

template <Operation kOperation>
HINESIGHT_FORMULA void applyToLanes(double* a, const double* b)
{
  for (int i = 0; i < kLanes; ++i)
    a[i] = applyBinary(kOperation, a[i], b[i]);
}

HINESIGHT_FORMULA void fillLanes(double* to, double value)
{
  for (int i = 0; i < kLanes; ++i)
    to[i] = value;
}

HINESIGHT_FORMULA void copyLanes(double* to, const double* from)
{
  for (int i = 0; i < kLanes; ++i)
    to[i] = from[i];
}

HINESIGHT_FORMULA void pushVariable(std::uint8_t variable, const SourceView& source, const Lanes& lanes, double* to)
{
  if (variable < kR)
    copyLanes(to, lanes.d[variable]);
  else if (variable == kR)
    for (int i = 0; i < kLanes; ++i)
      to[i] = squareRoot(squareOf({lanes.d[0][i], lanes.d[1][i], lanes.d[2][i]}));
  else if (variable < kDestinationX)
    fillLanes(to, source.position[variable - kSourceX]);
  else
    copyLanes(to, lanes.position[variable - kDestinationX]);
}

/// Every instruction for all lanes before the next one: what runProgram does for one.
HINESIGHT_FORMULA void evaluateLanes(const ExpressionForm& form, const SourceView& source, const Lanes& lanes,
                                     double* value)
{
  alignas(64) double stack[Program::kMostDepth][kLanes];
  int top = -1;
  for (int k = 0; k < form.program.count; ++k) {
    const Instruction& instruction = form.program.instructions[k];
    top += 1 - operandsOf(instruction.operation);
    double* const a = stack[top];
    const double* const b = stack[top + 1 < Program::kMostDepth ? top + 1 : top];
    switch (instruction.operation) {
    case Operation::Constant:
      fillLanes(a, instruction.number);
      break;
    case Operation::Variable:
      pushVariable(instruction.variable, source, lanes, a);
      break;
    case Operation::Negate:
      applyToLanes<Operation::Negate>(a);
      break;
    case Operation::Sqrt:
      applyToLanes<Operation::Sqrt>(a);
      break;
    case Operation::Exp:
      applyToLanes<Operation::Exp>(a);
      break;
    case Operation::Log:
      applyToLanes<Operation::Log>(a);
      break;
    case Operation::Sin:
      applyToLanes<Operation::Sin>(a);
      break;
    case Operation::Cos:
      applyToLanes<Operation::Cos>(a);
      break;
    case Operation::Abs:
      applyToLanes<Operation::Abs>(a);
      break;
    case Operation::Floor:
      applyToLanes<Operation::Floor>(a);
      break;
    case Operation::Add:
      applyToLanes<Operation::Add>(a, b);
      break;
    case Operation::Subtract:
      applyToLanes<Operation::Subtract>(a, b);
      break;
    case Operation::Multiply:
      applyToLanes<Operation::Multiply>(a, b);
      break;
    case Operation::Divide:
      applyToLanes<Operation::Divide>(a, b);
      break;
    case Operation::Power:
      applyToLanes<Operation::Power>(a, b);
      break;
    case Operation::Min:
      applyToLanes<Operation::Min>(a, b);
      break;
    case Operation::Max:
      applyToLanes<Operation::Max>(a, b);
      break;
    case Operation::Atan2:
      applyToLanes<Operation::Atan2>(a, b);
      break;
    case Operation::Vtrap:
      applyToLanes<Operation::Vtrap>(a, b);
      break;
    case Operation::Less:
      applyToLanes<Operation::Less>(a, b);
      break;
    case Operation::LessOrEqual:
      applyToLanes<Operation::LessOrEqual>(a, b);
      break;
    case Operation::Greater:
      applyToLanes<Operation::Greater>(a, b);
      break;
    case Operation::GreaterOrEqual:
      applyToLanes<Operation::GreaterOrEqual>(a, b);
      break;
    case Operation::Equal:
      applyToLanes<Operation::Equal>(a, b);
      break;
    case Operation::Select:
      for (int i = 0; i < kLanes; ++i)
        a[i] = a[i] != 0 ? stack[top + 1][i] : stack[top + 2][i];
    }
  }
  copyLanes(value, stack[0]);
}

/// What hasRow (kernel_forms.hpp) says, for all lanes; those that are not filled are not kept.
template <typename Form>
HINESIGHT_FORMULA void decideLanes(const Form& form, const ProblemView& problem, const SourceView& source,
                                   const Lanes& lanes, Values& values)
{
  std::uint64_t* const kept = values.kept;
  for (int i = 0; i < kLanes; ++i)
    kept[i] = passesCut(form, problem, source.terms, targetIn(lanes, i), values.value[i]);
  if (problem.boxed)
    for (int i = 0; i < kLanes; ++i)
      kept[i] &= isInBox(form, {lanes.d[0][i], lanes.d[1][i], lanes.d[2][i]}, source.terms.box);
  if (!problem.selfConnections)
    for (int i = 0; i < kLanes; ++i)
      kept[i] &= lanes.index[i] != source.index;
  if (problem.random)
    for (int i = 0; i < lanes.count; ++i)
      if (kept[i] != 0)
        kept[i] = connectionDraw(problem, source.index, lanes.index[i]) < values.value[i];
  for (int i = lanes.count; i < kLanes; ++i)
    kept[i] = 0;
}

/// What the values of all lanes tell beside the rows that they give.
template <typename Form>
HINESIGHT_FORMULA void lookAtLanes(const Form& form, const ProblemView& problem, const SourceView& source,
                                   const Lanes& lanes, const Values& values, RowCount& count)
{
  std::uint64_t negative = 0;
  std::uint64_t unfit = 0;
  for (int i = 0; i < kLanes; ++i) {
    const std::uint64_t asked =
        static_cast<std::uint64_t>(i < lanes.count) & isAsked(form, problem, source, targetIn(lanes, i));
    negative += asked & isNegativeProbability(problem, values.value[i]);
    unfit |= asked & !isFiniteWeight(values.value[i]);
  }
  count.negative += negative;
  count.isFinite = count.isFinite && (Form::kAlwaysFinite || unfit == 0);
}

HINESIGHT_FORMULA std::uint64_t sumOf(const std::uint64_t (&kept)[kLanes])
{
  std::uint64_t sum = 0;
  for (int i = 0; i < kLanes; ++i)
    sum += kept[i];
  return sum;
}

/// Lines up the candidates of a source and calls flush(lanes) for every full block and the last one.
template <typename Form, bool kLattice, typename Flush>
HINESIGHT_FORMULA void forCandidates(const ProblemView& problem, const SourceView& source, Pacer& pacer, Flush&& flush)
{
  Lanes lanes;
  const std::uint32_t rows = rowsOf(problem, source);
  for (std::uint32_t r = 0; r < rows; ++r) {
    pacer.spend(1);
    const RowView row = makeRow(problem, source, r);
    for (int part = 0; part < 2; ++part) {
      std::uint32_t slot = row.span.begin[part];
      std::uint32_t left = row.span.length[part];
      while (left > 0) {
        const std::uint32_t room = static_cast<std::uint32_t>(kLanes - lanes.count);
        const int taken = static_cast<int>(left < room ? left : room);
        for (int i = 0; i < taken; ++i) {
          const Target target = targetAt<kLattice>(problem, source, row, slot + static_cast<std::uint32_t>(i));
          for (int axis = 0; axis < 3; ++axis) {
            lanes.d[axis][lanes.count + i] = target.d[axis];
            if (Form::kNeedsPositions)
              lanes.position[axis][lanes.count + i] = target.position[axis];
          }
          lanes.index[lanes.count + i] = target.index;
        }
        lanes.count += taken;
        slot += static_cast<std::uint32_t>(taken);
        left -= static_cast<std::uint32_t>(taken);
        if (lanes.count == kLanes) {
          pacer.spend(kLanes);
          flush(lanes);
          lanes.count = 0;
        }
      }
    }
  }
  if (lanes.count > 0)
    flush(lanes);
}

template <typename Form, bool kLattice>
HINESIGHT_FORMULA RowCount countRowsOn(const Form& form, const ProblemView& problem, const SourceView& source,
                                       Pacer& pacer)
{
  RowCount count;
  forCandidates<Form, kLattice>(
      problem, source, pacer, [&](const Lanes& lanes) __attribute__((always_inline)) {
        Values values;
        if (!Form::kMonotone || problem.random)
          evaluateLanes(form, source, lanes, values.value);
        decideLanes(form, problem, source, lanes, values);
        count.rows += sumOf(values.kept);
        if (!Form::kAlwaysFinite || problem.random)
          lookAtLanes(form, problem, source, lanes, values, count);
      });
  return count;
}

/// Where the rows are intervals.
template <typename Form>
HINESIGHT_FORMULA std::uint64_t countIntervals(const Form& form, const ProblemView& problem, const SourceView& source,
                                               Pacer& pacer)
{
  std::uint64_t count = 0;
  const std::uint32_t rows = rowsOf(problem, source);
  for (std::uint32_t r = 0; r < rows; ++r) {
    pacer.spend(1);
    RowView row = makeRow(problem, source, r);
    trimRow(form, problem, source, row);
    count += lengthOf(row.span);
  }
  return count;
}

template <typename Form>
RowCount countRows(const Form& form, const ProblemView& problem, std::uint32_t index, const RunControl& control)
{
  Pacer pacer(control);
  const SourceView source = makeSource(problem, index);
  if (hasIntervals<Form>(problem))
    return {countIntervals(form, problem, source, pacer)};
  return problem.destination.cellBegin == nullptr ? countRowsOn<Form, true>(form, problem, source, pacer)
                                                  : countRowsOn<Form, false>(form, problem, source, pacer);
}

/// What is known to have a row, side by side: all that its weight needs.
struct MetricLanes
{
  alignas(64) double metric[kLanes] = {};
  alignas(64) std::uint32_t index[kLanes] = {};
  int count = 0;
};

template <typename Form>
HINESIGHT_FORMULA void storeMetricLanes(const Form& form, const SourceView& source, const MetricLanes& lanes,
                                        std::uint32_t* destination, float* weight)
{
  alignas(64) float single[kLanes];
  for (int i = 0; i < kLanes; ++i)
    single[i] = static_cast<float>(form.valueAt(lanes.metric[i], source.terms));
  const auto rows = static_cast<std::size_t>(lanes.count);
  __builtin_memcpy(destination, lanes.index, rows * sizeof(std::uint32_t));
  __builtin_memcpy(weight, single, rows * sizeof(float));
}

/// Where the rows are intervals.
template <typename Form>
HINESIGHT_FORMULA void compactIntervals(const Form& form, const ProblemView& problem, const SourceView& source,
                                        std::uint32_t* destination, float* weight, Pacer& pacer)
{
  MetricLanes lanes;
  const std::uint32_t rows = rowsOf(problem, source);
  for (std::uint32_t r = 0; r < rows; ++r) {
    pacer.spend(1);
    RowView row = makeRow(problem, source, r);
    trimRow(form, problem, source, row);
    for (int part = 0; part < 2; ++part) {
      std::uint32_t slot = row.span.begin[part];
      std::uint32_t left = row.span.length[part];
      while (left > 0) {
        const std::uint32_t room = static_cast<std::uint32_t>(kLanes - lanes.count);
        const int taken = static_cast<int>(left < room ? left : room);
        for (int i = 0; i < taken; ++i) {
          const Target target = targetAt<true>(problem, source, row, slot + static_cast<std::uint32_t>(i));
          lanes.metric[lanes.count + i] = form.metric(target.d);
          lanes.index[lanes.count + i] = target.index;
        }
        lanes.count += taken;
        slot += static_cast<std::uint32_t>(taken);
        left -= static_cast<std::uint32_t>(taken);
        if (lanes.count == kLanes) {
          pacer.spend(kLanes);
          storeMetricLanes(form, source, lanes, destination, weight);
          destination += kLanes;
          weight += kLanes;
          lanes.count = 0;
        }
      }
    }
  }
  if (lanes.count > 0)
    storeMetricLanes(form, source, lanes, destination, weight);
}

/// Writes what is kept; never beyond it, because the rows of the next source follow.
HINESIGHT_FORMULA std::uint64_t storeLanes(const ProblemView& problem, const Lanes& lanes, const Values& values,
                                           std::uint32_t* destination, float* weight)
{
  const std::uint64_t rows = sumOf(values.kept);
  alignas(64) std::uint32_t index[kLanes];
  alignas(64) float single[kLanes];
  if (problem.random)
    for (int i = 0; i < kLanes; ++i)
      single[i] = weightOf(problem, values.value[i]);
  else
    for (int i = 0; i < kLanes; ++i)
      single[i] = static_cast<float>(values.value[i]);
  const std::uint32_t* from = lanes.index;
  if (rows < static_cast<std::uint64_t>(lanes.count)) {
    std::uint64_t k = 0;
    for (int i = 0; i < kLanes; ++i) {
      index[k] = lanes.index[i];
      single[k] = single[i];
      // Without a branch; after the last kept one, k stays below kLanes because one at least is not kept.
      k += values.kept[i];
    }
    from = index;
  }
  __builtin_memcpy(destination, from, rows * sizeof(std::uint32_t));
  if (weight != nullptr)
    __builtin_memcpy(weight, single, rows * sizeof(float));
  return rows;
}

template <typename Form, bool kLattice>
HINESIGHT_FORMULA void compactRowsOn(const Form& form, const ProblemView& problem, const SourceView& source,
                                     std::uint32_t* destination, float* weight, Pacer& pacer)
{
  forCandidates<Form, kLattice>(
      problem, source, pacer, [&](const Lanes& lanes) __attribute__((always_inline)) {
        Values values;
        evaluateLanes(form, source, lanes, values.value);
        decideLanes(form, problem, source, lanes, values);
        const std::uint64_t rows = storeLanes(problem, lanes, values, destination, weight);
        destination += rows;
        if (weight != nullptr)
          weight += rows;
      });
}

template <typename Form>
void compactRows(const Form& form, const ProblemView& problem, std::uint32_t index, std::uint32_t* destination,
                 float* weight, const RunControl& control)
{
  Pacer pacer(control);
  const SourceView source = makeSource(problem, index);
  if constexpr (Form::kMonotone) {
    // On a lattice slots are in order, so that weights are asked for.
    if (hasIntervals<Form>(problem))
      return compactIntervals(form, problem, source, destination, weight, pacer);
  }
  if (problem.destination.cellBegin == nullptr)
    compactRowsOn<Form, true>(form, problem, source, destination, weight, pacer);
  else
    compactRowsOn<Form, false>(form, problem, source, destination, weight, pacer);
}

template <typename Form>
void weighRows(const Form& form, const ProblemView& problem, std::uint32_t index, const std::uint32_t* destination,
               std::size_t rows, float* weight, const RunControl& control)
{
  Pacer pacer(control);
  const SourceView source = makeSource(problem, index);
  Lanes lanes;
  for (std::size_t begin = 0; begin < rows; begin += kLanes) {
    pacer.spend(kLanes);
    lanes.count = static_cast<int>(rows - begin < kLanes ? rows - begin : kLanes);
    for (int i = 0; i < lanes.count; ++i) {
      const Target target = targetOf(problem, source, destination[begin + static_cast<std::size_t>(i)]);
      for (int axis = 0; axis < 3; ++axis) {
        lanes.d[axis][i] = target.d[axis];
        if (Form::kNeedsPositions)
          lanes.position[axis][i] = target.position[axis];
      }
      lanes.index[i] = target.index;
    }
    alignas(64) double value[kLanes];
    evaluateLanes(form, source, lanes, value);
    for (int i = 0; i < lanes.count; ++i)
      weight[begin + static_cast<std::size_t>(i)] = weightOf(problem, value[i]);
  }
}

template <typename Form>
constexpr RowKernels<Form> kRowKernels = {countRows<Form>, compactRows<Form>, weighRows<Form>};

} // namespace

} // namespace hinesight::projection::detail
