#include "synapse/check/verify_checks.hpp"
#include "synapse/check/verify_reference.hpp"
#include "synapse/search/random_keys.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numeric>
#include <span>

// Tests 4, 10, 11 and 13: whole connectivity updates.

namespace hinesight::synapse::checks {

namespace {

constexpr double kSpacing = 26; // um

FormationParameters formationOf(const Session& session, const KernelParameters& kernel, std::uint64_t seed)
{
  FormationParameters parameters;
  parameters.search.kernel = kernel;
  parameters.search.seed = seed;
  parameters.backend = session.parameters.backend;
  parameters.threads = session.parameters.threads;
  return parameters;
}

double synapsesIn(const Network& network)
{
  return std::accumulate(network.synapses.begin(), network.synapses.end(), 0.0,
                         [](double sum, const Synapse& synapse) { return sum + std::abs(synapse.weight); });
}

// Test 4.

/// Pairs that one network has and the other has not, or with another weight.
double differences(const Network& a, const Network& b)
{
  std::vector<Synapse> apart;
  std::ranges::set_symmetric_difference(a.synapses, b.synapses, std::back_inserter(apart));
  return static_cast<double>(apart.size());
}

/// Other threads on the CPU; on CUDA the CPU's network, and the device's once more.
std::vector<std::pair<std::string, FormationParameters>> variantsOf(const FormationParameters& parameters)
{
  std::vector<std::pair<std::string, FormationParameters>> variants;
  if (parameters.backend == Backend::Cuda) {
    variants.emplace_back("CUDA again", parameters);
    variants.emplace_back("CUDA and CPU", parameters);
    variants.back().second.backend = Backend::Cpu;
    return variants;
  }
  for (const int threads : {1, 3}) {
    variants.emplace_back(std::to_string(threads) + (threads == 1 ? " thread" : " threads"), parameters);
    variants.back().second.threads = threads;
  }
  return variants;
}

void checkSameNetwork(Session& session, std::size_t neurons, SearchKind kind, const NamedKernel& kernel)
{
  const auto population = makeRandomPopulation(neurons, kSpacing, 0.8, 71);
  FormationParameters parameters = formationOf(session, kernel.parameters, 5);
  parameters.search.kind = kind;
  parameters.axons = 2;
  parameters.dendrites = 2;
  const auto formation = formSynapses(population, parameters, session.control);
  for (const auto& [name, variant] : variantsOf(parameters)) {
    const auto other = formSynapses(population, variant, session.control);
    session.atMost(std::string(searchName(kind)) + ", " + kernel.name + ", " + std::to_string(neurons) + " neurons, " +
                       name,
                   "differences among " + std::to_string(formation->network.synapses.size()) + " pairs",
                   differences(formation->network, other->network), 0);
  }
}

// Test 10.

/// What became of all requests of an update: how often each pair was asked for and granted.
struct Answers
{
  std::vector<Synapse> asked, granted; ///< ordered by target, then source
};

void orderByTarget(std::vector<Synapse>& synapses)
{
  std::ranges::sort(synapses, {}, [](const Synapse& s) { return std::pair(s.target, s.source); });
}

/// Asks twice, with as many vacant elements as are granted and with so many that none is refused. A power of two times
/// as many of them scales every weight of a search exactly, so that it finds the same.
Answers askTwice(const Session& session, const std::shared_ptr<const NeuronPopulation>& population,
                 FormationParameters parameters)
{
  Answers answers;
  const auto granted = formSynapses(population, parameters, session.control);
  answers.granted = granted->network.synapses;
  const auto room = std::min(kMostElements, static_cast<std::uint32_t>(0xFFFFFFFFu / population->size()));
  parameters.dendrites *= std::bit_floor(room / parameters.dendrites);
  answers.asked = formSynapses(population, parameters, session.control)->network.synapses;
  orderByTarget(answers.asked);
  orderByTarget(answers.granted);
  return answers;
}

/// Counts that should be, and are, granted: in bins by the asking neuron's id, and by its place among those that ask
/// the same neuron.
class Fairness
{
public:
  void add(std::uint32_t source, std::size_t neurons, std::size_t place, std::size_t places, double expected,
           double granted)
  {
    const std::size_t id = source * kBins / neurons;
    wantedById[id] += expected;
    grantedById[id] += granted;
    const std::size_t rank = place * kBins / places;
    wantedByPlace[rank] += expected;
    grantedByPlace[rank] += granted;
  }

  std::vector<double> pValues() const { return {pOf(grantedById, wantedById), pOf(grantedByPlace, wantedByPlace)}; }

private:
  static constexpr std::size_t kBins = 20;
  using Bins = std::array<double, kBins>;

