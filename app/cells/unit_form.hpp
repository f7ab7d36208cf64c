#pragma once

#include <QWidget>

#include <vector>

class QLabel;
class QPushButton;

namespace hinesight::widgets {
class ChoiceBox;
}

namespace hinesight::app {

class CellListModel;
class NumberSpinBox;

/// The unit of the chosen cells' files: a known one, or any number of µm per unit. Where warnings of the files suggest
/// one, a button takes it for the chosen cells, and another for all cells with that warning.
class UnitForm : public QWidget
{
  Q_OBJECT

public:
  explicit UnitForm(CellListModel* model, QWidget* parent = nullptr);

  /// Of these rows of the model, which ascend, those left out that cannot be read; hidden where there are none.
  void showCells(const std::vector<int>& rows);

private:
  void makeUnit();
  void makeSuggestions();
  void showScale();
  void showSuggestion();

  CellListModel* model;
  std::vector<int> rows; ///< that are shown
  double suggested = 0;  ///< scale; 0: none
  QLabel* label = nullptr;
  widgets::ChoiceBox* unit = nullptr;
  NumberSpinBox* scale = nullptr;
  QPushButton* takeSuggested = nullptr;
  QPushButton* takeForAll = nullptr;
};

} // namespace hinesight::app
