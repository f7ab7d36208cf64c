#include "morphology/synthetic.hpp"

#include "core/error.hpp"
#include "core/philox.hpp"
#include "core/text.hpp"

#include <algorithm>
#include <cmath>

namespace hinesight::morphology {

namespace {

constexpr std::size_t kMostSamples = 5'000'000;

struct Vector
{
  double x = 0, y = 0, z = 0;
};

Vector operator+(const Vector& a, const Vector& b)
{
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
Vector operator*(double factor, const Vector& a)
{
  return {factor * a.x, factor * a.y, factor * a.z};
}
double dot(const Vector& a, const Vector& b)
{
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

Vector normalized(const Vector& a, const Vector& otherwise)
{
  const double length = std::sqrt(dot(a, a));
  return length > 1e-12 ? (1 / length) * a : otherwise;
}

constexpr Vector kUp{0, 1, 0};
constexpr Vector kDown{0, -1, 0};

/// How the neurites of one stem grow. Lengths are shares of SyntheticCellParameters::branchLength, radii of somaRadius.
struct NeuriteStyle
{
  std::int32_t type = kBasalDendrite;
  double stemRadius = 0.14;
  double thinnest = 0.02;
  double taper = 0.85;           ///< radius at the end of a branch over that at its start
  double firstLength = 1;        ///< of the branch at the soma
  double childLength = 0.85;     ///< of a branch over that of its parent
  double wander = 0.05;          ///< how much the direction changes at random, per square root of um
  double outward = 0.004;        ///< how much it turns away from the soma, per um
  Vector pull;                   ///< how much it turns this way, per um
  double spread = 0.55;          ///< tangent of half the angle between two like children
  double depth = 1;              ///< of growth along z: 1 in all directions, near 0 in a plane
  std::int32_t eagerness = 1;    ///< a branch fails to bifurcate with this power of the chance that it has otherwise
  std::int32_t levelsSpared = 0; ///< so many bifurcations fewer than the parameters allow
  std::int32_t trunkLevels = 0;  ///< so many bifurcations let a thick child go straight on and a thin one sideways
  std::int32_t sideLevels = 0;   ///< most bifurcations above a tip on such a side branch
  double trunkChildLength = 1;   ///< of the child that goes on over its parent
  double sideChildLength = 0.55; ///< of the child that goes sideways
};

struct Stem
{
  const NeuriteStyle* style = nullptr;
  Vector direction;
};

NeuriteStyle axonStyle()
{
  NeuriteStyle style;
  style.type = kAxon;
  style.stemRadius = 0.06;
  style.taper = 0.95;
  style.firstLength = 2.2;
  style.childLength = 0.78;
  style.wander = 0.06;
  style.pull = 0.003 * kDown;
  style.spread = 0.7;
  return style;
}

NeuriteStyle basalStyle()
{
  NeuriteStyle style;
  style.firstLength = 0.5;
  style.childLength = 0.95;
  style.pull = 0.001 * kDown;
  return style;
}

NeuriteStyle apicalStyle(std::int32_t levels)
{
  NeuriteStyle style;
  style.type = kApicalDendrite;
  style.stemRadius = 0.3;
  style.firstLength = 1.4;
  style.childLength = 0.8;
  style.taper = 0.93;
  style.wander = 0.03;
  style.outward = 0.003;
  style.pull = 0.01 * kUp;
  style.spread = 0.85;
  style.eagerness = 2;
  style.trunkLevels = std::max(1, levels / 2);
  style.sideLevels = 2;
  return style;
}

NeuriteStyle purkinjeStyle()
{
  NeuriteStyle style;
  style.stemRadius = 0.25;
  style.firstLength = 0.45;
  style.childLength = 0.92;
  style.wander = 0.07;
  style.outward = 0.005;
  style.pull = 0.001 * kUp;
  style.spread = 0.65;
  style.depth = 0.04;
  style.eagerness = 2;
  return style;
}

NeuriteStyle bipolarStyle(std::int32_t type, const Vector& away)
{
  NeuriteStyle style;
  style.type = type;
  style.stemRadius = 0.2;
  style.firstLength = 1.6;
  style.childLength = 0.7;
  style.wander = 0.04;
  style.outward = 0.002;
  style.pull = 0.005 * away;
  style.spread = 0.45;
  return style;
}

/// The styles of a kind and its stems in the order in which they grow.
class Plan
{
public:
  explicit Plan(const SyntheticCellParameters& parameters)
      : apical(apicalStyle(parameters.levels)), stemCount(parameters.stems)
  {
    if (parameters.kind == SyntheticKind::Pyramidal)
      planPyramidal();
    else if (parameters.kind == SyntheticKind::Stellate)
      planStellate();
    else if (parameters.kind == SyntheticKind::Purkinje)
      planPurkinje(parameters.levels);
    else
      planBipolar();
  }
  Plan(const Plan&) = delete;
  Plan& operator=(const Plan&) = delete;

  const std::vector<Stem>& stems() const { return planned; }

private:
  void planPyramidal()
  {
    planned.push_back({&apical, kUp});
    addAxon();
    addAround(basal, stemCount - static_cast<std::int32_t>(planned.size()), -0.95, 0.15);
  }

  void planStellate()
  {
    basal.firstLength = 0.6;
    basal.childLength = 0.9;
    basal.pull = {};
    addAxon();
    addAround(basal, stemCount - static_cast<std::int32_t>(planned.size()), -0.8, 0.95);
  }

  void planPurkinje(std::int32_t levels)
  {
    // A single fibre with few collaterals near its end.
    axon.levelsSpared = std::max(0, levels - 2);
    axon.firstLength = 2;
    addAxon();
    const std::int32_t fan = stemCount - static_cast<std::int32_t>(planned.size());
    for (std::int32_t stem = 0; stem < fan; ++stem) {
      const double side = (2.0 * stem + 1) / fan - 1;
      planned.push_back({&purkinje, normalized({0.9 * side, 1, 0}, kUp)});
    }
  }

  void planBipolar()
  {
    for (std::int32_t stem = 0; stem < stemCount; ++stem) {
      const double side = stem < 3 ? 0 : 0.4 * (stem % 3 - 1);
      if (stem == 2)
        addAxon();
      else if (stem % 2 == 0)
        planned.push_back({&upper, normalized({side, 1, 0.2 * side}, kUp)});
      else
        planned.push_back({&lower, normalized({side, -1, -0.2 * side}, kDown)});
    }
  }

  /// From two stems on; a cell with a single stem has a dendrite.
  void addAxon()
  {
    if (stemCount >= 2)
      planned.push_back({&axon, normalized({0.3, -1, 0.1}, kDown)});
  }

  /// Directions spread evenly over the sphere between two heights (Fibonacci lattice: turned by the golden angle each).
  void addAround(const NeuriteStyle& style, std::int32_t count, double lowest, double highest)
  {
    constexpr double kCosineGolden = -0.737368878078320;
    constexpr double kSineGolden = 0.675490294261524;
    double cosine = 1;
    double sine = 0;
    for (std::int32_t stem = 0; stem < count; ++stem) {
      const double height = lowest + (highest - lowest) * (stem + 0.5) / count;
      const double ring = std::sqrt(1 - height * height);
      planned.push_back({&style, {ring * cosine, height, ring * sine}});
      const double turned = cosine * kCosineGolden - sine * kSineGolden;
      sine = cosine * kSineGolden + sine * kCosineGolden;
      cosine = turned;
    }
  }

  NeuriteStyle axon = axonStyle();
  NeuriteStyle basal = basalStyle();
  NeuriteStyle apical;
  NeuriteStyle purkinje = purkinjeStyle();
  NeuriteStyle upper = bipolarStyle(kApicalDendrite, kUp);
  NeuriteStyle lower = bipolarStyle(kBasalDendrite, kDown);
  std::vector<Stem> planned;
  std::int32_t stemCount;
};

/// A branch that is still to grow.
struct Sprout
{
  const NeuriteStyle* style = nullptr;
  std::int32_t parent = 0; ///< sample that it hangs on
  std::uint64_t branch = 0;
  std::int32_t level = 0; ///< bifurcations above it, and those that its style spares
  bool trunk = false;
  Vector position;
  Vector direction;
  double radius = 0; ///< um
  double length = 0; ///< um, before chance changes it
};

/// What a random number is drawn for, so that no two draws of a branch share bits.
enum Draw : std::uint32_t
{
  kDrawLength,
  kDrawBifurcation,
  kDrawShare,
  kDrawSide,
  kDrawBend = 16, ///< and the following, three coordinates for each attempt
};

class Grower
{
public:
  Grower(const SyntheticCellParameters& cellParameters, const RunControl& runControl)
      : parameters(cellParameters), control(runControl), plan(cellParameters),
        branches(static_cast<std::uint64_t>(cellParameters.kind) << 32)
  {}

  std::shared_ptr<const Morphology> grow();

private:
  void describe();
  void addSample(std::int32_t type, const Vector& position, double radius, std::int32_t parent);
  void sproutStem(const Stem& stem);
  void growBranch(Sprout sprout);
  Vector sideOf(const Sprout& end) const;
  void bifurcate(const Sprout& end);
  double uniform(std::uint64_t branch, std::uint32_t step, std::uint32_t draw) const;
  Vector randomDirection(std::uint64_t branch, std::uint32_t step, double depth) const;
  double rounded(double value) const;

  const SyntheticCellParameters& parameters;
  const RunControl& control;
  Plan plan;
  std::shared_ptr<Morphology> cell = std::make_shared<Morphology>();
  std::vector<Sprout> sprouts;
  std::uint64_t branches; ///< counts on from the kind, so that kinds of the same seed differ
};

void Grower::describe()
{
  const std::string kind(choiceName(parameters.kind));
  cell->name = "synthetic-" + kind + "-" + std::to_string(parameters.seed);
  cell->comments = {
      " Synthetic cell generated by Hinesight; not a reconstruction of a real neuron",
      " kind " + kind + ", stems " + std::to_string(parameters.stems) + ", levels " +
          std::to_string(parameters.levels) + ", branching probability " + textOf(parameters.branchingProbability) +
          ", branch length " + textOf(parameters.branchLength) + " um, soma radius " + textOf(parameters.somaRadius) +
          " um, step length " + textOf(parameters.stepLength) + " um, seed " + std::to_string(parameters.seed),
      " id type x y z radius parent",
  };
}

std::shared_ptr<const Morphology> Grower::grow()
{
  describe();
  addSample(kSoma, {}, parameters.somaRadius, -1);
  for (const Stem& stem : plan.stems()) {
    sproutStem(stem);
    while (!sprouts.empty()) {
      const Sprout next = sprouts.back();
      sprouts.pop_back();
      growBranch(next);
    }
  }
  completeMorphology(*cell, control);
  return cell;
}

double Grower::uniform(std::uint64_t branch, std::uint32_t step, std::uint32_t draw) const
{
  return randomUniform(parameters.seed, branch, step, draw);
}

/// Uniform in the unit ball by rejection, then flattened: needs no function whose last bit depends on the library.
Vector Grower::randomDirection(std::uint64_t branch, std::uint32_t step, double depth) const
{
  constexpr std::uint32_t kMostAttempts = 64; // each succeeds in 52 of 100 cases
  Vector point;
  for (std::uint32_t attempt = 0; attempt < kMostAttempts; ++attempt) {
    const std::uint32_t draw = kDrawBend + 3 * attempt;
    point = {2 * uniform(branch, step, draw) - 1, 2 * uniform(branch, step, draw + 1) - 1,
             2 * uniform(branch, step, draw + 2) - 1};
    if (dot(point, point) <= 1)
      break;
  }
  point.z *= depth;
  return point;
}

/// To 0.1 nm, so that files stay small; not where the steps are of that size.
double Grower::rounded(double value) const
{
  constexpr double kPerMicrometre = 1e4;
  return parameters.stepLength < 0.01 ? value : std::round(value * kPerMicrometre) / kPerMicrometre;
}

void Grower::addSample(std::int32_t type, const Vector& position, double radius, std::int32_t parent)
{
  if (cell->samples() == kMostSamples)
    throw Error(ErrorCode::BadParameter, "the synthetic cell would have more than " + std::to_string(kMostSamples) +
                                             " samples; lower levels, stems or branchLength, or raise stepLength");
  cell->id.push_back(static_cast<std::int64_t>(cell->samples()) + 1);
  cell->type.push_back(type);
  cell->x.push_back(rounded(position.x));
  cell->y.push_back(rounded(position.y));
  cell->z.push_back(rounded(position.z));
  cell->radius.push_back(std::max(rounded(radius), parameters.somaRadius * 1e-3));
  cell->parent.push_back(parent);
  cell->line.push_back(0);
}

void Grower::sproutStem(const Stem& stem)
{
  Sprout sprout;
  sprout.style = stem.style;
  sprout.branch = branches++;
  sprout.level = stem.style->levelsSpared;
  sprout.trunk = stem.style->trunkLevels > 0;
  const Vector jitter = randomDirection(sprout.branch, 0, stem.style->depth);
  sprout.direction = normalized(stem.direction + 0.15 * jitter, stem.direction);
  sprout.position = parameters.somaRadius * sprout.direction;
  sprout.radius = stem.style->stemRadius * parameters.somaRadius;
  sprout.length = stem.style->firstLength * parameters.branchLength;
  sprouts.push_back(sprout);
}

/// A smooth random walk: bends are remembered, the soma repels, the style pulls.
void Grower::growBranch(Sprout sprout)
{
  constexpr double kBendMemory = 0.75;
  constexpr std::uint32_t kCheckEvery = 4096; // samples: about a millisecond
  const NeuriteStyle& style = *sprout.style;
  const double length = sprout.length * (0.7 + 0.6 * uniform(sprout.branch, 0, kDrawLength));
  const double steps = std::max(1.0, std::round(length / parameters.stepLength));
  if (steps > static_cast<double>(kMostSamples))
    throw Error(ErrorCode::BadParameter, "stepLength " + textOf(parameters.stepLength) +
                                             " um is too short for branches of " + textOf(length) + " um");
  const double step = length / steps;
  const double startRadius = sprout.radius;
  const double thinnest = style.thinnest * parameters.somaRadius;
  Vector bend;
  for (std::uint32_t done = 0; done < static_cast<std::uint32_t>(steps); ++done) {
    // The first sample of a stem lies on the soma's surface.
    if (sprout.parent > 0)
      sprout.position = sprout.position + step * sprout.direction;
    const double share = (done + 1) / steps;
    sprout.radius = std::max(thinnest, startRadius * (1 + (style.taper - 1) * share));
    if (done % kCheckEvery == 0)
      control.checkpoint();
    addSample(style.type, sprout.position, sprout.radius, sprout.parent);
    sprout.parent = static_cast<std::int32_t>(cell->samples()) - 1;

    const Vector noise = randomDirection(sprout.branch, done + 1, style.depth);
    bend = kBendMemory * bend + style.wander * std::sqrt(step) * noise;
    const Vector outward = normalized(sprout.position, sprout.direction);
    const Vector turned = sprout.direction + bend + step * (style.outward * outward + style.pull);
    sprout.direction = normalized(turned, sprout.direction);
  }
  bifurcate(sprout);
}

/// A unit vector across the end of a branch: any, or for a planar style the one in the plane.
Vector Grower::sideOf(const Sprout& end) const
{
  constexpr auto kSideStep = static_cast<std::uint32_t>(-1); // that no sample of a branch uses
  const double depth = end.style->depth;
  const Vector random = randomDirection(end.branch, kSideStep, 1);
  const Vector inPlane = normalized({-end.direction.y, end.direction.x, 0}, {1, 0, 0});
  const Vector across = normalized(random + (-dot(random, end.direction)) * end.direction, inPlane);
  const double sign = dot(across, inPlane) < 0 ? -1 : 1;
  return normalized(depth * across + ((1 - depth) * sign) * inPlane, inPlane);
}

void Grower::bifurcate(const Sprout& end)
{
  if (end.level >= parameters.levels)
    return;
  const NeuriteStyle& style = *end.style;
  // Stems and trunks that end early make no recognizable cell; 0 and 1 still mean never and always.
  const int power = style.eagerness + (end.trunk ? 3 : end.level == 0 ? 1 : 0);
  double stop = 1;
  for (int factor = 0; factor < power; ++factor)
    stop *= 1 - parameters.branchingProbability;
  if (uniform(end.branch, 0, kDrawBifurcation) < stop)
    return;

  const bool sideways = end.trunk && end.level < style.trunkLevels;
  const double chance = uniform(end.branch, 0, kDrawShare);
  const double share = sideways ? 0.82 + 0.1 * chance : 0.5 + 0.2 * chance;
  const Vector side = sideOf(end);

  const auto sproutChild = [&](double radiusShare, double tangent, double length) -> Sprout& {
    Sprout child = end;
    child.branch = branches++;
    child.level = end.level + 1;
    child.trunk = false;
    child.direction = normalized(end.direction + tangent * side, end.direction);
    // Rall 1959: the 3/2 powers of the children's radii add up to that of the parent.
    child.radius = end.radius * std::cbrt(radiusShare * radiusShare);
    child.length = length * end.length;
    return sprouts.emplace_back(child);
  };
  if (sideways) {
    Sprout& oblique = sproutChild(1 - share, 1.4, style.sideChildLength);
    oblique.level = std::max(oblique.level, parameters.levels - style.sideLevels);
    sproutChild(share, -0.05, style.trunkChildLength).trunk = true;
  } else {
    sproutChild(share, 2 * style.spread * (1 - share), style.childLength);
    sproutChild(1 - share, -2 * style.spread * share, style.childLength);
  }
}

} // namespace

void validate(const SyntheticCellParameters& parameters)
{
  validateFields(fieldsOf(parameters));
}

std::shared_ptr<const Morphology> makeSyntheticCell(const SyntheticCellParameters& parameters,
                                                    const RunControl& control)
{
  validate(parameters);
  return Grower(parameters, control).grow();
}

} // namespace hinesight::morphology
