#include "study/simulation/single_cell.hpp"

#include "core/error.hpp"
#include "core/files.hpp"
#include "core/json_text.hpp"
#include "io/models/allen_fit.hpp"
#include "io/models/mechanism_tables.hpp"
#include "morphology/samples.hpp"
#include "morphology/swc.hpp"

#include <system_error>

#include <nlohmann/json.hpp>

namespace hinesight::study {

namespace {

namespace fs = std::filesystem;

/// Of CELL_fit.json the cell CELL.swc, else the only one of its folder.
fs::path onlyMorphologyBeside(const fs::path& fit)
{
  constexpr std::string_view kEnding = "_fit.json";
  if (morphology::sampleText(fit.string()))
    return fit.string().substr(0, fit.string().size() - kEnding.size()) + ".swc";
  if (fit.string().ends_with(kEnding))
    if (const fs::path ofItsName = fit.string().substr(0, fit.string().size() - kEnding.size()) + ".swc";
        fs::exists(ofItsName))
      return ofItsName;
  const fs::path folder = fit.has_parent_path() ? fit.parent_path() : fs::path(".");
  std::vector<fs::path> found;
  std::error_code failure;
  for (fs::directory_iterator entry(folder, failure), end; !failure && entry != end; entry.increment(failure))
    if (entry->path().extension() == ".swc")
      found.push_back(entry->path());
  if (found.size() != 1)
    throw Error(ErrorCode::BadParameter,
                "has " + (found.empty() ? std::string("no SWC file") : std::to_string(found.size()) + " SWC files") +
                    " beside it; name the cell's like the fit, or say with --morphology which it is",
                fit.string());
  return found.front();
}

/// A component of Arbor; models that come with the program are fits.
bool isOfArbor(const fs::path& file)
{
  return !morphology::sampleText(file.string()) && io::isCableCell(file);
}

cell::MechanismCatalogue mechanismsOf(const SingleCell& cell)
{
  return cell.mechanisms.empty() ? cell::MechanismTables() : io::readMechanismTables(cell.mechanisms);
}

/// Its model, and what of the file is not honoured.
std::shared_ptr<cell::CellModel> ofFit(const SingleCell& cell, CircuitSimulation& made)
{
  const auto sample = morphology::sampleText(cell.file);
  io::AllenFit fit = sample ? io::parseAllenFit(*sample, cell.file, mechanismsOf(cell))
                            : io::readAllenFit(cell.file, mechanismsOf(cell));
  const fs::path swc = cell.morphology.empty() ? onlyMorphologyBeside(cell.file) : fs::path(cell.morphology);
  auto model = std::make_shared<cell::CellModel>();
  model->name = swc.stem().string();
  model->biophysics = std::move(fit.biophysics);
  model->cut = cell::cutIntoSections(*morphology::readSwc(swc.string()),
                                     {.axon = fit.isAllActive ? cell::AxonPolicy::Truncated : cell::AxonPolicy::Stub});
  made.notes = std::move(fit.notes);
  return model;
}

/// The same of Arbor's, with what is placed on it.
std::shared_ptr<cell::CellModel> ofCableCell(const SingleCell& cell, CircuitSimulation& made)
{
  io::CableCell read = io::readCableCell(cell.file, {.mechanisms = mechanismsOf(cell), .morphology = cell.morphology});
  made.notes = std::move(read.notes);
  for (const io::CableCell::Step& each : read.steps)
    made.network.steps.push_back({0, each.node, each.amplitude, each.delay, each.duration});
  for (const io::CableCell::Sinusoid& each : read.sinusoids)
    made.network.sinusoids.push_back(
        {0, each.node, each.amplitude, each.frequency, each.phase, 0, each.delay, each.duration});
  for (const io::CableCell::Synapse& each : read.synapses)
    made.network.synapses.push_back({0, each.node, each.tau1, each.tau2, each.reversal});
  for (const io::CableCell::Detector& each : read.detectors)
    made.network.detectors.push_back({each.node, each.threshold});
  if (!read.synapses.empty())
    made.notes.push_back(std::to_string(read.synapses.size()) + " synapses have no source and get no events.");
  if (!read.junctions.empty())
    made.notes.push_back(std::to_string(read.junctions.size()) + " gap junctions have no other side and no effect.");
  if (read.detectors.size() > 1) {
    made.notes.push_back("Spikes are those of the first of " + std::to_string(read.detectors.size()) + " detectors.");
    made.network.detectors.resize(1);
  }
  return std::make_shared<cell::CellModel>(std::move(read.model));
}

} // namespace

bool isSingleCell(const fs::path& file)
{
  const auto sample = morphology::sampleText(file.string());
  const std::string text = sample ? std::string(*sample) : readFile(file);
  requireModestJson(text, file.string());
  const auto json = nlohmann::json::parse(text, nullptr, false);
  return (json.is_object() && json.contains("genome")) || isOfArbor(file);
}

CircuitSimulation buildSingleCell(const SingleCell& cell)
{
  CircuitSimulation made;
  const auto model = isOfArbor(cell.file) ? ofCableCell(cell, made) : ofFit(cell, made);
  const std::int32_t soma = model->cut.nodeAt(0, 0.5);
  made.celsius = model->biophysics.celsius;
  made.network.models = {model};
  made.network.modelOf = {0};
  if (made.network.detectors.empty())
    made.network.detectors = {{soma, -15}};
  made.network.probes = {{0, soma}};
  if (cell.current)
    made.network.steps.push_back({0, soma, cell.current->amplitude, cell.current->delay, cell.current->duration});
  else if (made.network.steps.empty() && made.network.sinusoids.empty())
    made.notes.emplace_back("No current is given; the cell rests.");
  made.populations = {{"cell", {0}, {{SimulatedNode::Kind::Cell, 0}}}};
  io::ReportRequest report;
  report.name = "membrane_potential";
  report.variable = "v";
  report.isOfCentres = true;
  report.file = "membrane_potential.h5";
  made.reports = {{report, {{0, 0, 0, {0}, {0.5}}}}};
  return made;
}

io::CableCell cableCellOf(const CircuitSimulation& simulation)
{
  const simulation::Network& network = simulation.network;
  if (network.models.size() != 1)
    throw Error(ErrorCode::BadParameter,
                "A cable cell is one model; the simulation has " + std::to_string(network.models.size()) + ".");
  io::CableCell made;
  made.model = *network.models.front();
  made.model.biophysics.celsius = simulation.celsius;
  made.detectors = {{network.detectors.front().node, network.detectors.front().threshold}};
  for (const simulation::CurrentStep& each : network.steps)
    if (each.cell == 0)
      made.steps.push_back({each.node, each.amplitude, each.delay, each.duration});
  for (const simulation::SinusoidCurrent& each : network.sinusoids)
    if (each.cell == 0)
      made.sinusoids.push_back({each.node, each.amplitude, each.frequency, each.phase, each.delay, each.duration});
  for (const simulation::Synapse& each : network.synapses)
    if (each.cell == 0 && each.magnesium == 0)
      made.synapses.push_back({each.node, each.tau1, each.tau2, each.reversal});
  return made;
}

} // namespace hinesight::study
