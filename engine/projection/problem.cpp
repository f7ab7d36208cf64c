#include "projection/problem.hpp"

#include "core/device.hpp"
#include "core/error.hpp"
#include "core/parallel.hpp"
#include "core/text.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>
#include <string>
#include <utility>

namespace hinesight::projection {

namespace {

/// A probability of this or less is never drawn: random numbers are multiples of 2^-53.
constexpr double kLeastProbability = 0x1p-53;

/// So much more than the distance at which the kernel meets the cut is looked at, so that rounding loses no pair.
constexpr double kReachMargin = 1 + 1e-9;

double cutOf(const ProjectionParameters& p)
{
  return p.rule == ConnectionRule::Random ? std::max(p.cut, kLeastProbability) : p.cut;
}

double gaussianScale(double sigma)
{
  return -1 / (2 * sigma * sigma);
}

/// The greatest metric whose value is above the cut, -1 where there is none, infinity where all are: found between the
/// bits of two numbers, with the same arithmetic as the rows are made with, so that the limit decides as the value
/// would.
template <typename Above>
double greatestAbove(double guess, const Above& isAbove)
{
  if (!isAbove(0.0))
    return -1;
  if (isAbove(std::numeric_limits<double>::max()))
    return kInfinity;
  constexpr double kGuessError = 1e-13;
  double low = 0, high = std::numeric_limits<double>::max();
  if (std::isfinite(guess) && guess > 0) {
    const double below = guess * (1 - kGuessError), beyond = guess * (1 + kGuessError);
    low = isAbove(below) ? below : low;
    high = isAbove(beyond) ? high : beyond;
  }
  std::uint64_t first = bitsOf(low), last = bitsOf(high);
  while (last - first > 1) {
    const std::uint64_t middle = first + (last - first) / 2;
    (isAbove(fromBits(middle)) ? first : last) = middle;
  }
  return fromBits(first);
}

/// The limit of a form that falls with its metric.
template <typename Form>
double limitOf(const Form& form, const SourceTerms& terms, double cut, double guess)
{
  return greatestAbove(guess, [&](double q) { return magnitude(form.valueAt(q, terms)) > cut; });
}

/// Terms that bound nothing.
SourceTerms unboundedTerms()
{
  return {0, kInfinity, kInfinity, {kInfinity, kInfinity, kInfinity}, {kInfinity, kInfinity, kInfinity}, 0};
}

void boundReach(SourceTerms& terms, double reach)
{
  terms.reach = reach * kReachMargin;
  for (int axis = 0; axis < 3; ++axis)
    terms.extent[axis] = std::min(terms.reach, terms.box[axis] * kReachMargin);
}

void setBox(SourceTerms& terms, double boxCut, std::array<double, 3> sigma)
{
  if (boxCut > 0)
    for (std::size_t axis = 0; axis < 3; ++axis)
      terms.box[axis] = boxCut * sigma[axis];
}

/// Radial forms and the envelopes of forms that are bounded by one.
SourceTerms radialTerms(const RadialForm& form, double sigma, const ProjectionParameters& p)
{
  SourceTerms terms = unboundedTerms();
  terms.scale = gaussianScale(sigma);
  setBox(terms, p.boxCut, {sigma, sigma, sigma});
  const double cut = cutOf(p);
  terms.limit = limitOf(form, terms, cut, std::log(cut / std::abs(form.gain)) / terms.scale);
  boundReach(terms, std::sqrt(std::max(terms.limit, 0.0)));
  return terms;
}

SourceTerms ellipticTerms(const EllipticForm& form, const std::array<double, 3>& sigma, const ProjectionParameters& p)
{
  SourceTerms terms = unboundedTerms();
  setBox(terms, p.boxCut, sigma);
  const double cut = cutOf(p);
  terms.limit = limitOf(form, terms, cut, -2 * std::log(cut / std::abs(form.gain)));
  const double radii = std::sqrt(std::max(terms.limit, 0.0)) * kReachMargin;
  terms.reach = radii * *std::max_element(sigma.begin(), sigma.end());
  // Half the sides of the box around the ellipse, and around the turned box of the box cut.
  const double c = std::abs(form.cosine), s = std::abs(form.sine);
  const auto sides = [&](double u, double v) { return std::array<double, 2>{c * u + s * v, s * u + c * v}; };
  const auto box = sides(terms.box[0], terms.box[1]);
  const std::array<double, 3> ellipse = {radii * std::hypot(c * sigma[0], s * sigma[1]),
                                         radii * std::hypot(s * sigma[0], c * sigma[1]), radii * sigma[2]};
  const bool boxed = p.boxCut > 0;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double side = !boxed ? kInfinity : axis < 2 ? box[axis] : terms.box[2];
    terms.extent[axis] = std::min(ellipse[axis], side * kReachMargin);
  }
  return terms;
}

SourceTerms exponentialTerms(const ExponentialForm& form, const ProjectionParameters& p)
{
  SourceTerms terms = unboundedTerms();
  terms.scale = -1 / p.decay;
  setBox(terms, p.boxCut, {p.decay, p.decay, p.decay});
  const double cut = cutOf(p);
  const double distance = std::log(cut / std::abs(form.gain)) / terms.scale;
  terms.limit = limitOf(form, terms, cut, distance * distance);
  boundReach(terms, std::sqrt(std::max(terms.limit, 0.0)));
  return terms;
}

SourceTerms constantTerms(const ConstantForm& form, const ProjectionParameters& p)
{
  SourceTerms terms = unboundedTerms();
  terms.limit = std::abs(form.gain) > cutOf(p) ? kInfinity : -1;
  return terms;
}

/// Before the neighbours are known: no row, and no reach.
SourceTerms nearestTerms()
{
  SourceTerms terms = unboundedTerms();
  terms.limit = -1;
  boundReach(terms, 0);
  return terms;
}

SourceTerms gaborTerms(const GaborForm& form, const ProjectionParameters& p)
{
  SourceTerms terms = radialTerms(RadialForm{form.gain}, p.sigma, p);
  if (p.region > 0)
    for (double& side : terms.box)
      // The next number above, because the region has its border and the box has not.
      side = std::min(side, std::nextafter(p.region, kInfinity));
  const double reach = std::sqrt(std::max(terms.limit, 0.0));
  // The envelope bounds where a pair may have a row; whether it has one, its own value decides.
  if (terms.limit >= 0)
    terms.limit = kInfinity;
  boundReach(terms, reach);
  return terms;
}

SourceTerms differenceTerms(const DifferenceForm& form, const ProjectionParameters& p)
{
  const double wider = std::max(p.sigma, p.surroundSigma);
  SourceTerms terms = radialTerms(RadialForm{std::abs(form.gain) + std::abs(form.surroundGain)}, wider, p);
  terms.scale = gaussianScale(p.sigma);
  if (terms.limit >= 0)
    terms.limit = kInfinity;
  return terms;
}

SourceTerms expressionTerms(const ProjectionParameters& p)
{
  SourceTerms terms = unboundedTerms();
  if (p.expressionReach > 0) {
    terms.limit = p.expressionReach * p.expressionReach;
    boundReach(terms, p.expressionReach);
  }
  return terms;
}

std::array<double, 3> gaussianSigmas(const ProjectionParameters& p)
{
  return {p.sigma, p.sigmaY > 0 ? p.sigmaY : p.sigma, p.sigmaZ > 0 ? p.sigmaZ : p.sigma};
}

/// Makes the form where it stays: GCC 12 loses all but the first member of a form that is returned in a variant.
void makeForm(KernelForm& form, const ProjectionParameters& p)
{
  constexpr double kRadians = std::numbers::pi / 180;
  switch (p.kernel) {
  case KernelKind::Gaussian: {
    const auto sigma = gaussianSigmas(p);
    if (sigma[0] == sigma[1] && sigma[0] == sigma[2])
      form = RadialForm{p.gain};
    else
      form = EllipticForm{p.gain,
                          std::cos(p.angle * kRadians),
                          std::sin(p.angle * kRadians),
                          {1 / sigma[0], 1 / sigma[1], 1 / sigma[2]}};
    break;
  }
  case KernelKind::WideningGaussian:
    form = RadialForm{1};
    break;
  case KernelKind::Gabor:
    form = GaborForm{p.gain * p.sineGain, std::cos(p.direction * kRadians) / p.wavelength,
                     std::sin(p.direction * kRadians) / p.wavelength};
    break;
  case KernelKind::DifferenceOfGaussians:
    form = DifferenceForm{p.gain, p.surroundGain, gaussianScale(p.surroundSigma)};
    break;
  case KernelKind::Exponential:
    form = ExponentialForm{p.gain};
    break;
  case KernelKind::OneToOne:
  case KernelKind::AllToAll:
    form = ConstantForm{p.gain};
    break;
  case KernelKind::Nearest:
    form = NearestForm{p.gain};
    break;
  case KernelKind::Expression:
    form = ExpressionForm{compileExpression(p.expression)};
    break;
  }
}

/// Of a kernel that is the same for every source.
SourceTerms uniformTerms(const KernelForm& form, const ProjectionParameters& p)
{
  switch (p.kernel) {
  case KernelKind::Gaussian:
    if (const auto* elliptic = std::get_if<EllipticForm>(&form))
      return ellipticTerms(*elliptic, gaussianSigmas(p), p);
    return radialTerms(std::get<RadialForm>(form), p.sigma, p);
  case KernelKind::Gabor:
    return gaborTerms(std::get<GaborForm>(form), p);
  case KernelKind::DifferenceOfGaussians:
    return differenceTerms(std::get<DifferenceForm>(form), p);
  case KernelKind::Exponential:
    return exponentialTerms(std::get<ExponentialForm>(form), p);
  case KernelKind::Expression:
    return expressionTerms(p);
  case KernelKind::Nearest:
    return nearestTerms();
  default:
    return constantTerms(std::get<ConstantForm>(form), p);
  }
}

/// The y of the sources that share the i-th terms of a widening Gaussian: a row of a grid, or a single neuron.
double yOfTerms(const Population& source, std::size_t i)
{
  if (!source.isGrid())
    return source.coordinates(1)[i];
  return source.position(i * source.parameters().size[0])[1];
}

void makeTerms(Problem& problem, int threads, const RunControl& control)
{
  const ProjectionParameters& p = problem.projection.parameters;
  const Population& source = *problem.projection.source;
  ProblemView& view = problem.view;
  view.termDivisor = 1;
  if (p.kernel != KernelKind::WideningGaussian) {
    problem.terms = {uniformTerms(problem.form, p)};
  } else {
    constexpr std::size_t kGrain = 1024;
    const auto& size = source.parameters().size;
    problem.terms.resize(source.isGrid() ? size[1] : static_cast<std::size_t>(source.count()));
    view.termDivisor = source.isGrid() ? size[0] : 1;
    const double fieldSize = p.fieldSize > 0 ? p.fieldSize : size[1];
    const auto& form = std::get<RadialForm>(problem.form);
    parallelFor(
        problem.terms.size(), kGrain,
        [&](std::size_t begin, std::size_t end) {
          control.checkpoint();
          for (std::size_t i = begin; i < end; ++i)
            problem.terms[i] = radialTerms(form, wideningSigma(p, fieldSize, yOfTerms(source, i)), p);
        },
        threads);
  }
  view.terms = problem.terms.data();
  view.termCount = static_cast<std::uint32_t>(problem.terms.size());
}

PositionsView positionsOf(const Population& population)
{
  PositionsView view{};
  for (int axis = 0; axis < 3; ++axis) {
    const auto a = static_cast<std::size_t>(axis);
    view.held[axis] = population.isGrid() ? nullptr : population.coordinates(axis).data();
    view.origin[axis] = population.parameters().origin[a];
    view.spacing[axis] = population.parameters().spacing[a];
    view.size[axis] = population.parameters().size[a];
  }
  return view;
}

AxisView makeAxis(double origin, double step, std::uint32_t count, double period, bool cells)
{
  const double rounding = 1e-15 * (std::abs(origin) / step + count);
  return {origin, step, 1 / step, 1e-6 + rounding, period, period > 0 ? 1 / period : 0, count, cells};
}

/// The cells' side: some destinations a cell, yet not so small that a source has very many rows of cells.
double cellSide(const std::array<double, 3>& extent, std::uint64_t count, double reach)
{
  constexpr double kNeuronsOfCell = 4;
  constexpr double kCellsOfReach = 16;
  double volume = 1;
  int dimensions = 0;
  for (const double length : extent)
    if (length > 0) {
      volume *= length;
      ++dimensions;
    }
  if (dimensions == 0 || !std::isfinite(reach))
    return kInfinity;
  const double dense = std::pow(volume * kNeuronsOfCell / static_cast<double>(count), 1.0 / dimensions);
  return std::max(dense, reach / kCellsOfReach);
}

void makeCellAxes(Problem& problem)
{
  const Population& population = *problem.projection.destination;
  const ProjectionParameters& p = problem.projection.parameters;
  const auto bounds = population.bounds();
  const Position period = p.wrap ? population.period() : Position{};
  std::array<double, 3> origin, extent;
  for (std::size_t a = 0; a < 3; ++a) {
    origin[a] = period[a] > 0 ? population.parameters().origin[a] : bounds[0][a];
    extent[a] = period[a] > 0 ? period[a] : bounds[1][a] - bounds[0][a];
  }
  double reach = 0;
  for (const SourceTerms& terms : problem.terms)
    reach = std::max(reach, terms.reach);
  const double side = p.kernel == KernelKind::OneToOne ? kInfinity : cellSide(extent, population.count(), reach);
  // Sides of very different lengths give more cells than neurons; one neuron a cell is small enough.
  double most = static_cast<double>(population.count());
  for (std::size_t a = 0; a < 3; ++a) {
    const double cells = std::clamp(std::floor(extent[a] / side), 1.0, std::max(1.0, std::floor(most)));
    most /= cells;
    const double step = extent[a] > 0 ? extent[a] / cells : 1;
    problem.view.destination.axis[a] = makeAxis(origin[a], step, static_cast<std::uint32_t>(cells), period[a], true);
  }
}

/// Sorts the destinations by cell, those of a cell by index.
void sortIntoCells(Problem& problem, const RunControl& control)
{
  constexpr std::size_t kBetweenChecks = 1 << 18;
  const Population& population = *problem.projection.destination;
  DestinationView& destination = problem.view.destination;
  const auto count = static_cast<std::size_t>(population.count());
  const AxisView* axis = destination.axis;
  const std::size_t cells = std::size_t{axis[0].count} * axis[1].count * axis[2].count;
  requireMemory(count * (2 * sizeof(std::uint32_t) + 3 * sizeof(double)) + cells * sizeof(std::uint32_t),
                "Sorting the destinations into cells");
  std::vector<std::uint32_t> cell(count);
  problem.cellBegin.assign(cells + 1, 0);
  for (std::size_t i = 0; i < count; ++i) {
    if (i % kBetweenChecks == 0)
      control.checkpoint();
    double position[3];
    positionOf(destination.positions, static_cast<std::uint32_t>(i), position);
    cell[i] = cellAt(destination, position);
    ++problem.cellBegin[cell[i] + 1];
  }
  for (std::size_t c = 0; c < cells; ++c)
    problem.cellBegin[c + 1] += problem.cellBegin[c];
  std::vector<std::uint32_t> next(problem.cellBegin.begin(), problem.cellBegin.end() - 1);
  problem.slotIndex.resize(count);
  for (auto& coordinate : problem.slotPosition) {
    control.checkpoint(); // making the pages takes its time
    coordinate.resize(count);
  }
  for (std::size_t i = 0; i < count; ++i) {
    if (i % kBetweenChecks == 0)
      control.checkpoint();
    const std::uint32_t slot = next[cell[i]]++;
    problem.slotIndex[slot] = static_cast<std::uint32_t>(i);
    for (int a = 0; a < 3; ++a)
      problem.slotPosition[static_cast<std::size_t>(a)][slot] = population.coordinates(a)[i];
  }
  destination.cellBegin = problem.cellBegin.data();
  destination.slotIndex = problem.slotIndex.data();
  for (std::size_t a = 0; a < 3; ++a)
    destination.slotPosition[a] = problem.slotPosition[a].data();
}

void makeDestination(Problem& problem, Backend backend, const RunControl& control)
{
  const Population& population = *problem.projection.destination;
  DestinationView& destination = problem.view.destination;
  destination.positions = positionsOf(population);
  destination.count = static_cast<std::uint32_t>(population.count());
  if (!population.isGrid()) {
    makeCellAxes(problem);
    const AxisView* const axis = destination.axis;
    destination.inOrder = axis[0].count == 1 && axis[1].count == 1 && axis[2].count == 1;
    if (backend == Backend::Cpu || problem.projection.parameters.kernel == KernelKind::Nearest)
      sortIntoCells(problem, control);
    return;
  }
  const PopulationParameters& grid = population.parameters();
  const Position period = problem.projection.parameters.wrap ? population.period() : Position{};
  for (std::size_t a = 0; a < 3; ++a)
    destination.axis[a] = makeAxis(grid.origin[a], grid.spacing[a], grid.size[a], period[a], false);
  destination.inOrder = true;
}

/// The neighbours of sources, found by looking ever farther around each. Distances are those that the rows are made
/// with, so that the limit decides as the order of the neighbours would.
class NeighbourSearch
{
public:
  explicit NeighbourSearch(const Problem& problem)
      : view(problem.view), form(std::get<NearestForm>(problem.form)),
        wanted(static_cast<std::size_t>(problem.projection.parameters.neighbours)),
        bounds(problem.projection.destination->bounds())
  {
    double volume = static_cast<double>(wanted) / static_cast<double>(view.destination.count);
    int dimensions = 0;
    for (std::size_t axis = 0; axis < 3; ++axis)
      if (const double length = bounds[1][axis] - bounds[0][axis]; length > 0) {
        volume *= length;
        ++dimensions;
      }
    firstReach = dimensions > 0 ? std::pow(volume, 1.0 / dimensions) : 1;
  }

