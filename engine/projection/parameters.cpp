#include "projection/parameters.hpp"

#include "core/error.hpp"
#include "projection/expression.hpp"
#include "projection/populations/population.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>

namespace hinesight::projection {

namespace {

bool isUsed(const ParameterInfo& info, KernelKind kernel)
{
  return (info.kernels & kernelBit(kernel)) != 0;
}

[[noreturn]] void refuse(const std::string& sentence)
{
  throw Error(ErrorCode::BadParameter, sentence);
}

void requireRange(const ParameterInfo& info, double value)
{
  const bool low = info.above ? value <= info.least : value < info.least;
  if (std::isfinite(value) && !low && value <= info.greatest)
    return;
  refuse(std::string(info.name) + " is " + shortText(value) + "; choose a number " +
         (info.above ? "above " : "of at least ") + shortText(info.least) + " and at most " + shortText(info.greatest) +
         ".");
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
    refuse("velocity is " + shortText(parameters.velocity) +
           ", so low that delays are no finite numbers; choose a greater one.");
}

} // namespace

std::string shortText(double value)
{
  std::array<char, 40> text{};
  const auto written = std::to_chars(text.data(), text.data() + text.size(), value);
  return {text.data(), written.ptr};
}

std::string_view kernelName(KernelKind kind)
{
  constexpr std::array<std::string_view, 8> kNames = {
      "gaussian",    "widening-gaussian", "gabor",      "difference-of-gaussians",
      "exponential", "one-to-one",        "all-to-all", "expression"};
  return kNames[static_cast<std::size_t>(kind)];
}

const std::vector<KernelKind>& allKernels()
{
  static const std::vector<KernelKind> kAll = {
      KernelKind::Gaussian,    KernelKind::WideningGaussian, KernelKind::Gabor,    KernelKind::DifferenceOfGaussians,
      KernelKind::Exponential, KernelKind::OneToOne,         KernelKind::AllToAll, KernelKind::Expression};
  return kAll;
}

std::string_view ruleName(ConnectionRule rule)
{
  return rule == ConnectionRule::Random ? "random" : "weighted";
}

void validate(const ProjectionParameters& parameters)
{
  visitParameters(parameters, [&](const ParameterInfo& info, double value) {
    if (isUsed(info, parameters.kernel))
      requireRange(info, value);
  });
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
  case KernelKind::AllToAll:
  case KernelKind::Expression:
    break;
  }
  return false;
}

std::vector<std::pair<std::string, std::string>> describe(const ProjectionParameters& parameters)
{
  std::vector<std::pair<std::string, std::string>> fields;
  fields.emplace_back("kernel", kernelName(parameters.kernel));
  if (parameters.kernel == KernelKind::Expression)
    fields.emplace_back("expression", parameters.expression);
  fields.emplace_back("rule", ruleName(parameters.rule));
  if (parameters.rule == ConnectionRule::Random)
    fields.emplace_back("seed", std::to_string(parameters.seed));
  visitParameters(parameters, [&](const ParameterInfo& info, double value) {
    if (isUsed(info, parameters.kernel))
      fields.emplace_back(info.name, shortText(value));
  });
  fields.emplace_back("wrap", parameters.wrap ? "true" : "false");
  fields.emplace_back("self-connections", parameters.selfConnections ? "true" : "false");
  return fields;
}

double wideningSigma(const ProjectionParameters& p, double fieldSize, double y)
{
  const auto magnification = [&](double shifted) { return fieldSize / (p.e2 * std::log(shifted / (2 * p.e2) + 1)); };
  const double fixed = p.sigmaM / magnification(p.fshift);
  const double widened = p.sigmaM / magnification(std::max(1 + y, p.fshift));
  return widened - fixed + p.sigma0;
}

} // namespace hinesight::projection
