#include "study/simulation/live_simulation.hpp"

#include "cell/mechanism.hpp"

#include <cmath>
#include <cstdio>
#include <utility>

namespace hinesight::study {

namespace {

simulation::Network withProbes(const SimulationModel& model, const std::vector<simulation::Probe>& probes)
{
  simulation::Network network = model.circuit.network;
  network.probes = probes;
  return network;
}

/// Four significant figures.
std::string inShort(double number)
{
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", number);
  return text;
}

double factorOf(const LiveFactors& factors, std::size_t mechanism)
{
  return mechanism < factors.conductance.size() ? factors.conductance[mechanism] : 1;
}

} // namespace

std::string describeChange(const LiveFactors& before, const LiveFactors& after)
{
  std::string text;
  const auto add = [&](const std::string& what, double was, double is) {
    if (was == is)
      return;
    if (!text.empty())
      text += ", ";
    text += what + " x " + inShort(is);
  };
  const auto mechanisms = cell::allMechanisms();
  for (std::size_t k = 0; k < mechanisms.size(); ++k)
    add(std::string(mechanisms[k].name), factorOf(before, k), factorOf(after, k));
  add("stimuli", before.stimuli, after.stimuli);
  add("weights", before.weights, after.weights);
  if (before.celsius != after.celsius && after.celsius) {
    if (!text.empty())
      text += ", ";
    text += inShort(*after.celsius) + " °C";
  }
  return text;
}

LiveSimulation::LiveSimulation(std::shared_ptr<const SimulationModel> ofModel,
                               const simulation::SimulationParameters& with,
                               const std::vector<simulation::Probe>& probes)
    : model(std::move(ofModel)), parameters(with), simulation(withProbes(*model, probes), with), taken(probes.size(), 0)
{}

std::int64_t LiveSimulation::step() const
{
  return std::llround(time() / parameters.timeStep);
}

void LiveSimulation::runUntil(double time, const RunControl& control)
{
  simulation.runUntil(time, control);
}

SharedFrame LiveSimulation::frame() const
{
  auto made = std::make_shared<VoltageFrame>();
  made->time = time();
  made->levels.reserve(model->compartments());
  for (std::size_t cell = 0; cell < model->circuit.network.cells(); ++cell)
    for (const double potential : simulation.potentialsOf(cell))
      made->levels.push_back(levelOf(potential));
  return made;
}

std::vector<simulation::Spike> LiveSimulation::takeSpikes()
{
  const std::span<const simulation::Spike> fresh = simulation.newSpikes(takenSpikes);
  takenSpikes += fresh.size();
  return {fresh.begin(), fresh.end()};
}

std::vector<float> LiveSimulation::takeRecord(std::size_t probe)
{
  const std::vector<double>& record = simulation.records()[probe];
  std::vector<float> fresh;
  fresh.reserve(record.size() - taken[probe]);
  for (std::size_t i = taken[probe]; i < record.size(); ++i)
    fresh.push_back(static_cast<float>(record[i]));
  taken[probe] = record.size();
  return fresh;
}

void LiveSimulation::addProbe(const simulation::Probe& probe)
{
  simulation.addProbe(probe);
  taken.push_back(0);
}

void LiveSimulation::adjust(const LiveFactors& factors)
{
  simulation.adjust(factors);
}

void LiveSimulation::restore(const simulation::Checkpoint& checkpoint)
{
  simulation.restore(checkpoint);
  takenSpikes = simulation.newSpikes(0).size();
  for (std::size_t k = 0; k < taken.size(); ++k)
    taken[k] = simulation.records()[k].size();
}

} // namespace hinesight::study
