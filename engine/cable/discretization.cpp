#include "cable/discretization.hpp"

#include "cable/assembly.hpp"
#include "cable/frustum.hpp"
#include "core/device.hpp"
#include "core/error.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>
#include <span>
#include <string>
#include <utility>

namespace hinesight::cable {

using morphology::BranchTree;
using morphology::Morphology;
using morphology::SomaKind;

namespace {

constexpr std::int64_t kMaxCompartments = std::numeric_limits<std::int32_t>::max();
constexpr std::int64_t kCheckpointInterval = 1 << 16;

/// Edges up to this fraction of the diagonal of the cell's bounding box count as having no length.
constexpr double kZeroLength = 1e-9;

/// Frequency at which NEURON's rule evaluates the length constant, Hz.
constexpr double kLambdaFrequency = 100;

constexpr double kToTheEnd = std::numeric_limits<double>::infinity();

std::string number(double value)
{
  char text[32];
  std::snprintf(text, sizeof text, "%.9g", value);
  return text;
}

/// Written so that NaN fails.
void requireRange(const char* name, double value, const char* unit, double least, double most, bool leastIsValid = true)
{
  const bool above = leastIsValid ? value >= least : value > least;
  if (above && value <= most)
    return;
  throw Error(ErrorCode::BadParameter, std::string(name) + " is " + number(value) + unit + "; it must be " +
                                           (leastIsValid ? "from " : "above ") + number(least) +
                                           (leastIsValid ? " to " : " and at most ") + number(most) + unit + ".");
}

/// The least integer not below `ratio`, where a ratio that only rounding errors lifted above an integer is that
/// integer.
double roundUp(double ratio)
{
  return std::max(1.0, std::ceil(ratio * (1 - 1e-12)));
}

/// Cuts one cell. Trees and branches are visited in the order of Morphology::order, in which a branch comes after the
/// branch it hangs on, so that compartments are numbered root first.
class Discretizer
{
public:
  Discretizer(std::shared_ptr<const Morphology> cell, std::shared_ptr<const BranchTree> tree,
              const DiscretizationParameters& given, const RunControl& runControl)
      : control(runControl), result(std::make_shared<Discretization>()), morph(*cell), branches(*tree),
        parameters(given)
  {
    result->morphology = std::move(cell);
    result->branches = std::move(tree);
    result->parameters = given;
  }

  std::shared_ptr<const Discretization> run()
  {
    measureExtent();
    findSoma();
    count();
    allocate();
    cut();
    result->system = std::make_shared<const HinesSystem>(
        assembleSystem(result->parent, result->area, result->axialConductance, parameters, control));
    requireFiniteSystem();
    return std::move(result);
  }

private:
  /// Calls onRoot(sample) and onBranch(branch), each before what hangs on it.
  template <typename OnRoot, typename OnBranch>
  void visit(OnRoot onRoot, OnBranch onBranch)
  {
    std::int64_t visited = 0;
    for (const std::int32_t sample : morph.order) {
      if (visited++ % kCheckpointInterval == 0)
        control.checkpoint();
      const std::int32_t branch = branches.ofSample[sample];
      if (branch < 0)
        onRoot(sample);
      else if (branches.sample[branches.sampleBegin[branch]] == sample)
        onBranch(branch);
    }
  }

  std::span<const std::int32_t> samplesOf(std::int32_t branch) const
  {
    return std::span(branches.sample)
        .subspan(branches.sampleBegin[branch], branches.sampleBegin[branch + 1] - branches.sampleBegin[branch]);
  }

  void measureExtent()
  {
    const auto width = [](const std::vector<double>& values) {
      const auto [least, most] = std::minmax_element(values.begin(), values.end());
      return *most - *least;
    };
    const double diagonal = std::hypot(width(morph.x), width(morph.y), width(morph.z));
    if (!std::isfinite(diagonal))
      throw Error(ErrorCode::BadParameter,
                  "The cell's coordinates are too large to measure distances between them; "
                  "scale them to micrometres.",
                  morph.path);
    zeroLength = kZeroLength * diagonal;
  }

  bool sphericalSoma() const
  {
    return morph.somaKind == SomaKind::Sphere || morph.somaKind == SomaKind::ThreePoint ||
           morph.somaKind == SomaKind::Contour;
  }

