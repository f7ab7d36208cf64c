#include "study/projection/projection_study.hpp"

#include "core/device.hpp"
#include "core/error.hpp"
#include "io/tables/projection_export.hpp"
#include "study/gpu_ranks.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace hinesight::study {

namespace {

using projection::Population;
using projection::PopulationKind;

constexpr std::uint64_t kMostPairsToCount = 4'000'000'000; ///< about a second on one core

/// What is to be asked before a table is made; `prepared` where its rows were counted. None where its size surprises
/// nobody.
std::optional<SizeQuestion> questionOf(const projection::Projection& projection,
                                       const projection::PreparedProjection* prepared)
{
  SizeQuestion question;
  question.lacksCut = projection::needsCut(projection.parameters);
  question.isCounted = prepared != nullptr;
  question.rows = prepared ? prepared->rows() : projection::mostRows(projection);
  question.bytes = projection::tableBytes(projection, question.rows);
  question.fitsMemory = question.bytes < availableMemoryBytes();
  if (!question.lacksCut && !projection::isLargeTable(question.bytes))
    return std::nullopt;
  return question;
}

/// Whether every pair, or nearly every one, has a row, and there are too many to count them.
bool isBeyondCounting(const projection::Projection& projection)
{
  const bool hasAllPairs =
      projection::needsCut(projection.parameters) || projection::keepsEveryPair(projection.parameters);
  return hasAllPairs && projection::mostRows(projection) > kMostPairsToCount;
}

/// Neurons in rows of a square, for a table whose file does not say where they lie.
std::shared_ptr<const Population> inRows(const std::string& name, std::uint64_t count)
{
  const auto columns = static_cast<std::uint64_t>(std::ceil(std::sqrt(static_cast<double>(count))));
  std::array<std::vector<double>, 3> positions;
  requireMemory(3 * sizeof(double) * count, "The positions of " + std::to_string(count) + " neurons");
  for (auto& axis : positions)
    axis.assign(count, 0);
  for (std::uint64_t neuron = 0; neuron < count; ++neuron) {
    positions[0][neuron] = static_cast<double>(neuron % columns);
    positions[1][neuron] = static_cast<double>(neuron / columns);
  }
  return projection::populationAt(name, std::move(positions));
}

/// The population of a table whose file holds no positions: that of the file of positions that it names, if that is
/// still there and has as many neurons. Else the choice is a given population whose neurons are not known.
PopulationChoice unplacedChoice(const io::Metadata& metadata, const std::string& role)
{
  PopulationChoice choice;
  const std::string name = io::valueOf(metadata, role);
  choice.parameters.name = name.empty() ? role : name;
  choice.parameters.kind = PopulationKind::Given;
  if (io::valueOf(metadata, role + "-kind") == projection::populationKindName(PopulationKind::File)) {
    choice.parameters.kind = PopulationKind::File;
    choice.parameters.file = io::valueOf(metadata, role + "-file");
  }
  return choice;
}

PopulationChoice choiceOf(const std::shared_ptr<const Population>& population)
{
  PopulationChoice choice(population->parameters());
  if (choice.parameters.kind == PopulationKind::Given)
    choice.given = population;
  return choice;
}

io::FileStamp fileOf(const PopulationChoice& choice)
{
  return choice.parameters.kind == PopulationKind::File ? io::stampOf(choice.parameters.file) : io::FileStamp();
}

/// The neurons of the file of positions that a choice names; null where it is not there or has not `count` neurons.
std::shared_ptr<const Population> placedByFile(const PopulationChoice& choice, std::uint64_t count,
                                               const RunControl& control)
{
  if (choice.parameters.kind != PopulationKind::File)
    return nullptr;
  try {
    const auto population = makePopulation(choice, control);
    return population->count() == count ? population : nullptr;
  } catch (const Error& error) {
    if (error.code() == ErrorCode::Cancelled)
      throw;
    return nullptr;
  }
}

} // namespace

bool makeTheSame(const ProjectionRequest& a, const ProjectionRequest& b)
{
  return makeTheSame(a.source, b.source) && makeTheSame(a.destination, b.destination) && a.parameters == b.parameters &&
         a.compute == b.compute;
}

WrittenTable writeTable(const projection::Projection& projection, const projection::ComputeParameters& compute,
                        const std::string& path, const RunControl& control)
{
  const KeptRanksScope scope(ranksFor(nullptr, compute), control);
  const auto prepared = projection::prepare(projection, compute, control);
  WrittenTable written;
  written.rows = prepared->rows();
  written.bytes = projection::tableBytes(*prepared);
  written.warnings = prepared->warnings();
  const bool fitsMemory = written.bytes < availableMemoryBytes() / 2;
  const bool isShared = prepared->tableRanks() != nullptr; // none of the ranks has to have all of it
  if (path.empty() || (fitsMemory && !isShared)) {
    const auto table = projection::makeTable(*prepared, control);
    written.timings = table->timings;
    if (!path.empty()) {
      const Stopwatch stopwatch;
      io::exportTable(*table, path, control);
      written.timings.add("export", stopwatch.elapsed());
    }
    return written;
  }
  const Stopwatch stopwatch;
  for (std::string& warning : io::exportStreamed(*prepared, path, control))
    written.warnings.push_back(std::move(warning));
  written.timings = prepared->timings();
  written.timings.add("export", stopwatch.elapsed() - written.timings.of("compact") - written.timings.of("download"));
  return written;
}

