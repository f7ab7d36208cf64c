#include "app/cells/run_comparison.hpp"

#include "app/cells/run_table_model.hpp"
#include "app/forms/help_text.hpp"
#include "study/cells/parameters.hpp"
#include "widgets/charts/measured_text.hpp"
#include "widgets/theme.hpp"

#include <QDialogButtonBox>
#include <QHeaderView>
#include <QLabel>
#include <QTableWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <stdexcept>

namespace hinesight::app {

namespace {

const QString kNone = QStringLiteral("\u2013");

/// A parameter of the cells as their form shows it; of other runs as files have it.
struct ShownSetting
{
  QString label;
  QString value;
};

ShownSetting shownSetting(const Setting& setting, io::RunKind kind)
{
  ShownSetting shown{QString::fromStdString(setting.name), QString::fromStdString(setting.text)};
  study::CellParameters parameters;
  std::vector<BoundField> fields = fieldsOf(parameters);
  BoundField* const field = kind == io::RunKind::Solve ? findField(fields, setting.name) : nullptr;
  if (!field || field->kind == FieldKind::List)
    return shown;
  shown.label = QString::fromStdString(field->label());
  try {
    field->setText(setting.text);
  } catch (const std::exception&) { // of another version: it stands as it is
    return shown;
  }
  if (field->kind == FieldKind::Choice)
    shown.value = widgets::inText(field->choices[static_cast<std::size_t>(field->number())].label);
  const bool isNumber = field->kind == FieldKind::Whole || field->kind == FieldKind::Real;
  if (isNumber && !field->about.special.word.empty() && field->number() == field->about.special.value)
    shown.value = widgets::inText(field->about.special.word);
  else if (!field->about.unit.empty())
    shown.value += QLatin1Char(' ') + widgets::inText(field->about.unit);
  return shown;
}

const Setting* settingOf(const io::RunRecord& run, const std::string& name)
{
  const auto found = std::ranges::find(run.settings, name, &Setting::name);
  return found == run.settings.end() ? nullptr : &*found;
}

void addSettings(std::vector<RunDifference>& differences, const io::RunRecord& a, const io::RunRecord& b)
{
  std::vector<Setting> all = a.settings;
  addMissing(all, b.settings);
  for (const Setting& any : all) {
    const Setting* const first = settingOf(a, any.name);
    const Setting* const second = settingOf(b, any.name);
    if (first && second && first->text == second->text)
      continue;
    const auto value = [&](const Setting* setting, const io::RunRecord& run) {
      return setting ? shownSetting(*setting, run.kind).value : kNone;
    };
    differences.push_back({shownSetting(any, first ? a.kind : b.kind).label, value(first, a), value(second, b)});
  }
}

/// Times of a CPU that carries out a GPU's plan are none of that GPU.
void addGpuPlans(std::vector<RunDifference>& differences, const io::RunRecord& a, const io::RunRecord& b)
{
  if (a.plannedFor.empty() && b.plannedFor.empty())
    return;
  const auto inWords = [](const io::RunRecord& run) {
    const QString gpu = QString::fromStdString(run.plannedFor);
    if (gpu.isEmpty())
      return kNone;
    return run.predicted > 0
               ? RunComparison::tr("%1: %2 predicted").arg(gpu, widgets::formatMilliseconds(run.predicted))
               : RunComparison::tr("%1: no time predicted").arg(gpu);
  };
  differences.push_back({RunComparison::tr("Plan of a GPU, on the CPU"), inWords(a), inWords(b)});
}

/// The stage that was repeated is that which runs are compared by; the others were measured once.
Measured timeOfStage(const io::RunRecord& run, const Stage& stage)
{
  return !run.repetitions.empty() && stage.name == "solve" ? timeOf(run) : measuredOf({stage.milliseconds});
}

void addStages(std::vector<RunDifference>& differences, const io::RunRecord& a, const io::RunRecord& b)
{
  const auto find = [](const io::RunRecord& run, const std::string& name) {
    const auto found = std::ranges::find(run.timings.stages, name, &Stage::name);
    return found == run.timings.stages.end() ? nullptr : &*found;
  };
  std::vector<std::string> names;
  for (const io::RunRecord* run : {&a, &b})
    for (const Stage& stage : run->timings.stages)
      if (std::ranges::find(names, stage.name) == names.end())
        names.push_back(stage.name);
  for (const std::string& name : names) {
    const Stage* const first = find(a, name);
    const Stage* const second = find(b, name);
    RunDifference difference{QString::fromStdString(name),
                             first ? widgets::measuredText(timeOfStage(a, *first)) : kNone,
                             second ? widgets::measuredText(timeOfStage(b, *second)) : kNone};
    if (first && second && areAlike(a, b)) {
      const QString change = QString::fromStdString(changeText(timeOfStage(a, *first), timeOfStage(b, *second)));
      difference.change = change.isEmpty() ? RunComparison::tr("same parameters")
                                           : RunComparison::tr("%1, same parameters").arg(change);
      difference.verdict = Verdict::Same; // what the parameters make
    } else if (first && second && comparedAs(a) == comparedAs(b)) {
      const Measured before = timeOfStage(a, *first);
      const Measured after = timeOfStage(b, *second);
      difference.change = QString::fromStdString(changeText(before, after));
      difference.verdict = compare(before, after);
    }
    differences.push_back(difference);
  }
}

} // namespace

std::vector<RunDifference> differencesOf(const io::RunRecord& a, const io::RunRecord& b)
{
  std::vector<RunDifference> differences;
  addSettings(differences, a, b);
  addGpuPlans(differences, a, b);
  addStages(differences, a, b);
  return differences;
}

RunComparison::RunComparison(QWidget* parent)
    : QDialog(parent), sentence(new QLabel(this)), table(new QTableWidget(this))
{
  setObjectName(QStringLiteral("runComparisonDialog"));
  setWindowTitle(tr("Two runs side by side"));
  describe(this, {windowTitle(), tr("Shows where the parameters of two runs differ, and the times of their stages."),
                  QStringLiteral("Runs")});
  sentence->setObjectName(QStringLiteral("runComparisonSentence"));
  sentence->setWordWrap(true);
  sentence->setTextInteractionFlags(Qt::TextSelectableByMouse);
  table->setObjectName(QStringLiteral("runComparisonTable"));
  table->setToolTip(
      tr("The parameters that differ, and the stages in ms; ± is half the 95 % confidence interval of the "
         "median"));
  table->setEditTriggers(QAbstractItemView::NoEditTriggers);
  table->setSelectionBehavior(QAbstractItemView::SelectRows);
  table->setTabKeyNavigation(false);
  table->setShowGrid(false);
  table->setAlternatingRowColors(true);
  table->verticalHeader()->hide();
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  auto* column = new QVBoxLayout(this);
  column->addWidget(sentence);
  column->addWidget(table, 1);
  column->addWidget(buttons);
  const int letter = fontMetrics().averageCharWidth();
  resize(90 * letter, 28 * fontMetrics().height());
}

void RunComparison::compare(const io::RunRecord& a, const QString& first, const io::RunRecord& b, const QString& second)
{
  sentence->setText(compareRuns(a, first, b, second));
  const std::vector<RunDifference> differences = differencesOf(a, b);
  table->clear();
  table->setColumnCount(4);
  table->setHorizontalHeaderLabels({tr("What"), first, second, tr("Change")});
  table->setRowCount(static_cast<int>(differences.size()));
  for (std::size_t row = 0; row < differences.size(); ++row) {
    const RunDifference& difference = differences[row];
    const std::array texts = {difference.what, difference.first, difference.second, difference.change};
    for (std::size_t column = 0; column < texts.size(); ++column) {
      auto* item = new QTableWidgetItem(texts[column]);
      item->setToolTip(texts[column]);
      table->setItem(static_cast<int>(row), static_cast<int>(column), item);
    }
    if (difference.verdict == Verdict::Less || difference.verdict == Verdict::More)
      table->item(static_cast<int>(row), 3)
          ->setForeground(difference.verdict == Verdict::Less ? widgets::theme().accent : widgets::theme().warning);
  }
  table->resizeColumnsToContents();
  table->horizontalHeader()->setStretchLastSection(true);
}

} // namespace hinesight::app