  /// Marks the samples that the sphere of a root stands for: soma samples reached from it through soma samples.
  void findSoma()
  {
    inSphere.assign(morph.samples(), false);
    if (!sphericalSoma())
      return;
    for (const std::int32_t sample : morph.order) {
      const std::int32_t parent = morph.parent[sample];
      inSphere[sample] = morph.type[sample] == morphology::kSoma && (parent < 0 || inSphere[parent]);
    }
  }

  /// Distance to the parent sample, 0 where it counts as none or lies within the sphere of a soma.
  double edgeLength(std::int32_t sample) const
  {
    if (inSphere[sample])
      return 0;
    const std::int32_t parent = morph.parent[sample];
    const double length = std::hypot(morph.x[sample] - morph.x[parent], morph.y[sample] - morph.y[parent],
                                     morph.z[sample] - morph.z[parent]);
    return length > zeroLength ? length : 0;
  }

  /// A neurite does not widen to the soma's radius: from a soma sample to a neurite's first the radius is the
  /// neurite's.
  double proximalRadius(std::int32_t sample) const
  {
    const std::int32_t parent = morph.parent[sample];
    const bool leavesSoma = morph.type[parent] == morphology::kSoma && morph.type[sample] != morphology::kSoma;
    return morph.solvedRadius[leavesSoma ? sample : parent];
  }

  /// Fills `frusta` with the branch's edges that have a length, and `frustumSample` with their distal samples.
  void collectFrusta(std::int32_t branch)
  {
    frusta.clear();
    frustumSample.clear();
    for (const std::int32_t sample : samplesOf(branch)) {
      const double length = edgeLength(sample);
      if (length == 0)
        continue;
      if (frusta.size() % kCheckpointInterval == 0)
        control.checkpoint();
      frusta.push_back({length, proximalRadius(sample), morph.solvedRadius[sample]});
      frustumSample.push_back(sample);
    }
  }

  static double totalLength(std::span<const Frustum> pieces)
  {
    double length = 0;
    for (const Frustum& f : pieces)
      length += f.length;
    return length;
  }

  /// NEURON's lambda_f over 3-D points: each frustum at its mean diameter. An odd number, so that one is in the middle.
  double dLambdaCount() const
  {
    const double perRootUm = 1e-5 * std::sqrt(4 * std::numbers::pi * kLambdaFrequency * parameters.axialResistivity *
                                              parameters.membraneCapacitance);
    double lengthInLambda = 0;
    for (const Frustum& f : frusta)
      lengthInLambda += f.length / std::sqrt(f.proximalRadius + f.distalRadius);
    lengthInLambda *= perRootUm;
    return 2 * std::floor((lengthInLambda / parameters.dLambda + 0.9) / 2) + 1;
  }

  /// Compartments of the branch in `frusta` before each is split in P; a double because it may exceed every integer.
  double coarseCount() const
  {
    if (frusta.empty())
      return 0;
    switch (parameters.policy) {
    case DiscretizationPolicy::Sample:
      return static_cast<double>(frusta.size());
    case DiscretizationPolicy::FixedNumber:
      return parameters.compartmentsPerBranch;
    case DiscretizationPolicy::MaximumLength:
      return roundUp(totalLength(frusta) / parameters.maximumLength);
    case DiscretizationPolicy::DLambda:
      return dLambdaCount();
    }
    return 0;
  }

  void count()
  {
    countOf.assign(branches.branches(), 0);
    hangingOnRoot.reserve(morph.roots.size());
    std::vector<bool> startsAtRoot(branches.branches(), false);
    double total = 0;
    visit([&](std::int32_t) { hangingOnRoot.push_back(0); },
          [&](std::int32_t branch) {
            collectFrusta(branch);
            const double n = coarseCount() * parameters.resolution;
            total += n;
            countOf[branch] = static_cast<std::int32_t>(std::min(n, static_cast<double>(kMaxCompartments)));
            const std::int32_t above = branches.parent[branch];
            startsAtRoot[branch] = above < 0 || (startsAtRoot[above] && countOf[above] == 0);
            if (startsAtRoot[branch] && countOf[branch] > 0)
              ++hangingOnRoot.back();
          });
    total += static_cast<double>(morph.roots.size());
    if (!(total <= static_cast<double>(kMaxCompartments)))
      throw Error(ErrorCode::OutOfMemory,
                  "The cell would be cut into " + number(total) +
                      " compartments, but at most 2147483647 can be numbered; choose fewer or longer compartments.",
                  morph.path);
    totalCompartments = static_cast<std::size_t>(total);
  }

