#include "widgets/cells/splitting/splitting_view_ledger.hpp"

#include "core/device.hpp"
#include "widgets/theme.hpp"

#include <QEvent>
#include <QGridLayout>
#include <QLabel>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <cmath>

namespace hinesight::widgets {

namespace {

using hines::SplitStrategy;

constexpr std::array kStrategies = {SplitStrategy::None, SplitStrategy::LevelAverage, SplitStrategy::FixedLength,
                                    SplitStrategy::BlockAverage};

enum RowIndex : std::size_t
{
  Levels,
  Barriers,
  Steps,
  Occupancy,
  Padding,
  Bytes,
  Time
};

constexpr double kLeastChange = 0.005; ///< below it nothing changed
const QString kUnknown = QStringLiteral("\u2013");

QString inBytes(std::size_t bytes)
{
  return QString::fromStdString(formatBytes(bytes));
}

QString formatPercent(double fraction)
{
  return SplitLedger::tr("%1 %").arg(formatNumber(std::round(100 * fraction)));
}

/// (after - before) / before; NaN where there is nothing to compare with.
double relativeChange(double before, double after)
{
  if (before == after && before == 0) {
    return 0;
  }
  return before > 0 ? (after - before) / before : std::nan("");
}

QString inWords(double change)
{
  if (std::isnan(change)) {
    return kUnknown;
  }
  if (std::abs(change) < kLeastChange) {
    return SplitLedger::tr("same");
  }
  const QString size = formatNumber(std::round(100 * std::abs(change)));
  return change < 0 ? SplitLedger::tr("\u2212%1 %").arg(size) : SplitLedger::tr("+%1 %").arg(size);
}

QFont smallFont(const QFont& base)
{
  QFont font = base;
  font.setPointSizeF(base.pointSizeF() * 0.9);
  return font;
}

void paintText(QLabel& label, const QColor& color)
{
  QPalette palette = label.palette();
  palette.setColor(QPalette::WindowText, color);
  label.setPalette(palette);
}

} // namespace

SplitLedger::SplitLedger(QWidget* parent) : QWidget(parent)
{
  setObjectName(QStringLiteral("splitLedger"));
  setFont(smallFont(font()));
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(14);

  auto* grid = new QGridLayout;
  grid->setHorizontalSpacing(6);
  grid->setVerticalSpacing(5);
  grid->setColumnStretch(0, 1);
  addRow(*grid, "heading", tr("The plan"),
         tr("As read: neither balanced nor cut.\nUncut: balanced, with the root moved, not cut.\n"
            "Planned: balanced and cut, as solved; or, under its name, what a solver with a plan of its own does.\n"
            "Change: against uncut, what the cut alone made of it."));
  addRow(*grid, "levels", tr("Levels"),
         tr("Most levels of any block; of a solver's own plan: rounds, each of which waits for those before it"));
  addRow(*grid, "barriers", tr("Barriers"),
         tr("Block-wide synchronizations of the deepest block, both sweeps; rounds within a warp need none"));
  addRow(*grid, "steps", tr("Steps"), tr("Elimination steps of one sweep of the longest block, level after level"));
  addRow(*grid, "occupancy", tr("Busy"), tr("Compartments over issued lane steps, percent"));
  addRow(*grid, "padding", tr("Padding"), tr("Bytes of the layout that hold no compartment"));
  addRow(*grid, "bytes", tr("Moved"), tr("Bytes that a solve is predicted to read and write"));
  addRow(*grid, "time", tr("Solve"), tr("Measured time of a solve; uncut: by the same solver, once it has solved so"));
  rows.front().asRead->setText(tr("as read"));
  rows.front().uncut->setText(tr("uncut"));
  rows.front().change->setText(tr("change"));
  column->addLayout(grid);

  auto* choices = new QVBoxLayout;
  choices->setSpacing(4);
  for (const SplitStrategy strategy : kStrategies) {
    auto* button = new QToolButton(this);
    button->setObjectName(QStringLiteral("strategy-") + QLatin1String(hines::splitName(strategy).data()));
    button->setCheckable(true);
    button->setAutoExclusive(true);
    button->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(button, &QToolButton::clicked, this, [this, strategy] { emit strategyChosen(strategy); });
    strategies.push_back(button);
    choices->addWidget(button);
  }
  column->addLayout(choices);
  refresh();
}

void SplitLedger::addRow(QGridLayout& grid, const char* name, const QString& text, const QString& tip)
{
  const auto line = static_cast<int>(rows.size());
  const auto makeLabel = [&](const char* part, int place, Qt::Alignment alignment) {
    auto* label = new QLabel(this);
    label->setObjectName(QLatin1String(name) + u'-' + QLatin1String(part));
    label->setToolTip(tip);
    label->setAlignment(alignment);
    grid.addWidget(label, line, place, alignment | Qt::AlignBottom);
    return label;
  };
  Row row{makeLabel("name", 0, Qt::AlignLeft), makeLabel("asRead", 1, Qt::AlignRight),
          makeLabel("uncut", 2, Qt::AlignRight), makeLabel("planned", 3, Qt::AlignRight),
          makeLabel("change", 4, Qt::AlignRight)};
  row.name->setText(text);
  rows.push_back(row);
}

void SplitLedger::setPlan(const hines::SolvePlan* plan, double solveMilliseconds)
{
  hasPlan = plan != nullptr;
  if (plan) {
    take(*plan);
  }
  ownSolver.clear();
  own.reset();
  solveTime = solveMilliseconds;
  refresh();
}

void SplitLedger::setOwnPlan(const hines::SolvePlan& plan, const QString& solver, std::optional<CutFigures> figures,
                             double solveMilliseconds)
{
  hasPlan = true;
  take(plan);
  ownSolver = solver;
  own = figures;
  solveTime = solveMilliseconds;
  refresh();
}

void SplitLedger::take(const hines::SolvePlan& plan)
{
  parameters = plan.parameters;
  asRead = plan.figuresAsRead;
  uncut = plan.figuresUncut;
  planned = plan.figures;
}

void SplitLedger::setStrategyTimes(std::vector<StrategyTime> measured)
{
  times = std::move(measured);
  refresh();
}

double SplitLedger::timeOf(SplitStrategy strategy) const
{
  if (hasPlan && ownSolver.isEmpty() && parameters.split == strategy && solveTime >= 0) {
    return solveTime;
  }
  const auto found =
      std::find_if(times.begin(), times.end(), [&](const StrategyTime& t) { return t.strategy == strategy; });
  return found == times.end() ? -1 : found->milliseconds;
}

template <typename Value, typename Show>
void SplitLedger::fill(std::size_t index, Value asReadValue, Value uncutValue, std::optional<Value> plannedValue,
                       const Show& show, bool lessIsBetter)
{
  Row& row = rows[index + 1]; // below the headings
  row.asRead->setText(show(asReadValue));
  row.uncut->setText(show(uncutValue));
  row.planned->setText(plannedValue ? show(*plannedValue) : kUnknown);
  const double change =
      plannedValue ? relativeChange(static_cast<double>(uncutValue), static_cast<double>(*plannedValue)) : std::nan("");
  markChange(row, change, lessIsBetter);
}

void SplitLedger::fillTimes()
{
  Row& row = rows[Time + 1];
  const double before = ownSolver.isEmpty() ? timeOf(SplitStrategy::None) : -1;
  const auto show = [](double time) { return time >= 0 ? formatMilliseconds(time) : kUnknown; };
  row.asRead->setText(kUnknown);
  row.uncut->setText(show(before));
  row.planned->setText(show(solveTime));
  markChange(row, solveTime >= 0 ? relativeChange(before, solveTime) : std::nan(""), true);
}

void SplitLedger::markChange(Row& row, double change, bool lessIsBetter)
{
  row.change->setText(inWords(change));
  const bool changed = std::abs(change) >= kLeastChange;
  row.better = changed && (change < 0) == lessIsBetter;
  row.worse = changed && !row.better;
}

/// Of a plan of branches, or, of a solver's own, what is known.
void SplitLedger::fillFigures()
{
  const auto whole = [](std::int64_t value) { return formatNumber(static_cast<double>(value)); };
  const auto pick = [this]<typename Value>(Value ofPlan, Value CutFigures::*ofOwn) -> std::optional<Value> {
    return ownSolver.isEmpty() ? std::optional(ofPlan) : own ? std::optional((*own).*ofOwn) : std::nullopt;
  };
  const auto ofPlanOnly = [this](std::size_t value) {
    return ownSolver.isEmpty() ? std::optional(value) : std::nullopt;
  };
  fill<std::int64_t>(Levels, asRead.rounds, uncut.rounds, pick(planned.rounds, &CutFigures::levels), whole, true);
  fill(Barriers, asRead.barriers, uncut.barriers, pick(planned.barriers, &CutFigures::barriers), whole, true);
  fill(Steps, asRead.criticalPath, uncut.criticalPath, pick(planned.criticalPath, &CutFigures::steps), whole, true);
  fill(Occupancy, asRead.occupancy, uncut.occupancy, pick(planned.occupancy, &CutFigures::occupancy), formatPercent,
       false);
  fill(Padding, asRead.paddingBytes, uncut.paddingBytes, ofPlanOnly(planned.paddingBytes), inBytes, true);
  fill(Bytes, asRead.bytesMoved, uncut.bytesMoved, ofPlanOnly(planned.bytesMoved), inBytes, true);
  fillTimes();
}

void SplitLedger::refresh()
{
  if (hasPlan) {
    fillFigures();
  } else {
    for (std::size_t row = Levels; row <= Time; ++row) {
      fill(
          row, 0, 0, std::optional(0), [](int) { return kUnknown; }, true);
    }
  }
  rows.front().planned->setText(ownSolver.isEmpty() ? tr("planned") : ownSolver);
  for (const Row& row : rows) {
    const bool heading = &row == &rows.front();
    paintText(*row.name, theme().secondaryText);
    for (QLabel* label : {row.asRead, row.uncut, row.planned}) {
      paintText(*label, heading ? theme().secondaryText : theme().text);
    }
    paintText(*row.change, row.better ? theme().accent : row.worse ? theme().warning : theme().secondaryText);
  }
  refreshStrategies();
}

void SplitLedger::refreshStrategies()
{
  const bool isExecuted = ownSolver.isEmpty();
  const QString tip = isExecuted ? tr("Plan with this way to cut branches; the time is that of its last solve")
                                 : tr("Fine and multicore cut so; the %1 solver does not follow it").arg(ownSolver);
  for (std::size_t k = 0; k < kStrategies.size(); ++k) {
    const bool current = hasPlan && parameters.split == kStrategies[k];
    const double time = isExecuted ? timeOf(kStrategies[k]) : -1;
    QString text = strategyName(kStrategies[k]);
    if (current && kStrategies[k] == SplitStrategy::FixedLength) {
      text += tr(", K = %1").arg(formatNumber(parameters.splitLength));
    }
    strategies[k]->setText(time >= 0 ? tr("%1: %2").arg(text, formatMilliseconds(time)) : text);
    strategies[k]->setChecked(current);
    strategies[k]->setEnabled(hasPlan && isExecuted);
    strategies[k]->setToolTip(tip);
  }
}

void SplitLedger::changeEvent(QEvent* event)
{
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange && !rows.empty()) {
    refresh();
  }
}

QString strategyName(hines::SplitStrategy strategy)
{
  switch (strategy) {
  case SplitStrategy::None:
    return SplitLedger::tr("Uncut");
  case SplitStrategy::LevelAverage:
    return SplitLedger::tr("Level average");
  case SplitStrategy::FixedLength:
    return SplitLedger::tr("Fixed length");
  case SplitStrategy::BlockAverage:
    return SplitLedger::tr("Block average");
  }
  return {};
}

} // namespace hinesight::widgets