  SourceTerms termsOf(std::uint32_t index)
  {
    SourceTerms terms = unboundedTerms();
    const SourceView source = makeSource(view, index, terms);
    for (double reach = firstReach + distanceToBounds(source);; reach *= 2) {
      boundReach(terms, reach);
      const bool lookedAtAll = lookAround(makeSource(view, index, terms));
      if (found.size() < wanted && !lookedAtAll)
        continue;
      const auto farthest = farthestWanted();
      if (lookedAtAll || farthest.first <= reach * reach)
        return termsUpTo(farthest);
    }
  }

private:
  using Neighbour = std::pair<double, std::uint32_t>; ///< metric and index: in the order in which they are taken

  /// How far the source, moved by the offset, is from the destinations; 0 on a torus, which is around it.
  double distanceToBounds(const SourceView& source) const
  {
    double square = 0;
    for (std::size_t axis = 0; axis < 3 && !view.wrapped; ++axis) {
      const double centre = source.centre[axis];
      const double outside = std::max({bounds[0][axis] - centre, centre - bounds[1][axis], 0.0});
      square += outside * outside;
    }
    return std::sqrt(square);
  }

  /// Finds at least what is within the reach; returns whether that is every destination.
  bool lookAround(const SourceView& source)
  {
    found.clear();
    std::uint64_t looked = 0;
    const std::uint32_t rows = rowsOf(view, source);
    for (std::uint32_t r = 0; r < rows; ++r) {
      const RowView row = makeRow(view, source, r);
      const std::uint32_t candidates = lengthOf(row.span);
      looked += candidates;
      for (std::uint32_t i = 0; i < candidates; ++i) {
        const std::uint32_t slot = indexIn(row.span, i);
        const Target target = view.destination.cellBegin == nullptr ? targetAt<true>(view, source, row, slot)
                                                                    : targetAt<false>(view, source, row, slot);
        if (view.selfConnections || target.index != source.index)
          found.emplace_back(form.metric(target.d), target.index);
      }
    }
    return looked == view.destination.count;
  }

