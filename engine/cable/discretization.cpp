#include "cable/discretization.hpp"

#include "cable/assembly.hpp"
#include "cable/cell_geometry.hpp"
#include "cable/frustum.hpp"
#include "core/device.hpp"
#include "core/error.hpp"
#include "core/text.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <string>
#include <utility>

namespace hinesight::cable {

using morphology::BranchTree;
using morphology::Morphology;

namespace {

constexpr std::int64_t kMaxCompartments = std::numeric_limits<std::int32_t>::max();
constexpr std::int64_t kCheckpointInterval = 1 << 16;

/// Frequency at which NEURON's rule evaluates the length constant, Hz.
constexpr double kLambdaFrequency = 100;

/// Part of a compartment by which a sample may seem to pass its distal end.
constexpr double kOnBoundary = 1e-9;

constexpr double kToTheEnd = std::numeric_limits<double>::infinity();

double totalLength(std::span<const Frustum> frusta)
{
  double length = 0;
  for (const Frustum& f : frusta)
    length += f.length;
  return length;
}

/// The least integer not below `ratio`, where a ratio that only rounding errors lifted above an integer is that
/// integer.
double roundUp(double ratio)
{
  return std::max(1.0, std::ceil(ratio * (1 - 1e-12)));
}

/// NEURON's lambda_f over 3-D points: each frustum at its mean diameter. An odd number, so that one is in the middle.
double dLambdaCount(std::span<const Frustum> frusta, const DiscretizationParameters& p)
{
  const double perRootLength =
      1e-5 * std::sqrt(4 * std::numbers::pi * kLambdaFrequency * p.axialResistivity * p.membraneCapacitance);
  double lengthConstants = 0;
  for (const Frustum& f : frusta)
    lengthConstants += perRootLength * f.length / std::sqrt(f.proximalRadius + f.distalRadius);
  return 2 * std::floor((lengthConstants / p.dLambda + 0.9) / 2) + 1;
}

/// Compartments of a run of cable before each is split in P.
double coarseCount(std::span<const Frustum> frusta, const DiscretizationParameters& p)
{
  switch (p.policy) {
  case DiscretizationPolicy::Sample:
    return 1;
  case DiscretizationPolicy::FixedNumber:
    return p.compartmentsPerBranch;
  case DiscretizationPolicy::MaximumLength:
    return roundUp(totalLength(frusta) / p.maximumLength);
  case DiscretizationPolicy::DLambda:
    return dLambdaCount(frusta, p);
  }
  return 1;
}

/// Cuts one cell. Trees and branches are visited in the order of Morphology::order, in which a branch comes after the
/// branch it hangs on, so that compartments are numbered root first.
class Discretizer
{
public:
  Discretizer(std::shared_ptr<const Morphology> cell, std::shared_ptr<const BranchTree> tree,
              const DiscretizationParameters& given, const RunControl& runControl)
      : control(runControl), result(std::make_shared<Discretization>()), morph(*cell), branches(*tree),
        parameters(given), geometry(morph, branches)
  {
    result->morphology = std::move(cell);
    result->branches = std::move(tree);
    result->parameters = given;
  }

