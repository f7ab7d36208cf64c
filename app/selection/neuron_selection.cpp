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
using widgets::PickMode;

constexpr std::size_t kMostPast = 50;

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

NeuronSet setOf(const std::vector<CircuitNeuron>& neurons)
{
  std::map<std::string, NeuronSet::Numbers> numbers;
  for (const CircuitNeuron& neuron : neurons)
    numbers[neuron.population].push_back(static_cast<std::uint32_t>(neuron.index));
  NeuronSet set;
  for (const auto& [population, ofIt] : numbers)
    set.add(population, ofIt);
  return set;
}

/// Marks the first ones, those of `before` that are among them in their order.
void setSelected(SelectedNeurons& selected, const NeuronSet& wanted, const std::vector<CircuitNeuron>& before)
{
  std::vector<CircuitNeuron> marked;
  for (const CircuitNeuron& neuron : before)
    if (wanted.has(neuron.population, neuron.index))
      marked.push_back(neuron);
  selected.more = wanted - setOf(marked);
  selected.more.removeIf([&](const std::string& population, std::uint32_t neuron) {
    if (marked.size() >= NeuronSelection::kMostMarked)
      return false;
    marked.push_back({population, neuron});
    return true;
  });
  selected.neurons = std::move(marked);
}

/// `ascending`: of all populations together, as the table counts them.
void setSelected(SelectedNeurons& selected, const selection::NetworkTable& table,
                 const std::vector<std::size_t>& ascending)
{
  std::vector<NeuronSet::Numbers> more(table.populations.size());
  for (const std::size_t neuron : ascending) {
    const std::size_t population = table.populationOf(neuron);
    const std::uint32_t index = table.indexOf(neuron);
    if (selected.neurons.size() < NeuronSelection::kMostMarked)
      selected.neurons.push_back({table.populations[population], index});
    else
      more[population].push_back(index);
  }
  for (std::size_t population = 0; population < more.size(); ++population)
    selected.more.add(table.populations[population], more[population]);
}

QString number(std::size_t value)
{
  return widgets::formatNumber(static_cast<double>(value));
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
    if (neuron.population == population && neuron.index < count && !now->hidden.has(population, neuron.index))
      indices.push_back(static_cast<std::uint32_t>(neuron.index));
  return indices;
}

NeuronSet NeuronSelection::all() const
{
  return setOf(now->neurons) | now->more;
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
    take({.neurons = std::move(next), .hidden = now->hidden});
}

void NeuronSelection::pick(const NeuronSet& picked, PickMode how)
{
  const NeuronSet wanted = picked - now->hidden;
  const NeuronSet before = how == PickMode::Replace ? NeuronSet() : all();
  select(how == PickMode::Toggle ? (before - wanted) | (wanted - before) : before | wanted);
  if (picked.count() > 1)
    emit severalPicked();
}

void NeuronSelection::select(const NeuronSet& wanted)
{
  searching.restart();
  SelectedNeurons next{.hidden = now->hidden};
  setSelected(next, wanted, now->neurons);
  take(std::move(next));
}

/// Where one goes, it is no more what an expression selected.
void NeuronSelection::setPopulations(const std::vector<model::Population>& populations)
{
  const auto endOf = [&](const std::string& population) {
    const auto found = std::ranges::find(populations, population, &model::Population::name);
    return found == populations.end() ? 0 : mostNeuronsOf(*found);
  };
  const auto isGone = [&](const CircuitNeuron& neuron) { return neuron.index >= endOf(neuron.population); };
  const bool goesAny = std::ranges::any_of(now->neurons, isGone) || now->more.countBehind(endOf) > 0;
  if (!goesAny && now->hidden.countBehind(endOf) == 0)
    return; // mostly, and there may be millions
  SelectedNeurons next = *now;
  std::erase_if(next.neurons, isGone);
  next.more.cut(endOf);
  next.hidden.cut(endOf);
  if (goesAny)
    next = {.neurons = std::move(next.neurons), .more = std::move(next.more), .hidden = std::move(next.hidden)};
  set(std::move(next), goesAny ? std::nullopt : choice);
}

void NeuronSelection::renamePopulation(const std::string& before, const std::string& name)
{
  SelectedNeurons next = *now;
  for (CircuitNeuron& neuron : next.neurons)
    if (neuron.population == before)
      neuron.population = name;
  next.more.renamePopulation(before, name);
  next.hidden.renamePopulation(before, name);
  app::renamePopulation(next.expression, before, name);
  now = std::make_shared<const SelectedNeurons>(std::move(next));
}

void NeuronSelection::forget(NeuronSet hidden)
{
  searching.restart();
  past.clear();
  beforeHiding.reset();
  set({.hidden = std::move(hidden)});
}

// ---- what pages draw ----

bool NeuronSelection::hasAny() const
{
  if (showsAny)
    return showsAny();
  const SharedNetwork table = network();
  return table && table->neurons() > 0;
}

