#include "app/cells/timings_panel.hpp"

#include "app/cells/run_history_chart.hpp"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QItemSelectionModel>
#include <QLabel>
#include <QPushButton>
#include <QScrollBar>
#include <QSplitter>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>

namespace hinesight::app {

TimingsPanel::TimingsPanel(RunTableModel* runs, QWidget* parent) : QWidget(parent), model(runs)
{
  setObjectName(QStringLiteral("timingsPanel"));
  makeTable();
  chart = new RunHistoryChart(model, this);
  auto* splitter = new QSplitter(Qt::Horizontal, this);
  splitter->setObjectName(QStringLiteral("timingsSplitter"));
  splitter->addWidget(table);
  splitter->addWidget(chart);
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
  table->setToolTip(tr("Select two runs to compare them (Ctrl+click)"));
  table->setModel(model);
  table->setSelectionBehavior(QAbstractItemView::SelectRows);
  table->setSelectionMode(QAbstractItemView::ExtendedSelection);
  table->setAlternatingRowColors(true);
  table->setShowGrid(false);
  table->setWordWrap(false);
  table->setTabKeyNavigation(false); // Tab leads on, the arrow keys through the cells
  table->verticalHeader()->setDefaultSectionSize(table->fontMetrics().height() + 8);
  table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
  table->horizontalHeader()->setHighlightSections(false);
  static constexpr int kWidths[RunTableModel::kColumns] = {66, 116, 58, 108, 78, 72, 72, 330, 240, 90};
  for (int column = 0; column < RunTableModel::kColumns; ++column)
    table->setColumnWidth(column, kWidths[column]);
}

/// The comparison of two runs and the buttons.
QHBoxLayout* TimingsPanel::makeBottom()
{
  comparison = new QLabel(this);
  comparison->setObjectName(QStringLiteral("runComparison"));
  comparison->setWordWrap(true);
  comparison->setTextInteractionFlags(Qt::TextSelectableByMouse);
  comparison->setToolTip(tr("Two selected runs in words"));
  exportButton = new QPushButton(tr("Export…"), this);
  exportButton->setObjectName(QStringLiteral("exportButton"));
  exportButton->setToolTip(tr("Write all runs to a CSV or JSON file"));
  clearButton = new QPushButton(tr("Clear"), this);
  clearButton->setObjectName(QStringLiteral("clearRunsButton"));
  clearButton->setToolTip(tr("Forget the runs of this session"));
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
  connect(table->selectionModel(), &QItemSelectionModel::selectionChanged, this, &TimingsPanel::showComparison);
  connect(chart, &RunHistoryChart::runClicked, table, &QTableView::selectRow);
  connect(model, &QAbstractItemModel::rowsInserted, this, [this] {
    refreshButtons();
    table->scrollToBottom();
  });
  connect(model, &QAbstractItemModel::modelReset, this, [this] {
    refreshButtons();
    showComparison();
  });
}

std::vector<int> TimingsPanel::selectedRows() const
{
  std::vector<int> rows;
  for (const QModelIndex& index : table->selectionModel()->selectedRows())
    rows.push_back(index.row());
  std::sort(rows.begin(), rows.end());
  return rows;
}

void TimingsPanel::showComparison()
{
  const std::vector<int> rows = selectedRows();
  chart->setSelected(rows);
  if (rows.size() != 2) {
    comparison->setText(tr("Select two runs to compare them."));
    return;
  }
  const auto run = [&](int row) -> const io::RunRecord& { return model->runs()[static_cast<std::size_t>(row)]; };
  comparison->setText(
      compareRuns(run(rows[0]), tr("run %1").arg(rows[0] + 1), run(rows[1]), tr("run %1").arg(rows[1] + 1)));
}

void TimingsPanel::refreshButtons()
{
  exportButton->setEnabled(model->rowCount() > 0);
  clearButton->setEnabled(model->rowCount() > 0);
}

} // namespace hinesight::app