  /// The last of those that are taken; before the first where none is found.
  Neighbour farthestWanted()
  {
    if (found.empty())
      return {-1, 0};
    const auto last = found.begin() + static_cast<std::ptrdiff_t>(std::min(wanted, found.size()) - 1);
    std::nth_element(found.begin(), last, found.end());
    return *last;
  }

  static SourceTerms termsUpTo(const Neighbour& farthest)
  {
    SourceTerms terms = unboundedTerms();
    terms.limit = farthest.first;
    terms.lastAtLimit = farthest.second;
    boundReach(terms, std::sqrt(std::max(terms.limit, 0.0)));
    return terms;
  }

  const ProblemView& view;
  const NearestForm& form;
  std::size_t wanted;
  std::array<Position, 2> bounds;
  double firstReach;
  std::vector<Neighbour> found;
};

/// Once the destinations are in their cells, on every backend.
void findNeighbours(Problem& problem, int threads, const RunControl& control)
{
  constexpr std::size_t kGrain = 64;
  const ProjectionParameters& p = problem.projection.parameters;
  if (!(std::abs(p.gain) > cutOf(p)))
    return;
  ProblemView& view = problem.view;
  requireMemory(std::size_t{view.sources} * sizeof(SourceTerms), "Finding the neighbours of each source");
  std::vector<SourceTerms> terms(view.sources);
  parallelFor(
      terms.size(), kGrain,
      [&](std::size_t begin, std::size_t end) {
        NeighbourSearch search(problem);
        for (std::size_t source = begin; source < end; ++source) {
          control.checkpoint();
          terms[source] = search.termsOf(static_cast<std::uint32_t>(source));
        }
      },
      threads);
  problem.terms = std::move(terms);
  view.terms = problem.terms.data();
  view.termCount = view.sources;
}

} // namespace

