#include "study/simulation/model_files.hpp"

#include "core/error.hpp"
#include "core/files.hpp"
#include "core/json_text.hpp"
#include "core/text.hpp"
#include "io/models/allen_fit.hpp"
#include "io/models/mechanism_tables.hpp"
#include "io/models/neuroml_cell.hpp"
#include "morphology/swc.hpp"

#include <algorithm>
#include <cctype>
#include <compare>

#include <nlohmann/json.hpp>

namespace hinesight::study {

namespace {

namespace fs = std::filesystem;

/// A file of parameters: names and numbers.
class ParameterFile
{
public:
  explicit ParameterFile(const fs::path& path) : file(path.string())
  {
    const std::string text = readFile(path);
    requireModestJson(text, file);
    json = nlohmann::json::parse(text, nullptr, false);
    if (!json.is_object())
      throw Error(ErrorCode::BadFormat, "is no JSON object; parameters of a model are needed", file);
  }

  bool has(const char* name) const { return json.contains(name); }

  double number(const char* name) const
  {
    if (!json.contains(name) || !json[name].is_number())
      throw Error(ErrorCode::BadFormat, "has no number \"" + std::string(name) + "\"", file);
    return json[name].get<double>();
  }
  double number(const char* name, double otherwise) const { return has(name) ? number(name) : otherwise; }

private:
  std::string file;
  nlohmann::json json;
};

std::string lowerCase(std::string text)
{
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

/// The greatest conductance of a synapse with the weight 1 (ProbAMPANMDA_EMS and ProbGABAAB_EMS, Blue Brain Project).
constexpr double kUsualConductance = 0.001; // uS

/// Two receptors with the names of parameters of ProbAMPANMDA_EMS; what the file leaves out is as there.
std::vector<SynapseKind::Receptor> ampaAndNmda(const ParameterFile& file)
{
  const double conductance = file.number("gmax", kUsualConductance);
  const double reversal = file.number("e", file.number("erev", simulation::kAmpa.reversal));
  return {{file.number("tau_r_AMPA", simulation::kAmpa.tau1), file.number("tau_d_AMPA", simulation::kAmpa.tau2),
           reversal, 0, conductance},
          {file.number("tau_r_NMDA", simulation::kNmda.tau1), file.number("tau_d_NMDA", simulation::kNmda.tau2),
           reversal, file.number("mg", simulation::kNmda.magnesium),
           conductance * file.number("NMDA_ratio", simulation::kNmdaShare)}};
}

/// The same of ProbGABAAB_EMS; without a ratio there is no GABA B.
std::vector<SynapseKind::Receptor> gabaAAndB(const ParameterFile& file)
{
  const double conductance = file.number("gmax", kUsualConductance);
  std::vector<SynapseKind::Receptor> receptors = {
      {file.number("tau_r_GABAA", 0.2), file.number("tau_d_GABAA", 8), file.number("e_GABAA", -80), 0, conductance}};
  if (const double ratio = file.number("GABAB_ratio", 0); ratio != 0)
    receptors.push_back({file.number("tau_r_GABAB", 3.5), file.number("tau_d_GABAB", 260.9),
                         file.number("e_GABAB", -97), 0, conductance * ratio});
  return receptors;
}

fs::path inFolder(const fs::path& folder, const std::string& name, const char* key, const std::string& what)
{
  if (folder.empty())
    throw Error(ErrorCode::BadFormat,
                what + " is looked for in \"" + key + "\", which the configuration does not name.");
  const fs::path below = fs::path(name).lexically_normal();
  if (below.is_absolute() || (!below.empty() && *below.begin() == ".."))
    throw Error(ErrorCode::BadFormat, what + " is \"" + name + "\"; a name below \"" + key + "\" is needed.");
  return (folder / below).lexically_normal();
}

} // namespace

ModelFiles::ModelFiles(const io::SimulationConfiguration& configuration)
    : config(configuration),
      mechanisms(config.mechanisms.empty() ? cell::MechanismTables() : io::readMechanismFolder(config.mechanisms))
{}

std::string typeValue(const io::TypeTable& types, std::int64_t type, const char* column)
{
  const std::string value = types.valueOf(type, column);
  return value == "NULL" || value == "NONE" ? std::string() : value;
}

ModelFiles::CellFiles ModelFiles::filesOf(const io::TypeTable& types, std::int64_t type) const
{
  const std::string where = "The type " + std::to_string(type) + " of nodes";
  const std::string modelTemplate = typeValue(types, type, "model_template");
  const std::string processing = typeValue(types, type, "model_processing");
  const std::string morphology = typeValue(types, type, "morphology");
  const std::size_t colon = modelTemplate.find(':');
  const std::string schema = modelTemplate.substr(0, std::min(colon, modelTemplate.size()));
  if (colon == std::string::npos || (schema != "nml" && schema != "ctdb"))
    throw Error(ErrorCode::BadFormat,
                where + " has the template \"" + modelTemplate + "\"; those of nml: and ctdb: can be simulated.");
  if (morphology.empty())
    throw Error(ErrorCode::BadFormat, where + " has no morphology.");
  CellFiles files;
  files.isNeuroMl = schema == "nml";
  const std::string parameters =
      files.isNeuroMl ? modelTemplate.substr(colon + 1) : typeValue(types, type, "dynamics_params");
  if (parameters.empty())
    throw Error(ErrorCode::BadFormat, where + " has no \"dynamics_params\", the file of its channels.");
  files.model = inFolder(config.cellModels, parameters, "biophysical_neuron_models_dir", "The model of a cell");
  files.morphology = inFolder(config.morphologies, morphology, "morphologies_dir", "A morphology");
  if (files.morphology.extension() != ".swc")
    files.morphology += ".swc";
  if (files.isNeuroMl || processing == "aibs_perisomatic")
    files.axon = cell::AxonPolicy::Stub; // BMTK replaces the axon of every cell of NeuroML
  else if (processing == "aibs_allactive")
    files.axon = cell::AxonPolicy::StubAsThick;
  else if (processing.empty())
    files.axon = cell::AxonPolicy::Kept;
  else
    throw Error(ErrorCode::BadFormat,
                where + " is processed by \"" + processing + "\"; aibs_perisomatic and aibs_allactive are known.");
  return files;
}

std::shared_ptr<const cell::CellModel> ModelFiles::cellOf(const io::TypeTable& types, std::int64_t type)
{
  const CellFiles files = filesOf(types, type);
  auto& known = cells[files];
  if (known)
    return known;
  auto made = std::make_shared<cell::CellModel>();
  made->name = files.morphology.stem().string();
  std::vector<std::string> notes;
  if (files.isNeuroMl) {
    io::NeuroMlCell read = io::readNeuroMlCell(files.model, mechanisms);
    made->biophysics = std::move(read.biophysics);
    notes = std::move(read.notes);
  } else {
    io::AllenFit read = io::readAllenFit(files.model, mechanisms);
    made->biophysics = std::move(read.biophysics);
    notes = std::move(read.notes);
  }
  for (const std::string& note : notes)
    said.push_back(files.model.filename().string() + ": " + note);
  if (config.startPotential)
    made->biophysics.startPotential = *config.startPotential;
  made->cut =
      cell::cutIntoSections(*morphology::readSwc(files.morphology.string()), {config.longestSegment, files.axon});
  known = std::move(made);
  return known;
}

simulation::PointNeuron ModelFiles::pointNeuronOf(const io::TypeTable& types, std::int64_t type) const
{
  constexpr double kMilliseconds = 1000; // of a second
  const std::string modelTemplate = typeValue(types, type, "model_template");
  if (modelTemplate != "nrn:IntFire1")
    throw Error(ErrorCode::BadFormat, "The type " + std::to_string(type) + " of nodes is a point neuron of \"" +
                                          modelTemplate + "\"; nrn:IntFire1 can be simulated.");
  const ParameterFile file(inFolder(config.pointModels, typeValue(types, type, "dynamics_params"),
                                    "point_neuron_models_dir", "The model of a point neuron"));
  return {kMilliseconds * file.number("tau"), kMilliseconds * file.number("refrac")};
}

SynapseKind ModelFiles::synapseOf(const io::TypeTable& types, std::int64_t type, const std::string& typesFile)
{
  const auto fail = [&](const std::string& what) {
    throw Error(ErrorCode::BadFormat, "the type " + std::to_string(type) + " of edges " + what, typesFile);
  };
  if (const std::string function = typeValue(types, type, "weight_function"); !function.empty())
    fail("has the weight function \"" + function + "\"; weights are read from syn_weight alone");
  const std::string modelTemplate = typeValue(types, type, "model_template");
  const std::string name = lowerCase(modelTemplate);
  SynapseKind kind;
  if (const std::string junction = lowerCase(typeValue(types, type, "is_gap_junction"));
      junction == "true" || junction == "1" || name == "gap" || name == "gapjunction") {
    kind.isJunction = true;
    return kind;
  }
  const std::string parameters = typeValue(types, type, "dynamics_params");
  if (parameters.empty())
    fail("has no \"dynamics_params\", the file of its synapses");
  const ParameterFile file(inFolder(config.synapseModels, parameters, "synaptic_models_dir", "The model of a synapse"));
  kind.sign = file.number("sign", kind.sign);
  if (modelTemplate.empty())
    return kind; // of point neurons
  if (name == "exp2syn")
    kind.receptors = {{file.number("tau1"), file.number("tau2"), file.number("erev"), file.number("mg", 0)}};
  else if (name == "expsyn")
    kind.receptors = {{0, file.number(file.has("tau") ? "tau" : "tau1"), file.number("erev"), file.number("mg", 0)}};
  else if (name == "probampanmda" || name == "probampanmda_ems" || name == "ampanmda")
    kind.receptors = ampaAndNmda(file);
  else if (name == "probgabaab" || name == "probgabaab_ems" || name == "gabaab")
    kind.receptors = gabaAAndB(file);
  else
    fail("has synapses of the template \"" + modelTemplate +
         "\"; Exp2Syn, ExpSyn, ProbAMPANMDA_EMS, ProbGABAAB_EMS and Gap are known");
  if (name.starts_with("prob"))
    said.push_back("Synapses of the type " + std::to_string(type) + " (" + modelTemplate +
                   ") release at every event and in full; failures, depression and facilitation are not simulated.");
  for (const SynapseKind::Receptor& each : kind.receptors)
    if (!(each.tau1 >= 0 && each.tau2 > each.tau1 && each.magnesium >= 0))
      fail("has synapses that rise in " + textOf(each.tau1) + " ms and fall in " + textOf(each.tau2) +
           " ms; the second has to be above the first");
  return kind;
}

} // namespace hinesight::study
