#include "core/error.hpp"
#include "core/parallel.hpp"
#include "core/text.hpp"
#include "synapse/check/verify_checks.hpp"
#include "synapse/check/verify_reference.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <random>
#include <span>

// Tests 5, 6, 8, 9 and 15: how often a search finds what.

namespace hinesight::synapse::checks {

namespace {

constexpr double kSpacing = 26; // um

using Distribution = std::function<std::vector<double>(std::uint32_t)>;

std::string subjectOf(const SearchParameters& search, const std::string& kernel)
{
  const std::string theta = search.kind == SearchKind::Naive ? "" : ", theta " + textOf(search.theta);
  return std::string(searchName(search.kind)) + ", " + kernel + theta;
}

/// The exact kernel's distribution of each seeker.
Distribution exactOf(const Picks& picks, const KernelParameters& kernel)
{
  return [&picks, kernel](std::uint32_t seeker) {
    return reference::exactDistribution(picks.population->position, picks.vacant, seeker, kernel);
  };
}

/// What a tree of pointers induces.
Distribution inducedOf(const Picks& picks, const SearchParameters& search)
{
  const auto tree = std::make_shared<const reference::Tree>(picks.population->position, picks.vacant,
                                                            picks.tree->lowest, picks.tree->edge);
  return
      [tree, search](std::uint32_t seeker) { return tree->inducedDistribution(seeker, search.theta, search.kernel); };
}

double boxDiagonal(const Picks& picks)
{
  return picks.tree->edge * std::sqrt(3.0) * (1 + 1e-9);
}

/// Counts of one seeker by what it found.
class CountsBySeeker
{
public:
  explicit CountsBySeeker(const Picks& given) : picks(given), begin(given.population->size() + 1, 0)
  {
    for (const Synapse& synapse : picks.found)
      ++begin[synapse.source + 1];
    for (std::size_t i = 1; i < begin.size(); ++i)
      begin[i] += begin[i - 1];
  }

  std::span<const Synapse> of(std::uint32_t seeker) const
  {
    return std::span(picks.found).subspan(begin[seeker], begin[seeker + 1] - begin[seeker]);
  }

private:
  const Picks& picks;
  std::vector<std::size_t> begin;
};

/// Counts and probabilities of one seeker in Morton order, so that neighbours in space are pooled.
struct SeekerRow
{
  std::vector<double> counts, probabilities;
};

/// Compares seeker after seeker; probabilities come from all threads.
class PickComparison
{
public:
  PickComparison(const Session& given, const Picks& drawn, const Distribution& wanted)
      : session(given), picks(drawn), distributionOf(wanted), counts(drawn), neurons(drawn.population->size()),
        foundTargets(neurons, 0), wantedTargets(neurons, 0), foundLengths(kBins, 0), wantedLengths(kBins, 0)
  {}

  PickTest run()
  {
    constexpr std::size_t kAtATime = 64;
    std::vector<std::uint32_t> seekers;
    for (std::uint32_t neuron = 0; neuron < neurons; ++neuron)
      if (!picks.population->isInhibitory[neuron])
        seekers.push_back(neuron);
    std::vector<std::vector<double>> wanted(kAtATime);
    for (std::size_t begin = 0; begin < seekers.size(); begin += kAtATime) {
      session.control.checkpoint();
      const std::size_t count = std::min(kAtATime, seekers.size() - begin);
      parallelFor(
          count, 1,
          [&](std::size_t first, std::size_t last) {
            for (std::size_t i = first; i < last; ++i)
              wanted[i] = distributionOf(seekers[begin + i]);
          },
          session.parameters.threads);
      for (std::size_t i = 0; i < count; ++i)
        add(seekers[begin + i], wanted[i]);
    }
    return result();
  }

private:
  static constexpr std::size_t kBins = 4'000;

  std::size_t binOf(std::uint32_t a, std::uint32_t b) const
  {
    const std::vector<Position>& at = picks.population->position;
    const double share = std::sqrt(reference::squaredDistance(at[a], at[b])) / boxDiagonal(picks);
    return std::min(kBins - 1, static_cast<std::size_t>(share * static_cast<double>(kBins)));
  }