  static double pOf(const Bins& granted, Bins wanted)
  {
    const double sum = std::accumulate(wanted.begin(), wanted.end(), 0.0);
    for (double& share : wanted)
      share /= sum;
    ChiSquare test;
    test.add(granted, wanted);
    return test.pValue();
  }

  Bins wantedById = {}, grantedById = {}, wantedByPlace = {}, grantedByPlace = {};
};

struct ConflictErrors
{
  double counts = 0; ///< neurons that granted another number than the lesser of requests and vacant elements
  double strays = 0; ///< grants that nobody asked for
  double contested = 0;
  Fairness fairness;
};

/// One neuron's requests and grants, both ordered by source.
void addTarget(std::span<const Synapse> asked, std::span<const Synapse> granted, std::uint32_t vacant,
               std::size_t neurons, ConflictErrors& errors)
{
  const auto sum = [](std::span<const Synapse> synapses) {
    return std::accumulate(synapses.begin(), synapses.end(), 0.0,
                           [](double total, const Synapse& s) { return total + std::abs(s.weight); });
  };
  const double requests = sum(asked);
  errors.counts += sum(granted) != std::min<double>(requests, vacant);
  std::size_t next = 0;
  for (std::size_t place = 0; place < asked.size(); ++place) {
    double got = 0;
    if (next < granted.size() && granted[next].source == asked[place].source)
      got = std::abs(granted[next++].weight);
    errors.strays += got > std::abs(asked[place].weight);
    if (requests > vacant) {
      errors.contested += std::abs(asked[place].weight);
      errors.fairness.add(asked[place].source, neurons, place, asked.size(),
                          std::abs(asked[place].weight) * vacant / requests, got);
    }
  }
  errors.strays += static_cast<double>(granted.size() - next);
}

ConflictErrors errorsOf(const Answers& answers, std::uint32_t vacant, std::size_t neurons)
{
  ConflictErrors errors;
  auto asked = answers.asked.begin();
  auto granted = answers.granted.begin();
  for (std::uint32_t target = 0; target < neurons; ++target) {
    const auto isOther = [target](const Synapse& s) { return s.target != target; };
    const auto askedEnd = std::find_if(asked, answers.asked.end(), isOther);
    const auto grantedEnd = std::find_if(granted, answers.granted.end(), isOther);
    addTarget({asked, askedEnd}, {granted, grantedEnd}, vacant, neurons, errors);
    asked = askedEnd;
    granted = grantedEnd;
  }
  errors.strays += static_cast<double>(answers.granted.end() - granted);
  return errors;
}

/// Of a random number R of requests on a neuron with v vacant elements, Poisson with mean v.
struct Occupancy
{
  double share = 0;  ///< mean of min(R, v) / v
  double spread = 0; ///< of the share over N neurons times sqrt(N): R adds up to a fixed number over all neurons
};

Occupancy occupancyOf(std::uint32_t v)
{
  double mean = 0, square = 0, product = 0;
  double probability = std::exp(-static_cast<double>(v));
  for (std::uint32_t r = 0; r < 50 * (v + 2); ++r) {
    const double kept = std::min(r, v);
    mean += probability * kept;
    square += probability * kept * kept;
    product += probability * kept * r;
    probability *= static_cast<double>(v) / (r + 1);
  }
  const double covariance = product - mean * v;
  const double variance = square - mean * mean - covariance * covariance / v;
  return {mean / v, std::sqrt(variance) / v};
}

void checkOccupancy(Session& session, std::size_t neurons, std::uint32_t v)
{
  const auto population = makeRandomPopulation(neurons, kSpacing, 1, 73);
  FormationParameters parameters = formationOf(session, flatKernel(), 11);
  parameters.axons = v;
  parameters.dendrites = v;
  const auto formation = formSynapses(population, parameters, session.control);
  const double share = synapsesIn(formation->network) / (static_cast<double>(neurons) * v);
  const Occupancy wanted = occupancyOf(v);
  session.pValue("occupancy, " + std::to_string(v) + " elements each: " + std::to_string(share).substr(0, 6) + " of " +
                     std::to_string(wanted.share).substr(0, 6) + " expected",
                 normalTails((share - wanted.share) / (wanted.spread / std::sqrt(static_cast<double>(neurons)))));
}

void checkGrants(Session& session, std::uint32_t axons, std::uint32_t dendrites)
{
  const std::size_t neurons = session.size<std::size_t>(2'000, 50'000);
  const auto population = makeRandomPopulation(neurons, kSpacing, 1, 79);
  FormationParameters parameters = formationOf(session, gaussianKernel(100), 13);
  parameters.axons = axons;
  parameters.dendrites = dendrites;
  const ConflictErrors errors = errorsOf(askTwice(session, population, parameters), dendrites, neurons);
  const std::string subject = std::to_string(neurons) + " neurons, " + std::to_string(axons) + " axons, " +
                              std::to_string(dendrites) + " dendrites each";
  session.atMost(subject, "neurons that do not grant min(requests, vacant)", errors.counts, 0);
  session.atMost(subject, "grants that nobody asked for", errors.strays, 0);
  session.pValue(subject + ", fairness over " + std::to_string(static_cast<std::uint64_t>(errors.contested)) +
                     " contested requests",
                 errors.fairness.pValues());
}

// Test 11.

/// What each excitatory (or inhibitory) neuron found, as its place in Morton order from 0 to 1; one draw each. With the
/// flat kernel places are uniform.
std::vector<double> placesFound(const Formation& formation)
{
  std::vector<double> placeOf(formation.tree->neurons());
  for (std::size_t place = 0; place < placeOf.size(); ++place)
    placeOf[formation.tree->order[place]] = static_cast<double>(place) / static_cast<double>(placeOf.size());
  std::vector<double> found(placeOf.size(), 0.5);
  for (const Synapse& synapse : formation.network.synapses)
    found[synapse.source] = placeOf[synapse.target];
  return found;
}

double lagP(const std::vector<double>& a, const std::vector<double>& b, std::size_t lag)
{
  const std::size_t count = a.size() - lag;
  const double r = correlation(std::span(a).first(count), std::span(b).subspan(lag));
  return normalTails(r * std::sqrt(static_cast<double>(count)));
}

constexpr std::array<std::size_t, 11> kLags = {1, 2, 3, 8, 16, 32, 64, 128, 256, 512, 1024};

void checkNeighbours(Session& session)
{
  const std::size_t neurons = session.size<std::size_t>(4'000, 200'000);
  const auto population = makeRandomPopulation(neurons, kSpacing, 0.5, 83);
  FormationParameters parameters = formationOf(session, flatKernel(), 17);
  parameters.search.theta = 0.5;
  parameters.dendrites = 1u << 10;
  const auto first = placesFound(*formSynapses(population, parameters, session.control));
  std::vector<double> p;
  for (const std::size_t lag : kLags)
    p.push_back(lagP(first, first, lag));
  session.pValue("neurons t and t + k, excitatory and inhibitory", p);
  parameters.step += 100;
  const auto nextStep = placesFound(*formSynapses(population, parameters, session.control));
  parameters.search.seed += 1;
  const auto nextSeed = placesFound(*formSynapses(population, parameters, session.control));
  session.pValue("the next update", {lagP(first, nextStep, 0), lagP(first, nextStep, 1)});
  session.pValue("the next seed", {lagP(nextStep, nextSeed, 0), lagP(nextStep, nextSeed, 1)});
}

/// Where a descent's pick lies among what it could have picked, from 0 to 1.
double placeOfPick(const std::vector<AcceptedNode>& nodes, std::uint32_t picked)
{
  double before = 0;
  for (const AcceptedNode& node : nodes) {
    if (node.node == picked)
      return before + node.probability / 2;
    before += node.probability;
  }
  return -1;
}

/// The first two descents of many neurons, of both channels and of two elements.
void checkDescents(Session& session)
{
  const std::size_t neurons = session.size<std::size_t>(1'500, 8'000);
  const auto population = makeRandomPopulation(neurons, kSpacing, 1, 89);
  const std::vector<Position>& positions = population->position;
  const auto tree = makeOctree(positions, session.parameters.threads, session.control);
  const VacantElements sought =
      sumVacant(*tree, positions, std::vector<std::uint32_t>(neurons, 1), session.parameters.threads);
  SearchParameters search;
  search.kernel = flatKernel();
  search.theta = 0.5;
  std::vector<double> first, second, other, inhibitory;
  double unknown = 0;
  for (std::uint32_t neuron = 0; neuron < neurons; ++neuron) {
    session.control.checkpoint();
    const auto all = acceptedNodes(*tree, positions, sought, neuron, 0, search);
    const auto pathOf = [&](std::uint32_t element, Channel channel) {
      return descentOf(*tree, positions, sought, neuron, element, channel, 100, search);
    };
    const auto path = pathOf(0, kExcitatory);
    first.push_back(placeOfPick(all, path.front()));
    other.push_back(placeOfPick(all, pathOf(1, kExcitatory).front()));
    inhibitory.push_back(placeOfPick(all, pathOf(0, kInhibitory).front()));
    second.push_back(
        path.size() < 2 ? 0.5 : placeOfPick(acceptedNodes(*tree, positions, sought, neuron, path[0], search), path[1]));
    unknown += first.back() < 0 || second.back() < 0 || other.back() < 0 || inhibitory.back() < 0;
  }
  session.atMost("descents", "picks of nodes that were not gathered", unknown, 0);
  std::vector<double> p = {lagP(first, second, 0)};
  for (const std::size_t lag : kLags) {
    p.push_back(lagP(first, second, lag));
    p.push_back(lagP(second, first, lag));
  }
  session.pValue("descents 0 and 1 of neurons t and t + k", p);
  session.pValue("elements 0 and 1", lagP(first, other, 0));
  session.pValue("excitatory and inhibitory of one neuron", lagP(first, inhibitory, 0));
}

// Test 13.

/// Counts and mean lengths of networks, and all lengths together.
struct NetworkSample
{
  std::vector<double> counts, means, lengths;

