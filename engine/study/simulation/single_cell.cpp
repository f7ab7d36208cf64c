#include "study/simulation/single_cell.hpp"

#include "core/error.hpp"
#include "core/files.hpp"
#include "io/models/allen_fit.hpp"
#include "morphology/samples.hpp"
#include "morphology/swc.hpp"

#include <system_error>

#include <nlohmann/json.hpp>

namespace hinesight::study {

namespace {

namespace fs = std::filesystem;

/// Of a fit that comes with the program, the cell of its name.
fs::path onlyMorphologyBeside(const fs::path& fit)
{
  constexpr std::string_view kEnding = "_fit.json";
  if (morphology::sampleText(fit.string()))
    return fit.string().substr(0, fit.string().size() - kEnding.size()) + ".swc";
  const fs::path folder = fit.has_parent_path() ? fit.parent_path() : fs::path(".");
  std::vector<fs::path> found;
  std::error_code failure;
  for (fs::directory_iterator entry(folder, failure), end; !failure && entry != end; entry.increment(failure))
    if (entry->path().extension() == ".swc")
      found.push_back(entry->path());
  if (found.size() != 1)
    throw Error(ErrorCode::BadParameter,
                "has " + (found.empty() ? std::string("no SWC file") : std::to_string(found.size()) + " SWC files") +
                    " beside it; say with --morphology which is the cell's",
                fit.string());
  return found.front();
}

} // namespace

bool isAllenFit(const fs::path& file)
{
  const auto sample = morphology::sampleText(file.string());
  const auto json = nlohmann::json::parse(sample ? std::string(*sample) : readFile(file), nullptr, false);
  return json.is_object() && json.contains("genome");
}

CircuitSimulation buildSingleCell(const SingleCell& cell)
{
  const auto sample = morphology::sampleText(cell.fit);
  io::AllenFit fit = sample ? io::parseAllenFit(*sample, cell.fit) : io::readAllenFit(cell.fit);
  const fs::path swc = cell.morphology.empty() ? onlyMorphologyBeside(cell.fit) : fs::path(cell.morphology);
  auto model = std::make_shared<cell::CellModel>();
  model->name = swc.stem().string();
  model->biophysics = std::move(fit.biophysics);
  model->cut = cell::cutIntoSections(*morphology::readSwc(swc.string()), {.axon = cell::AxonPolicy::Stub});
  const std::int32_t soma = model->cut.nodeAt(0, 0.5);
  CircuitSimulation made;
  made.celsius = model->biophysics.celsius;
  made.notes = std::move(fit.notes);
  made.network.models = {std::move(model)};
  made.network.modelOf = {0};
  made.network.detectors = {{soma, -15}};
  made.network.probes = {{0, soma}};
  if (cell.current)
    made.network.steps.push_back({0, soma, cell.current->amplitude, cell.current->delay, cell.current->duration});
  else
    made.notes.emplace_back("No current is given; the cell rests.");
  made.populations = {{"cell", {0}, {{SimulatedNode::Kind::Cell, 0}}}};
  io::ReportRequest report;
  report.name = "membrane_potential";
  report.variable = "v";
  report.file = "membrane_potential.h5";
  made.reports = {{report, {{0, 0, 0, {0}, {0.5}}}}};
  return made;
}

} // namespace hinesight::study
