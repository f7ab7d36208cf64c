#include "app/cells/timings_panel.hpp"

#include "app/cells/run_comparison.hpp"
#include "app/cells/run_history_chart.hpp"
#include "app/shell/action_icon.hpp"
#include "widgets/choice_box.hpp"
#include "widgets/elided_texts.hpp"

#include <QAction>
#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QItemSelectionModel>
#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>
#include <QScrollBar>
#include <QSplitter>
#include <QStringList>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>
#include <numeric>

namespace hinesight::app {

namespace {

enum Shown
{
  AllPages,
  ThisPage
};

constexpr int kMostLetters = 28;   ///< that a column of names is wide
constexpr int kLeastLetters = 12;  ///< the same where there is little room
constexpr int kFittedRows = 100;   ///< to which columns are fitted, those that are seen first of all
constexpr int kHistoryWidth = 220; ///< of the chart where there is room, pixels

constexpr RunTableModel::Column kNames[] = {RunTableModel::Source, RunTableModel::Plan, RunTableModel::Solver};

} // namespace

TimingsPanel::TimingsPanel(RunTableModel* runs, QWidget* parent)
    : QWidget(parent), model(runs), shown(new RunFilter(runs, this))
{
  setObjectName(QStringLiteral("timingsPanel"));
  makeTable();
  addActions();
  splitter = new QSplitter(Qt::Horizontal, this);
  splitter->setObjectName(QStringLiteral("timingsSplitter"));
  splitter->addWidget(table);
  splitter->addWidget(makeHistory());
  splitter->setStretchFactor(0, 1);
  splitter->setChildrenCollapsible(false);
  connect(splitter, &QSplitter::splitterMoved, this, [this] { isSharedByHand = true; });
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(splitter, 1);
  column->addLayout(makeBottom());
  connectModel();
  fitColumns();
  table->viewport()->installEventFilter(this);
  table->installEventFilter(this);
  refreshButtons();
  showComparison();
}

void TimingsPanel::makeTable()
{
  table = new QTableView(this);
  table->setObjectName(QStringLiteral("runTable"));
  table->setToolTip(tr(
      "Double click a run, or press Enter on it, to restore its parameters; select two to compare them (Ctrl+click)"));
  table->setModel(shown);
  table->setSelectionBehavior(QAbstractItemView::SelectRows);
  table->setSelectionMode(QAbstractItemView::ExtendedSelection);
  table->setEditTriggers(QAbstractItemView::NoEditTriggers);
  table->setAlternatingRowColors(true);
  table->setShowGrid(false);
  table->setWordWrap(false);
  table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
  table->setTabKeyNavigation(false); // Tab leads on, the arrow keys through the cells
  for (const int column : kNames)
    table->setItemDelegateForColumn(column, new widgets::ElidedTextDelegate(table, column));
  table->verticalHeader()->setDefaultSectionSize(table->fontMetrics().height() + 8);
  table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
  table->horizontalHeader()->setHighlightSections(false);
  table->horizontalHeader()->setResizeContentsPrecision(kFittedRows);
}

void TimingsPanel::addActions()
{
  restoreAction = new QAction(tr("Re&store the parameters of the run"), this);
  restoreAction->setObjectName(QStringLiteral("restoreRunAction"));
  restoreAction->setIcon(actionIcon(QStringLiteral("lastAction")));
  restoreAction->setToolTip(
      tr("Bring the parameters of this run back into the fields, and run by them (double click, Enter)"));
  compareAction = new QAction(tr("Com&pare two runs side by side…"), this);
  compareAction->setObjectName(QStringLiteral("compareRunsAction"));
  compareAction->setIcon(actionIcon(QStringLiteral("scheduleCompareAction")));
  compareAction->setToolTip(tr("Show two selected runs side by side, times in ms"));
  clearAction = new QAction(tr("Clear the ti&mings"), this);
  clearAction->setObjectName(QStringLiteral("clearRunsAction"));
  clearAction->setIcon(actionIcon(QStringLiteral("removeAction")));
  clearAction->setToolTip(tr("Forget the runs of this session, of all pages"));
  table->setContextMenuPolicy(Qt::ActionsContextMenu);
  table->addActions({restoreAction, compareAction});
  connect(restoreAction, &QAction::triggered, this, [this] { restore(selectedRows().front()); });
  connect(clearAction, &QAction::triggered, this, [this] { clearButton->click(); });
  connect(compareAction, &QAction::triggered, this, &TimingsPanel::openComparison);
  connect(table, &QTableView::doubleClicked, this, [this](const QModelIndex& run) { restore(run.row()); });
}

/// The chart, and above it what is shown. In the row of the buttons there is no room in a small window.
QWidget* TimingsPanel::makeHistory()
{
  auto* choice = new widgets::ChoiceBox(this);
  choice->setEntries(
      {{tr("All pages"), tr("Runs of all pages")}, {tr("This page"), tr("Runs of the page that is seen")}});
  filter = choice;
  filter->setObjectName(QStringLiteral("runFilter"));
  filter->setAccessibleName(tr("Runs shown"));
  filter->setToolTip(tr("Whose runs are shown; an export has all of them"));
  chart = new RunHistoryChart(shown, this);
  auto* history = new QWidget(this);
  auto* column = new QVBoxLayout(history);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(filter);
  column->addWidget(chart, 1);
  return history;
}

/// The comparison of two runs, and the buttons.
QHBoxLayout* TimingsPanel::makeBottom()
{
  comparison = new QLabel(this);
  comparison->setObjectName(QStringLiteral("runComparison"));
  comparison->setWordWrap(true);
  comparison->setTextInteractionFlags(Qt::TextBrowserInteraction);
  comparison->setToolTip(tr("Two selected runs in words; times in ms"));
  const auto button = [this](const char* name, const QString& text, const QString& help) {
    auto* made = new QPushButton(text, this);
    made->setObjectName(QLatin1String(name));
    made->setToolTip(help);
    return made;
  };
  clearButton = button("clearRunsButton", tr("Clear"), clearAction->toolTip());
  exportButton = button("exportButton", tr("Export…"), tr("Write all runs of all pages to a CSV or JSON file"));
  auto* bottom = new QHBoxLayout;
  bottom->setContentsMargins(10, 4, 10, 6);
  bottom->setSpacing(6);
  bottom->addWidget(comparison, 1);
  bottom->addWidget(clearButton);
  bottom->addWidget(exportButton);
  return bottom;
}

void TimingsPanel::connectModel()
{
  connect(exportButton, &QPushButton::clicked, this, &TimingsPanel::exportRequested);
  connect(clearButton, &QPushButton::clicked, model, &RunTableModel::clear);
  connect(comparison, &QLabel::linkActivated, this, &TimingsPanel::openComparison);
  connect(filter, &QComboBox::currentIndexChanged, this, &TimingsPanel::applyFilter);
  connect(table->selectionModel(), &QItemSelectionModel::selectionChanged, this, &TimingsPanel::showComparison);
  connect(chart, &RunHistoryChart::runClicked, table, &QTableView::selectRow);
  connect(shown, &QAbstractItemModel::rowsInserted, this, [this] {
    refreshButtons();
    fitColumns();
    table->scrollToBottom();
  });
  connect(model, &QAbstractItemModel::rowsInserted, this, &TimingsPanel::refreshButtons);
  connect(shown, &QAbstractItemModel::modelReset, this, [this] {
    refreshButtons();
    showComparison();
    fitColumns();
    table->scrollToBottom();
  });
}

void TimingsPanel::setPage(io::RunKind runs)
{
  pageRuns = runs;
  applyFilter();
}

void TimingsPanel::applyFilter()
{
  shown->setKind(filter->currentIndex() == ThisPage ? std::optional(pageRuns) : std::nullopt);
  fitColumns();
  showComparison();
}

std::vector<int> TimingsPanel::selectedRows() const
{
  std::vector<int> rows;
  for (const QModelIndex& index : table->selectionModel()->selectedRows())
    rows.push_back(index.row());
  std::sort(rows.begin(), rows.end());
  return rows;
}

/// As the table numbers it, whatever is filtered out.
QString TimingsPanel::nameOf(int row) const
{
  return tr("run %1").arg(shown->rowInModel(row) + 1);
}

/// With what differs between their parameters, where their times are compared.
QString TimingsPanel::comparisonOf(int first, int second) const
{
  const io::RunRecord& a = shown->run(first);
  const io::RunRecord& b = shown->run(second);
  QStringList sentences = {compareTimes(a, nameOf(first), b, nameOf(second))};
  if (comparedAs(a) == comparedAs(b))
    sentences << changesInWords(a, b);
  sentences.removeAll(QString());
  return sentences.join(QLatin1Char(' '));
}

void TimingsPanel::showComparison()
{
  const std::vector<int> rows = selectedRows();
  chart->setSelected(rows);
  comparison->setText(
      rows.size() == 2
          ? tr("%1 <a href=\"compare\">Side by side…</a>").arg(comparisonOf(rows[0], rows[1]).toHtmlEscaped())
          : tr("Select two runs to compare them."));
  // A comparison gives no room back, or the table would move under a double click.
  if (rows.size() == 2)
    comparison->setMinimumHeight(
        std::max(comparison->minimumHeight(), comparison->heightForWidth(comparison->width())));
  refreshButtons();
}

void TimingsPanel::openComparison()
{
  const std::vector<int> rows = selectedRows();
  if (rows.size() != 2)
    return;
  if (!dialog)
    dialog = new RunComparison(this);
  dialog->compare(shown->run(rows[0]), nameOf(rows[0]), shown->run(rows[1]), nameOf(rows[1]));
  dialog->show();
  dialog->raise();
}

void TimingsPanel::restore(int row)
{
  model->restore(shown->rowInModel(row));
}

void TimingsPanel::refreshButtons()
{
  exportButton->setEnabled(model->rowCount() > 0);
  clearButton->setEnabled(model->rowCount() > 0);
  clearAction->setEnabled(model->rowCount() > 0);
  const std::vector<int> rows = selectedRows();
  restoreAction->setEnabled(rows.size() == 1 && model->canRestore(shown->rowInModel(rows[0])));
  compareAction->setEnabled(rows.size() == 2);
}

/// Whether a column has nothing in any of the runs that are shown.
bool TimingsPanel::isEmpty(int column) const
{
  for (int row = 0; row < shown->rowCount(); ++row)
    if (!shown->index(row, column).data().toString().isEmpty())
      return false;
  return shown->rowCount() > 0;
}

/// Columns are as wide as what they hold, those of names no wider than so many letters; empty ones are hidden.
void TimingsPanel::fitColumns()
{
  for (int column = 0; column < RunTableModel::kColumns; ++column)
    table->setColumnHidden(column, isEmpty(column));
  table->resizeColumnsToContents();
  const int most = kMostLetters * table->fontMetrics().averageCharWidth();
  for (const int column : kNames)
    table->setColumnWidth(column, std::min(table->columnWidth(column), most));
  wanted.clear();
  for (int column = 0; column < RunTableModel::kColumns; ++column)
    wanted.push_back(table->columnWidth(column));
  shareRoom();
  layOutColumns();
}

/// The chart yields to the columns up to the plan, until a person moves the handle between them.
void TimingsPanel::shareRoom()
{
  if (isSharedByHand)
    return;
  const int columns = std::accumulate(wanted.begin(), wanted.begin() + RunTableModel::Plan + 1, 0);
  const int beside = table->verticalHeader()->sizeHint().width() + table->verticalScrollBar()->sizeHint().width() +
                     2 * table->frameWidth();
  const int all = splitter->width() - splitter->handleWidth();
  const int least = splitter->widget(1)->minimumSizeHint().width();
  const int history = std::clamp(all - columns - beside, least, std::max(least, kHistoryWidth));
  splitter->setSizes({all - history, history});
}

/// The names up to the plan give way to each other and to the numbers before it, as far as they must: columns after it
/// are seen where names have their room. At the edge of what is seen no column is cut.
void TimingsPanel::layOutColumns()
{
  const int room = table->viewport()->width();
  const int leastOfNames = kLeastLetters * table->fontMetrics().averageCharWidth();
  std::vector<int> widths = wanted;
  std::vector<int> least = wanted;
  for (const int name : {RunTableModel::Source, RunTableModel::Plan}) {
    int& ofName = least[static_cast<std::size_t>(name)];
    ofName = std::min(ofName, leastOfNames);
  }
  const auto haveRoom = [&](std::size_t columns) {
    const std::vector<int>& each = columns > RunTableModel::Plan + 1 ? wanted : least;
    return std::accumulate(each.begin(), each.begin() + static_cast<std::ptrdiff_t>(columns), 0) <= room;
  };
  std::size_t seen = 0;
  while (seen < widths.size() && haveRoom(seen + 1))
    ++seen;
  const auto end = static_cast<std::ptrdiff_t>(seen);
  int spare =
      std::accumulate(widths.begin(), widths.begin() + end, 0) - std::accumulate(least.begin(), least.begin() + end, 0);
  int lack = std::accumulate(widths.begin(), widths.begin() + end, 0) - room;
  for (std::size_t column = 0; column < seen && lack > 0 && spare > 0; ++column) {
    const int most = widths[column] - least[column];
    const int given = (lack * most + spare - 1) / spare;
    widths[column] -= given;
    lack -= given;
    spare -= most;
  }
  const std::size_t name = table->isColumnHidden(RunTableModel::Plan) ? RunTableModel::Source : RunTableModel::Plan;
  if (seen > 0 && seen < widths.size() && lack < 0)
    widths[std::min(seen - 1, name)] -= lack;
  for (std::size_t column = 0; column < widths.size(); ++column)
    if (!table->isColumnHidden(static_cast<int>(column)))
      table->setColumnWidth(static_cast<int>(column), widths[column]);
}

void TimingsPanel::resizeEvent(QResizeEvent* event)
{
  QWidget::resizeEvent(event);
  shareRoom();
}

bool TimingsPanel::eventFilter(QObject* watched, QEvent* event)
{
  if (watched == table->viewport() && event->type() == QEvent::Resize)
    layOutColumns();
  if (watched == table && event->type() == QEvent::KeyPress) {
    const int key = static_cast<QKeyEvent*>(event)->key();
    if (key == Qt::Key_Return || key == Qt::Key_Enter) {
      restoreAction->trigger();
      return true;
    }
  }
  return QWidget::eventFilter(watched, event);
}

} // namespace hinesight::app
