#include "widgets/splitting_view_ledger.hpp"

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
  CriticalPath,
  Occupancy,
  Padding,
  Bytes,
  Time
};

constexpr double kBytesPerStep = 1000;

/// "1.21 MB".
QString formatBytes(std::size_t bytes)
{
  static const std::array kUnits = {"B", "kB", "MB", "GB", "TB"};
  auto value = static_cast<double>(bytes);
  std::size_t unit = 0;
  while (value >= kBytesPerStep && unit + 1 < kUnits.size()) {
    value /= kBytesPerStep;
    ++unit;
  }
  return formatNumber(value) + u' ' + QLatin1String(kUnits[unit]);
}

QString formatPercent(double fraction)
{
  return SplitLedger::tr("%1 %").arg(formatNumber(std::round(100 * fraction)));
}

/// (after - before) / before; NaN where there is nothing to compare with.
double relativeChange(double before, double after)
{
  return before > 0 ? (after - before) / before : std::nan("");
}

QString inWords(double change)
{
  if (std::isnan(change)) {
    return QStringLiteral("\u2013");
  }
  const double percent = std::round(100 * std::abs(change));
  if (percent < 1) {
    return SplitLedger::tr("same");
  }
  const QString size = formatNumber(percent);
  return change < 0 ? SplitLedger::tr("%1 % less").arg(size) : SplitLedger::tr("%1 % more").arg(size);
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
  grid->setHorizontalSpacing(10);
  grid->setVerticalSpacing(5);
  grid->setColumnStretch(0, 1);
  addRow(*grid, "heading", tr("The plan"), tr("As read: neither balanced nor cut, packed alike. Planned: this plan"));
  addRow(*grid, "levels", tr("Levels"), tr("Most levels of any block"));
  addRow(*grid, "barriers", tr("Barriers"), tr("Block-wide synchronizations of the deepest block, both sweeps"));
  addRow(*grid, "criticalPath", tr("Steps"),
         tr("Elimination steps of one sweep of the longest block: its critical path"));
  addRow(*grid, "occupancy", tr("Lanes busy"), tr("Compartments over issued lane steps, percent"));
  addRow(*grid, "padding", tr("Padding"), tr("Bytes of the layout that hold no compartment"));
  addRow(*grid, "bytes", tr("Bytes moved"), tr("Bytes that a solve is predicted to read and write"));
  addRow(*grid, "time", tr("Solve"), tr("Measured time of a solve; before: measured without cutting"));
  rows.front().before->setText(tr("as read"));
  rows.front().after->setText(tr("planned"));
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
    button->setToolTip(tr("Plan with this way to cut branches; the time is that of its last solve"));
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
    grid.addWidget(label, line, place, alignment);
    return label;
  };
  Row row{makeLabel("name", 0, Qt::AlignLeft), makeLabel("before", 1, Qt::AlignRight),
          makeLabel("after", 2, Qt::AlignRight), makeLabel("change", 3, Qt::AlignRight)};
  row.name->setText(text);
  rows.push_back(row);
}

void SplitLedger::setPlan(const hines::SolvePlan* plan, double solveMilliseconds)
{
  hasPlan = plan != nullptr;
  if (plan) {
    parameters = plan->parameters;
    asRead = plan->figuresAsRead;
    planned = plan->figures;
  }
  solveTime = solveMilliseconds;
  refresh();
}

void SplitLedger::setStrategyTimes(std::vector<StrategyTime> measured)
{
  times = std::move(measured);
  refresh();
}

void SplitLedger::fill(std::size_t index, const QString& before, const QString& after, double change, bool lessIsBetter)
{
  Row& row = rows[index + 1]; // below the headings
  row.before->setText(before);
  row.after->setText(after);
  row.change->setText(inWords(change));
  const bool changed = std::abs(change) >= 0.005;
  row.better = changed && (change < 0) == lessIsBetter;
  row.worse = changed && !row.better;
}

void SplitLedger::refresh()
{
  const auto whole = [](auto value) { return formatNumber(static_cast<double>(value)); };
  const auto timeOf = [&](SplitStrategy strategy) {
    const auto found =
        std::find_if(times.begin(), times.end(), [&](const StrategyTime& t) { return t.strategy == strategy; });
    return found == times.end() ? -1 : found->milliseconds;
  };
  const auto change = [](auto before, auto after) {
    return relativeChange(static_cast<double>(before), static_cast<double>(after));
  };
  const QString unknown = QStringLiteral("\u2013");
  if (hasPlan) {
    fill(Levels, whole(asRead.levels), whole(planned.levels), change(asRead.levels, planned.levels), true);
    fill(Barriers, whole(asRead.barriers), whole(planned.barriers), change(asRead.barriers, planned.barriers), true);
    fill(CriticalPath, whole(asRead.criticalPath), whole(planned.criticalPath),
         change(asRead.criticalPath, planned.criticalPath), true);
    fill(Occupancy, formatPercent(asRead.occupancy), formatPercent(planned.occupancy),
         change(asRead.occupancy, planned.occupancy), false);
    fill(Padding, formatBytes(asRead.paddingBytes), formatBytes(planned.paddingBytes),
         change(asRead.paddingBytes, planned.paddingBytes), true);
    fill(Bytes, formatBytes(asRead.bytesMoved), formatBytes(planned.bytesMoved),
         change(asRead.bytesMoved, planned.bytesMoved), true);
    const double uncut = timeOf(SplitStrategy::None);
    fill(Time, uncut > 0 ? formatMilliseconds(uncut) : unknown,
         solveTime >= 0 ? formatMilliseconds(solveTime) : unknown,
         uncut > 0 && solveTime >= 0 ? change(uncut, solveTime) : std::nan(""), true);
  } else {
    for (std::size_t row = Levels; row <= Time; ++row) {
      fill(row, unknown, unknown, std::nan(""), true);
    }
  }
  for (const Row& row : rows) {
    const bool heading = &row == &rows.front();
    paintText(*row.name, theme().secondaryText);
    paintText(*row.before, heading ? theme().secondaryText : theme().text);
    paintText(*row.after, heading ? theme().secondaryText : theme().text);
    paintText(*row.change, row.better ? theme().accent : row.worse ? theme().warning : theme().secondaryText);
  }
  for (std::size_t k = 0; k < kStrategies.size(); ++k) {
    const bool current = hasPlan && parameters.split == kStrategies[k];
    double time = timeOf(kStrategies[k]);
    if (current && solveTime >= 0) {
      time = solveTime;
    }
    QString text = strategyName(kStrategies[k]);
    if (current && kStrategies[k] == SplitStrategy::FixedLength) {
      text += tr(", K = %1").arg(whole(parameters.splitLength));
    }
    strategies[k]->setText(time >= 0 ? tr("%1: %2").arg(text, formatMilliseconds(time)) : text);
    strategies[k]->setChecked(current);
    strategies[k]->setEnabled(hasPlan);
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
