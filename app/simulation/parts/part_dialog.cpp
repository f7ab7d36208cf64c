#include "app/simulation/parts/part_dialog.hpp"

#include "app/files/file_dialogs.hpp"
#include "app/forms/field_form.hpp"
#include "app/forms/help_text.hpp"
#include "app/forms/parameter_group.hpp"
#include "app/forms/parameter_row.hpp"
#include "app/forms/return_key.hpp"
#include "app/forms/wrapped_label.hpp"
#include "app/simulation/parts/membrane_table.hpp"
#include "widgets/icons.hpp"
#include "widgets/theme.hpp"

#include <QAction>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <algorithm>

namespace hinesight::app {

namespace {

constexpr int kWidth = 460; // pixels
constexpr int kWidthOfMembrane = 560;
constexpr int kHeight = 380;

/// A name in line with the fields.
class NameRow : public ParameterRow
{
public:
  NameRow(const PartName& name, QComboBox* combo, QWidget* parent)
      : ParameterRow({.id = name.id, .label = name.label, .help = name.help, .detail = {}}, 0, parent)
  {
    combo->setAccessibleName(name.label);
    editors()->addWidget(combo, 1);
    findChild<QLabel*>(nameOf("Label"))->setToolTip(name.help); // it has no default
  }
  double value() const override { return 0; }
  void setValue(double) override {}
};

} // namespace

PartDialog::PartDialog(const Question& question, QWidget* parent)
    : QDialog(parent), problemOf(question.problem), remarkOf(question.remark),
      problem(wrappedLabel(QStringLiteral("partProblem")))
{
  setObjectName(QStringLiteral("partDialog"));
  setWindowTitle(question.title);
  describe(this,
           {question.title, tr("Says how a part of the circuit is simulated."), QStringLiteral("The simulation page")});
  setAttribute(Qt::WA_DeleteOnClose);
  setMinimumWidth(kWidth); // what is wrong is a sentence or two
  auto* column = new QVBoxLayout(this);
  if (!question.names.empty()) {
    auto* rows = new ParameterGroup(QStringLiteral("partNames"), {}, {}, this);
    for (const PartName& name : question.names)
      addName(name, rows);
    column->addWidget(rows);
  }
  if (question.fields) {
    auto* rows = new QWidget;
    auto* groups = new QVBoxLayout(rows);
    groups->setContentsMargins(0, 0, 0, 0);
    form = new FieldForm(groups, rows,
                         [fields = question.fields, greyed = question.greyed] {
                           std::vector<BoundField> all = fields();
                           for (BoundField& field : all) // of many kinds each has its own
                             if (std::ranges::find(greyed, field.name) == greyed.end())
                               field.about = field.about.onlyWhen(field.about.applies);
                           return all;
                         },
                         {.prefix = QStringLiteral("part"), .without = question.without});
    groups->addStretch(1);
    connect(form, &FieldForm::edited, this, &PartDialog::refresh);
    if (auto* neurons = rows->findChild<QLineEdit*>(QStringLiteral("partNeuronsEdit")))
      neurons->setPlaceholderText(tr("all"));
    auto* scroll = new QScrollArea;
    scroll->setObjectName(QStringLiteral("partScroll"));
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidget(rows);
    scroll->setMinimumSize(question.membrane ? kWidthOfMembrane : kWidth, question.membrane ? kHeight / 2 : kHeight);
    column->addWidget(scroll, 1);
    addChoose(question.files);
  }
  if (question.membrane) {
    auto* membrane = new MembraneTable(*question.membrane);
    column->addWidget(membrane, 1);
    connect(membrane, &MembraneTable::edited, this, [this, membrane, lines = question.membrane] {
      *lines = membrane->lines();
      refresh();
    });
  }
  column->addWidget(problem);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
  accept = buttons->button(QDialogButtonBox::Ok);
  accept->setToolTip(tr("Take what the fields say; undo takes it back (Ctrl+Return)"));
  keepReturnInFields(this, accept);
  connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  column->addWidget(buttons);
  refresh();
}

void PartDialog::addName(const PartName& name, ParameterGroup* rows)
{
  auto* combo = new QComboBox;
  combo->setObjectName(name.id);
  combo->setToolTip(name.help);
  if (!name.none.isEmpty())
    combo->addItem(name.none, QString());
  for (const std::string& each : name.names)
    combo->addItem(QString::fromStdString(each), QString::fromStdString(each));
  if (!name.another.isEmpty())
    combo->addItem(name.another); // without a name
  combo->setCurrentIndex(combo->findData(QString::fromStdString(*name.chosen)));
  const auto add = [combo](const std::string& made) {
    const int place = combo->count() - 1;
    combo->insertItem(place, QString::fromStdString(made), QString::fromStdString(made));
    combo->setCurrentIndex(place);
  };
  connect(combo, &QComboBox::currentIndexChanged, this,
          [this, combo, add, chosen = name.chosen, makeAnother = name.makeAnother] {
            if (combo->currentData().isValid()) {
              *chosen = combo->currentData().toString().toStdString();
              return refresh();
            }
            {
              const QSignalBlocker quiet(combo);
              combo->setCurrentIndex(combo->findData(QString::fromStdString(*chosen)));
            }
            makeAnother(this, add);
          });
  rows->addRow(new NameRow(name, combo, rows->parentOfRows()));
}

/// A button in the name of a file, by which that is chosen.
void PartDialog::addChoose(const QStringList& filters)
{
  auto* name = findChild<QLineEdit*>(QStringLiteral("partFileEdit"));
  if (!name)
    return;
  QAction* choose = name->addAction(widgets::makeIcon(widgets::Icon::Open), QLineEdit::TrailingPosition);
  choose->setObjectName(QStringLiteral("partChooseFile"));
  choose->setToolTip(tr("Choose a file"));
  connect(choose, &QAction::triggered, this, [this, name, filters] {
    const QString whatItTakes = filters.value(0).section(QStringLiteral(" ("), 0, 0);
    askWhatToOpen(this, {QStringLiteral("partFileDialog"), whatItTakes, QStringLiteral("openFolder"), filters, {}},
                  [name](const QStringList& paths) {
                    name->setText(paths.front());
                    emit name->editingFinished();
                  });
  });
}

void PartDialog::resizeEvent(QResizeEvent* event)
{
  QDialog::resizeEvent(event);
  fitProblem();
}

/// All of its lines are seen: the dialog grows where it has to.
void PartDialog::fitProblem()
{
  const QMargins margins = layout()->contentsMargins();
  problem->setMinimumHeight(std::max(0, problem->heightForWidth(width() - margins.left() - margins.right())));
}

void PartDialog::refresh()
{
  const QString sentence = problemOf();
  problem->setText(sentence.isEmpty() && remarkOf ? remarkOf() : sentence);
  fitProblem();
  accept->setEnabled(sentence.isEmpty());
  if (auto* membrane = findChild<MembraneTable*>())
    if (auto* row = form ? form->row("v-init") : nullptr)
      membrane->setVisible(row->isEnabled()); // as that of the model's kind
}

} // namespace hinesight::app
