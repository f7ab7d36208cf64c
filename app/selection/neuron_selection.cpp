#include "app/selection/neuron_selection.hpp"

#include "widgets/elided_label.hpp"
#include "widgets/theme.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <string_view>
#include <utility>

namespace hinesight::app {

namespace {

using projection::PopulationKind;

/// Of a file, or of all open cells, nobody knows it here: a page does.
std::uint64_t mostNeuronsOf(const model::Population& population)
{
  const projection::PopulationParameters& placement = population.placement;
  switch (placement.kind) {
  case PopulationKind::Grid:
    return std::uint64_t{placement.size[0]} * placement.size[1] * placement.size[2];
  case PopulationKind::Box:
  case PopulationKind::Sphere:
    return placement.count;
  case PopulationKind::Given:
    if (!population.cells.empty())
      return population.cells.size();
    break;
  case PopulationKind::File:
    break;
  }
  return std::numeric_limits<std::uint64_t>::max();
}

std::vector<CircuitNeuron> neuronsOf(const selection::NetworkTable& table, const std::vector<std::size_t>& all)
{
  std::vector<CircuitNeuron> neurons;
  neurons.reserve(all.size());
  for (const std::size_t neuron : all) {
    const std::size_t population = table.populationOf(neuron);
    neurons.push_back({table.populations[population], neuron - table.firstNeuron[population]});
  }
  return neurons;
}

QString number(std::size_t value)
{
  return widgets::formatNumber(static_cast<double>(value));
}

/// `population == "E" && index in {1, 5} || population == "I" && index == 3`.
std::string expressionOf(const std::vector<CircuitNeuron>& neurons)
{
  std::map<std::string_view, std::set<std::uint64_t>> numbers;
  for (const CircuitNeuron& neuron : neurons)
    numbers[neuron.population].insert(neuron.index);
  std::string text;
  for (const auto& [population, indices] : numbers) {
    std::string all;
    for (const std::uint64_t index : indices)
      all += (all.empty() ? "" : ", ") + std::to_string(index);
    const std::string mark = population.find('"') == std::string_view::npos ? "\"" : "'";
    text += (text.empty() ? "" : " || ") + ("population == " + mark) + std::string(population) + mark + " && index " +
            (indices.size() == 1 ? "== " + all : "in {" + all + "}");
  }
  return text;
}

/// Of a neuron that stays where it is.
std::pair<std::string_view, std::uint64_t> keyOf(const CircuitNeuron& neuron)
{
  return {neuron.population, neuron.index};
}

} // namespace

std::vector<std::uint32_t> NeuronSelection::of(const std::string& population, std::uint64_t count) const
{
  std::vector<std::uint32_t> indices;
  for (const CircuitNeuron& neuron : now->neurons)
    if (neuron.population == population && neuron.index < count)
      indices.push_back(static_cast<std::uint32_t>(neuron.index));
  return indices;
}

void NeuronSelection::pick(const std::vector<CircuitNeuron>& wanted)
{
  std::set<std::pair<std::string_view, std::uint64_t>> missing;
  for (const CircuitNeuron& neuron : wanted)
    missing.insert(keyOf(neuron));
  std::vector<CircuitNeuron> next;
  for (const std::vector<CircuitNeuron>* neurons : {&std::as_const(now->neurons), &wanted})
    for (const CircuitNeuron& neuron : *neurons)
      if (missing.erase(keyOf(neuron)) > 0)
        next.push_back(neuron);
  searching.restart();
  if (next != now->neurons || (wanted.empty() && !isEmpty()))
    set({std::move(next)});
}

/// Where one goes, it is no more what an expression selected.
void NeuronSelection::setPopulations(const std::vector<model::Population>& populations)
{
  std::vector<CircuitNeuron> next = now->neurons;
  const std::size_t gone = std::erase_if(next, [&](const CircuitNeuron& neuron) {
    const auto found = std::ranges::find(populations, neuron.population, &model::Population::name);
    return found == populations.end() || neuron.index >= mostNeuronsOf(*found);
  });
  if (gone > 0)
    set({std::move(next)});
}

void NeuronSelection::renamePopulation(const std::string& before, const std::string& name)
{
  SelectedNeurons next = *now;
  for (CircuitNeuron& neuron : next.neurons)
    if (neuron.population == before)
      neuron.population = name;
  now = std::make_shared<const SelectedNeurons>(std::move(next));
}

// ---- expressions ----

void NeuronSelection::selectWhere(const std::string& expression, selection::SetKind kind, const SharedNetwork& network)
{
  const selection::Expression compiled(expression, selection::vocabularyOf(kind));
  if (!network)
    return searching.restart();
  searching.restart([=, this](const RunControl& control) -> widgets::BackgroundWork::Deliver {
    selection::NetworkChoice made = selection::choose(*network, kind, compiled, kMostMarked, control);
    const bool isOfSynapses = kind == selection::SetKind::Synapses;
    SelectedNeurons next{neuronsOf(*network, made.neurons), expression, kind,
                         isOfSynapses ? network->connection : std::string()};
    made.neurons = {};
    return [this, made = std::move(made), next = std::move(next)] { set(next, made); };
  });
}

QString NeuronSelection::summary() const
{
  if (!choice || now->expression.empty())
    return tr("%1 neurons selected").arg(number(now->neurons.size()));
  const bool isOfSynapses = now->of == selection::SetKind::Synapses;
  QString text = (isOfSynapses ? tr("%1 of %2 synapses") : tr("%1 of %2 neurons"))
                     .arg(number(choice->selected), number(choice->all));
  if (isOfSynapses && !now->connection.empty())
    text += tr(" of %1").arg(widgets::shortened(QString::fromStdString(now->connection)));
  if (isOfSynapses && choice->selected > 0)
    text += tr(", weight %1; they join %2 neurons").arg(widgets::formatNumber(choice->weight), number(choice->ends));
  if (choice->ends > now->neurons.size())
    text += tr("; the first %1 neurons are marked").arg(number(now->neurons.size()));
  return text;
}

std::optional<selection::NamedSelection> NeuronSelection::namedAs(const QString& name) const
{
  if (name.isEmpty() || isEmpty())
    return std::nullopt;
  selection::NamedSelection set{.name = name.toStdString(), .of = now->of};
  set.expression = now->expression.empty() ? expressionOf(now->neurons) : now->expression;
  set.connection = now->connection;
  return set;
}

void NeuronSelection::restore(const std::shared_ptr<const SelectedNeurons>& wanted)
{
  if (!wanted)
    return;
  searching.restart();
  if (*wanted != *now)
    set(*wanted);
}

void NeuronSelection::set(SelectedNeurons next, std::optional<selection::NetworkChoice> of)
{
  choice = std::move(of);
  now = std::make_shared<const SelectedNeurons>(std::move(next));
  emit changed();
}

} // namespace hinesight::app
