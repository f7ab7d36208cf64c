#include "app/cells/timings_panel.hpp"

#include "app/cells/run_comparison.hpp"
#include "app/cells/run_history_chart.hpp"
#include "app/shell/action_icon.hpp"
#include "widgets/choice_box.hpp"
#include "widgets/elided_texts.hpp"

#include <QAction>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QItemSelectionModel>
#include <QLabel>
#include <QPushButton>
#include <QScrollBar>
#include <QSplitter>
#include <QStringList>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>

namespace hinesight::app {

namespace {

enum Shown
{
  AllPages,
  ThisPage
};

constexpr int kMostLetters = 28; ///< that a column of names is wide
constexpr int kFittedRows = 100; ///< to which columns are fitted, those that are seen first of all

} // namespace

TimingsPanel::TimingsPanel(RunTableModel* runs, QWidget* parent)
    : QWidget(parent), model(runs), shown(new RunFilter(runs, this))
{
  setObjectName(QStringLiteral("timingsPanel"));
  makeTable();
  addActions();
  auto* splitter = new QSplitter(Qt::Horizontal, this);
  splitter->setObjectName(QStringLiteral("timingsSplitter"));
  splitter->addWidget(table);
  splitter->addWidget(makeHistory());
  splitter->setSizes({720, 220});
  splitter->setStretchFactor(0, 1);
  splitter->setChildrenCollapsible(false);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(splitter, 1);
  column->addLayout(makeBottom());
  connectModel();
  refreshButtons();
  showComparison();
}

void TimingsPanel::makeTable()
{
  table = new QTableView(this);
  table->setObjectName(QStringLiteral("runTable"));
  table->setToolTip(tr("Double click a run to restore its parameters; select two to compare them (Ctrl+click)"));
  table->setModel(shown);
  table->setSelectionBehavior(QAbstractItemView::SelectRows);
  table->setSelectionMode(QAbstractItemView::ExtendedSelection);
  table->setEditTriggers(QAbstractItemView::NoEditTriggers);
  table->setAlternatingRowColors(true);
  table->setShowGrid(false);
  table->setWordWrap(false);
  table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
  table->setTabKeyNavigation(false); // Tab leads on, the arrow keys through the cells
  for (const int column : {RunTableModel::Source, RunTableModel::Plan, RunTableModel::Solver})
    table->setItemDelegateForColumn(column, new widgets::ElidedTextDelegate(table, column));
  table->verticalHeader()->setDefaultSectionSize(table->fontMetrics().height() + 8);
  table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
  table->horizontalHeader()->setHighlightSections(false);
  table->horizontalHeader()->setResizeContentsPrecision(kFittedRows);
  fitColumns();
}

void TimingsPanel::addActions()
{
  restoreAction = new QAction(tr("Re&store the parameters of the run"), this);
  restoreAction->setObjectName(QStringLiteral("restoreRunAction"));
  restoreAction->setIcon(actionIcon(QStringLiteral("lastAction")));
  restoreAction->setToolTip(tr("Bring the parameters of this run back into the fields, and run by them"));
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
  connect(restoreAction, &QAction::triggered, this, [this] { restore(table->currentIndex()); });
  connect(clearAction, &QAction::triggered, this, [this] { clearButton->click(); });
  connect(compareAction, &QAction::triggered, this, &TimingsPanel::openComparison);
  connect(table, &QTableView::doubleClicked, this, &TimingsPanel::restore);
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

void TimingsPanel::restore(const QModelIndex& index)
{
  if (index.isValid())
    model->restore(shown->rowInModel(index.row()));
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

/// Columns are as wide as what they hold; those of names have a most. Numbers are always whole.
void TimingsPanel::fitColumns()
{
  table->resizeColumnsToContents();
  const int most = kMostLetters * table->fontMetrics().averageCharWidth();
  for (const int column : {RunTableModel::Source, RunTableModel::Plan, RunTableModel::Solver})
    table->setColumnWidth(column, std::min(table->columnWidth(column), most));
}

} // namespace hinesight::app