  std::shared_ptr<const Discretization> run()
  {
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

  void describe(std::int32_t branch)
  {
    const bool sampleBySample = parameters.policy == DiscretizationPolicy::Sample;
    geometry.describe(branch, sampleBySample ? RunEnds::AtSamples : RunEnds::AtSpheres, cable, control);
  }

  /// Compartments of a run of cable; a double because the number may exceed every integer.
  double compartmentsOf(std::span<const Frustum> run) const
  {
    return run.empty() ? 0 : coarseCount(run, parameters) * parameters.resolution;
  }

  void count()
  {
    std::vector<bool> startsAtRoot(branches.branches(), false);
    std::vector<bool> isEmpty(branches.branches(), false);
    double total = static_cast<double>(morph.roots.size());
    visit([&](std::int32_t) { hangingOnRoot.push_back(0); },
          [&](std::int32_t branch) {
            describe(branch);
            for (const BranchCable::Run& run : cable.runs)
              total += compartmentsOf(cable.frustaOf(run)) + (run.sphereSample >= 0 ? 1 : 0);
            isEmpty[branch] = cable.runs.empty();
            const std::int32_t above = branches.parent[branch];
            startsAtRoot[branch] = above < 0 || (startsAtRoot[above] && isEmpty[above]);
            if (startsAtRoot[branch] && !isEmpty[branch])
              ++hangingOnRoot.back();
          });
    if (!(total <= static_cast<double>(kMaxCompartments)))
      throw Error(ErrorCode::OutOfMemory,
                  "The cell would be discretized into " + textOf(total) +
                      " compartments, but at most 2147483647 can be numbered; choose fewer or longer compartments.",
                  morph.path);
    mostCompartments = static_cast<std::size_t>(total);
  }

  void allocate()
  {
    constexpr std::size_t kBytes = 2 * sizeof(std::int32_t) + 4 * sizeof(double) + kSystemBytes;
    requireMemory(mostCompartments * kBytes,
                  "Discretizing the cell into " + std::to_string(mostCompartments) + " compartments");
    result->parent.reserve(mostCompartments);
    result->branch.reserve(mostCompartments);
    result->area.reserve(mostCompartments);
    result->length.reserve(mostCompartments);
    result->axialConductance.reserve(mostCompartments);
    distalResistance.reserve(mostCompartments);
    compartmentOfSphere.assign(geometry.spheres(), -1);
    result->ofSample.assign(morph.samples(), -1);
  }

  void cut()
  {
    std::size_t tree = 0;
    visit([&](std::int32_t root) { addRoot(root, hangingOnRoot[tree++]); },
          [&](std::int32_t branch) { addBranch(branch); });
  }

  /// What distinguishes one compartment from another; resistances in MOhm from its middle to its ends.
  struct Compartment
  {
    double area, length, proximalResistance, distalResistance;
  };

  std::int32_t nextCompartment() const { return static_cast<std::int32_t>(result->parent.size()); }

  /// Hangs a compartment on `parent`; without parent, or as its own, it is a root. Returns its number.
  std::int32_t add(const Compartment& compartment, std::int32_t branch, std::int32_t parent)
  {
    const std::int32_t self = nextCompartment();
    if (self % kCheckpointInterval == 0)
      control.report("discretize", static_cast<double>(self) / static_cast<double>(mostCompartments));
    const bool isRoot = parent < 0 || parent == self;
    result->parent.push_back(isRoot ? -1 : parent);
    result->branch.push_back(branch);
    result->area.push_back(compartment.area);
    result->length.push_back(compartment.length);
    result->axialConductance.push_back(isRoot ? 0 : 1 / (distalResistance[parent] + compartment.proximalResistance));
    distalResistance.push_back(compartment.distalResistance);
    return self;
  }

  /// A cylinder as long as wide has the area of the sphere; its half resistance stands for the sphere's.
  Compartment sphere(double radius) const
  {
    const Frustum half{radius, radius, radius};
    const double resistance = axialResistance(half, parameters.axialResistivity);
    return {2 * lateralArea(half), 2 * radius, resistance, resistance};
  }

  /// The root's compartment: a sphere, the first compartment of the only branch that hangs on it, or a node without
  /// area that joins several branches.
  void addRoot(std::int32_t root, std::int32_t hanging)
  {
    std::int32_t& compartment = result->ofSample[root];
    if (geometry.sphereOf(root) >= 0)
      compartment = addSomaSphere(root, -1, -1);
    else if (hanging == 0)
      compartment = add(sphere(morph.solvedRadius[root]), -1, -1);
    else if (hanging == 1)
      compartment = nextCompartment();
    else
      compartment = add({0, 0, 0, 0}, -1, -1);
  }

  /// The compartment of the sphere that stands for a soma sample; made where this is the first of its samples.
  std::int32_t addSomaSphere(std::int32_t sample, std::int32_t branch, std::int32_t parent)
  {
    const std::int32_t index = geometry.sphereOf(sample);
    if (compartmentOfSphere[index] < 0)
      compartmentOfSphere[index] = add(sphere(geometry.radiusOfSphere(index)), branch, parent);
    return compartmentOfSphere[index];
  }

  void addBranch(std::int32_t branch)
  {
    describe(branch);
    std::vector<std::int32_t>& ofSample = result->ofSample;
    std::int32_t end = ofSample[branches.start[branch]];
    for (const BranchCable::Run& run : cable.runs) {
      end = addRun(run, branch, end);
      if (run.sphereSample >= 0)
        end = ofSample[run.sphereSample] = addSomaSphere(run.sphereSample, branch, end);
    }
    // A sample at the end of an edge without length shares its parent's compartment.
    for (const std::int32_t sample : geometry.samplesOf(branch)) {
      if (ofSample[sample] < 0)
        ofSample[sample] = ofSample[morph.parent[sample]];
    }
  }

  /// Compartments of equal length over a run that hangs on `start`. Returns the last, `start` where the run is empty.
  std::int32_t addRun(const BranchCable::Run& run, std::int32_t branch, std::int32_t start)
  {
    const std::span<const Frustum> frusta = cable.frustaOf(run);
    const double length = totalLength(frusta);
    const auto n = static_cast<std::int32_t>(compartmentsOf(frusta));
    const std::int32_t first = nextCompartment();
    FrustumWalker walker(frusta, parameters.axialResistivity);
    std::int32_t end = start;
    for (std::int32_t k = 0; k < n; ++k) {
      const CableIntegral proximal = walker.advance(length * ((k + 0.5) / n));
      const CableIntegral distal = walker.advance(k + 1 < n ? length * ((k + 1.0) / n) : kToTheEnd);
      end = add({proximal.area + distal.area, length / n, proximal.resistance, distal.resistance}, branch, end);
    }
    locateSamples(run, length, first, n, start);
    return end;
  }

  /// The compartment of each sample of a run: the one whose distal end it does not pass. Rounding must not move a
  /// sample that lies on a boundary.
  void locateSamples(const BranchCable::Run& run, double length, std::int32_t first, std::int32_t n, std::int32_t start)
  {
    double position = 0;
    for (std::size_t edge = run.begin; edge < run.end; ++edge) {
      position += cable.frusta[edge].length;
      const double index = std::ceil(position / length * n - kOnBoundary) - 1;
      result->ofSample[cable.sample[edge]] =
          index < 0 ? start : first + static_cast<std::int32_t>(std::min(index, n - 1.0));
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
      if (!coupled || !(system.d[i] > 0) || !std::isfinite(system.d[i]) || !std::isfinite(system.u[i]) ||
          !std::isfinite(system.b[i]))
        rejectCompartment(static_cast<std::int32_t>(i));
    }
  }

  [[noreturn]] void rejectCompartment(std::int32_t compartment) const
  {
    const auto found = std::find(result->ofSample.begin(), result->ofSample.end(), compartment);
    const std::int32_t sample = found != result->ofSample.end()
                                    ? static_cast<std::int32_t>(found - result->ofSample.begin())
                                    : geometry.samplesOf(result->branch[compartment]).front();
    throw Error(ErrorCode::BadParameter,
                "Conductances near sample " + std::to_string(morph.id[sample]) + " (radius " +
                    textOf(morph.solvedRadius[sample]) +
                    ") leave the range of floating-point numbers; give radii and coordinates in micrometres.",
                morph.path, morph.line[sample]);
  }

  const RunControl& control;
  std::shared_ptr<Discretization> result;
  const Morphology& morph;
  const BranchTree& branches;
  const DiscretizationParameters parameters;
  const CellGeometry geometry;

  std::vector<std::int32_t> hangingOnRoot; ///< per tree: branches with compartments that start at its root
  std::size_t mostCompartments = 0;        ///< roots may need none

  std::vector<std::int32_t> compartmentOfSphere; ///< -1 until made
  std::vector<double> distalResistance;          ///< per compartment
  BranchCable cable;                             ///< of the branch at hand
};

} // namespace

void validate(const DiscretizationParameters& parameters)
{
  validateAllFields(fieldsOf(parameters));
}

std::shared_ptr<const Discretization> discretize(std::shared_ptr<const Morphology> morphology,
                                                 std::shared_ptr<const BranchTree> branches,
                                                 const DiscretizationParameters& parameters, const RunControl& control)
{
  validate(parameters);
  if (!morphology || morphology->samples() == 0)
    throw Error(ErrorCode::BadParameter, "There is no cell to discretize; open one first.");
  if (!branches || branches->ofSample.size() != morphology->samples())
    throw Error(ErrorCode::BadParameter, "The branches given do not belong to the cell.", morphology->path);
  control.checkpoint();
  return Discretizer(std::move(morphology), std::move(branches), parameters, control).run();
}

} // namespace hinesight::cable
