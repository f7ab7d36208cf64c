#include "app/simulation/parts/simulated_parts_panel.hpp"

#include "app/projection/circuit_list.hpp"
#include "app/simulation/parts/part_dialog.hpp"
#include "core/error.hpp"
#include "core/text.hpp"
#include "model/taken_names.hpp"
#include "study/simulation/session_cells.hpp"
#include "widgets/theme.hpp"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QMenu>
#include <QPushButton>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

namespace hinesight::app {

namespace {

constexpr int kKind = Qt::UserRole;
constexpr int kPlace = Qt::UserRole + 1;
/// Of a connection to point neurons, where it is given synapses: three spikes within some ms make a neuron spike.
constexpr double kPointWeight = 0.5;

QString text(const std::string& bytes)
{
  return QString::fromStdString(bytes);
}

/// The label of what is chosen, within a sentence.
template <typename Enumeration>
QString labelOf(Enumeration value)
{
  return widgets::inText(tableOf(value)[static_cast<std::size_t>(value)].label).toLower();
}

QString describe(const model::Population& population)
{
  if (population.models.empty())
    return SimulatedPartsPanel::tr("no model, given spikes");
  QStringList names;
  for (const std::string& name : population.models)
    names << text(name);
  return names.join(QStringLiteral(", "));
}

/// Whether those of its targets that are simulated are point neurons.
bool endsOnPoints(const model::Project& project, const model::Connection& connection)
{
  const bool isFormed = connection.kind == model::ConnectionKind::Formed;
  bool isAny = false;
  for (const std::string& target : isFormed ? connection.between : std::vector{connection.target})
    if (const model::Population* const population = model::findPopulation(project, target)) {
      const study::SimulatedKind kind = study::kindOf(project, *population);
      if (kind == study::SimulatedKind::Cells)
        return false;
      isAny = isAny || kind == study::SimulatedKind::PointNeurons;
    }
  return isAny;
}

/// Point neurons have neither places nor conductances.
std::vector<BoundField> pointFieldsOf(model::SynapseModel& synapses, const model::SynapseModel& usual)
{
  std::vector<BoundField> fields = fieldsOf(synapses, usual);
  for (BoundField& field : fields)
    if (field.name == "weight") {
      field.about.label = "Level of weight 1";
      field.about.unit = {};
      field.about.slider = {0.01, 2, true};
      field.about.help = "What a spike of weight 1 adds to the level of a neuron, which decays, and makes it spike "
                         "above 1; -1 takes as much away. In units of that threshold.";
    } else if (field.name != "place" && field.name != "delays" && field.name != "delay" && field.name != "velocity") {
      field.about = field.about.when(false);
    }
  return fields;
}

/// Not in its middle, as a file may say.
bool isElsewhereOnSoma(const model::Stimulus& stimulus)
{
  const model::Stimulus usual;
  return stimulus.on == model::Sections::Soma &&
         (stimulus.section != usual.section || stimulus.position != usual.position);
}

/// On the soma there is nothing to choose: the stimulus goes to its middle.
std::vector<BoundField> stimulusFieldsOf(model::Stimulus& stimulus, bool choosesOnSoma)
{
  const bool isOnSoma = stimulus.on == model::Sections::Soma && !choosesOnSoma;
  const model::Stimulus usual;
  if (isOnSoma) {
    stimulus.section = usual.section;
    stimulus.position = usual.position;
  }
  std::vector<BoundField> fields = fieldsOf(stimulus);
  for (BoundField& field : fields)
    if (field.name == "section" || field.name == "position")
      field.about = field.about.onlyWhen(field.about.applies).when(!isOnSoma);
  return fields;
}

QString describe(const model::Project& project, const model::Connection& connection)
{
  const model::SynapseModel& synapses = connection.synapses;
  if (synapses.place == model::SynapsePlace::None)
    return SimulatedPartsPanel::tr("no synapses");
  if (endsOnPoints(project, connection))
    return SimulatedPartsPanel::tr("point neurons, %1 of the threshold").arg(text(textOf(synapses.weight)));
  return SimulatedPartsPanel::tr("%1, %2 µS").arg(labelOf(synapses.place), text(textOf(synapses.weight)));
}

QString describe(const model::NeuronModel& model)
{
  if (model.kind == model::NeuronKind::Membrane)
    return model.membrane.size() == 1 ? SimulatedPartsPanel::tr("1 line")
                                      : SimulatedPartsPanel::tr("%1 lines").arg(model.membrane.size());
  return model.kind == model::NeuronKind::Fit && !model.file.empty() ? text(model.file).section(QLatin1Char('/'), -1)
                                                                     : labelOf(model.kind);
}

QString describe(const model::Stimulus& stimulus)
{
  return SimulatedPartsPanel::tr("%1, %2").arg(labelOf(stimulus.kind), text(stimulus.population));
}

QString describe(const model::ProbeRequest& probe)
{
  return SimulatedPartsPanel::tr("%1 of %2").arg(labelOf(probe.quantity), text(probe.population));
}

template <typename Part>
std::vector<std::string> namesOf(const std::vector<Part>& parts)
{
  std::vector<std::string> names;
  for (const Part& part : parts)
    if constexpr (requires { part.name(); })
      names.push_back(part.name());
    else
      names.push_back(part.name);
  return names;
}

/// Of neurons with a form, else without.
model::NeuronModel newModel(const model::Project& project, bool hasForm)
{
  model::NeuronModel made;
  made.kind = hasForm ? model::NeuronKind::Membrane : model::NeuronKind::Point;
  made.name = model::TakenNames(project.models).take(hasForm ? "cell" : "point");
  made.membrane = {{model::Sections::All, "hh", {}, 0}};
  return made;
}

/// That a new model is proposed for; null: none in particular. Where nothing is simulated yet, it is the first one of
/// cells, else the first.
const model::Population* withoutModel(const model::Project& project, std::optional<std::size_t> chosen)
{
  const std::vector<model::Population>& all = project.populations;
  if (chosen)
    return all[*chosen].models.empty() ? &all[*chosen] : nullptr;
  if (all.empty() || std::ranges::any_of(all, [](const auto& each) { return !each.models.empty(); }))
    return nullptr;
  const auto ofCells = std::ranges::find_if(all, [](const auto& each) { return !each.cells.empty(); });
  return ofCells == all.end() ? &all.front() : &*ofCells;
}

/// It is simulated by that model from now on. Without a name, none is.
void giveModel(model::Project& project, const std::string& population, const std::string& model)
{
  for (model::Population& each : project.populations)
    if (each.name() == population)
      each.models = {model};
}

/// Populations by their models follow a model's new name.
void renameModel(model::Project& project, const std::string& before, const std::string& now)
{
  for (model::Population& population : project.populations)
    std::ranges::replace(population.models, before, now);
}

/// What some populations cannot have as they are; the first of it. `isAsked`: of a population.
QString misfitIn(const model::Project& project, const auto& isAsked)
{
  std::string found;
  const auto look = [&](const auto& parts) {
    for (const auto& part : parts)
      if (const model::Population* const population = model::findPopulation(project, part.population);
          found.empty() && population && isAsked(*population))
        found = study::misfitOf(project, part);
  };
  look(project.stimuli);
  look(project.probes);
  return found.empty() ? QString()
                       : SimulatedPartsPanel::tr("%1 Change it before the circuit is simulated.").arg(text(found));
}

} // namespace

struct SimulatedPartsPanel::Draft
{
  model::Project project;
  std::string model = {};                    ///< of the population that is edited
  std::optional<std::string> simulated = {}; ///< the population that gets the new model; none where it is not asked
  bool hasOwnModels = false;
  model::SynapseModel usual = {}; ///< of the connection that is edited
  bool proposesWeight = false;    ///< the usual one, where it is given synapses
  bool choosesOnSoma = false;     ///< the stimulus that is edited is elsewhere on the soma
};

SimulatedPartsPanel::SimulatedPartsPanel(QWidget* parent) : QWidget(parent), tree(new QTreeWidget)
{
  setObjectName(QStringLiteral("simulatedParts"));
  constexpr int kLeastHeight = 28;
  tree->setObjectName(QStringLiteral("simulatedPartList"));
  tree->setToolTip(tr("How the circuit is simulated: the model of each population, the synapses of each connection "
                      "(µS), models, stimuli (nA, ms), what is recorded, and for how many ms. Double-click to edit"));
  tree->setColumnCount(2);
  tree->setHeaderHidden(true);
  tree->header()->setStretchLastSection(true);
  tree->header()->setSectionResizeMode(0, QHeaderView::ResizeToContents);
  tree->setMinimumHeight(kLeastHeight);
  tree->setUniformRowHeights(true);
  tree->setEditTriggers(QAbstractItemView::NoEditTriggers);
  tree->setExpandsOnDoubleClick(false);
  addButton = makeCircuitButton("addSimulatedPart", tr("Add"), tr("Add a model, a stimulus, or what is recorded"));
  editButton = makeCircuitButton("editSimulatedPart", tr("Edit…"),
                                 tr("Change the chosen model, synapses, stimulus or recording (µS, nA, mV, ms)"));
  removeButton = makeCircuitButton("removeSimulatedPart", tr("Remove"),
                                   tr("Remove the chosen model, stimulus or recording; undo brings it back"));
  auto* kinds = new QMenu(addButton);
  kinds->setObjectName(QStringLiteral("addSimulatedPartMenu"));
  const auto offer = [&](const char* name, const QString& words, Kind kind) {
    QAction* action = kinds->addAction(words, this, [this, kind] { add(kind); });
    action->setObjectName(QLatin1String(name));
  };
  offer("addNeuronModel", tr("Model of neurons…"), Kind::Model);
  offer("addStimulus", tr("Stimulus…"), Kind::Stimulus);
  offer("addProbe", tr("What is recorded…"), Kind::Probe);
  addButton->setMenu(kinds);
  auto* buttons = new QHBoxLayout;
  buttons->setContentsMargins(6, 6, 6, 6);
  for (QPushButton* button : {addButton, editButton, removeButton})
    buttons->addWidget(button);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(tree, 1);
  column->addLayout(buttons);
  connect(editButton, &QPushButton::clicked, this, &SimulatedPartsPanel::edit);
  connect(removeButton, &QPushButton::clicked, this, &SimulatedPartsPanel::remove);
  connect(tree, &QTreeWidget::itemActivated, this, &SimulatedPartsPanel::edit);
  connect(tree, &QTreeWidget::currentItemChanged, this, &SimulatedPartsPanel::refreshButtons);
  refresh();
}

void SimulatedPartsPanel::setProject(const model::Project& project)
{
  const bool isSame = shown.populations == project.populations && shown.connections == project.connections &&
                      shown.models == project.models && shown.stimuli == project.stimuli &&
                      shown.probes == project.probes && shown.simulate == project.simulate;
  shown = project;
  if (!isSame || tree->topLevelItemCount() == 0)
    refresh();
}

void SimulatedPartsPanel::refresh()
{
  const std::optional<Entry> chosen = current();
  const QSignalBlocker quiet(tree);
  tree->clear();
  const auto addGroup = [&](const QString& title) {
    auto* group = new QTreeWidgetItem(tree, {title});
    group->setFirstColumnSpanned(true);
    group->setFlags(Qt::ItemIsEnabled);
    group->setExpanded(true);
    return group;
  };
  const auto addEntry = [&](QTreeWidgetItem* group, Kind kind, std::size_t place, const QString& name,
                            const QString& words) {
    auto* item = new QTreeWidgetItem(group, {name, words});
    item->setData(0, kKind, static_cast<int>(kind));
    item->setData(0, kPlace, static_cast<qulonglong>(place));
    item->setToolTip(0, name);
    item->setToolTip(1, words);
    if (chosen && chosen->kind == kind && chosen->place == place)
      tree->setCurrentItem(item);
  };
  const auto addAll = [&](const QString& title, Kind kind, const auto& parts, const auto& wordsOf) {
    QTreeWidgetItem* group = addGroup(title);
    const std::vector<std::string> names = namesOf(parts);
    for (std::size_t k = 0; k < parts.size(); ++k)
      addEntry(group, kind, k, text(names[k]), wordsOf(parts[k]));
  };
  const auto words = [](const auto& part) { return describe(part); };
  addAll(tr("Populations, by their models"), Kind::Population, shown.populations, words);
  addAll(tr("Synapses of connections"), Kind::Connection, shown.connections,
         [this](const model::Connection& connection) { return describe(shown, connection); });
  addAll(tr("Models"), Kind::Model, shown.models, words);
  addAll(tr("Stimuli"), Kind::Stimulus, shown.stimuli, words);
  addAll(tr("Recorded"), Kind::Probe, shown.probes, words);
  const model::SimulateParameters run = shown.simulate.value_or(model::SimulateParameters());
  addEntry(addGroup(tr("Run")), Kind::Run, 0, tr("Until"),
           tr("%1 ms, spikes at %2 mV").arg(text(textOf(run.stop)), text(textOf(run.threshold))));
  refreshButtons();
}

void SimulatedPartsPanel::refreshButtons()
{
  const std::optional<Entry> chosen = current();
  editButton->setEnabled(chosen.has_value());
  removeButton->setEnabled(
      chosen && (chosen->kind == Kind::Model || chosen->kind == Kind::Stimulus || chosen->kind == Kind::Probe));
}

std::optional<SimulatedPartsPanel::Entry> SimulatedPartsPanel::current() const
{
  const QTreeWidgetItem* item = tree->currentItem();
  if (!item || !item->parent())
    return std::nullopt;
  return Entry{static_cast<Kind>(item->data(0, kKind).toInt()), item->data(0, kPlace).toULongLong()};
}

// ---- by a person ----

void SimulatedPartsPanel::add(Kind kind)
{
  const auto draft = std::make_shared<Draft>(Draft{shown});
  model::Project& project = draft->project;
  const auto firstOf = [&](study::SimulatedKind wanted) -> const std::string* {
    const auto found = std::ranges::find_if(
        project.populations, [&](const model::Population& each) { return study::kindOf(project, each) == wanted; });
    return found == project.populations.end() ? nullptr : &found->name();
  };
  const std::string* const cells = firstOf(study::SimulatedKind::Cells);
  const std::string first = project.populations.empty() ? std::string() : project.populations.front().name();
  Entry entry{kind, 0};
  if (kind == Kind::Model) {
    const std::optional<Entry> chosen = current();
    const bool isPopulation = chosen && chosen->kind == Kind::Population;
    const model::Population* const simulated =
        withoutModel(project, isPopulation ? std::optional(chosen->place) : std::nullopt);
    draft->simulated = simulated ? simulated->name() : std::string();
    const bool haveForms =
        simulated ? !simulated->cells.empty()
                  : project.populations.empty() || std::ranges::any_of(project.populations, [](const auto& population) {
                      return !population.cells.empty();
                    });
    project.models.push_back(newModel(project, haveForms));
    entry.place = project.models.size() - 1;
  } else if (kind == Kind::Stimulus) {
    model::Stimulus made;
    made.name = model::TakenNames(project.stimuli).take("stimulus");
    const std::string* const trains = firstOf(study::SimulatedKind::Trains);
    made.population = cells ? *cells : trains ? *trains : first;
    if (!cells) // currents are for cells
      made.kind = model::StimulusKind::Poisson;
    project.stimuli.push_back(std::move(made));
    entry.place = project.stimuli.size() - 1;
  } else {
    model::ProbeRequest made;
    made.name = model::TakenNames(project.probes).take("v");
    made.population = cells ? *cells : first;
    project.probes.push_back(std::move(made));
    entry.place = project.probes.size() - 1;
  }
  ask(draft, entry, true);
}

void SimulatedPartsPanel::addModel()
{
  add(Kind::Model);
}

/// One more for a population that is edited.
void SimulatedPartsPanel::askForModel(QWidget* before, const std::shared_ptr<Draft>& draft, std::size_t population,
                                      const std::function<void(const std::string&)>& made)
{
  const auto more = std::make_shared<Draft>(Draft{draft->project});
  more->project.populations = shown.populations; // what was chosen so far may be what is wrong
  std::vector<model::NeuronModel>& models = more->project.models;
  models.push_back(newModel(more->project, !more->project.populations[population].cells.empty()));
  PartDialog* dialog = makeDialog(more, {Kind::Model, models.size() - 1}, true, before);
  connect(dialog, &QDialog::accepted, this, [draft, more, made] {
    draft->project.models = more->project.models;
    made(draft->project.models.back().name);
  });
  dialog->open();
}

void SimulatedPartsPanel::edit()
{
  if (const std::optional<Entry> entry = current())
    ask(std::make_shared<Draft>(Draft{shown}), *entry, false);
}

void SimulatedPartsPanel::remove()
{
  const std::optional<Entry> entry = current();
  if (!entry)
    return;
  model::Project project = shown;
  const auto place = static_cast<std::ptrdiff_t>(entry->place);
  if (entry->kind == Kind::Model) {
    const std::string name = project.models[entry->place].name;
    project.models.erase(project.models.begin() + place);
    for (model::Population& population : project.populations)
      if (std::ranges::find(population.models, name) != population.models.end())
        population.models.clear(); // it is not simulated any more
  } else if (entry->kind == Kind::Stimulus)
    project.stimuli.erase(project.stimuli.begin() + place);
  else if (entry->kind == Kind::Probe)
    project.probes.erase(project.probes.begin() + place);
  else
    return;
  emit edited(project);
}

/// What is taken is told.
void SimulatedPartsPanel::ask(const std::shared_ptr<Draft>& draft, Entry entry, bool isNew)
{
  PartDialog* dialog = makeDialog(draft, entry, isNew, this);
  const std::string before = entry.kind == Kind::Model ? draft->project.models[entry.place].name : std::string();
  connect(dialog, &QDialog::accepted, this, [this, draft, entry, before] {
    if (entry.kind == Kind::Model) {
      renameModel(draft->project, before, draft->project.models[entry.place].name);
      giveModel(draft->project, draft->simulated.value_or(std::string()), draft->project.models[entry.place].name);
    }
    emit edited(draft->project);
  });
  dialog->open();
}

PartDialog* SimulatedPartsPanel::makeDialog(const std::shared_ptr<Draft>& draft, Entry entry, bool isNew,
                                            QWidget* parent)
{
  model::Project& project = draft->project;
  PartDialog::Question question;
  const auto sentenceOf = [](const auto& check) {
    try {
      check();
    } catch (const Error& error) {
      return QString::fromUtf8(error.what());
    }
    return QString();
  };
  question.problem = [draft, sentenceOf] { return sentenceOf([&] { model::validate(draft->project); }); };
  /// And whether its population can have it.
  const auto problemOf = [isValid = question.problem, draft](const auto& part) {
    return [isValid, draft, edited = &part] {
      const QString wrong = isValid();
      return wrong.isEmpty() ? text(study::misfitOf(draft->project, *edited)) : wrong;
    };
  };
  const std::vector<std::string> populations = namesOf(project.populations);
  switch (entry.kind) {
  case Kind::Population: {
    model::Population& population = project.populations[entry.place];
    draft->model = population.models.empty() ? std::string() : population.models.front();
    draft->hasOwnModels = population.models.size() > 1;
    question.title = tr("How %1 is simulated").arg(text(population.name()));
    question.names = {{QStringLiteral("partModel"), tr("Model"),
                       tr("By which its neurons are simulated; without one they spike when stimuli tell them to"),
                       namesOf(project.models), &draft->model, tr("none: its spikes are those of stimuli"),
                       tr("New model…"), [this, draft, place = entry.place](QWidget* dialog, const auto& made) {
                         askForModel(dialog, draft, place, made);
                       }}};
    question.problem = [draft, sentenceOf, place = entry.place] {
      model::Population& edited = draft->project.populations[place];
      const bool isAsBefore = draft->hasOwnModels && !edited.models.empty() && edited.models.front() == draft->model;
      if (!isAsBefore)
        edited.models = draft->model.empty() ? std::vector<std::string>{} : std::vector{draft->model};
      return sentenceOf([&] { model::validate(draft->project); });
    };
    question.remark = [draft, place = entry.place] {
      const std::string& name = draft->project.populations[place].name();
      return misfitIn(draft->project, [&](const model::Population& each) { return each.name() == name; });
    };
    break;
  }
  case Kind::Connection: {
    model::Connection& connection = project.connections[entry.place];
    question.title = tr("Synapses of %1").arg(text(connection.name));
    const bool toPoints = endsOnPoints(project, connection);
    if (toPoints) {
      draft->proposesWeight =
          connection.synapses.place == model::SynapsePlace::None && connection.synapses.weight == draft->usual.weight;
      draft->usual.weight = kPointWeight;
    }
    question.fields = [draft, place = entry.place, toPoints] {
      model::SynapseModel& synapses = draft->project.connections[place].synapses;
      if (synapses.place != model::SynapsePlace::None && std::exchange(draft->proposesWeight, false))
        synapses.weight = draft->usual.weight;
      return toPoints ? pointFieldsOf(synapses, draft->usual) : fieldsOf(synapses);
    };
    break;
  }
  case Kind::Model: {
    model::NeuronModel& neuron = project.models[entry.place];
    question.title = isNew ? tr("New model of neurons") : tr("Model %1").arg(text(neuron.name));
    question.fields = [draft, place = entry.place] { return fieldsOf(draft->project.models[place]); };
    question.without = {"membrane"};
    question.files = {tr("Fits of the Allen Cell Types database (*.json)"), tr("All files (*)")};
    question.membrane = &neuron.membrane;
    const auto whole = [draft, place = entry.place, before = neuron.name] {
      model::Project renamed = draft->project;
      renameModel(renamed, before, renamed.models[place].name);
      giveModel(renamed, draft->simulated.value_or(std::string()), renamed.models[place].name);
      return renamed;
    };
    if (draft->simulated)
      question.names = {{QStringLiteral("partSimulated"), tr("Population"),
                         tr("The population that is simulated by it; others can be given it later"), populations,
                         &*draft->simulated, tr("none yet")}};
    question.problem = [whole, sentenceOf] { return sentenceOf([&] { model::validate(whole()); }); };
    question.remark = [whole, place = entry.place] {
      const model::Project renamed = whole();
      return misfitIn(renamed, [&](const model::Population& each) {
        return std::ranges::find(each.models, renamed.models[place].name) != each.models.end();
      });
    };
    break;
  }
  case Kind::Stimulus:
    question.title = isNew ? tr("New stimulus") : tr("Stimulus %1").arg(text(project.stimuli[entry.place].name));
    draft->choosesOnSoma = isElsewhereOnSoma(project.stimuli[entry.place]);
    question.fields = [draft, place = entry.place] {
      return stimulusFieldsOf(draft->project.stimuli[place], draft->choosesOnSoma);
    };
    question.greyed = {"section", "position"};
    question.files = {tr("Spikes (*.h5 *.csv *.txt)"), tr("All files (*)")};
    question.problem = problemOf(project.stimuli[entry.place]);
    question.without = {"population"};
    question.names = {{QStringLiteral("partPopulation"), tr("Population"), tr("The population that gets it"),
                       populations, &project.stimuli[entry.place].population}};
    break;
  case Kind::Probe:
    question.title = isNew ? tr("What is recorded") : tr("Recording %1").arg(text(project.probes[entry.place].name));
    question.fields = [draft, place = entry.place] { return fieldsOf(draft->project.probes[place]); };
    question.problem = problemOf(project.probes[entry.place]);
    question.without = {"population"};
    question.names = {{QStringLiteral("partPopulation"), tr("Population"), tr("The population of which is recorded"),
                       populations, &project.probes[entry.place].population}};
    break;
  case Kind::Run:
    if (!project.simulate)
      project.simulate.emplace();
    question.title = tr("How long the circuit is simulated");
    question.fields = [draft] { return fieldsOf(*draft->project.simulate); };
    for (const BoundField& field : fieldsOf(project.simulate->parameters))
      question.without.push_back(field.about.name); // the page has them
    break;
  }
  return new PartDialog(question, parent);
}

} // namespace hinesight::app
