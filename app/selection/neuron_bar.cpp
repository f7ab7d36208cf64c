#include "app/selection/neuron_bar.hpp"

#include "app/forms/help_text.hpp"
#include "app/selection/branch_selection.hpp"
#include "app/selection/expression_edit.hpp"
#include "app/selection/mistake_label.hpp"
#include "app/selection/selection_actions.hpp"
#include "selection/expression.hpp"
#include "widgets/theme.hpp"

#include <QComboBox>
#include <QLabel>
#include <QStringList>
#include <QToolButton>

#include <utility>

namespace hinesight::app {

using selection::SetKind;

namespace {

QString namesOf(const selection::Vocabulary& vocabulary)
{
  QStringList names;
  for (const selection::ExpressionField& field : vocabulary.fields)
    names << widgets::inText(field.name);
  return names.join(QStringLiteral(", "));
}

} // namespace

NeuronBar::NeuronBar(NeuronSelection* chosen, BranchSelection* ofSets, SelectionActions* ofMenu, QWidget* parent)
    : ExpressionBar(
          ofSets, [](const selection::NamedSelection& set) { return set.cells.empty() && set.of != SetKind::Branches; },
          {.where = {"neuronsWhere"},
           .count = {"neuronCount",
                     tr("What is selected of what the page shows. All pages mark the selected neurons, and the neurons "
                        "that the selected synapses join. Then how many neurons are hidden.")},
           .mistake = {"neuronMistake"},
           .sets = {"neuronSets", tr("Select the neurons or synapses of a saved set; rename or remove a set")},
           .done = {"closeNeurons", tr("Select no neurons and synapses, show all neurons, and close this bar")}},
          parent),
      ofCircuit(chosen), selection(chosen), keeper(ofSets), actions(ofMenu), kinds(new QComboBox(this)),
      save(new QToolButton(this))
{
  setObjectName(QStringLiteral("neuronBar"));
  app::describe(this, {tr("Neurons"),
                       tr("Selects neurons or synapses by an expression, and keeps what is selected as a set."),
                       QStringLiteral("Neurons of the circuit")});
  kinds->setObjectName(QStringLiteral("neuronKind"));
  kinds->setToolTip(
      tr("Select neurons, or synapses: the rows of the connection that the page shows, on Simulation of all"));
  kinds->addItem(tr("Neurons"), static_cast<int>(SetKind::Neurons));
  kinds->addItem(tr("Synapses"), static_cast<int>(SetKind::Synapses));
  save->setObjectName(QStringLiteral("saveNeuronSet"));
  save->setText(tr("Save as set…"));
  save->setToolTip(
      tr("Keep the expression under a name, or the numbers of the neurons that were picked; the session has it too"));
  layOut({kinds}, {save});

  connect(kinds, &QComboBox::activated, this, [this] {
    setKind(kind());
    takeText();
  });
  connect(save, &QToolButton::clicked, this, &NeuronBar::askForSet);
  connect(actions, &SelectionActions::saveNeuronsRequested, this, &NeuronBar::askForSet);
  connect(keeper, &BranchSelection::circuitSetWanted, this, &NeuronBar::selectSet);
  followSelection();
  setKind(SetKind::Neurons);
  refresh();
}

void NeuronBar::followSelection()
{
  connect(selection, &SelectionModel::changed, this, &NeuronBar::refresh);
  connect(selection, &NeuronSelection::severalPicked, this, &NeuronBar::open);
}

SetKind NeuronBar::kind() const
{
  return static_cast<SetKind>(kinds->currentData().toInt());
}

void NeuronBar::setKind(SetKind wanted)
{
  const selection::Vocabulary& vocabulary = selection::vocabularyOf(wanted);
  kinds->setCurrentIndex(kinds->findData(static_cast<int>(wanted)));
  where->setVocabulary(vocabulary);
  where->setPlaceholderText(tr("Select where: %1").arg(widgets::inText(vocabulary.condition)));
  where->setToolTip(
      tr("Selects the %1 for which this is true. Fields: %2. Lengths are in µm, delays in ms, rates in Hz; neurons are "
         "counted from 0. Up and Down go through the expressions of %1 that were used before.")
          .arg(kinds->currentText().toLower(), namesOf(vocabulary)));
}

void NeuronBar::setPage(const QWidget* seen, std::function<SharedNetwork()> ofPage, std::function<bool()> hasNeurons,
                        std::function<NeuronSelection*()> whose)
{
  page = seen;
  network = std::move(ofPage);
  showsAny = std::move(hasNeurons);
  selectionOfPage = std::move(whose);
  takeSelection();
  showSelection();
  refreshVisible();
}

void NeuronBar::takeSelection()
{
  NeuronSelection* ofPage = selectionOfPage ? selectionOfPage() : nullptr;
  NeuronSelection* wanted = ofPage ? ofPage : ofCircuit;
  if (wanted == selection)
    return;
  selection->disconnect(this);
  selection->setNetwork({});
  selection = wanted;
  followSelection();
  where->replace(QString::fromStdString(selection->expression()));
  mistake->forget();
  if (!selection->expression().empty())
    setKind(selection->kind());
  refresh();
  showSelection();
}

/// To those who work on what is seen.
void NeuronBar::showSelection()
{
  selection->setNetwork(network, showsAny);
  actions->setSeen(selection->hasNetwork() ? static_cast<SelectionModel*>(selection) : keeper);
}

void NeuronBar::reset()
{
  awaited.reset();
  selection->showAll();
  selection->clear();
}

/// While the text is wrong, what was selected stays.
void NeuronBar::takeText()
{
  awaited.reset();
  mistake->forget();
  if (!where->text().trimmed().isEmpty())
    select(where->text().toStdString());
  else if (!selection->expression().empty())
    selection->clear();
  else
    selection->forgetWhere();
}

void NeuronBar::select(const std::string& expression)
{
  const SharedNetwork shown = selection->network();
  try {
    selection->selectWhere(expression, kind(), shown);
  } catch (const selection::ExpressionError& error) {
    selection->forgetWhere();
    return mistake->say(error);
  }
  evaluatedOn = page;
  evaluatedOf = shown ? shown->connection : std::string();
  if (!shown)
    mistake->say(tr("The page shows no neurons that can be selected."));
}

void NeuronBar::takeNetwork()
{
  actions->refresh();
  if (!awaited && selection->expression().empty())
    return; // it would be made for nothing
  const SharedNetwork shown = selection->network();
  if (!shown)
    return;
  if (awaited && awaited->connection == shown->connection)
    return selectSet(selection::NamedSelection(*awaited));
  const std::string expression = selection->expression();
  followExpression(expression); // a population of it may be called otherwise
  const bool isOfPage = selection != ofCircuit || (evaluatedOn == page && evaluatedOf == shown->connection);
  const bool isEvaluated = isOfPage && selection->kind() == kind();
  if (!expression.empty() && isEvaluated && where->text().toStdString() == expression)
    select(expression);
}

void NeuronBar::selectSet(const selection::NamedSelection& set)
{
  awaited.reset();
  where->replace(QString::fromStdString(set.expression));
  mistake->forget();
  setKind(set.of);
  open();
  const SharedNetwork shown = selection->network();
  if (set.of != SetKind::Synapses || (shown && shown->connection == set.connection))
    return select(set.expression);
  awaited = set;
  emit connectionWanted(QString::fromStdString(set.connection));
}

void NeuronBar::showMistake(const QString& sentence)
{
  awaited.reset();
  mistake->say(sentence);
}

void NeuronBar::refresh()
{
  if (showExpression(selection->expression(), !selection->isEmpty()) && !selection->expression().empty())
    setKind(selection->kind());
  save->setEnabled(!selection->isEmpty());
  refreshCount();
  if (selection->isAnyHidden())
    open();
}

void NeuronBar::refreshCount()
{
  count->setText(selection->summary());
}

void NeuronBar::askForSet()
{
  askForName(tr("Save selection as set"), [this](const QString& name) {
    if (auto set = selection->namedAs(name))
      keeper->keep(std::move(*set));
  });
}

} // namespace hinesight::app