  void add(const Network& network, const std::vector<Position>& positions)
  {
    double sum = 0, count = 0;
    for (const Synapse& synapse : network.synapses) {
      const double length = std::sqrt(reference::squaredDistance(positions[synapse.source], positions[synapse.target]));
      for (std::int32_t n = std::abs(synapse.weight); n > 0; --n)
        lengths.push_back(length);
      sum += length * std::abs(synapse.weight);
      count += std::abs(synapse.weight);
    }
    counts.push_back(count);
    means.push_back(sum / count);
  }
};

void checkRuns(Session& session, const ForeignNetworks& foreign, const ForeignRuns& runs)
{
  const std::vector<Position>& positions = foreign.population->position;
  NetworkSample theirs, ours;
  for (const Network& network : runs.networks)
    theirs.add(network, positions);
  const std::uint64_t seeds = session.size(20, 60);
  for (std::uint64_t seed = 1; seed <= seeds; ++seed)
    ours.add(formSynapses(foreign.population, formationOf(session, gaussianKernel(runs.sigma), seed), session.control)
                 ->network,
             positions);
  const std::string subject = "sigma " + std::to_string(static_cast<int>(runs.sigma)) + ", " +
                              std::to_string(runs.networks.size()) + " networks and " + std::to_string(seeds) +
                              " of ours";
  const auto zOf = [](const std::vector<double>& a, const std::vector<double>& b) {
    return standardErrorsApart(momentsOf(a), momentsOf(b));
  };
  constexpr double kMostStandardErrors = 4;
  session.atMost(subject + ", synapses", "standard errors apart", std::abs(zOf(theirs.counts, ours.counts)),
                 kMostStandardErrors);
  session.atMost(subject + ", mean length", "standard errors apart", std::abs(zOf(theirs.means, ours.means)),
                 kMostStandardErrors);
  session.pValue(subject + ", lengths", compareSamples(theirs.lengths, ours.lengths).pValue);
}

} // namespace

void checkRepeatability(Session& session)
{
  std::vector<NamedKernel> kernels = someKernels();
  kernels.push_back({"gaussian, sigma 750", gaussianKernel(750)});
  for (const NamedKernel& kernel : kernels)
    checkSameNetwork(session, session.size<std::size_t>(1'000, 10'000), SearchKind::BarnesHut, kernel);
  for (const SearchKind kind : {SearchKind::Naive, SearchKind::Inverse, SearchKind::Exact})
    checkSameNetwork(session, session.size<std::size_t>(1'000, 10'000), kind, kernels.front());
  if (session.quick())
    return;
  // All kernels where the device is compared with the CPU; threads are no matter of kernels.
  if (session.parameters.backend == Backend::Cpu)
    kernels.resize(1);
  for (const NamedKernel& kernel : kernels)
    checkSameNetwork(session, 100'000, SearchKind::BarnesHut, kernel);
}

void checkConflicts(Session& session)
{
  checkGrants(session, 1, 1);
  checkGrants(session, 4, 3);
  checkOccupancy(session, session.size<std::size_t>(4'000, 100'000), 1);
  checkOccupancy(session, session.size<std::size_t>(4'000, 100'000), 10);
}

void checkDraws(Session& session)
{
  checkNeighbours(session);
  checkDescents(session);
}

void checkForeign(Session& session)
{
  const auto& foreign = session.parameters.foreign;
  if (!foreign) {
    session.skip("networks of RELeARN 1.1", "they are not here; name their folder");
    return;
  }
  for (const ForeignRuns& runs : foreign->runs)
    checkRuns(session, *foreign, runs);
}

} // namespace hinesight::synapse::checks
