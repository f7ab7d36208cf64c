#include "morphology/unit_scale.hpp"

#include "core/error.hpp"
#include "core/text.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace hinesight::morphology {

namespace {

constexpr double kLargestUsualBox = 20'000; // µm
constexpr double kLargestUsualSoma = 500;   // µm, the radius: of Aplysia's R2, the largest that is known
constexpr double kSmallestUsualSoma = 0.7;  // µm, the radius
constexpr double kLargestKnownBox = 1e9;    // units of the file; beyond a metre in nanometres, units are no explanation

void requireScale(double unitScale)
{
  if (!(unitScale >= kUnitScaleRange.least && unitScale <= kUnitScaleRange.greatest))
    throw Error(ErrorCode::BadParameter, "The scale of a file is " + textOf(unitScale) + "; it must be " +
                                             textOf(kUnitScaleRange.least) + " to " + textOf(kUnitScaleRange.greatest) +
                                             " µm per unit.");
}

double longestSide(const Morphology& morphology)
{
  double longest = 0;
  for (const std::vector<double>* axis : {&morphology.x, &morphology.y, &morphology.z}) {
    if (axis->empty())
      return 0;
    const auto [least, most] = std::minmax_element(axis->begin(), axis->end());
    longest = std::max(longest, *most - *least);
  }
  return longest;
}

/// 0 where the file does not say it: without a soma, of an unknown radius, and of frusta, whose radii may be those of
/// an outline.
double radiusOfSoma(const Morphology& morphology)
{
  if (morphology.somaKind == SomaKind::None || morphology.somaKind == SomaKind::Frusta)
    return 0;
  if (morphology.somaKind == SomaKind::Contour)
    return morphology.somaRadius;
  const auto soma = std::find(morphology.type.begin(), morphology.type.end(), kSoma) - morphology.type.begin();
  return morphology.radius[static_cast<std::size_t>(soma)];
}

/// By the radius of the soma in units of the file.
const FileUnit& probableUnit(double somaRadius)
{
  const bool fitsVoxels = somaRadius * kNanometres.scale < kSmallestUsualSoma &&
                          somaRadius * kVoxelsOf8Nanometres.scale >= kSmallestUsualSoma;
  return fitsVoxels ? kVoxelsOf8Nanometres : kNanometres;
}

} // namespace

std::shared_ptr<const Morphology> inMicrometres(const std::shared_ptr<const Morphology>& asRead, double unitScale,
                                                const RunControl& control)
{
  requireScale(unitScale);
  if (unitScale == asRead->unitScale)
    return asRead;
  auto scaled = std::make_shared<Morphology>(*asRead);
  for (std::vector<double>* values : {&scaled->x, &scaled->y, &scaled->z, &scaled->radius})
    for (double& value : *values)
      value *= unitScale;
  scaled->unitScale = unitScale;
  completeMorphology(*scaled, control);

  std::vector<Warning>& warnings = scaled->warnings;
  std::erase_if(warnings, [](const Warning& warning) { return warning.suggestedScale > 0; });
  if (std::optional<Warning> warning = sizeWarning(*scaled)) {
    const auto behind = std::upper_bound(warnings.begin(), warnings.end(), warning->line,
                                         [](std::int64_t line, const Warning& other) { return line < other.line; });
    warnings.insert(behind, std::move(*warning));
  }
  return scaled;
}

std::optional<Warning> sizeWarning(const Morphology& morphology)
{
  const double box = longestSide(morphology);
  const double soma = radiusOfSoma(morphology);
  const bool isBoxLarge = box > kLargestUsualBox;
  if (box > kLargestKnownBox * morphology.unitScale || (!isBoxLarge && soma <= kLargestUsualSoma))
    return std::nullopt;

  const std::string unit = morphology.unitScale == kMicrometres.scale ? " units" : " µm";
  const std::string size = isBoxLarge ? "the cell spans " + std::to_string(std::llround(box)) + unit + ", more than " +
                                            textOf(kLargestUsualBox)
                                      : "the soma's radius is " + std::to_string(std::llround(soma)) + unit +
                                            ", more than " + textOf(kLargestUsualSoma);
  const FileUnit& probable = probableUnit(soma / morphology.unitScale);
  const std::int64_t line = morphology.line.front();
  if (probable.scale >= morphology.unitScale)
    return Warning{line, size + " at the scale " + textOf(morphology.unitScale) + ": give the file a smaller one"};
  return Warning{line,
                 size + ": probably " + std::string(probable.name) + ", not micrometres; give the file the scale " +
                     textOf(probable.scale) + " µm per unit if so",
                 probable.scale};
}

} // namespace hinesight::morphology
