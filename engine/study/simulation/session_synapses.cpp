#include "study/simulation/session_synapses.hpp"

#include "core/error.hpp"
#include "core/parallel.hpp"
#include "core/philox.hpp"
#include "core/text.hpp"
#include "morphology/morphometry.hpp"

#include <algorithm>
#include <cmath>

namespace hinesight::study {

namespace {

using model::SynapseDelay;
using model::SynapsePlace;

constexpr std::uint32_t kPlaceStream = 0x504C4143;

std::size_t placeOf(const model::Project& project, const std::string& population)
{
  return static_cast<std::size_t>(model::findPopulation(project, population) - project.populations.data());
}

double squaredDistance(const std::array<double, 3>& a, const std::array<double, 3>& b)
{
  double sum = 0;
  for (std::size_t axis = 0; axis < 3; ++axis)
    sum += (a[axis] - b[axis]) * (a[axis] - b[axis]);
  return sum;
}

/// The point of a section that lies `way` µm from its start.
std::array<double, 3> pointAt(const cell::Section& section, double way)
{
  for (std::size_t i = 0; i + 1 < section.points.size(); ++i) {
    const cell::SectionPoint &a = section.points[i], &b = section.points[i + 1];
    const std::array<double, 3> from = {a.x, a.y, a.z}, to = {b.x, b.y, b.z};
    const double length = std::sqrt(squaredDistance(from, to));
    if (way > length && i + 2 < section.points.size()) {
      way -= length;
      continue;
    }
    const double part = length > 0 ? std::min(way / length, 1.0) : 0;
    return {from[0] + part * (to[0] - from[0]), from[1] + part * (to[1] - from[1]), from[2] + part * (to[2] - from[2])};
  }
  return {};
}

} // namespace

ConnectionSynapses::ConnectionSynapses(const Circuit& ofCircuit, const SessionCells& ofCells,
                                       const model::Connection& ofConnection, const io::CircuitEdges& ofEdges)
    : circuit(ofCircuit), cells(ofCells), connection(ofConnection), synapses(ofConnection.synapses), edges(ofEdges),
      source(placeOf(ofCircuit.project, ofEdges.source)), target(placeOf(ofCircuit.project, ofEdges.target)),
      kind(kindOf(ofCircuit.project, ofCircuit.project.populations[target])), isCounted(ofEdges.synapses > 0),
      draws(ofCells.entries().size()), points(ofCells.entries().size())
{
  if (kind != SimulatedKind::Cells)
    return;
  const model::Population& population = circuit.project.populations[target];
  placed.emplace(population, *circuit.neurons[target]);
  std::set<std::int32_t> wanted; // none: of all types
  if (synapses.on != model::Sections::All)
    for (const std::int32_t type : typesOf(synapses.on))
      wanted.insert(type);
  for (std::size_t k = 0; k < population.cells.size(); ++k) {
    const std::size_t entry = cells.entryOf(target, k);
    const SessionCells::Entry& of = cells.entries()[entry];
    if (synapses.place == SynapsePlace::Sections && !draws[entry]) {
      draws[entry].emplace(of.made->cut, wanted, synapses.nearest, synapses.farthest);
      if (draws[entry]->isEmpty())
        refuse("has synapses on sections and at distances that the cell \"" + population.cells[k] + "\" has not");
    }
    if (synapses.place == SynapsePlace::Nearest && !points[entry])
      points[entry] = pointsOf(of);
  }
}

void ConnectionSynapses::refuse(const std::string& what) const
{
  throw Error(ErrorCode::BadParameter, "The connection \"" + connection.name + "\" " + what + ".");
}

std::uint64_t ConnectionSynapses::mostSynapses() const
{
  return synapses.place == SynapsePlace::Sections && kind == SimulatedKind::Cells
             ? std::max(edges.synapses, edges.rows())
             : edges.rows();
}

std::size_t ConnectionSynapses::entryOf(std::uint32_t neuron) const
{
  return cells.entryOf(target, placed->cellOf(neuron));
}

ConnectionSynapses::Points ConnectionSynapses::pointsOf(const SessionCells::Entry& entry) const
{
  Points made;
  made.centre = morphology::somaCentreOf(*circuit.cells[entry.cell]);
  const cell::CutCell& cut = entry.made->cut;
  // A stub of an axon lies nowhere.
  const bool hasAxon = axonOf(circuit.project.models[entry.model]) == cell::AxonPolicy::Kept;
  for (std::size_t s = 0; s < cut.sections.size(); ++s) {
    const cell::Section& section = cut.sections[s];
    if (section.type == morphology::kAxon && !hasAxon)
      continue;
    for (std::int32_t k = 0; k < section.segments; ++k) {
      made.place.push_back(middleOf(cut, static_cast<std::int32_t>(s), k));
      made.at.push_back(pointAt(section, made.place.back().position * section.length));
    }
  }
  return made;
}

SectionPlace ConnectionSynapses::nearestPlace(std::uint32_t from, std::uint32_t to) const
{
  const PlacedCells::Pose pose = placed->poseOf(to);
  const Points& of = *points[entryOf(to)];
  const std::array<double, 3> soma = circuit.neurons[source]->position(from);
  std::array<double, 3> seen = of.centre; // where the source lies for the cell as its file has it
  for (std::size_t axis = 0; axis < 3; ++axis)
    for (std::size_t row = 0; row < 3; ++row)
      seen[axis] += pose.rotation[row][axis] * (soma[row] - pose.soma[row]);
  std::size_t best = 0;
  double least = squaredDistance(of.at[0], seen);
  for (std::size_t k = 1; k < of.at.size(); ++k)
    if (const double now = squaredDistance(of.at[k], seen); now < least) {
      least = now;
      best = k;
    }
  return of.place[best];
}

double ConnectionSynapses::delayOf(std::uint64_t row, std::uint32_t from, std::uint32_t to) const
{
  switch (synapses.delayRule) {
  case SynapseDelay::Made:
    return edges.delay.empty() ? edges.constantDelay : edges.delay[row];
  case SynapseDelay::Fixed:
    return synapses.delay;
  case SynapseDelay::Distance:
    break;
  }
  return synapses.delay +
         std::sqrt(squaredDistance(circuit.neurons[source]->position(from), circuit.neurons[target]->position(to))) /
             synapses.velocity;
}

void ConnectionSynapses::addRow(std::uint64_t row, std::uint32_t from, std::vector<PlacedSynapse>& made) const
{
  const std::uint32_t to = edges.targetOfRow[row];
  const double weight = edges.weight[row];
  const auto pair = [&] { return " from neuron " + std::to_string(from) + " to neuron " + std::to_string(to); };
  if (!std::isfinite(weight))
    refuse("has a weight" + pair() + " that is no finite number");
  PlacedSynapse synapse{from, to, {}, weight < 0, synapses.weight * std::abs(weight), delayOf(row, from, to)};
  if (!(synapse.delay > 0) || !std::isfinite(synapse.delay))
    refuse("has a delay of " + textOf(synapse.delay) + " ms" + pair() + "; it has to be above 0");
  if (kind == SimulatedKind::PointNeurons || synapses.place == SynapsePlace::Soma) {
    made.push_back(synapse);
    return;
  }
  if (synapses.place == SynapsePlace::Nearest) {
    synapse.place = nearestPlace(from, to);
    made.push_back(synapse);
    return;
  }
  const auto count = isCounted ? static_cast<std::uint32_t>(std::abs(weight)) : 1;
  if (isCounted)
    synapse.weight = synapses.weight;
  const SegmentDraw& draw = *draws[entryOf(to)];
  for (std::uint32_t k = 0; k < count; ++k) {
    synapse.place = draw.at(randomUniform(synapses.seed, row, k, kPlaceStream));
    made.push_back(synapse);
  }
}

void ConnectionSynapses::forEach(const std::function<void(const PlacedSynapse&)>& body, const RunControl& control) const
{
  constexpr std::size_t kSourcesOfPiece = 256, kSourcesOfBlock = 64 * kSourcesOfPiece;
  const std::size_t sources = edges.offsets.size() - 1;
  std::vector<std::vector<PlacedSynapse>> pieces;
  for (std::size_t begin = 0; begin < sources; begin += kSourcesOfBlock) {
    control.report("synapses", static_cast<double>(begin) / static_cast<double>(sources));
    const std::size_t end = std::min(sources, begin + kSourcesOfBlock);
    pieces.resize((end - begin + kSourcesOfPiece - 1) / kSourcesOfPiece);
    parallelFor(pieces.size(), 1, [&](std::size_t first, std::size_t last) {
      for (std::size_t piece = first; piece < last; ++piece) {
        pieces[piece].clear();
        const std::size_t from = begin + piece * kSourcesOfPiece;
        for (std::size_t s = from; s < std::min(end, from + kSourcesOfPiece); ++s)
          for (std::uint64_t row = edges.offsets[s]; row < edges.offsets[s + 1]; ++row)
            addRow(row, static_cast<std::uint32_t>(s), pieces[piece]);
      }
    });
    control.checkpoint();
    for (const std::vector<PlacedSynapse>& piece : pieces)
      for (const PlacedSynapse& synapse : piece)
        body(synapse);
  }
}

} // namespace hinesight::study