  void allocate()
  {
    constexpr std::size_t kBytes = 2 * sizeof(std::int32_t) + 4 * sizeof(double) + kSystemBytes;
    requireMemory(totalCompartments * kBytes,
                  "Cutting the cell into " + std::to_string(totalCompartments) + " compartments");
    result->parent.reserve(totalCompartments);
    result->branch.reserve(totalCompartments);
    result->area.reserve(totalCompartments);
    result->length.reserve(totalCompartments);
    result->axialConductance.reserve(totalCompartments);
    distalResistance.reserve(totalCompartments);
    result->ofSample.assign(morph.samples(), -1);
  }

  void cut()
  {
    std::size_t tree = 0;
    visit([&](std::int32_t root) { addRoot(root, hangingOnRoot[tree++]); },
          [&](std::int32_t branch) { addBranch(branch); });
  }

  std::int32_t nextCompartment() const { return static_cast<std::int32_t>(result->parent.size()); }

  void addCompartment(std::int32_t branch, double area, double length, std::int32_t parent, double conductance,
                      double halfResistance)
  {
    if (nextCompartment() % kCheckpointInterval == 0)
      control.report("discretize", static_cast<double>(nextCompartment()) / static_cast<double>(totalCompartments));
    result->branch.push_back(branch);
    result->area.push_back(area);
    result->length.push_back(length);
    result->parent.push_back(parent);
    result->axialConductance.push_back(conductance);
    distalResistance.push_back(halfResistance);
  }

  /// The root's compartment: a sphere, the first compartment of the only branch that hangs on it, or a node without
  /// area that joins several branches.
  void addRoot(std::int32_t root, std::int32_t hanging)
  {
    result->ofSample[root] = nextCompartment();
    if (inSphere[root])
      addSphere(morph.somaRadius);
    else if (hanging == 0)
      addSphere(morph.solvedRadius[root]);
    else if (hanging > 1)
      addCompartment(-1, 0, 0, -1, 0, 0);
  }

  /// A cylinder as long as wide has the area of the sphere; its half resistance is the sphere's.
  void addSphere(double radius)
  {
    const Frustum half{radius, radius, radius};
    addCompartment(-1, 2 * lateralArea(half), 2 * radius, -1, 0, axialResistance(half, parameters.axialResistivity));
  }

  void addBranch(std::int32_t branch)
  {
    collectFrusta(branch);
    const std::int32_t first = nextCompartment();
    const std::int32_t start = result->ofSample[branches.start[branch]];
    std::vector<std::int32_t>& ofSample = result->ofSample;
    if (!frusta.empty() && parameters.policy == DiscretizationPolicy::Sample) {
      std::int32_t parent = start;
      for (std::size_t edge = 0; edge < frusta.size(); ++edge) {
        cutEvenly(std::span(frusta).subspan(edge, 1), branch, parameters.resolution, parent);
        parent = nextCompartment() - 1;
        ofSample[frustumSample[edge]] = parent;
      }
    } else if (!frusta.empty()) {
      cutEvenly(frusta, branch, countOf[branch], start);
      locateSamples(first, countOf[branch], start);
    }
    // Samples at the end of an edge without length share their parent's compartment.
    for (const std::int32_t sample : samplesOf(branch))
      if (ofSample[sample] < 0)
        ofSample[sample] = ofSample[morph.parent[sample]];
  }

  /// The compartment of each sample of `frusta`: the one whose distal end it does not pass. Rounding must not move a
  /// sample that lies on a boundary.
  void locateSamples(std::int32_t first, std::int32_t n, std::int32_t start)
  {
    const double length = totalLength(frusta);
    double position = 0;
    for (std::size_t edge = 0; edge < frusta.size(); ++edge) {
      position += frusta[edge].length;
      const double index = std::ceil(position / length * n - 1e-9) - 1;
      result->ofSample[frustumSample[edge]] =
          index < 0 ? start : first + static_cast<std::int32_t>(std::min(index, n - 1.0));
    }
  }

  /// n compartments of equal length over the chain; the first hangs on `parent`, or is the root if it is `parent`.
  void cutEvenly(std::span<const Frustum> chain, std::int32_t branch, std::int32_t n, std::int32_t parent)
  {
    const double length = totalLength(chain);
    FrustumWalker walker(chain, parameters.axialResistivity);
    for (std::int32_t k = 0; k < n; ++k) {
      const CableIntegral proximal = walker.advance(length * ((k + 0.5) / n));
      const CableIntegral distal = k + 1 < n ? walker.advance(length * ((k + 1.0) / n)) : walker.advance(kToTheEnd);
      const std::int32_t self = nextCompartment();
      const bool isRoot = parent == self;
      const double conductance = isRoot ? 0 : 1 / (distalResistance[parent] + proximal.resistance);
      addCompartment(branch, proximal.area + distal.area, length / n, isRoot ? -1 : parent, conductance,
                     distal.resistance);
      parent = self;
    }
  }