namespace {

/// Such as `neuron 4 of "source" at (1, 0.5, 0)`.
std::string describeNeuron(const Population& population, std::uint32_t index)
{
  std::string place;
  for (const double coordinate : population.position(index))
    place += (place.empty() ? "" : ", ") + textOf(coordinate);
  return "neuron " + std::to_string(index) + " of \"" + population.name() + "\" at (" + place + ")";
}

[[noreturn]] void refuseValue(const Problem& problem, std::uint32_t source, std::uint32_t destination, double value)
{
  const Projection& projection = problem.projection;
  throw Error(ErrorCode::BadParameter,
              "The " + std::string(kernelName(projection.parameters.kernel)) + " is " +
                  (std::isnan(value) ? "nan" : textOf(value)) + " from " + describeNeuron(*projection.source, source) +
                  " to " + describeNeuron(*projection.destination, destination) +
                  ", which is no finite number in single precision; give it one there, as in if(r > 0, 1/r, 0).");
}

} // namespace

void refuseValueOf(const Problem& problem, std::uint32_t index)
{
  const ProblemView& view = problem.view;
  const SourceView source = makeSource(view, index);
  std::visit(
      [&](const auto& form) {
        for (std::uint32_t destination = 0; destination < view.destination.count; ++destination) {
          const Target target = targetOf(view, source, destination);
          if (!isAsked(form, view, source, target))
            continue;
          if (const double value = form.value(source, target); !isFiniteWeight(value))
            refuseValue(problem, index, destination, value);
        }
      },
      problem.form);
  throw std::logic_error("no value of the source is not finite");
}