  void add(std::uint32_t seeker, const std::vector<double>& probabilities)
  {
    SeekerRow row{std::vector<double>(neurons, 0), std::vector<double>(neurons, 0)};
    std::vector<double> byNeuron(neurons, 0);
    double found = 0, share = 0;
    for (const Synapse& synapse : counts.of(seeker)) {
      byNeuron[synapse.target] = synapse.weight;
      found += synapse.weight;
    }
    for (std::size_t place = 0; place < neurons; ++place) {
      const std::uint32_t neuron = picks.tree->order[place];
      row.counts[place] = byNeuron[neuron];
      row.probabilities[place] = probabilities[neuron];
      foundTargets[place] += byNeuron[neuron];
      wantedTargets[place] += probabilities[neuron];
      share += probabilities[neuron];
      const std::size_t bin = binOf(seeker, neuron);
      foundLengths[bin] += byNeuron[neuron];
      wantedLengths[bin] += probabilities[neuron];
    }
    cells.add(row.counts, row.probabilities);
    isComplete = isComplete && found == (share > 0.5 ? picks.draws : 0);
  }

  PickTest result()
  {
    for (auto* shares : {&wantedTargets, &wantedLengths}) {
      double sum = 0;
      for (const double share : *shares)
        sum += share;
      for (double& share : *shares)
        share /= sum;
    }
    ChiSquare targets;
    targets.add(foundTargets, wantedTargets);
    const KolmogorovSmirnov lengths = compareWithDistribution(foundLengths, wantedLengths);
    return {cells.pValue(), targets.pValue(), lengths.pValue, lengths.distance, isComplete};
  }