  /// Radii far from a neuron's can leave the range of doubles.
  void requireFiniteSystem() const
  {
    const HinesSystem& system = *result->system;
    for (std::size_t i = 0; i < system.size(); ++i) {
      if (i % kCheckpointInterval == 0)
        control.checkpoint();
      const bool coupled = system.parent[i] < 0 || system.u[i] < 0;
      if (coupled && std::isfinite(system.u[i]) && std::isfinite(system.b[i]) && std::isfinite(system.d[i]) &&
          system.d[i] > 0)
        continue;
      const std::int32_t branch = result->branch[i];
      const std::int32_t sample = branch < 0 ? morph.roots.front() : samplesOf(branch).front();
      throw Error(ErrorCode::BadParameter,
                  "Conductances near sample " + std::to_string(morph.id[sample]) + " (radius " +
                      number(morph.solvedRadius[sample]) +
                      ") leave the range of floating-point numbers; give radii and coordinates in micrometres.",
                  morph.path, morph.line[sample]);
    }
  }

  const RunControl& control;
  std::shared_ptr<Discretization> result;
  const Morphology& morph;
  const BranchTree& branches;
  DiscretizationParameters parameters;

  double zeroLength = 0;                   ///< um
  std::vector<bool> inSphere;              ///< per sample
  std::vector<std::int32_t> countOf;       ///< per branch: compartments
  std::vector<std::int32_t> hangingOnRoot; ///< per tree: branches with compartments that start at its root
  std::size_t totalCompartments = 0;
  std::vector<double> distalResistance; ///< per compartment: MOhm from its middle to its distal end

  std::vector<Frustum> frusta; ///< of the branch at hand
  std::vector<std::int32_t> frustumSample;
};

} // namespace

std::string_view policyName(DiscretizationPolicy policy)
{
  switch (policy) {
  case DiscretizationPolicy::Sample:
    return "sample";
  case DiscretizationPolicy::FixedNumber:
    return "fixed";
  case DiscretizationPolicy::MaximumLength:
    return "length";
  case DiscretizationPolicy::DLambda:
    return "d-lambda";
  }
  return "unknown";
}

void validate(const DiscretizationParameters& parameters)
{
  const int policy = static_cast<int>(parameters.policy);
  requireRange("Discretization policy", policy, "", 0, static_cast<int>(DiscretizationPolicy::DLambda));
  requireRange("Compartments per branch", parameters.compartmentsPerBranch, "", 1, 100'000);
  requireRange("Maximum compartment length", parameters.maximumLength, " um", 1e-3, 1e9);
  requireRange("d_lambda", parameters.dLambda, "", 1e-4, 10);
  requireRange("Resolution P", parameters.resolution, "", 1, 1000);
  requireRange("Membrane capacitance", parameters.membraneCapacitance, " uF/cm2", 0, 1e3, false);
  requireRange("Axial resistivity", parameters.axialResistivity, " ohm cm", 0, 1e6, false);
  requireRange("Leak conductance", parameters.leakConductance, " S/cm2", 0, 1e3);
  requireRange("Leak reversal potential", parameters.leakReversal, " mV", -1000, 1000);
  requireRange("Time step", parameters.timeStep, " ms", 0, 1e6, false);
  requireRange("Soma current", parameters.somaCurrent, " nA", -1e6, 1e6);
}

std::shared_ptr<const Discretization> discretize(std::shared_ptr<const Morphology> morphology,
                                                 std::shared_ptr<const BranchTree> branches,
                                                 const DiscretizationParameters& parameters, const RunControl& control)
{
  validate(parameters);
  if (!morphology || morphology->samples() == 0)
    throw Error(ErrorCode::BadParameter, "There is no cell to cut into compartments; open one first.");
  if (!branches || branches->ofSample.size() != morphology->samples())
    throw Error(ErrorCode::BadParameter, "The branches given do not belong to the cell.", morphology->path);
  control.checkpoint();
  return Discretizer(std::move(morphology), std::move(branches), parameters, control).run();
}

} // namespace hinesight::cable
