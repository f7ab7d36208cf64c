#include "widgets/cells/splitting/splitting_view_ledger.hpp"

#include "core/device.hpp"
#include "widgets/cells/schedule_view.hpp"
#include "widgets/theme.hpp"

#include <QEvent>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace hinesight::widgets {

namespace {

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
  column->setSpacing(2); // on a low screen all is seen without scrolling

  auto* grid = new QGridLayout;
  grid->setHorizontalSpacing(6);
  grid->setVerticalSpacing(0);
  grid->setColumnStretch(0, 1);
  addRow(*grid, "heading", tr("The plan"),
         tr("As read: neither re-rooted nor split.\nNot split: re-rooted, but no branch is split.\nPlanned: re-rooted "
            "and split. A solver with a schedule of its own stands here by its name.\nChange: from not split to "
            "planned, the effect of splitting alone."));
  addRow(*grid, "levels", tr("Levels"),
         tr("Levels of the block that has most. Other schedules have rounds, each of which waits for those before it"));
  addRow(*grid, "barriers", tr("Barriers"),
         tr("Block-wide synchronizations of the deepest block, both sweeps; rounds within a warp need none"));
  addRow(*grid, "steps", tr("Steps"), tr("Elimination steps of one sweep of the longest block, level after level"));
  addRow(*grid, "occupancy", tr("Busy"), tr("Share of the issued lane steps that work for a cell, percent"));
  addRow(*grid, "padding", tr("Padding"), tr("Bytes of the layout that hold no compartment"));
  addRow(*grid, "bytes", tr("Moved"), tr("Bytes that a solve is predicted to read and write"));
  addRow(
      *grid, "time", tr("Solve"),
      tr("Measured time of a solve. Not split: the time of the same solver without splitting, once it has solved so. "
         "Same: no difference that can be told from noise, or less than 5 %"));
  rows.front().asRead->setText(tr("as read"));
  rows.front().uncut->setText(tr("not split"));
  rows.front().change->setText(tr("change"));
  column->addLayout(grid);