  const Session& session;
  const Picks& picks;
  const Distribution& distributionOf;
  CountsBySeeker counts;
  std::size_t neurons;
  ChiSquare cells;
  std::vector<double> foundTargets, wantedTargets, foundLengths, wantedLengths;
  bool isComplete = true;
};

std::shared_ptr<const NeuronPopulation> populationOf(std::size_t neurons, std::uint64_t seed)
{
  return makeRandomPopulation(neurons, kSpacing, 1, seed);
}

/// A million draws of one neuron among uneven and missing vacant elements, by the CPU's search.
void checkOneSeeker(Session& session, const SearchParameters& search, const NamedKernel& kernel, const char* against,
                    bool isInduced)
{
  Picks picks;
  picks.population = populationOf(session.size<std::size_t>(150, 500), 41);
  const std::vector<Position>& positions = picks.population->position;
  picks.tree = makeOctree(positions, session.parameters.threads, session.control);
  picks.draws = session.size(50'000u, 1'000'000u);
  std::mt19937_64 random(43);
  for (std::size_t i = 0; i < positions.size(); ++i)
    picks.vacant.push_back(static_cast<std::uint32_t>(random() % 4));
  constexpr std::uint32_t kSeeker = 77;
  std::vector<std::uint32_t> seeking(positions.size(), 0);
  seeking[kSeeker] = picks.draws;
  const VacantElements sought = sumVacant(*picks.tree, positions, picks.vacant, session.parameters.threads);
  const std::vector<Request> requests = searchTargets(*picks.tree, positions, seeking, sought, kExcitatory, 100, search,
                                                      session.parameters.threads, session.control);
  std::vector<double> counts(positions.size(), 0);
  for (const Request& request : requests)
    counts[request.found] += 1;
  ChiSquare cells;
  cells.add(counts, (isInduced ? inducedOf(picks, search) : exactOf(picks, search.kernel))(kSeeker));
  session.pValue(subjectOf(search, kernel.name) + ", one seeker" + against,
                 requests.size() == picks.draws ? cells.pValue() : 0);
}

SearchParameters searchOf(SearchKind kind, double theta, const NamedKernel& kernel)
{
  SearchParameters search;
  search.kind = kind;
  search.theta = theta;
  search.kernel = kernel.parameters;
  search.seed = 1'234'567;
  return search;
}

} // namespace

KernelParameters gaussianKernel(double sigma)
{
  KernelParameters kernel;
  kernel.sigma = sigma;
  return kernel;
}

KernelParameters flatKernel()
{
  KernelParameters kernel;
  kernel.kind = AttractionKind::Linear;
  return kernel;
}

std::vector<NamedKernel> someKernels()
{
  KernelParameters ring = gaussianKernel(40);
  ring.mu = 90;
  KernelParameters linear = flatKernel();
  linear.cutoff = 160;
  KernelParameters gamma;
  gamma.kind = AttractionKind::Gamma;
  gamma.gammaK = 2.5;
  gamma.gammaTheta = 30;
  KernelParameters weibull;
  weibull.kind = AttractionKind::Weibull;
  weibull.weibullK = 1.5;
  weibull.weibullB = 0.001;
  return {{"gaussian", gaussianKernel(100)},
          {"gaussian with mu 90", ring},
          {"linear", linear},
          {"gamma", gamma},
          {"weibull", weibull}};
}

Picks drawPicks(const Session& session, std::shared_ptr<const NeuronPopulation> population,
                const SearchParameters& search, std::uint32_t draws)
{
  // Far more than are asked of any neuron, and a power of two, by which sums stay exact.
  const std::uint32_t plenty = std::bit_ceil(64 * draws);
  const bool isInverse = search.kind == SearchKind::Inverse;
  FormationParameters parameters;
  parameters.search = search;
  parameters.axons = isInverse ? plenty : draws;
  parameters.dendrites = isInverse ? draws : plenty;
  parameters.backend = session.parameters.backend;
  parameters.threads = session.parameters.threads;
  const auto formation = formSynapses(population, parameters, session.control);
  Picks picks{population, formation->tree, draws, formation->network.synapses,
              std::vector<std::uint32_t>(population->size(), plenty)};
  std::uint64_t granted = 0;
  for (Synapse& synapse : picks.found) {
    synapse.weight = std::abs(synapse.weight);
    granted += static_cast<std::uint64_t>(synapse.weight);
    if (isInverse)
      std::swap(synapse.source, synapse.target);
  }
  if (isInverse)
    std::ranges::sort(picks.found);
  if (granted != formation->requests)
    throw Error(ErrorCode::VerificationFailed,
                std::to_string(formation->requests - granted) +
                    " requests were refused where every neuron has more vacant elements than are asked for.");
  return picks;
}

PickTest comparePicks(const Session& session, const Picks& picks, const Distribution& distributionOf)
{
  return PickComparison(session, picks, distributionOf).run();
}

void checkExactPicks(Session& session)
{
  constexpr double kHardlyAny = 1e-4; // theta at which every neuron is weighed alone
  const auto population = populationOf(session.size<std::size_t>(150, 500), 47);
  const std::uint32_t draws = session.size(400u, 2'000u);
  for (const NamedKernel& kernel : someKernels()) {
    for (const auto& [kind, theta] : {std::pair(SearchKind::Naive, 0.3), std::pair(SearchKind::BarnesHut, kHardlyAny),
                                      std::pair(SearchKind::Exact, 0.3), std::pair(SearchKind::Exact, 0.5)}) {
      const SearchParameters search = searchOf(kind, theta, kernel);
      const Picks picks = drawPicks(session, population, search, draws);
      session.pValue(subjectOf(search, kernel.name),
                     comparePicks(session, picks, exactOf(picks, search.kernel)).pValues());
    }
    checkOneSeeker(session, searchOf(SearchKind::BarnesHut, kHardlyAny, kernel), kernel, "", false);
    checkOneSeeker(session, searchOf(SearchKind::Exact, 0.5, kernel), kernel, "", false);
  }
}

void checkInducedPicks(Session& session)
{
  const auto population = populationOf(session.size<std::size_t>(300, 2'000), 53);
  const std::uint32_t draws = session.size(200u, 500u);
  for (const NamedKernel& kernel : someKernels()) {
    for (const auto& [kind, theta] : {std::pair(SearchKind::BarnesHut, 0.3), std::pair(SearchKind::BarnesHut, 0.5),
                                      std::pair(SearchKind::Inverse, 0.4)}) {
      const SearchParameters search = searchOf(kind, theta, kernel);
      const Picks picks = drawPicks(session, population, search, draws);
      session.pValue(subjectOf(search, kernel.name), comparePicks(session, picks, inducedOf(picks, search)).pValues());
    }
    checkOneSeeker(session, searchOf(SearchKind::BarnesHut, 0.5, kernel), kernel, "", true);
  }
}

void checkFlatKernel(Session& session)
{
  const NamedKernel flat = {"linear without cutoff", flatKernel()};
  const auto population = populationOf(session.size<std::size_t>(300, 1'000), 59);
  const std::uint32_t draws = session.size(200u, 1'000u);
  for (const auto& [kind, theta] : {std::pair(SearchKind::Naive, 0.3), std::pair(SearchKind::BarnesHut, 0.1),
                                    std::pair(SearchKind::BarnesHut, 0.3), std::pair(SearchKind::BarnesHut, 0.5),
                                    std::pair(SearchKind::Inverse, 0.5), std::pair(SearchKind::Exact, 0.5)}) {
    const SearchParameters search = searchOf(kind, theta, flat);
    const Picks picks = drawPicks(session, population, search, draws);
    session.pValue(subjectOf(search, flat.name), comparePicks(session, picks, exactOf(picks, search.kernel)).pValues());
  }
  // Neurons count by their vacant elements.
  checkOneSeeker(session, searchOf(SearchKind::BarnesHut, 0.5, flat), flat, "", false);
}

void checkDistances(Session& session)
{
  // Spacing and sigma at which the kernel matters: four spacings.
  const NamedKernel kernel = {"sigma 100", gaussianKernel(100)};
  const auto population = populationOf(session.size<std::size_t>(1'000, 6'000), 61);
  const std::uint32_t draws = session.size(50u, 200u);
  const SearchParameters exact = searchOf(SearchKind::Exact, 0.3, kernel);
  {
    const Picks picks = drawPicks(session, population, exact, draws);
    session.pValue(subjectOf(exact, kernel.name), comparePicks(session, picks, exactOf(picks, exact.kernel)).lengths);
  }
  const SearchParameters induced = searchOf(SearchKind::BarnesHut, 0.3, kernel);
  const Picks picks = drawPicks(session, population, induced, draws);
  session.pValue(subjectOf(induced, kernel.name) + ", against the induced lengths",
                 comparePicks(session, picks, inducedOf(picks, induced)).lengths);
  // As far from the exact kernel as is known of theta 0.3 (50,000 neurons, sigma 100), and what chance adds.
  constexpr double kKnown = 9.5e-3;
  const double chance = 1.36 / std::sqrt(static_cast<double>(population->size()) * draws);
  session.atMost(subjectOf(induced, kernel.name) + ", against the exact kernel's lengths",
                 "Kolmogorov-Smirnov distance",
                 comparePicks(session, picks, exactOf(picks, induced.kernel)).lengthDistance, 1.5 * kKnown + chance);
}

void checkLongGathers(Session& session)
{
  // Nearly all neurons are gathered one by one: more than any cap that a search could have.
  const NamedKernel kernel = {"gaussian", gaussianKernel(300)};
  const SearchParameters search = searchOf(SearchKind::BarnesHut, 0.03, kernel);
  // A tenth of them is compared: the excitatory ones.
  const auto population = makeRandomPopulation(session.size<std::size_t>(3'000, 12'000), kSpacing, 0.1, 67);
  const Picks picks = drawPicks(session, population, search, session.size(20u, 100u));
  const VacantElements sought = sumVacant(*picks.tree, population->position, picks.vacant, session.parameters.threads);
  const std::string subject = subjectOf(search, kernel.name);
  session.atLeast(subject, "nodes gathered at once",
                  static_cast<double>(acceptedNodes(*picks.tree, population->position, sought, 0, 0, search).size()),
                  session.size(1'500, 10'000));
  session.pValue(subject, comparePicks(session, picks, inducedOf(picks, search)).pValues());
}

} // namespace hinesight::synapse::checks
