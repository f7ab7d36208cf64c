#pragma once

#include "app/cells/run_table_model.hpp"

#include <QWidget>

class QHBoxLayout;
class QLabel;
class QPushButton;
class QTableView;

namespace hinesight::app {

class RunHistoryChart;

/// The runs of this session: a table, their history as stacked bars, and two selected runs compared in words.
class TimingsPanel : public QWidget
{
  Q_OBJECT

public:
  explicit TimingsPanel(RunTableModel* model, QWidget* parent = nullptr);

signals:
  void exportRequested();

private:
  void makeTable();
  QHBoxLayout* makeBottom();
  void connectModel();
  std::vector<int> selectedRows() const;
  void showComparison();
  void refreshButtons();

  RunTableModel* model;
  QTableView* table = nullptr;
  RunHistoryChart* chart = nullptr;
  QLabel* comparison = nullptr;
  QPushButton* exportButton = nullptr;
  QPushButton* clearButton = nullptr;
};

} // namespace hinesight::app
