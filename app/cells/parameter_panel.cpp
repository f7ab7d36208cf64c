#include "app/cells/parameter_panel.hpp"

#include "app/cells/solver_texts.hpp"
#include "app/forms/machine_rows.hpp"
#include "hines/solvers/definition.hpp"
#include "hines/solvers/resident/resident.hpp"
#include "widgets/theme.hpp"

#include <QLabel>
#include <QLocale>
#include <QVBoxLayout>

namespace hinesight::app {

namespace {

const study::CellParameters& defaults()
{
  static const study::CellParameters parameters;
  return parameters;
}

} // namespace

ParameterPanel::ParameterPanel(QWidget* parent) : QWidget(parent)
{
  setObjectName(QStringLiteral("parameterPanel"));
  auto* groups = new QVBoxLayout;
  QVBoxLayout* column = scrollInPanel(groups, this, QStringLiteral("parameterScroll"));
  planSummary = new QLabel(this);
  planSummary->setObjectName(QStringLiteral("planSummary"));
  planSummary->setProperty("summary", true);
  planSummary->setTextFormat(Qt::RichText);
  planSummary->setTextInteractionFlags(Qt::TextSelectableByMouse);
  planSummary->setMargin(8);
  planSummary->setWordWrap(true);
  planSummary->setToolTip(tr("Figures of the plan: as read (the file's own tree), re-rooted but not split, and as "
                             "planned with these parameters."));

  column->addWidget(planSummary);

  form = new FieldForm(groups, this, [this] { return fieldsOf(current); });
  connect(form, &FieldForm::edited, this, &ParameterPanel::takeEdit);
  solver = qobject_cast<ChoiceRow*>(form->row("solver"));
  precision = qobject_cast<ChoiceRow*>(form->row("precision"));
  whyNoCuda = tr("Looking for a CUDA device...");
  showMachine(*form, nullptr);
  groups->addStretch(1);
  refresh();
  showPlan(nullptr, nullptr);
}

void ParameterPanel::takeEdit()
{
  reconcile(known.solve);
  refresh();
  if (current != known) {
    known = current;
    emit edited();
  }
}

void ParameterPanel::reconcile(const hines::SolveParameters& before)
{
  hines::SolveParameters& solve = current.solve;
  if (!hines::runsOn(solve.solver, solve.backend)) {
    if (solve.solver != before.solver)
      solve.backend = solve.backend == Backend::Cuda ? Backend::Cpu : Backend::Cuda;
    else
      solve.solver = hines::kResident;
  }
  if (solve.precision != before.precision)
    wantedPrecision = solve.precision;
  solve.precision = hines::traitsOf(solve.solver).inSingle ? wantedPrecision : hines::Precision::Double;
}

/// Greys what cannot be chosen on this machine, and the precision that the solver does not know.
void ParameterPanel::refreshAvailability()
{
  const auto solvers = hines::allSolvers();
  for (std::size_t k = 0; k < solvers.size(); ++k)
    solver->setUnavailable(static_cast<int>(k), solvers[k]->traits.onCpu ? QString() : whyNoCuda);
  const bool inSingle = hines::traitsOf(current.solve.solver).inSingle;
  precision->setUnavailable(static_cast<int>(hines::Precision::Single),
                            inSingle ? QString() : tr("This solver works in double precision only."));
}

void ParameterPanel::refresh()
{
  form->refresh();
  refreshAvailability();
}

void ParameterPanel::setParameters(const study::CellParameters& parameters)
{
  current = parameters;
  known = parameters;
  wantedPrecision = current.solve.precision;
  refresh();
}

void ParameterPanel::resetAll()
{
  const bool changes = current != defaults();
  setParameters(defaults());
  if (changes)
    emit edited();
}

void ParameterPanel::setDevices(const DeviceReport& report)
{
  whyNoCuda = QString::fromStdString(report.whyNoCuda);
  showMachine(*form, &report);
  refreshAvailability();
}

void ParameterPanel::showPlan(const hines::SolvePlan* plan, const hines::Solution* solution)
{
  planSummary->setVisible(plan);
  if (!plan) {
    planSummary->clear();
    return;
  }
  const QLocale locale(QLocale::English);
  QString rows;
  const auto addRow = [&](const QString& name, const QString& asRead, const QString& uncut, const QString& planned) {
    rows += QStringLiteral("<tr><td>%1</td><td align=right>&nbsp;%2</td><td align=right>&nbsp;%3</td>"
                           "<td align=right>&nbsp;<b>%4</b></td></tr>")
                .arg(name, asRead, uncut, planned);
  };
  const auto row = [&](const QString& name, const auto& show) {
    addRow(name, show(plan->figuresAsRead), show(plan->figuresUncut), show(plan->figures));
  };
  const auto whole = [&](auto value) { return locale.toString(static_cast<qlonglong>(value)); };
  const auto percent = [](double fraction) { return widgets::formatNumber(fraction * 100) + QStringLiteral(" %"); };
  using Figures = hines::ScheduleFigures;
  addRow(tr("<b>Plan</b>"), tr("as read"), tr("not split"), tr("planned"));
  row(tr("Levels"), [&](const Figures& f) { return whole(f.rounds); });
  row(tr("Barriers"), [&](const Figures& f) { return whole(f.barriers); });
  row(tr("Steps"), [&](const Figures& f) { return whole(f.criticalPath); });
  row(tr("Lanes busy"), [&](const Figures& f) { return percent(f.occupancy); });
  row(tr("Padding"), [&](const Figures& f) { return QString::fromStdString(formatBytes(f.paddingBytes)); });
  row(tr("Blocks"), [&](const Figures& f) { return whole(f.units); });
  QString whoseElse;
  if (solution && solution->schedule.get() != plan) {
    const QString name = textOf(hines::traitsOf(solution->parameters.solver)).title;
    const QString sentence =
        tr("Fine and multicore follow this plan. The views Packing and Splitting show what %1 does.").arg(name);
    whoseElse = QStringLiteral("<p style='margin-top:4px'>%1</p>").arg(sentence);
  }
  planSummary->setText(QStringLiteral("<table width='100%' cellspacing=0 cellpadding=1>") + rows +
                       QStringLiteral("</table>") + whoseElse);
}

} // namespace hinesight::app