NeuronSet NeuronSelection::allOfPage() const
{
  NeuronSet neurons;
  if (const SharedNetwork table = network())
    for (std::size_t population = 0; population < table->populations.size(); ++population) {
      const std::size_t first = table->firstNeuron[population], end = table->firstNeuron[population + 1];
      if (!table->number) {
        neurons.add(table->populations[population], 0, static_cast<std::uint32_t>(end - first));
        continue;
      }
      NeuronSet::Numbers numbers;
      for (std::size_t neuron = first; neuron < end; ++neuron)
        numbers.push_back(table->indexOf(neuron));
      neurons.add(table->populations[population], numbers);
    }
  return neurons;
}

void NeuronSelection::invert()
{
  if (!hasAny())
    return;
  select(allOfPage() - all() - now->hidden);
  emit severalPicked();
}

void NeuronSelection::hide()
{
  if (isAnySelected())
    take({.hidden = now->hidden | all()}, tr("Hide selected neurons"));
}

void NeuronSelection::isolate()
{
  if (!isAnySelected() || !hasAny())
    return;
  SelectedNeurons next = *now;
  next.hidden = (allOfPage() | now->hidden) - all();
  take(std::move(next), tr("Isolate selected neurons"));
}

void NeuronSelection::showAll()
{
  if (!isAnyHidden())
    return;
  SelectedNeurons next = beforeHiding ? *beforeHiding : *now;
  next.hidden = {};
  take(std::move(next), tr("Show all neurons"));
}

/// What is selected, before this is. An expression that is typed is one selection.
void NeuronSelection::take(SelectedNeurons next, const QString& step, std::optional<selection::NetworkChoice> of)
{
  const bool selects = next.neurons != now->neurons || next.more != now->more;
  const bool isTyped = !now->expression.empty() && !next.expression.empty();
  if (selects && isAnySelected() && !isTyped) {
    if (past.size() == kMostPast)
      past.erase(past.begin());
    past.push_back(now);
  }
  beforeHiding = selects && next.hidden.count() > now->hidden.count() ? now : nullptr;
  if (!of && !selects && next.expression == now->expression)
    of = choice;
  set(std::move(next), std::move(of), step);
}

void NeuronSelection::selectPrevious()
{
  if (past.empty())
    return;
  searching.restart();
  SelectedNeurons before = *past.back();
  past.pop_back();
  before.hidden = now->hidden;
  if (before == *now)
    return selectPrevious();
  set(std::move(before));
}

// ---- expressions ----

void NeuronSelection::selectWhere(const std::string& expression, selection::SetKind kind, const SharedNetwork& network)
{
  const selection::Expression compiled(expression, selection::vocabularyOf(kind));
  if (!network)
    return searching.restart();
  searching.restart([=, this](const RunControl& control) -> widgets::BackgroundWork::Deliver {
    selection::NetworkChoice made =
        selection::choose(*network, kind, compiled, std::numeric_limits<std::size_t>::max(), control);
    SelectedNeurons next{.expression = expression, .of = kind};
    if (kind == selection::SetKind::Synapses)
      next.connection = network->connection;
    setSelected(next, *network, std::exchange(made.neurons, {}));
    return [this, made = std::move(made), next = std::move(next)]() mutable {
      next.hidden = now->hidden;
      take(std::move(next), {}, std::move(made));
    };
  });
}

QString NeuronSelection::summary() const
{
  QStringList parts;
  if (!isEmpty())
    parts << selectedInWords();
  if (count() > now->neurons.size())
    parts << tr("the first %1 neurons are marked").arg(number(now->neurons.size()));
  if (isAnyHidden())
    parts << tr("%1 hidden").arg(number(now->hidden.count()));
  return parts.join(QStringLiteral("; "));
}

QString NeuronSelection::selectedInWords() const
{
  if (!choice || now->expression.empty())
    return tr("%1 neurons selected").arg(number(count()));
  const bool isOfSynapses = now->of == selection::SetKind::Synapses;
  QString text = (isOfSynapses ? tr("%1 of %2 synapses") : tr("%1 of %2 neurons"))
                     .arg(number(choice->selected), number(choice->all));
  if (isOfSynapses && !now->connection.empty())
    text += tr(" of %1").arg(widgets::shortened(QString::fromStdString(now->connection)));
  if (isOfSynapses && choice->selected > 0)
    text += tr(", weight %1; they join %2 neurons").arg(widgets::formatNumber(choice->weight), number(choice->ends));
  return text;
}

std::optional<selection::NamedSelection> NeuronSelection::namedAs(const QString& name) const
{
  if (name.isEmpty() || isEmpty())
    return std::nullopt;
  selection::NamedSelection set{.name = name.toStdString(), .of = now->of};
  set.expression = now->expression.empty() ? expressionOf(all()) : now->expression;
  set.connection = now->connection;
  return set;
}

void NeuronSelection::restore(const std::shared_ptr<const SelectedNeurons>& wanted)
{
  if (!wanted)
    return;
  searching.restart();
  beforeHiding.reset();
  if (*wanted != *now)
    set(*wanted);
}

void NeuronSelection::set(SelectedNeurons next, std::optional<selection::NetworkChoice> of, const QString& step)
{
  const bool isStep = !step.isEmpty() && next.hidden != now->hidden;
  if (isStep)
    emit stepBegins();
  choice = std::move(of);
  now = std::make_shared<const SelectedNeurons>(std::move(next));
  if (isStep)
    emit stepMade(step); // first: what is selected when `changed` comes is of the step
  emit changed();
}

} // namespace hinesight::app
