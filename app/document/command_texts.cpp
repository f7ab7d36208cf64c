#include "app/document/command_texts.hpp"

#include "core/device.hpp"
#include "core/error.hpp"
#include "core/text.hpp"
#include "model/project_changes.hpp"
#include "model/session_file.hpp"
#include "study/formation/parameters.hpp"
#include "study/growth/parameters.hpp"

#include <algorithm>

namespace hinesight::app {

namespace {

using projection::PopulationKind;

const std::string kProgram = "hinesight-cli ";

[[noreturn]] void refuse(const std::string& why)
{
  throw Error(ErrorCode::BadParameter, why + " Copy as session instead, and use 'hinesight-cli run'.");
}

template <typename Numbers>
std::string listOf(const Numbers& numbers)
{
  std::string list;
  for (const auto& number : numbers)
    list += (list.empty() ? "" : ",") + textOf(number);
  return list;
}

/// The word after an option, quoted where the shell needs it.
std::string word(std::string text)
{
  return " " + quoteForShell(std::move(text));
}

std::string option(const std::string& name, const std::string& text)
{
  return " --" + name + word(text);
}

/// Of "source" or "destination".
std::string populationText(const std::string& side, const study::PopulationChoice& choice)
{
  const projection::PopulationParameters& p = choice.parameters;
  std::string text = p.name == side ? "" : option(side + "-name", p.name);
  const std::string origin = p.origin == projection::Position{} ? "" : option(side + "-origin", listOf(p.origin));
  switch (p.kind) {
  case PopulationKind::Grid:
    return text + option(side + "-grid", listOf(p.size)) + option(side + "-spacing", listOf(p.spacing)) + origin;
  case PopulationKind::Box:
    return text + option(side + "-box", textOf(p.count) + "," + listOf(p.extent)) + origin +
           option(side + "-seed", textOf(p.seed));
  case PopulationKind::Sphere:
    return text + option(side + "-sphere", textOf(p.count) + "," + textOf(p.radius)) + origin +
           option(side + "-seed", textOf(p.seed));
  case PopulationKind::File:
    return text + option(side, choice.nodes.empty() ? p.file : p.file + ":" + choice.nodes);
  case PopulationKind::Given:
    break;
  }
  refuse("No command can say where the neurons of \"" + p.name + "\" are: they are those of open cells or of a table.");
}

/// Fields beside defaults, but for one that is there twice or that commands set themselves.
template <typename Parameters>
std::string changedText(Parameters& parameters, const Parameters& standard, std::string_view without = {})
{
  std::vector<BoundField> fields = fieldsOf(parameters, standard);
  std::erase_if(fields, [&](const BoundField& field) { return field.name == without; });
  if (const auto list = std::ranges::find_if(fields,
                                             [](const BoundField& field) {
                                               return field.about.applies && field.kind == FieldKind::List &&
                                                      field.size() > 0;
                                             });
      list != fields.end())
    refuse("No command can say the list \"" + list->label() + "\".");
  return commandText(fields);
}

std::string neuronText(study::NeuronSource& source, const synapse::PlacementParameters& standard)
{
  if (source.path.empty())
    return changedText(source.placement, standard);
  return option("positions", source.nodes.empty() ? source.path : source.path + ":" + source.nodes);
}

} // namespace

namespace {

/// The files of cells, with their scales. No option says a place, on which neither lengths nor solutions depend.
std::string filesText(const std::vector<CellChoice>& cells)
{
  std::string text;
  std::vector<double> scales;
  for (const CellChoice& cell : cells) {
    text += word(cell.path);
    scales.push_back(cell.scale);
  }
  if (std::ranges::any_of(scales, [](double scale) { return scale != morphology::kMicrometres.scale; }))
    text += option("scale", listOf(scales));
  return text;
}

} // namespace

std::string solveCommand(const std::vector<CellChoice>& cells, study::CellParameters parameters)
{
  const bool takesCells = parameters.batch.source != study::BatchSource::RandomTrees;
  // A command takes what it is given: files, and as many random trees as it is told.
  study::CellParameters standard;
  standard.batch.distinctTrees = 0;
  return kProgram + "solve" + (takesCells ? filesText(cells) : std::string()) + changedText(parameters, standard);
}

std::string measureCommand(const std::vector<CellChoice>& cells, double shollStep)
{
  return kProgram + "measure" + filesText(cells) + option("sholl", textOf(shollStep));
}

std::string projectCommand(const study::ProjectionRequest& request)
{
  std::string text = kProgram + "project" + populationText("source", request.source);
  text += study::makeTheSame(request.source, request.destination) ? " --recurrent"
                                                                  : populationText("destination", request.destination);
  projection::ProjectionParameters parameters = request.parameters;
  projection::ComputeParameters compute = request.compute;
  return text + changedText(parameters, projection::ProjectionParameters()) +
         changedText(compute, projection::ComputeParameters());
}

std::string formCommand(study::FormationRequest request)
{
  if (!request.source.network.empty())
    refuse("These synapses were read from a file, and not formed.");
  if (request.source.given)
    refuse("No command can say where the neurons of \"" + study::populationsInWords(request.source) + "\" are.");
  // The window keeps the tree, which it draws.
  return kProgram + "form" + neuronText(request.source, study::FormationStudyParameters().placement) +
         changedText(request.formation, synapse::FormationParameters(), "keep-tree");
}

std::string growCommand(study::GrowthRequest request, std::uint32_t steps)
{
  if (request.start)
    throw Error(ErrorCode::BadParameter,
                request.start->isCheckpoint()
                    ? "This run goes on from a checkpoint. Grow on with 'hinesight-cli grow --resume' from it."
                    : "Neither a command nor the session can name the network that this run starts with. Export it "
                      "from Synapses, and give the file to 'hinesight-cli grow --network'.");
  if (request.source.given)
    refuse("No command can say where the neurons of \"" + study::populationsInWords(request.source) + "\" are.");
  std::string text =
      kProgram + "grow --steps " + textOf(steps) + neuronText(request.source, study::GrowthStudyParameters().placement);
  if (!request.source.network.empty())
    text += option("network", request.source.network);
  return text + changedText(request.model, synapse::PlasticityParameters());
}

std::string benchProjectionsCommand(projection::BenchmarkParameters parameters)
{
  // What a command does by itself depends on the machine.
  std::string backends;
  for (const Backend backend : parameters.backends)
    backends += (backends.empty() ? "" : ",") + std::string(backendName(backend));
  parameters.backends = projection::BenchmarkParameters().backends;
  return kProgram + "bench projections" + option("backend", backends) +
         changedText(parameters, projection::BenchmarkParameters());
}

namespace {

std::vector<std::string> changesOf(const std::string& path, const model::Project& now,
                                   const std::vector<std::string>& reads)
{
  try {
    return model::assignmentsBetween(model::readSession(path, model::Extent::WithoutRuns).project, now, reads);
  } catch (const Error& error) {
    throw UnsavedSession(error.what());
  }
}

} // namespace

std::string runCommand(const std::string& path, const model::Project& now, const SessionWork& work)
{
  if (path.empty())
    throw UnsavedSession("A command for this needs the session as a file. Save the session, then copy the command.");
  std::string text = kProgram + "run" + word(path) + option("study", work.study);
  for (const std::string& connection : work.connections)
    text += option("connection", connection);
  std::vector<std::string> reads = work.dependsOn;
  for (const std::string& connection : work.connections)
    reads.push_back("connections." + connection + ".");
  std::vector<std::string> assignments = changesOf(path, now, reads);
  assignments.insert(assignments.end(), work.assignments.begin(), work.assignments.end());
  for (const std::string& assignment : assignments)
    text += option("set", assignment);
  return text;
}

} // namespace hinesight::app