ProjectionStudy::Made ProjectionStudy::made(const PopulationChoice& choice, const RunControl& control) const
{
  const io::FileStamp file = fileOf(choice);
  for (const Made* kept : {&source, &destination})
    if (kept->population && makeTheSame(kept->choice, choice) && kept->file == file)
      return *kept;
  return {choice, makePopulation(choice, control), file};
}

projection::Projection ProjectionStudy::place(const ProjectionRequest& request, const RunControl& control)
{
  projection::validate(request.parameters);
  control.report("positions", 0);
  const Stopwatch stopwatch;
  Made newSource = made(request.source, control);
  Made newDestination =
      makeTheSame(request.source, request.destination) ? newSource : made(request.destination, control);
  const bool madeAny = newSource.population != source.population || newDestination.population != destination.population;
  making = madeAny ? stopwatch.elapsed() : 0;
  source = std::move(newSource);
  destination = std::move(newDestination);
  projection::validate(request.parameters, *source.population, *destination.population);
  return {source.population, destination.population, request.parameters};
}

std::variant<ProjectionResult, SizeQuestion> ProjectionStudy::run(const ProjectionRequest& request,
                                                                  const RunControl& control)
{
  const projection::Projection projection = place(request, control);
  if (isBeyondCounting(projection))
    if (const auto question = questionOf(projection, nullptr); question && question->rows > request.rowsAllowed)
      return *question;
  gpus = ranksFor(std::move(gpus), request.compute);
  const KeptRanksScope scope(gpus, control);
  const auto prepared = projection::prepare(projection, request.compute, control);
  const auto question = questionOf(projection, prepared.get());
  if (question && question->rows > request.rowsAllowed)
    return *question;

  ProjectionResult outcome;
  outcome.wasAskedAbout = question.has_value();
  outcome.table = projection::makeTable(*prepared, memory, control);
  outcome.timings.backend = outcome.table->timings.backend;
  outcome.timings.device = outcome.table->timings.device;
  if (making > 0)
    outcome.timings.add("positions", making);
  for (const Stage& stage : outcome.table->timings.stages)
    outcome.timings.add(stage.name, stage.milliseconds);
  outcome.timings.devices = outcome.table->timings.devices;
  summarize(outcome, request.compute.threads, control);
  return outcome;
}

void ProjectionStudy::summarize(ProjectionResult& outcome, int threads, const RunControl& control) const
{
  const Stopwatch stopwatch;
  outcome.summary = projection::summarize(*outcome.table, {.threads = threads}, control);
  outcome.timings.add("summary", stopwatch.elapsed());
}

OpenedTable ProjectionStudy::open(const std::string& path, const RunControl& control)
{
  const Stopwatch stopwatch;
  const auto imported = io::importTable(path, control);
  projection::Projection& projection = imported->table.projection;
  OpenedTable opened;
  ProjectionResult& outcome = opened.result;
  outcome.file = path;
  outcome.hasParameters = !io::valueOf(imported->metadata, "kernel").empty();
  const auto place = [&](const char* role, std::shared_ptr<const Population>& population, std::uint64_t count) {
    if (population)
      return choiceOf(population);
    const PopulationChoice choice = unplacedChoice(imported->metadata, role);
    population = placedByFile(choice, count, control);
    if (!population) {
      population = inRows(choice.parameters.name, count);
      outcome.positionsAreKnown = false;
    }
    return choice;
  };
  if (imported->table.sources() == 0 || imported->destinations == 0)
    throw Error(ErrorCode::BadFormat, "joins populations without neurons; there is nothing to show", path);
  opened.source = place("source", projection.source, imported->table.sources());
  opened.destination = place("destination", projection.destination, imported->destinations);
  outcome.timings.device = processorName();
  outcome.timings.add("read", stopwatch.elapsed());
  // The table lives in what was imported.
  outcome.table = std::shared_ptr<const projection::WeightTable>(imported, &imported->table);
  summarize(outcome, 0, control);
  if (outcome.positionsAreKnown) {
    source = {opened.source, projection.source, fileOf(opened.source)};
    destination = {opened.destination, projection.destination, fileOf(opened.destination)};
  }
  return opened;
}

void ProjectionStudy::makeReady(const projection::WeightTable& last, const RunControl& control)
{
  constexpr int kThreads = 1; // the others paint what was made
  memory.makeReady(last, kThreads, control);
}

} // namespace hinesight::study
