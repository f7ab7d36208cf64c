#include "app/measure/measure_table_view.hpp"

#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QMouseEvent>
#include <QScopedValueRollback>
#include <QScrollBar>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <algorithm>
#include <iterator>
#include <utility>

namespace hinesight::app {

using widgets::PickMode;

namespace {

constexpr int kRowPadding = 6;         // of a row, pixels
constexpr int kHintMargin = 16;        // pixels
constexpr qsizetype kMostRanges = 200; // each cell that is drawn looks through all of them

std::vector<int> difference(const std::vector<int>& places, const std::vector<int>& others)
{
  std::vector<int> left;
  std::ranges::set_difference(places, others, std::back_inserter(left));
  return left;
}

} // namespace

MeasureTableView::MeasureTableView(const char* name, const QString& heading, const QString& help)
    : FigureTable(heading), table(new MeasureTable(this)), titles(new WrappedHeader(this)), columns(this, titles, table)
{
  setObjectName(QLatin1String(name));
  setAccessibleName(heading);
  setToolTip(help);
  setHorizontalHeader(titles);
  setModel(table);
  setSortingEnabled(true);
  sortByColumn(-1, Qt::AscendingOrder);
  setSelectionBehavior(SelectRows);
  setSelectionMode(ExtendedSelection);
  setEditTriggers(NoEditTriggers);
  setTabKeyNavigation(false);
  setShowGrid(false);
  setWordWrap(false);
  setTextElideMode(Qt::ElideMiddle);
  setAlternatingRowColors(true);
  verticalHeader()->hide();
  verticalHeader()->setDefaultSectionSize(fontMetrics().height() + kRowPadding);
  setHorizontalScrollMode(ScrollPerPixel);
  connect(selectionModel(), &QItemSelectionModel::selectionChanged, this, &MeasureTableView::pickBySelection);
  connect(table, &QAbstractItemModel::layoutChanged, this, &MeasureTableView::showMarked);
}

void MeasureTableView::setRows(std::size_t rows, std::vector<MeasureTable::Column> ofRows,
                               MeasureTable::Describe describe)
{
  marked.clear();
  if (hint)
    hint->setVisible(rows == 0);
  table->setRows(rows, std::move(ofRows), std::move(describe));
  bool cutsTitles = false;
  for (std::size_t column = 0; column < table->columns().size(); ++column)
    cutsTitles = cutsTitles || (table->columns()[column].givesWay && !table->isText(column));
  titles->setTextElideMode(cutsTitles ? Qt::ElideMiddle : Qt::ElideNone);
  columns.measure();
  columns.fit(viewport()->width());
}

void MeasureTableView::setHint(const char* name, const QString& text)
{
  hint = new QLabel(text);
  hint->setObjectName(QLatin1String(name));
  hint->setAlignment(Qt::AlignCenter);
  hint->setWordWrap(true);
  hint->setMargin(kHintMargin);
  hint->setAttribute(Qt::WA_TransparentForMouseEvents); // the table's own tooltip says the same
  auto* room = new QVBoxLayout(viewport());
  room->setContentsMargins(0, 0, 0, 0);
  room->addWidget(hint);
  hint->setVisible(table->rowCount() == 0);
}

// ---- what a person picks ----

void MeasureTableView::mousePressEvent(QMouseEvent* event)
{
  beginPick(event->modifiers());
  FigureTable::mousePressEvent(event);
}

void MeasureTableView::mouseReleaseEvent(QMouseEvent* event)
{
  FigureTable::mouseReleaseEvent(event);
  endPick(event->button() == Qt::LeftButton && !held.testFlag(Qt::ControlModifier));
}

void MeasureTableView::keyPressEvent(QKeyEvent* event)
{
  beginPick(event->modifiers());
  FigureTable::keyPressEvent(event);
  endPick(false);
}

void MeasureTableView::beginPick(Qt::KeyboardModifiers modifiers)
{
  isPicking = true;
  held = modifiers;
  before = selectedPlaces();
}

/// `isCertain`: also where the same rows are selected as before, of which there may be others beside the table.
void MeasureTableView::endPick(bool isCertain)
{
  if (!std::exchange(isPicking, false))
    return;
  if (const std::vector<int> selected = selectedPlaces(); isCertain || selected != before)
    pick(selected);
  held = {};
  showMarked();
}

/// By something else than mouse and keyboard, such as a reader of the screen.
void MeasureTableView::pickBySelection()
{
  if (isPicking)
    return;
  pick(selectedPlaces());
  showMarked();
}

void MeasureTableView::pick(const std::vector<int>& selected)
{
  PickMode how = PickMode::Replace;
  std::vector<int> places = selected;
  if (held.testFlag(Qt::ControlModifier)) {
    how = PickMode::Add;
    places = difference(selected, before);
    if (places.empty()) {
      how = PickMode::Toggle;
      places = difference(before, selected);
    }
  }
  std::vector<std::size_t> rows;
  for (const int place : places)
    rows.push_back(table->rowAt(place));
  std::ranges::sort(rows);
  const QScopedValueRollback guard(isTelling, true);
  emit rowsPicked(rows, how);
}

std::vector<int> MeasureTableView::selectedPlaces() const
{
  std::vector<int> places;
  for (const QItemSelectionRange& range : selectionModel()->selection())
    for (int place = range.top(); place <= range.bottom(); ++place)
      places.push_back(place);
  std::ranges::sort(places);
  const auto repeated = std::ranges::unique(places);
  places.erase(repeated.begin(), repeated.end());
  return places;
}

// ---- what is marked ----

void MeasureTableView::setMarked(std::vector<bool> rows)
{
  const bool areOthers = rows != marked;
  marked = std::move(rows);
  if (areOthers && !isTelling && !isPicking)
    goToFirstMarked();
  showMarked();
}

bool MeasureTableView::isMarkedAt(int place) const
{
  const std::size_t row = table->rowAt(place);
  return row < marked.size() && marked[row];
}

/// Rows that follow one another are one range. No more of them than are too many.
QItemSelection MeasureTableView::markedRanges(int first, int end) const
{
  QItemSelection ranges;
  for (int place = first; place < end && ranges.size() <= kMostRanges; ++place) {
    const int begin = place;
    while (place < end && isMarkedAt(place))
      ++place;
    if (place > begin)
      ranges.select(table->index(begin, 0), table->index(place - 1, table->columnCount() - 1));
  }
  return ranges;
}

/// Where that are too many ranges, those that are seen.
void MeasureTableView::showMarked()
{
  if (isPicking)
    return;
  QItemSelection ranges = markedRanges(0, table->rowCount());
  hasMore = ranges.size() > kMostRanges;
  if (hasMore) {
    const int last = rowAt(viewport()->height() - 1);
    ranges = markedRanges(std::max(0, rowAt(0)), last < 0 ? table->rowCount() : last + 1);
  }
  const QSignalBlocker blocker(selectionModel());
  selectionModel()->clearSelection();
  selectionModel()->select(ranges, QItemSelectionModel::Select);
  viewport()->update();
}

/// From there a person goes on with the keyboard and with Shift.
void MeasureTableView::goToFirstMarked()
{
  int place = 0;
  while (place < table->rowCount() && !isMarkedAt(place))
    ++place;
  if (place == table->rowCount())
    return;
  const QSignalBlocker blocker(selectionModel());
  setCurrentIndex(table->index(place, 0));
  scrollToCurrent();
  isBehind = !isVisible();
}

void MeasureTableView::scrollToCurrent()
{
  const int across = horizontalScrollBar()->value();
  scrollTo(currentIndex());
  horizontalScrollBar()->setValue(across);
}

/// It has its size after that.
void MeasureTableView::showEvent(QShowEvent* event)
{
  FigureTable::showEvent(event);
  if (std::exchange(isBehind, false))
    QMetaObject::invokeMethod(this, &MeasureTableView::scrollToCurrent, Qt::QueuedConnection);
}

void MeasureTableView::resizeEvent(QResizeEvent* event)
{
  FigureTable::resizeEvent(event);
  columns.fit(viewport()->width());
  if (hasMore)
    showMarked();
}

void MeasureTableView::scrollContentsBy(int dx, int dy)
{
  FigureTable::scrollContentsBy(dx, dy);
  if (hasMore && dy != 0)
    showMarked();
}

} // namespace hinesight::app
