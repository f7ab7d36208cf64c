#pragma once

#include "app/cells/run_table_model.hpp"

#include <QWidget>

class QAction;
class QComboBox;
class QHBoxLayout;
class QLabel;
class QPushButton;
class QSplitter;
class QTableView;

namespace hinesight::app {

class RunComparison;
class RunHistoryChart;

/// The runs of this session: a table, all of them or those of the page, their history as stacked bars, and two selected
/// runs compared. A double click or Enter on a run restores its parameters.
class TimingsPanel : public QWidget
{
  Q_OBJECT

public:
  explicit TimingsPanel(RunTableModel* model, QWidget* parent = nullptr);

  /// What the page that is seen runs.
  void setPage(io::RunKind runs);
  /// What can be done to the runs that are chosen in the table, for menus.
  QList<QAction*> runActions() const { return {restoreAction, compareAction, clearAction}; }

signals:
  void exportRequested();

protected:
  void resizeEvent(QResizeEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

private:
  void makeTable();
  void addActions();
  QWidget* makeHistory();
  QHBoxLayout* makeBottom();
  void connectModel();
  std::vector<int> selectedRows() const; ///< of the filter
  QString nameOf(int row) const;
  bool isEmpty(int column) const; ///< of the filter
  void fitColumns();
  void shareRoom();
  void layOutColumns();
  void applyFilter();
  QString comparisonOf(int first, int second) const; ///< rows of the filter
  void showComparison();
  void openComparison();
  void restore(int row); ///< of the filter
  void refreshButtons();

  RunTableModel* model;
  RunFilter* shown;
  io::RunKind pageRuns = io::RunKind::Solve;
  QSplitter* splitter = nullptr;
  bool isSharedByHand = false; ///< a person set how wide table and chart are
  QTableView* table = nullptr;
  std::vector<int> wanted; ///< widths of its columns, where there is room for them
  RunHistoryChart* chart = nullptr;
  QLabel* comparison = nullptr;
  QComboBox* filter = nullptr;
  QPushButton* exportButton = nullptr;
  QPushButton* clearButton = nullptr;
  QAction* restoreAction = nullptr;
  QAction* compareAction = nullptr;
  QAction* clearAction = nullptr;
  RunComparison* dialog = nullptr; ///< null until it is asked for
};

} // namespace hinesight::app
