#pragma once

#include "app/cells/cell_list_model.hpp"

#include <QPersistentModelIndex>
#include <QTimer>
#include <QWidget>

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

class QAction;
class QHBoxLayout;
class QLabel;
class QLineEdit;
class QPushButton;
class QScrollArea;
class QSplitter;
class QToolButton;

namespace hinesight::app {

class CellFilter;
class CellList;
class UnitForm;

/// The open cells with their eyes, counts and warnings; below them what is selected in the views, the unit
/// of the chosen cells, and the details of the one that was chosen last. What is done to the chosen cells is done to
/// all of them. A filter above the list shows a part of it.
class DataPanel : public QWidget
{
  Q_OBJECT

public:
  explicit DataPanel(CellListModel* model, QWidget* parent = nullptr);

  /// Figures of the selected branches, one "name: value" a line; empty: nothing selected.
  void showBranch(const QString& figures);
  /// The cells that are listed, as they are sorted, as CSV.
  QString table() const;
  /// The column that the list is sorted by, as sortBy takes it; empty: by none, as the cells were opened.
  std::string sortedBy() const;
  bool isDescending() const;
  /// A column by its name: "name", "length", "samples", "branches", "tags", "types", "problems", "file". By none where
  /// none has that name.
  void sortBy(const std::string& column, bool isDescending);
  /// Shows the details of a cell, as if it had been clicked; nothing happens for a row that is none. A filter that
  /// hides the cell is cleared.
  void chooseCell(int row);
  /// These and no others, also those that a filter hides; rows ascend. None: the choice is taken back.
  void chooseCells(const std::vector<int>& rows);
  /// Also those that a filter hides, which stay chosen; ascending.
  std::vector<int> chosenRows() const;
  /// What can be done to the chosen cells, for menus.
  QList<QAction*> cellActions() const;
  /// "Show only this" and "Show all cells" of them.
  const QList<QAction*>& visibilityActions() const { return ofVisibility; }

signals:
  void openRequested();
  void cellChosen(int row);                       ///< the last of the chosen ones; -1: none is
  void cellsChosen(const std::vector<int>& rows); ///< all of them
  void fitRequested(int row);
  void allRemoved(int cells); ///< by the button
  void sorted();              ///< by another column, or the other way
  void exportRequested();     ///< of the table
  void repairRequested(int row);
  void placeRequested(const std::vector<int>& rows); ///< of cells that are read
  void tagsRequested(const std::vector<int>& rows);
  void findingChosen(int row, std::int64_t line); ///< a line of the file of a cell

protected:
  void resizeEvent(QResizeEvent* event) override;

private:
  void makeList();
  void addActions();
  QHBoxLayout* makeFilter();
  QHBoxLayout* makeButtons();
  QWidget* makeTexts();
  void foldTexts(bool folded);
  void layOut(QHBoxLayout* filterLine, QHBoxLayout* buttons, QWidget* texts);
  void connectModel();
  void followLink(const QString& link);
  void toggleEye(const QModelIndex& cell);
  void removeSelected();
  void refresh();
  void refreshBranch();
  int currentRow() const;
  std::vector<int> readChosenRows() const;
  std::vector<int> listedChosenRows() const;
  void changeFilter(const std::function<void()>& change);
  void choose(const std::vector<QPersistentModelIndex>& cells, const QPersistentModelIndex& current);
  void requestRepair(int row);
  QString elided(const QString& text, int besides, const QFont& letters) const;

  CellListModel* model;
  CellFilter* filter;
  std::vector<QPersistentModelIndex> hiddenChoice;              ///< of the model: chosen, but hidden by the filter
  QPersistentModelIndex hiddenCurrent;                          ///< the last one of them, if it was chosen last of all
  std::vector<std::pair<std::uint64_t, int>> chosenBeforeReset; ///< keys and rows
  bool isChoosing = false;                                      ///< filter or choice change now, in parts
  QLineEdit* filterWords = nullptr;
  QToolButton* problemsOnly = nullptr;
  CellList* list = nullptr;
  QAction* repairAction = nullptr;
  QAction* placeAction = nullptr;
  QAction* fitAction = nullptr;
  QAction* showOnlyAction = nullptr;
  QAction* showAllAction = nullptr;
  QAction* asOpenedAction = nullptr; ///< takes the sorting back
  QAction* exportAction = nullptr;
  QAction* removeAllAction = nullptr;
  QList<QAction*> ofChosen; ///< that need a chosen cell
  QList<QAction*> ofVisibility;
  QPushButton* openButton = nullptr;
  QPushButton* removeButton = nullptr;
  QPushButton* removeAllButton = nullptr;
  QToolButton* textsFold = nullptr;
  QScrollArea* texts = nullptr;
  QSplitter* splitter = nullptr;
  UnitForm* unit = nullptr;
  QLabel* unlisted = nullptr; ///< says that the filter hides the chosen cell
  QLabel* details = nullptr;
  QLabel* branch = nullptr;
  QString branchFigures; ///< as showBranch was given them
  QTimer fitting;        ///< of the list to its figures
};

} // namespace hinesight::app
