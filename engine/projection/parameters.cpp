#include "projection/parameters.hpp"

#include "core/error.hpp"
#include "core/text.hpp"
#include "projection/expression.hpp"
#include "projection/populations/population.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

namespace hinesight::projection {

namespace {

[[noreturn]] void refuse(const std::string& sentence)
{
  throw Error(ErrorCode::BadParameter, sentence);
}

/// Throws where a delay could be no finite number in single precision, as those of files must be.
void requireFiniteDelays(const ProjectionParameters& parameters, const Population& source,
                         const Population& destination)
{
  if (parameters.velocity == 0)
    return;
  double square = 0;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double farthest = std::max(destination.bounds()[1][axis] - source.bounds()[0][axis],
                                     source.bounds()[1][axis] - destination.bounds()[0][axis]);
    square += farthest * farthest;
  }
  const double longest = parameters.delay + std::sqrt(square) * (1 / parameters.velocity);
  if (!(longest <= std::numeric_limits<float>::max()))
    refuse("velocity is " + textOf(parameters.velocity) + ", so low that delays are not finite; choose a greater one.");
}

} // namespace

const std::vector<KernelKind>& allKernels()
{
  static const std::vector<KernelKind> kAll = [] {
    std::vector<KernelKind> all;
    for (std::size_t kind = 0; kind < std::size(kKernels); ++kind)
      all.push_back(static_cast<KernelKind>(kind));
    return all;
  }();
  return kAll;
}

void validate(const ProjectionParameters& parameters)
{
  validateFields(fieldsOf(parameters));
  if (parameters.kernel == KernelKind::Expression)
    compileExpression(parameters.expression);
}

void validate(const ProjectionParameters& parameters, const Population& source, const Population& destination)
{
  validate(parameters);
  if (parameters.kernel == KernelKind::WideningGaussian && parameters.fieldSize == 0 && !source.isGrid())
    refuse("field-size is 0, but the source population \"" + source.name() +
           "\" is no grid whose rows could be counted; give the size of its field.");
  if (parameters.wrap && destination.period() == Position{})
    refuse("The destination population \"" + destination.name() +
           "\" does not close to a torus; take a grid or a box, or leave out the wrap.");
  requireFiniteDelays(parameters, source, destination);
}

bool keepsEveryPair(const ProjectionParameters& p)
{
  return p.kernel == KernelKind::AllToAll && p.rule == ConnectionRule::Weighted && std::abs(p.gain) > p.cut;
}

bool needsCut(const ProjectionParameters& p)
{
  if (p.cut > 0 || p.boxCut > 0 || p.rule == ConnectionRule::Random)
    return false;
  switch (p.kernel) {
  case KernelKind::Gaussian:
  case KernelKind::WideningGaussian:
  case KernelKind::DifferenceOfGaussians:
  case KernelKind::Exponential:
    return true;
  case KernelKind::Gabor:
    return p.region == 0;
  case KernelKind::OneToOne:
  case KernelKind::Nearest:
  case KernelKind::AllToAll:
  case KernelKind::Expression:
    break;
  }
  return false;
}

std::vector<Setting> describe(const ProjectionParameters& parameters)
{
  return settingsOf(applyingOf(fieldsOf(parameters)));
}

double wideningSigma(const ProjectionParameters& p, double fieldSize, double y)
{
  const auto magnification = [&](double shifted) { return fieldSize / (p.e2 * std::log(shifted / (2 * p.e2) + 1)); };
  const double fixed = p.sigmaM / magnification(p.fshift);
  const double widened = p.sigmaM / magnification(std::max(1 + y, p.fshift));
  return widened - fixed + p.sigma0;
}

} // namespace hinesight::projection