bool leavesSelfOut(const Projection& projection)
{
  return !projection.parameters.selfConnections && isSamePopulation(*projection.source, *projection.destination);
}

std::vector<std::string> joinWarnings(const Projection& projection)
{
  const Population& source = *projection.source;
  const Population& destination = *projection.destination;
  const auto neurons = [](std::uint64_t count) {
    return std::to_string(count) + (count == 1 ? " neuron" : " neurons");
  };
  const ProjectionParameters& p = projection.parameters;
  if (p.kernel == KernelKind::OneToOne && source.count() != destination.count()) {
    const Population& larger = source.count() > destination.count() ? source : destination;
    const std::uint64_t joined = std::min(source.count(), destination.count());
    return {"One to one joins neurons of equal index, but \"" + source.name() + "\" has " + neurons(source.count()) +
            " and \"" + destination.name() + "\" " + std::to_string(destination.count()) + ": the last " +
            std::to_string(larger.count() - joined) + " of \"" + larger.name() +
            "\" have no connection; nearest neighbours join populations of any size."};
  }
  const std::uint64_t others = destination.count() - (leavesSelfOut(projection) ? 1 : 0);
  if (p.kernel == KernelKind::Nearest && static_cast<std::uint64_t>(p.neighbours) > others)
    return {"Each source has " + std::to_string(others) + " nearest of " + std::to_string(p.neighbours) + ": \"" +
            destination.name() + "\" has no more."};
  return {};
}

