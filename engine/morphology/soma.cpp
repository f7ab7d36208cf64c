#include "morphology/soma.hpp"

#include "morphology/tally.hpp"

#include <algorithm>
#include <cmath>

namespace hinesight::morphology {

namespace {

constexpr double kThreePointTolerance = 0.01; // of the radius, as NEURON's import allows
constexpr double kContourRadiusShare = 0.25;  // largest sample radius of a contour, as a share of the ring's radius
constexpr double kContourGap = 2;             // largest closing step of a ring, in longest steps

bool isSoma(const Morphology& morphology, std::int32_t sample)
{
  return sample >= 0 && morphology.type[sample] == kSoma;
}

/// Soma samples whose parent is none or no soma sample, in file order: one for each soma.
std::vector<std::int32_t> findSomata(const Morphology& morphology)
{
  std::vector<std::int32_t> somata;
  for (std::int32_t sample = 0; sample < static_cast<std::int32_t>(morphology.samples()); ++sample) {
    if (isSoma(morphology, sample) && !isSoma(morphology, morphology.parent[sample]))
      somata.push_back(sample);
  }
  return somata;
}

std::vector<std::int32_t> somaChildren(const Morphology& morphology, std::int32_t sample)
{
  std::vector<std::int32_t> children;
  for (std::int32_t at = morphology.childBegin[sample]; at < morphology.childBegin[sample + 1]; ++at) {
    if (isSoma(morphology, morphology.child[at]))
      children.push_back(morphology.child[at]);
  }
  return children;
}

struct Soma
{
  std::vector<std::int32_t> samples; ///< connected soma samples, the one nearest to the root first
  bool branched = false;
};

Soma collectSoma(const Morphology& morphology, std::int32_t first)
{
  Soma soma;
  soma.samples.push_back(first);
  for (std::size_t at = 0; at < soma.samples.size(); ++at) {
    const std::vector<std::int32_t> children = somaChildren(morphology, soma.samples[at]);
    soma.branched = soma.branched || children.size() > 1;
    soma.samples.insert(soma.samples.end(), children.begin(), children.end());
  }
  return soma;
}

struct Sphere
{
  std::array<double, 3> centre{};
  double radius = 0;
};

/// Centroid of the samples and their mean distance from it: the sphere that a contour stands for.
Sphere meanSphere(const Morphology& morphology, const std::vector<std::int32_t>& samples)
{
  const auto count = static_cast<double>(samples.size());
  Sphere sphere;
  for (const std::int32_t sample : samples) {
    sphere.centre[0] += morphology.x[sample] / count;
    sphere.centre[1] += morphology.y[sample] / count;
    sphere.centre[2] += morphology.z[sample] / count;
  }
  for (const std::int32_t sample : samples) {
    const double dx = morphology.x[sample] - sphere.centre[0];
    const double dy = morphology.y[sample] - sphere.centre[1];
    const double dz = morphology.z[sample] - sphere.centre[2];
    sphere.radius += std::sqrt(dx * dx + dy * dy + dz * dz) / count;
  }
  return sphere;
}

/// Whether samples in this order outline something much larger than their own radii and come back to their start.
bool isContour(const Morphology& morphology, const std::vector<std::int32_t>& samples)
{
  const double ring = meanSphere(morphology, samples).radius;
  double longestStep = 0;
  for (std::size_t at = 0; at < samples.size(); ++at) {
    if (morphology.radius[samples[at]] > kContourRadiusShare * ring)
      return false;
    if (at > 0)
      longestStep = std::max(longestStep, sampleDistance(morphology, samples[at], samples[at - 1]));
  }
  return ring > 0 && sampleDistance(morphology, samples.front(), samples.back()) <= kContourGap * longestStep;
}

bool isRingOfRoots(const Morphology& morphology, const std::vector<std::int32_t>& somata)
{
  const auto isLoneRoot = [&](std::int32_t sample) {
    return morphology.parent[sample] < 0 && somaChildren(morphology, sample).empty();
  };
  return somata.size() >= 3 && std::all_of(somata.begin(), somata.end(), isLoneRoot) && isContour(morphology, somata);
}

/// Three soma samples of which the first is the parent of the two others.
bool isThreePointTree(const Soma& soma)
{
  return soma.samples.size() == 3 && soma.branched;
}

/// NeuroMorpho's sphere: the second and third sample lie one radius from the first on opposite sides, on any axis.
bool isThreePointSphere(const Morphology& morphology, const Soma& soma)
{
  const std::int32_t centre = soma.samples[0];
  const double radius = morphology.radius[centre];
  const double tolerance = kThreePointTolerance * radius;
  for (const std::int32_t side : {soma.samples[1], soma.samples[2]}) {
    if (std::abs(morphology.radius[side] - radius) > tolerance ||
        std::abs(sampleDistance(morphology, side, centre) - radius) > tolerance)
      return false;
  }
  const double span = sampleDistance(morphology, soma.samples[1], soma.samples[2]);
  return radius > 0 && std::abs(span - 2 * radius) <= 2 * tolerance;
}

void setSphere(Morphology& morphology, SomaKind kind, const Sphere& sphere)
{
  morphology.somaKind = kind;
  morphology.somaCentre = sphere.centre;
  morphology.somaRadius = sphere.radius;
}

SomaKind classify(const Morphology& morphology, const Soma& soma)
{
  if (soma.samples.size() == 1)
    return SomaKind::Sphere;
  if (isThreePointTree(soma) && isThreePointSphere(morphology, soma))
    return SomaKind::ThreePoint;
  if (soma.samples.size() >= 4 && !soma.branched && isContour(morphology, soma.samples))
    return SomaKind::Contour;
  return SomaKind::Frusta;
}

void warnOfNeuritesOffCentre(const Morphology& morphology, const Soma& soma, std::vector<Warning>& warnings)
{
  Tally tally;
  for (const std::int32_t side : {soma.samples[1], soma.samples[2]}) {
    for (std::int32_t at = morphology.childBegin[side]; at < morphology.childBegin[side + 1]; ++at)
      tally.note(morphology.line[morphology.child[at]]);
  }
  if (tally.count > 0)
    warnings.push_back({tally.firstLine, tally.counted("neurite hangs", "neurites hang") +
                                             " on the second or third point of a three-point soma, not on its first; "
                                             "kept there"});
}

void warnOfShape(const Morphology& morphology, const Soma& soma, std::vector<Warning>& warnings)
{
  const std::int64_t firstLine = morphology.line[soma.samples.front()];
  if (morphology.somaKind == SomaKind::Contour)
    warnings.push_back({firstLine, "the soma's " + std::to_string(soma.samples.size()) +
                                       " samples look like a contour (a closed ring of small radii); a sphere of the "
                                       "ring's mean radius stands for it"});
  if (morphology.somaKind == SomaKind::ThreePoint)
    warnOfNeuritesOffCentre(morphology, soma, warnings);
  else if (isThreePointTree(soma))
    warnings.push_back({morphology.line[soma.samples[1]],
                        "three-point soma whose second and third point are not one radius from the first on "
                        "opposite sides; read as frusta, not as a sphere"});
}

void warnOfSomaBelowNeurite(const Morphology& morphology, const std::vector<std::int32_t>& somata,
                            std::vector<Warning>& warnings)
{
  Tally tally;
  for (const std::int32_t soma : somata) {
    if (morphology.parent[soma] >= 0)
      tally.note(morphology.line[soma]);
  }
  if (tally.count > 0)
    warnings.push_back({tally.firstLine, tally.counted("soma sample (type 1) lies", "soma samples (type 1) lie") +
                                             " below a neurite; kept as in the file"});
}

} // namespace

void describeSoma(Morphology& morphology)
{
  const std::vector<std::int32_t> somata = findSomata(morphology);
  if (somata.empty()) {
    setSphere(morphology, SomaKind::None, {});
    return;
  }
  if (isRingOfRoots(morphology, somata)) {
    setSphere(morphology, SomaKind::Contour, meanSphere(morphology, somata));
    return;
  }
  const Soma soma = collectSoma(morphology, somata.front());
  const std::int32_t first = somata.front();
  const SomaKind kind = classify(morphology, soma);
  if (kind == SomaKind::Contour)
    setSphere(morphology, kind, meanSphere(morphology, soma.samples));
  else
    setSphere(morphology, kind,
              {{morphology.x[first], morphology.y[first], morphology.z[first]}, morphology.solvedRadius[first]});
}

std::vector<Warning> somaWarnings(const Morphology& morphology)
{
  std::vector<Warning> warnings;
  const std::vector<std::int32_t> somata = findSomata(morphology);
  if (somata.empty()) {
    const std::int64_t line = morphology.samples() > 0 ? morphology.line.front() : 0;
    warnings.push_back({line, "no soma sample (type 1); the first root takes its place"});
    return warnings;
  }
  if (isRingOfRoots(morphology, somata)) {
    warnings.push_back({morphology.line[somata.front()],
                        std::to_string(somata.size()) + " soma roots (" + nameLines(morphology, somata) +
                            "): a contour written as separate roots; each stays a root"});
    return warnings;
  }
  std::vector<std::int32_t> somaRoots;
  std::copy_if(somata.begin(), somata.end(), std::back_inserter(somaRoots),
               [&](std::int32_t soma) { return morphology.parent[soma] < 0; });
  if (somaRoots.size() > 1)
    warnings.push_back({morphology.line[somaRoots.front()], std::to_string(somaRoots.size()) + " somata (" +
                                                                nameLines(morphology, somaRoots) +
                                                                "); all kept, check which one is the cell"});
  warnOfSomaBelowNeurite(morphology, somata, warnings);
  warnOfShape(morphology, collectSoma(morphology, somata.front()), warnings);
  return warnings;
}

} // namespace hinesight::morphology
