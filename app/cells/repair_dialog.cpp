#include "app/cells/repair_dialog.hpp"

#include "app/cells/cell_list_model.hpp"
#include "app/files/file_dialogs.hpp"
#include "app/forms/field_form.hpp"
#include "app/forms/help_text.hpp"
#include "app/forms/return_key.hpp"
#include "morphology/swc.hpp"
#include "widgets/theme.hpp"

#include <QCheckBox>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScreen>
#include <QScrollArea>
#include <QScrollBar>
#include <QVBoxLayout>

#include <algorithm>
#include <sstream>
#include <utility>

namespace hinesight::app {

namespace {

using morphology::Repair;

constexpr int kWidth = 440;
constexpr int kTitleBar = 40; // pixels that it takes at most

QString inWords(std::string_view text)
{
  return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

QString asSentence(const std::string& clause)
{
  QString sentence = QString::fromStdString(clause);
  return sentence.left(1).toUpper() + sentence.mid(1) + QLatin1Char('.');
}

std::string textOf(const morphology::Morphology& cell)
{
  std::ostringstream stream;
  morphology::writeSwc(cell, stream);
  return stream.str();
}

std::size_t unknownRadii(const morphology::Morphology& cell)
{
  return static_cast<std::size_t>(std::ranges::count_if(cell.radius, [](double radius) { return !(radius > 0); }));
}

} // namespace

RepairDialog::RepairDialog(CellListModel* cells, int row, QWidget* parent)
    : QDialog(parent), model(cells), id(cells->cells()[static_cast<std::size_t>(row)].source.id),
      original(cells->cells()[static_cast<std::size_t>(row)].unplaced), chosen{original, {}}
{
  setObjectName(QStringLiteral("repairDialog"));
  describe(this, {tr("Repair or turn"),
                  tr("Mends what the file of the cell is warned of, moves its soma to the origin, or turns it. The "
                     "views show the cell so until the dialog is closed."),
                  QStringLiteral("Cells")});
  setAttribute(Qt::WA_DeleteOnClose);
  setWindowTitle(tr("Repair %1").arg(cells->cells()[static_cast<std::size_t>(row)].name));
  setMinimumWidth(kWidth);
  resize(kWidth, 0);
  scroll = new QScrollArea(this);
  scroll->setObjectName(QStringLiteral("repairScroll"));
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setFocusPolicy(Qt::NoFocus); // what is in it has it
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll->setWidgetResizable(true);
  auto* content = new QWidget;
  scroll->setWidget(content);
  auto* inScroll = new QVBoxLayout(content);
  inScroll->setContentsMargins(0, 0, 0, 0);
  inScroll->setSpacing(6);
  makeRepairs(inScroll);
  makeParameters(inScroll);
  makeFigures(inScroll);
  auto* column = new QVBoxLayout(this);
  column->setSpacing(6);
  column->addWidget(scroll, 1);
  makeButtons(column);
  connect(model, &CellListModel::contentChanged, this, &RepairDialog::closeWithoutCell);
  showFigures();
  fitHeight();
  compute();
}

void RepairDialog::makeRepairs(QVBoxLayout* column)
{
  for (const Repair repair : morphology::kAllRepairs) {
    const auto place = static_cast<std::size_t>(repair);
    const Choice& about = morphology::kRepairs[place];
    boxes[place] = new QCheckBox(inWords(about.label), scroll->widget());
    boxes[place]->setObjectName(QStringLiteral("repair-") + inWords(about.name));
    boxes[place]->setToolTip(inWords(about.help));
    boxes[place]->setChecked(true);
    effects[place] = new QLabel(scroll->widget());
    effects[place]->setWordWrap(true);
    effects[place]->setIndent(24);
    effects[place]->hide(); // until something is to do
    connect(boxes[place], &QCheckBox::toggled, this, &RepairDialog::compute);
    column->addWidget(boxes[place]);
    column->addWidget(effects[place]);
  }
}

void RepairDialog::makeParameters(QVBoxLayout* column)
{
  form = new FieldForm(column, scroll->widget(), [this] { return fieldsOf(parameters); },
                       {.prefix = QStringLiteral("repair")});
  connect(form, &FieldForm::edited, this, [this](bool settled) {
    if (settled)
      compute();
  });
}

void RepairDialog::makeFigures(QVBoxLayout* column)
{
  figures = new QLabel(scroll->widget());
  figures->setObjectName(QStringLiteral("repairFigures"));
  column->addWidget(figures);
  column->addStretch(1);
}

void RepairDialog::makeButtons(QVBoxLayout* column)
{
  previewBox = new QCheckBox(tr("Show the repaired cell in the views"), this);
  previewBox->setObjectName(QStringLiteral("repairPreview"));
  previewBox->setToolTip(tr("In place of the cell, until the dialog is closed"));
  previewBox->setChecked(true);
  connect(previewBox, &QCheckBox::toggled, this, &RepairDialog::refreshPreview);
  saveButton = new QPushButton(tr("Save repaired as…"), this);
  saveButton->setObjectName(QStringLiteral("saveRepaired"));
  saveButton->setToolTip(
      tr("Write the repaired cell to an SWC file in µm, which is the cell's file from then on (Ctrl+Return)"));
  saveButton->setAutoDefault(false);
  keepReturnInFields(this, saveButton);
  auto* close = new QPushButton(tr("Close"), this);
  close->setObjectName(QStringLiteral("closeRepair"));
  close->setToolTip(tr("Leave the cell as it was"));
  close->setAutoDefault(false);
  connect(saveButton, &QPushButton::clicked, this, &RepairDialog::askWhereToSave);
  connect(close, &QPushButton::clicked, this, &QDialog::reject);
  auto* buttons = new QHBoxLayout;
  buttons->addStretch(1);
  buttons->addWidget(saveButton);
  buttons->addWidget(close);
  column->addWidget(previewBox);
  column->addLayout(buttons);
}

/// As high as all that it says; where the screen has no room for that, it scrolls above the buttons.
void RepairDialog::fitHeight()
{
  const QWidget* content = scroll->widget();
  scroll->setMinimumWidth(content->minimumSizeHint().width() + scroll->verticalScrollBar()->sizeHint().width());
  const QMargins around = layout()->contentsMargins();
  const int inside = width() - around.left() - around.right();
  const int above = content->hasHeightForWidth() ? content->heightForWidth(inside) : content->sizeHint().height();
  const int below = previewBox->sizeHint().height() + saveButton->sizeHint().height() + 2 * layout()->spacing();
  const QRect room = screen()->availableGeometry().adjusted(0, kTitleBar, 0, 0);
  const int wanted = std::max(height(), around.top() + above + below + around.bottom());
  resize(width(), std::min(wanted, room.height()));
  if (isVisible() && geometry().bottom() > room.bottom())
    move(x(), y() - (geometry().bottom() - room.bottom()));
}

void RepairDialog::compute()
{
  std::vector<Repair> wanted;
  for (const Repair repair : morphology::kAllRepairs)
    if (boxes[static_cast<std::size_t>(repair)]->isChecked())
      wanted.push_back(repair);
  saveButton->setEnabled(false);
  computing.restart([this, cell = original, wanted, how = parameters](const RunControl& control) {
    Outcome outcome;
    outcome.all = morphology::repair(cell, morphology::kAllRepairs, how, control);
    outcome.chosen = morphology::repair(cell, wanted, how, control);
    outcome.text = std::make_shared<const std::string>(textOf(*outcome.chosen.morphology));
    return [this, outcome] { take(outcome); };
  });
}

void RepairDialog::take(const Outcome& outcome)
{
  for (const Repair repair : morphology::kAllRepairs) {
    const auto place = static_cast<std::size_t>(repair);
    const auto change = std::ranges::find(outcome.all.changes, repair, &morphology::RepairChange::repair);
    const bool applies = change != outcome.all.changes.end();
    boxes[place]->setEnabled(applies);
    const QString label = inWords(morphology::kRepairs[place].label);
    boxes[place]->setText(applies ? label : tr("%1: nothing to do").arg(label));
    effects[place]->setText(applies ? asSentence(change->sentence) : QString());
    effects[place]->setVisible(applies);
  }
  chosen = outcome.chosen;
  text = outcome.text;
  saveButton->setEnabled(!chosen.changes.empty());
  showFigures();
  refreshPreview();
  fitHeight();
}

void RepairDialog::showFigures()
{
  QString html = QStringLiteral("<table cellspacing=0 cellpadding=1><tr><td></td><td align=right>&nbsp;%1</td>"
                                "<td align=right>&nbsp;&nbsp;<b>%2</b></td></tr>")
                     .arg(tr("before"), tr("after"));
  const auto row = [&](const QString& name, const auto& figureOf) {
    html += QStringLiteral("<tr><td>%1&nbsp;&nbsp;</td><td align=right>%2</td><td align=right>&nbsp;&nbsp;%3</td></tr>")
                .arg(name, widgets::formatNumber(static_cast<double>(figureOf(*original))),
                     widgets::formatNumber(static_cast<double>(figureOf(*chosen.morphology))));
  };
  row(tr("Samples"), [](const morphology::Morphology& cell) { return cell.samples(); });
  row(tr("Parts"), [](const morphology::Morphology& cell) { return cell.roots.size(); });
  row(tr("Unknown radii"), unknownRadii);
  row(tr("Soma samples"),
      [](const morphology::Morphology& cell) { return std::ranges::count(cell.type, morphology::kSoma); });
  row(tr("Warnings"), [](const morphology::Morphology& cell) { return cell.warnings.size(); });
  figures->setText(html + QStringLiteral("</table>"));
}

void RepairDialog::refreshPreview()
{
  const int row = model->rowOf(id);
  if (row < 0)
    return;
  disconnect(model, &CellListModel::contentChanged, this, nullptr);
  id = previewBox->isChecked() && !chosen.changes.empty() ? model->preview(row, text) : model->endPreview(row);
  connect(model, &CellListModel::contentChanged, this, &RepairDialog::closeWithoutCell);
}

void RepairDialog::askWhereToSave()
{
  app::askWhereToSave(this,
                      {QStringLiteral("saveRepairedDialog"),
                       tr("Save the repaired cell"),
                       QStringLiteral("openFolder"),
                       {tr("SWC morphology (*.swc)")},
                       QString::fromStdString(original->name) + QStringLiteral("-repaired.swc")},
                      [this](const QString& path) { save(path); });
}

void RepairDialog::save(const QString& path)
{
  saveButton->setEnabled(false);
  saving.start([this, cell = chosen.morphology, path](const RunControl&) -> widgets::BackgroundWork::Deliver {
    try {
      morphology::writeSwc(*cell, std::filesystem::path(path.toStdString()));
    } catch (const Error& error) {
      return [this, sentence = QString::fromUtf8(error.what())] {
        saveButton->setEnabled(true);
        emit failed(sentence);
      };
    }
    return [this, path] {
      disconnect(model, &CellListModel::contentChanged, this, nullptr);
      if (const int row = model->rowOf(id); row >= 0)
        model->setFile(row, path.toStdString());
      emit saved(path);
      accept();
    };
  });
}

/// It was closed, or its file was opened again.
void RepairDialog::closeWithoutCell()
{
  if (model->rowOf(id) < 0)
    reject();
}

void RepairDialog::done(int result)
{
  disconnect(model, nullptr, this, nullptr);
  if (const int row = model->rowOf(id); result != Accepted && row >= 0)
    model->endPreview(row);
  QDialog::done(result);
}

} // namespace hinesight::app
