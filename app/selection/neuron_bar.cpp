#include "app/selection/neuron_bar.hpp"

#include "app/selection/branch_selection.hpp"
#include "app/selection/expression_edit.hpp"
#include "app/selection/mistake_label.hpp"
#include "app/selection/set_box.hpp"
#include "selection/expression.hpp"
#include "widgets/elided_label.hpp"
#include "widgets/theme.hpp"

#include <QComboBox>
#include <QHBoxLayout>
#include <QInputDialog>
#include <QLabel>
#include <QStringList>
#include <QToolButton>
#include <QVBoxLayout>

#include <utility>

namespace hinesight::app {

using selection::SetKind;

namespace {

constexpr int kLeastExpression = 160; // pixels

QString namesOf(const selection::Vocabulary& vocabulary)
{
  QStringList names;
  for (const selection::ExpressionField& field : vocabulary.fields)
    names << widgets::inText(field.name);
  return names.join(QStringLiteral(", "));
}

} // namespace

NeuronBar::NeuronBar(NeuronSelection* chosen, BranchSelection* ofSets, QWidget* parent)
    : QWidget(parent), selection(chosen), keeper(ofSets), kinds(new QComboBox(this)), where(new ExpressionEdit(this)),
      count(new widgets::ElidedLabel(this)), mistake(new MistakeLabel(where, this)), save(new QToolButton(this))
{
  setObjectName(QStringLiteral("neuronBar"));
  kinds->setObjectName(QStringLiteral("neuronKind"));
  kinds->setToolTip(tr("Select neurons of the circuit, or synapses: the rows of the connection that the page shows"));
  kinds->addItem(tr("Neurons"), static_cast<int>(SetKind::Neurons));
  kinds->addItem(tr("Synapses"), static_cast<int>(SetKind::Synapses));
  where->setObjectName(QStringLiteral("neuronsWhere"));
  where->setClearButtonEnabled(true);
  where->setMinimumWidth(kLeastExpression);
  count->setObjectName(QStringLiteral("neuronCount"));
  count->setToolTip(tr("What is selected of what the page shows. All pages mark the selected neurons, and the neurons "
                       "that the selected synapses join."));
  mistake->setObjectName(QStringLiteral("neuronMistake"));
  save->setObjectName(QStringLiteral("saveNeuronSet"));
  save->setText(tr("Save as set…"));
  save->setToolTip(
      tr("Keep the expression under a name, or the numbers of the neurons that were picked; the session has "
         "it too"));
  auto* sets = new SetBox(
      keeper, [](const selection::NamedSelection& set) { return set.cells.empty() && set.of != SetKind::Branches; },
      this);
  sets->setObjectName(QStringLiteral("neuronSets"));
  sets->setToolTip(tr("Select the neurons or synapses of a set that was kept; rename or remove a set"));
  auto* done = new QToolButton(this);
  done->setObjectName(QStringLiteral("closeNeurons"));
  done->setText(QStringLiteral("✕"));
  done->setAutoRaise(true);
  done->setToolTip(tr("Select no neurons and synapses, and close this bar"));

  auto* row = new QHBoxLayout;
  row->setSpacing(8);
  row->addWidget(kinds);
  row->addWidget(where, 1);
  row->addWidget(save);
  row->addWidget(sets);
  row->addWidget(done);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(12, 5, 8, 5);
  column->setSpacing(2);
  column->addLayout(row);
  column->addWidget(count);
  column->addWidget(mistake);
  setFocusProxy(where);
  hide();

  connect(kinds, &QComboBox::activated, this, [this] {
    setKind(kind());
    takeText();
  });
  connect(where, &QLineEdit::textEdited, this, &NeuronBar::takeText);
  connect(where, &QLineEdit::returnPressed, this, &NeuronBar::takeText);
  connect(where, &QLineEdit::textChanged, this, [this](const QString& text) { // its button clears it
    if (text.isEmpty())
      mistake->forget();
  });
  connect(save, &QToolButton::clicked, this, &NeuronBar::askForName);
  connect(done, &QToolButton::clicked, this, &NeuronBar::close);
  connect(selection, &NeuronSelection::changed, this, &NeuronBar::refresh);
  connect(keeper, &BranchSelection::circuitSetWanted, this, &NeuronBar::selectSet);
  setKind(SetKind::Neurons);
  refresh();
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
      tr("Selects the %1 for which this is true. Fields: %2. Lengths are in µm, delays in ms; neurons are "
         "counted from 0.")
          .arg(kinds->currentText().toLower(), namesOf(vocabulary)));
}