std::unique_ptr<const Problem> makeProblem(const Projection& projection, Backend backend, int threads,
                                           const RunControl& control)
{
  const ProjectionParameters& p = projection.parameters;
  validate(p, *projection.source, *projection.destination);
  auto problem = std::make_unique<Problem>();
  problem->projection = projection;
  makeForm(problem->form, p);
  ProblemView& view = problem->view;
  view.source = positionsOf(*projection.source);
  view.sources = static_cast<std::uint32_t>(projection.source->count());
  view.offset[0] = p.offsetX;
  view.offset[1] = p.offsetY;
  view.offset[2] = p.offsetZ;
  view.cut = cutOf(p);
  view.randomWeight = p.randomWeight;
  view.delay = p.delay;
  view.inverseVelocity = p.velocity > 0 ? 1 / p.velocity : 0;
  view.seed = p.seed;
  view.oneToOne = p.kernel == KernelKind::OneToOne;
  view.wrapped = p.wrap;
  view.random = p.rule == ConnectionRule::Random;
  view.selfConnections = !leavesSelfOut(projection);
  makeTerms(*problem, threads, control);
  view.boxed = std::isfinite(problem->terms.front().box[0]);
  makeDestination(*problem, backend, control);
  if (p.kernel == KernelKind::Nearest)
    findNeighbours(*problem, threads, control);
  return problem;
}

} // namespace hinesight::projection