  choicesName = new QLabel(tr("Split by"), this);
  choicesName->setObjectName(QStringLiteral("strategies-name"));
  choicesName->setToolTip(tr("How branches are split in two: one of these ways, each with the time of its last solve"));
  choices = new QVBoxLayout;
  choices->setSpacing(1);
  auto* line = new QHBoxLayout; // beside them: on a low screen there is no room above
  line->addWidget(choicesName, 0, Qt::AlignTop);
  line->addLayout(choices, 1);
  column->addLayout(line);
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

void SplitLedger::setEntry(std::optional<LedgerEntry> shown)
{
  const auto nameOf = [](const hines::CutWay& way) { return way.name; };
  const bool sameWays = shown && entry && std::ranges::equal(shown->ways, entry->ways, {}, nameOf, nameOf);
  entry = std::move(shown);
  if (entry && !sameWays) { // without an entry the buttons stay, unused
    makeButtons();
  }
  refresh();
}

void SplitLedger::setStrategyTimes(std::vector<StrategyTime> measured)
{
  times = std::move(measured);
  refresh();
}

std::optional<Measured> SplitLedger::timeOf(std::string_view way) const
{
  const auto known = std::ranges::find(entry->ways, way, &hines::CutWay::name);
  if (known == entry->ways.end() || !entry->hasTimes) {
    return std::nullopt;
  }
  if (known->isChosen && entry->solveTime) {
    return entry->solveTime;
  }
  const auto found = std::ranges::find(times, way, &StrategyTime::way);
  return found == times.end() ? std::nullopt : std::optional(found->time);
}

template <typename Value, typename Show>
void SplitLedger::fill(std::size_t index, Value hines::ScheduleFigures::*value, const Show& show, bool lessIsBetter)
{
  Row& row = rows[index + 1]; // below the headings
  const std::optional<hines::ScheduleFigures> after = entry ? entry->figures : std::nullopt;
  row.asRead->setText(entry ? show(entry->asRead.*value) : kUnknown);
  row.uncut->setText(entry ? show(entry->uncut.*value) : kUnknown);
  row.planned->setText(after ? show((*after).*value) : kUnknown);
  markChange(row,
             after ? relativeChange(static_cast<double>(entry->uncut.*value), static_cast<double>((*after).*value))
                   : std::nan(""),
             lessIsBetter);
}

void SplitLedger::fillTimes()
{
  Row& row = rows[Time + 1];
  const auto before = entry ? timeOf(hines::splitName(hines::SplitStrategy::None)) : std::nullopt;
  const auto after = entry ? entry->solveTime : std::nullopt;
  const auto show = [](const std::optional<Measured>& time) {
    return time ? formatMilliseconds(time->median) : kUnknown;
  };
  row.asRead->setText(kUnknown);
  row.uncut->setText(show(before));
  row.planned->setText(show(after));
  const Verdict verdict = before && after ? compare(*before, *after) : Verdict::Unknown;
  const bool isSame = verdict == Verdict::Same;
  row.change->setText(before && after ? inWords(isSame ? 0 : relativeChange(before->median, after->median)) : kUnknown);
  row.better = verdict == Verdict::Less;
  row.worse = verdict == Verdict::More;
}

void SplitLedger::markChange(Row& row, double change, bool lessIsBetter)
{
  row.change->setText(inWords(change));
  const bool changed = std::abs(change) >= kLeastChange;
  row.better = changed && (change < 0) == lessIsBetter;
  row.worse = changed && !row.better;
}

void SplitLedger::fillFigures()
{
  using Figures = hines::ScheduleFigures;
  const auto whole = [](std::int64_t value) { return formatNumber(static_cast<double>(value)); };
  fill(Levels, &Figures::rounds, whole, true);
  fill(Barriers, &Figures::barriers, whole, true);
  fill(Steps, &Figures::criticalPath, whole, true);
  fill(Occupancy, &Figures::occupancy, formatPercent, false);
  fill(Padding, &Figures::paddingBytes, inBytes, true);
  fill(Bytes, &Figures::bytesMoved, inBytes, true);
  fillTimes();
}

void SplitLedger::refresh()
{
  fillFigures();
  rows.front().planned->setText(entry ? entry->name : tr("planned"));
  for (const Row& row : rows) {
    const bool heading = &row == &rows.front();
    paintText(*row.name, theme().secondaryText);
    for (QLabel* label : {row.asRead, row.uncut, row.planned}) {
      paintText(*label, heading ? theme().secondaryText : theme().text);
    }
    paintText(*row.change, row.better ? theme().accent : row.worse ? theme().warning : theme().secondaryText);
  }
  paintText(*choicesName, theme().secondaryText);
  refreshWays();
}

/// One for each way to cut.
void SplitLedger::makeButtons()
{
  for (QToolButton* button : buttons) {
    button->hide();
    button->setObjectName({});
    button->deleteLater(); // it may be the one that was clicked
  }
  buttons.clear();
  for (const hines::CutWay& way : entry->ways) {
    const QString name = inText(way.name);
    auto* button = new QToolButton(this);
    button->setObjectName(QStringLiteral("strategy-") + name);
    button->setAccessibleName(inText(way.title));
    button->setCheckable(true);
    button->setAutoExclusive(true);
    button->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    button->setStyleSheet(QStringLiteral("QToolButton { padding: 1px 8px; }")); // all are seen on a low screen
    connect(button, &QToolButton::clicked, this, [this, name] { emit wayChosen(name); });
    buttons.push_back(button);
    choices->addWidget(button);
    button->show();
  }
}

void SplitLedger::refreshWays()
{
  for (std::size_t k = 0; k < buttons.size(); ++k) {
    if (!entry) {
      buttons[k]->setText(buttons[k]->accessibleName()); // without a time
      buttons[k]->setEnabled(false);
      continue;
    }
    const hines::CutWay& way = entry->ways[k];
    const std::optional<Measured> time = timeOf(way.name);
    QString text = inText(way.title);
    if (way.isChosen && entry->length) {
      text += tr(", K = %1").arg(formatNumber(*entry->length));
    }
    buttons[k]->setText(time ? tr("%1: %2").arg(text, formatMilliseconds(time->median)) : text);
    buttons[k]->setChecked(way.isChosen);
    buttons[k]->setEnabled(entry->whyNot.isEmpty());
    buttons[k]->setToolTip(entry->whyNot.isEmpty()
                               ? tr("Plan with this way to split; the time is that of its last solve, in ms")
                               : entry->whyNot);
  }
}

void SplitLedger::changeEvent(QEvent* event)
{
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange && !rows.empty()) {
    refresh();
  }
}

} // namespace hinesight::widgets