void NeuronBar::setPage(const QWidget* seen, Network ofPage)
{
  page = seen;
  network = std::move(ofPage);
  refreshVisible();
}

void NeuronBar::refreshVisible()
{
  setVisible(isOpen && network);
}

void NeuronBar::openForText()
{
  isOpen = true;
  refreshVisible();
  where->setFocus(Qt::ShortcutFocusReason);
  where->selectAll();
}

void NeuronBar::close()
{
  awaited.reset();
  selection->pick({});
  where->clear();
  mistake->forget();
  isOpen = false;
  refreshVisible();
}

/// While the text is wrong, what was selected stays.
void NeuronBar::takeText()
{
  awaited.reset();
  mistake->forget();
  if (!where->text().trimmed().isEmpty())
    select(where->text().toStdString());
  else if (!selection->expression().empty())
    selection->pick({});
  else
    selection->forgetWhere();
}

void NeuronBar::select(const std::string& expression)
{
  const SharedNetwork shown = network ? network() : nullptr;
  try {
    selection->selectWhere(expression, kind(), shown);
  } catch (const selection::ExpressionError& error) {
    selection->forgetWhere();
    return mistake->say(error);
  }
  evaluatedOn = page;
  evaluatedOf = shown ? shown->connection : std::string();
  if (!shown)
    mistake->say(tr("The page shows no neurons of a population of the circuit."));
}

void NeuronBar::takeNetwork()
{
  const SharedNetwork shown = network ? network() : nullptr;
  if (!shown)
    return;
  if (awaited && awaited->connection == shown->connection)
    return selectSet(selection::NamedSelection(*awaited));
  const std::string& expression = selection->expression();
  const bool isEvaluated = evaluatedOn == page && evaluatedOf == shown->connection && selection->kind() == kind();
  if (!expression.empty() && isEvaluated && where->text().toStdString() == expression)
    select(expression);
}

void NeuronBar::selectSet(const selection::NamedSelection& set)
{
  awaited.reset();
  mistake->forget();
  setKind(set.of);
  where->setText(QString::fromStdString(set.expression));
  isOpen = true;
  refreshVisible();
  const SharedNetwork shown = network ? network() : nullptr;
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

/// A selection that was not made by the text takes the text away, and so does the end of one that was. What is being
/// written and selects nothing yet stays.
void NeuronBar::refresh()
{
  const std::string& expression = selection->expression();
  const bool ended = !std::exchange(shownExpression, expression).empty() && expression.empty();
  if (expression != where->text().toStdString() && (!selection->isEmpty() || ended)) {
    if (!expression.empty())
      setKind(selection->kind());
    where->setText(QString::fromStdString(expression));
    mistake->forget();
  }
  count->setText(selection->isEmpty() ? QString() : selection->summary());
  save->setEnabled(!selection->isEmpty());
}

void NeuronBar::askForName()
{
  auto* dialog = new QInputDialog(this);
  dialog->setObjectName(QStringLiteral("setNameDialog"));
  dialog->setWindowTitle(tr("Save selection as set"));
  dialog->setLabelText(tr("Name of the set"));
  dialog->setTextValue(tr("set %1").arg(keeper->sets().size() + 1));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &QInputDialog::textValueSelected, this, [this](const QString& name) {
    if (auto set = selection->namedAs(name))
      keeper->keep(std::move(*set));
  });
  dialog->open();
}

} // namespace hinesight::app
