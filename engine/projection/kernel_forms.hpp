#pragma once

#include "core/philox.hpp"
#include "projection/expression.hpp"
#include "projection/rows/candidates.hpp"

// The formulas of the kernels, once, for CPU and CUDA. Each form has
//   metric(d)        what grows with distance; pairs with metric > SourceTerms::limit have no row (isWithin)
//   value(...)       the kernel, in double precision
//   kMonotone        the value falls with the metric: then the limit alone decides, and no value is needed to count;
//                    valueAt(metric, terms) is the value
//   kNeedsPositions  the value depends on the destination's position, not on the displacement alone
//   kAlwaysFinite    the value is always a finite number in single precision

namespace hinesight::projection {

HINESIGHT_FORMULA double squareOf(const double (&d)[3])
{
  return d[0] * d[0] + (d[1] * d[1] + d[2] * d[2]);
}

/// Isotropic and widening Gaussian: scale = -1 / (2 sigma^2).
struct RadialForm
{
  static constexpr bool kMonotone = true;
  static constexpr bool kNeedsPositions = false;
  static constexpr bool kAlwaysFinite = true;
  double gain;
  HINESIGHT_FORMULA double metric(const double (&d)[3]) const { return squareOf(d); }
  HINESIGHT_FORMULA double valueAt(double q, const SourceTerms& terms) const
  {
    return gain * fixedExp(terms.scale * q);
  }
  HINESIGHT_FORMULA double value(const SourceView& source, const Target& target) const
  {
    return valueAt(metric(target.d), source.terms);
  }
};

/// Gaussian with axes of its own: a turn about z and a width along each.
struct EllipticForm
{
  static constexpr bool kMonotone = true;
  static constexpr bool kNeedsPositions = false;
  static constexpr bool kAlwaysFinite = true;
  double gain;
  double cosine, sine;
  double inverseSigma[3];
  HINESIGHT_FORMULA void turn(const double (&d)[3], double (&turned)[3]) const
  {
    turned[0] = cosine * d[0] + sine * d[1];
    turned[1] = cosine * d[1] - sine * d[0];
    turned[2] = d[2];
  }
  HINESIGHT_FORMULA double metric(const double (&d)[3]) const
  {
    double turned[3];
    turn(d, turned);
    for (int a = 0; a < 3; ++a)
      turned[a] *= inverseSigma[a];
    return squareOf(turned);
  }
  HINESIGHT_FORMULA double valueAt(double q, const SourceTerms&) const { return gain * fixedExp(-0.5 * q); }
  HINESIGHT_FORMULA double value(const SourceView& source, const Target& target) const
  {
    return valueAt(metric(target.d), source.terms);
  }
};

/// Exponential decay: scale = -1 / decay.
struct ExponentialForm
{
  static constexpr bool kMonotone = true;
  static constexpr bool kNeedsPositions = false;
  static constexpr bool kAlwaysFinite = true;
  double gain;
  HINESIGHT_FORMULA double metric(const double (&d)[3]) const { return squareOf(d); }
  HINESIGHT_FORMULA double valueAt(double q, const SourceTerms& terms) const
  {
    return gain * fixedExp(terms.scale * squareRoot(q));
  }
  HINESIGHT_FORMULA double value(const SourceView& source, const Target& target) const
  {
    return valueAt(metric(target.d), source.terms);
  }
};

/// One-to-one and all-to-all.
struct ConstantForm
{
  static constexpr bool kMonotone = true;
  static constexpr bool kNeedsPositions = false;
  static constexpr bool kAlwaysFinite = true;
  double gain;
  HINESIGHT_FORMULA double metric(const double (&)[3]) const { return 0; }
  HINESIGHT_FORMULA double valueAt(double, const SourceTerms&) const { return gain; }
  HINESIGHT_FORMULA double value(const SourceView&, const Target&) const { return gain; }
};

/// Nearest neighbours: each source has a limit of its own, the metric of the farthest of its neighbours. Its rows are
/// no intervals, because of those at the limit only some have one.
struct NearestForm
{
  static constexpr bool kMonotone = false;
  static constexpr bool kNeedsPositions = false;
  static constexpr bool kAlwaysFinite = true;
  double gain;
  HINESIGHT_FORMULA double metric(const double (&d)[3]) const { return squareOf(d); }
  HINESIGHT_FORMULA double value(const SourceView&, const Target&) const { return gain; }
};

/// Sine along a direction under a Gaussian: scale = -1 / (2 sigma^2), turns along x and y in turns per length.
struct GaborForm
{
  static constexpr bool kMonotone = false;
  static constexpr bool kNeedsPositions = false;
  static constexpr bool kAlwaysFinite = true;
  double gain; ///< of the Gaussian times that of the sine
  double turnsX, turnsY;
  HINESIGHT_FORMULA double metric(const double (&d)[3]) const { return squareOf(d); }
  HINESIGHT_FORMULA double value(const SourceView& source, const Target& target) const
  {
    const double turns = target.d[0] * turnsX + target.d[1] * turnsY;
    return gain * fixedSinTurns(turns) * fixedExp(source.terms.scale * squareOf(target.d));
  }
};

/// Scale = -1 / (2 sigma^2) of the centre.
struct DifferenceForm
{
  static constexpr bool kMonotone = false;
  static constexpr bool kNeedsPositions = false;
  static constexpr bool kAlwaysFinite = true;
  double gain, surroundGain, surroundScale;
  HINESIGHT_FORMULA double metric(const double (&d)[3]) const { return squareOf(d); }
  HINESIGHT_FORMULA double value(const SourceView& source, const Target& target) const
  {
    const double q = squareOf(target.d);
    return gain * fixedExp(source.terms.scale * q) - surroundGain * fixedExp(surroundScale * q);
  }
};

struct ExpressionForm
{
  static constexpr bool kMonotone = false;
  static constexpr bool kNeedsPositions = true;
  static constexpr bool kAlwaysFinite = false;
  Program program;
  HINESIGHT_FORMULA double metric(const double (&d)[3]) const { return squareOf(d); }
  HINESIGHT_FORMULA double value(const SourceView& source, const Target& target) const
  {
    const double variables[kVariables] = {
        target.d[0],        target.d[1],        target.d[2],        squareRoot(squareOf(target.d)),
        source.position[0], source.position[1], source.position[2], target.position[0],
        target.position[1], target.position[2]};
    return runProgram(program, variables);
  }
};

/// Whether d lies within the box cut; along the kernel's own axes where it has some.
template <typename Form>
HINESIGHT_FORMULA bool isInBox(const Form&, const double (&d)[3], const double (&box)[3])
{
  // All three are looked at: no branches, so that this can be done for many pairs at a time.
  return (magnitude(d[0]) < box[0]) & (magnitude(d[1]) < box[1]) & (magnitude(d[2]) < box[2]);
}
HINESIGHT_FORMULA bool isInBox(const EllipticForm& form, const double (&d)[3], const double (&box)[3])
{
  double turned[3];
  form.turn(d, turned);
  return (magnitude(turned[0]) < box[0]) & (magnitude(turned[1]) < box[1]) & (magnitude(turned[2]) < box[2]);
}

/// Uniform in [0, 1), a function of the pair and the seed.
HINESIGHT_FORMULA double connectionDraw(const ProblemView& problem, std::uint32_t source, std::uint32_t destination)
{
  constexpr std::uint32_t kConnectionStream = 0x434F4E31;
  return randomUniform(problem.seed, (std::uint64_t{source} << 32) | destination, kConnectionStream, 0);
}

/// Whether a pair lies within the limit of its source.
template <typename Form>
HINESIGHT_FORMULA bool isWithin(const Form& form, const SourceTerms& terms, const Target& target)
{
  return form.metric(target.d) <= terms.limit;
}
HINESIGHT_FORMULA bool isWithin(const NearestForm& form, const SourceTerms& terms, const Target& target)
{
  const double q = form.metric(target.d);
  return (q < terms.limit) | ((q == terms.limit) & (target.index <= terms.lastAtLimit));
}

/// Whether a pair passes the cut. Where the form is monotone `value` is not looked at.
template <typename Form>
HINESIGHT_FORMULA bool passesCut(const Form& form, const ProblemView& problem, const SourceTerms& terms,
                                 const Target& target, double value)
{
  const bool within = isWithin(form, terms, target);
  return Form::kMonotone ? within : within & (magnitude(value) > problem.cut);
}

/// Whether a pair has a row.
template <typename Form>
HINESIGHT_FORMULA bool hasRow(const Form& form, const ProblemView& problem, const SourceView& source,
                              const Target& target, double value)
{
  bool kept = passesCut(form, problem, source.terms, target, value);
  if (problem.boxed)
    kept = kept & isInBox(form, target.d, source.terms.box);
  if (!problem.selfConnections)
    kept = kept & (target.index != source.index);
  if (problem.random)
    kept = kept && connectionDraw(problem, source.index, target.index) < value;
  return kept;
}

/// Whether a pair lies where its value decides about a row: within the kernel's limit and box, and not a neuron and
/// itself where those are left out.
template <typename Form>
HINESIGHT_FORMULA bool isAsked(const Form& form, const ProblemView& problem, const SourceView& source,
                               const Target& target)
{
  bool asked = isWithin(form, source.terms, target);
  if (problem.boxed)
    asked = asked & isInBox(form, target.d, source.terms.box);
  if (!problem.selfConnections)
    asked = asked & (target.index != source.index);
  return asked;
}

/// Whether a value is a finite number in single precision, as a weight must be.
HINESIGHT_FORMULA bool isFiniteWeight(double value)
{
  const float single = static_cast<float>(value);
  return single - single == 0;
}

/// Whether a value would pass the cut by its size, but as a probability is below 0.
HINESIGHT_FORMULA bool isNegativeProbability(const ProblemView& problem, double value)
{
  return problem.random & (value < -problem.cut);
}

/// Whether the pairs of a source that have a row are, in each row of destinations, those of one interval, so that only
/// its ends have to be looked for.
template <typename Form>
HINESIGHT_FORMULA bool hasIntervals(const ProblemView& problem)
{
  return Form::kMonotone && problem.destination.cellBegin == nullptr && !problem.wrapped && !problem.random;
}

/// Leaves in the row the slots that have a row of the table, where those are an interval; the source's own index, if it
/// is left out, parts it.
template <typename Form>
HINESIGHT_FORMULA void trimRow(const Form& form, const ProblemView& problem, const SourceView& source, RowView& row)
{
  const auto isKept = [&](std::uint32_t slot) {
    const Target target = targetAt<true>(problem, source, row, slot);
    return passesCut(form, problem, source.terms, target, 0) &&
           (!problem.boxed || isInBox(form, target.d, source.terms.box));
  };
  std::uint32_t begin = row.span.begin[0];
  std::uint32_t end = begin + row.span.length[0];
  while (begin < end && !isKept(begin))
    ++begin;
  while (begin < end && !isKept(end - 1))
    --end;
  row.span = {{begin, 0}, {end - begin, 0}};
  if (!problem.selfConnections && begin <= source.index && source.index < end)
    row.span = {{begin, source.index + 1}, {source.index - begin, end - source.index - 1}};
}

/// The weight of a pair that has a row.
HINESIGHT_FORMULA float weightOf(const ProblemView& problem, double value)
{
  return static_cast<float>(problem.random ? problem.randomWeight : value);
}

} // namespace hinesight::projection
