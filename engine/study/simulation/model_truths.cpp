#include "study/simulation/model_truths.hpp"

#include "io/hdf5/hdf5_file.hpp"
#include "io/sonata/spike_files.hpp"
#include "simulation/check/checks.hpp"
#include "study/simulation/circuit_simulation.hpp"
#include "study/simulation/simulation_output.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace hinesight::study {

namespace {

namespace fs = std::filesystem;
using simulation::Rules;
using simulation::checks::Session;

constexpr const char* kFiveCells = "sonata/5_cells_iclamp/simulation_config.json";
constexpr const char* kOneCell = "bmtk/bio_1cell/config.simulation_iclamp.json";
constexpr const char* kSynapses = "bmtk/bio_1cell/config.simulation_syns.json";

/// A report of potentials, of which some frames are compared.
struct ReportCheck
{
  std::string about; ///< which frames
  std::size_t frames;
  double bound; ///< mV
};

/// A configuration with what NEURON gave.
struct Model
{
  const char* name;
  const char* configuration;
  Rules rules;
  const char* spikes; ///< file
  const char* population;
  std::size_t count;
  const char* report = ""; ///< file; empty: none is compared
  std::vector<ReportCheck> frames = {};
};

const std::vector<Model>& models()
{
  static const std::vector<Model> all = {
      {"five cells under current steps",
       kFiveCells,
       Rules::Neuron,
       "sonata/5_cells_iclamp/output/spikes.h5",
       "biophysical",
       124,
       "sonata/5_cells_iclamp/output/membrane_potential.h5",
       {{"at rest", 4990, 1e-9}, {"all", 40'000, 0.16}}},
      {"a cell near its rheobase",
       kOneCell,
       Rules::Neuron8,
       "bmtk/bio_1cell/output_iclamp/spikes.h5",
       "biocell",
       20,
       "bmtk/bio_1cell/output_iclamp/membrane_potential.h5",
       {{"until the first spike", 5790, 1e-6}}},
      {"a cell under 12 synapses",
       kSynapses,
       Rules::Neuron8,
       "bmtk/bio_1cell/output_syns/spikes.h5",
       "biocell",
       39,
       "bmtk/bio_1cell/output_syns/membrane_potential.h5",
       {{"all", 30'000, 1e-6}}},
      {"a cell under 12 synapses, older constants", kSynapses, Rules::Neuron, "bmtk/bio_1cell/output_syns/spikes.csv",
       "biocell", 39},
  };
  return all;
}

/// By node, then by time, in steps of 0.1 ms.
std::vector<std::pair<std::uint64_t, long>> stepsOf(const io::PopulationSpikes& spikes)
{
  std::vector<std::pair<std::uint64_t, long>> steps;
  for (std::size_t i = 0; i < spikes.time.size(); ++i)
    steps.emplace_back(spikes.node[i], std::lround(10 * spikes.time[i]));
  std::ranges::sort(steps);
  return steps;
}

/// The greatest difference from a report of NEURON's, mV, over the frames before `frames`.
double worstDifference(const CircuitSimulation& circuit, const simulation::Simulation& simulation,
                       std::span<const double> expected, std::size_t frames)
{
  const ReportedNode& first = circuit.reports.back().nodes.front();
  const std::size_t elements = circuit.reports.back().nodes.size();
  double worst = 0;
  for (std::size_t frame = 0; frame < frames; ++frame)
    for (std::size_t k = 0; k < elements; ++k)
      worst =
          std::max(worst, std::abs(simulation.records()[first.firstProbe + k][frame] - expected[frame * elements + k]));
  return worst;
}

void checkModel(Session& session, const fs::path& folder, const Model& model)
{
  if (!fs::exists(folder / model.configuration)) {
    session.skip(model.name, (folder / model.configuration).string() + " is not there");
    return;
  }
  const io::SimulationConfiguration read = io::readSimulationConfiguration(folder / model.configuration);
  const CircuitSimulation circuit = buildSimulation(read, 1, session.control);
  simulation::SimulationParameters with = session.with(read.timeStep, simulation::Scheme::BackwardEuler);
  with.rules = model.rules;
  with.celsius = circuit.celsius;
  const simulation::Simulation simulation = session.run(circuit.network, with, read.stop);
  const std::vector<io::PopulationSpikes> spikes = spikesOf(circuit, simulation);
  const std::vector<io::PopulationSpikes> expected = io::readSpikes(folder / model.spikes);
  const auto ours = stepsOf(spikes.front()), theirs = stepsOf(expected.front());
  std::vector<std::pair<std::uint64_t, long>> both;
  std::ranges::set_intersection(ours, theirs, std::back_inserter(both));
  session.expect(model.name, "spikes", static_cast<double>(model.count), static_cast<double>(ours.size()), 0);
  session.expect(model.name, "spikes at NEURON's own step of 0.1 ms", static_cast<double>(model.count),
                 static_cast<double>(both.size()), 0);
  if (*model.report == '\0')
    return;
  const std::vector<double> potentials =
      io::Hdf5Reader(folder / model.report).matrix("/report/" + std::string(model.population) + "/data");
  for (const ReportCheck& each : model.frames)
    session.expect(model.name, "greatest difference of potentials, " + each.about + ", mV", 0,
                   worstDifference(circuit, simulation, potentials, each.frames), each.bound);
}

/// Sections, segments, nodes and areas of a cell as NEURON counts them.
void checkCut(Session& session, const fs::path& folder)
{
  if (!fs::exists(folder / kFiveCells))
    return;
  const auto network =
      buildSimulation(io::readSimulationConfiguration(folder / kFiveCells), 1, session.control).network;
  const cell::CutCell& cut = network.models.front()->cut;
  const std::string subject = "cell 472363762 as NEURON cuts it";
  const auto count = [](std::size_t n) { return static_cast<double>(n); };
  session.expect(subject, "sections", 122, count(cut.sections.size()), 0);
  session.expect(subject, "segments", 264, count(cut.segments()), 0);
  session.expect(subject, "nodes", 387, count(cut.nodes()), 0);
  session.expect(subject, "area, um2", 7115.77, std::accumulate(cut.area.begin(), cut.area.end(), 0.0), 0.01);
  session.expect(subject, "area of its soma, um2", 372.267, cut.area[static_cast<std::size_t>(cut.nodeAt(0, 0.5))],
                 5e-4);
}

} // namespace

simulation::Truth publishedModels(const fs::path& folder)
{
  return {"models", "published cells, NEURON's output", [folder](Session& session) {
            checkCut(session, folder);
            for (const Model& model : models())
              checkModel(session, folder, model);
          }};
}

std::vector<simulation::Truth> allTruths(const fs::path& folder)
{
  const auto builtIn = simulation::builtInTruths();
  std::vector<simulation::Truth> truths(builtIn.begin(), builtIn.end());
  truths.push_back(publishedModels(folder));
  return truths;
}

} // namespace hinesight::study
