#pragma once

#include "app/cells/cell_list_model.hpp"

#include <QListView>
#include <QStyledItemDelegate>
#include <QWidget>

#include <vector>

class QHBoxLayout;
class QLabel;
class QLineEdit;
class QPushButton;
class QScrollArea;
class QToolButton;

namespace hinesight::app {

class CellFilter;
class UnitForm;

/// Draws a row of the cell list: an eye that can be clicked, the name, the counts below it, and a badge that says why
/// the cell is not seen, or how many warnings its file has.
class CellDelegate : public QStyledItemDelegate
{
  Q_OBJECT

public:
  using QStyledItemDelegate::QStyledItemDelegate;

  /// Where the eye of a row is, in the view's coordinates.
  static QRect eyeRect(const QRect& row);

  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
  bool editorEvent(QEvent* event, QAbstractItemModel* model, const QStyleOptionViewItem& option,
                   const QModelIndex& index) override;

signals:
  void eyeClicked(const QModelIndex& index);
};

/// The list. An eye that is clicked leaves the choice of several cells as it is, if its own is one of them.
class CellList : public QListView
{
  Q_OBJECT

public:
  using QListView::QListView;

signals:
  void fitRequested(const QModelIndex& cell); ///< by double click or Enter

protected:
  QItemSelectionModel::SelectionFlags selectionCommand(const QModelIndex& index, const QEvent* event) const override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

private:
  bool isOnEye(const QMouseEvent& event) const;
};

/// The open cells with their eyes, counts and warnings; below them the branch that is selected in the views, the unit
/// of the chosen cells, and the details of the one that was chosen last. What is done to the chosen cells is done to
/// all of them. A filter above the list shows a part of it.
class DataPanel : public QWidget
{
  Q_OBJECT

public:
  explicit DataPanel(CellListModel* model, QWidget* parent = nullptr);

  /// Figures of the selected branch, one "name: value" a line; empty: nothing selected.
  void showBranch(const QString& figures);
  /// Shows the details of a cell, as if it had been clicked; nothing happens for a row that is none. A filter that
  /// hides the cell is cleared.
  void chooseCell(int row);

signals:
  void openRequested();
  void cellChosen(int row); ///< the last of the chosen ones; -1: none is
  void fitRequested(int row);

protected:
  void resizeEvent(QResizeEvent* event) override;

private:
  void makeList();
  void addActions();
  QHBoxLayout* makeFilter();
  QHBoxLayout* makeButtons();
  QScrollArea* makeTexts();
  void layOut(QHBoxLayout* filterLine, QHBoxLayout* buttons, QScrollArea* texts);
  void connectModel();
  void toggleEye(const QModelIndex& cell);
  void removeSelected();
  void refresh();
  void refreshBranch();
  int currentRow() const;
  std::vector<int> chosenRows() const;
  QString elided(const QString& text, int besides) const;

  CellListModel* model;
  CellFilter* filter;
  QLineEdit* namePart = nullptr;
  QToolButton* problemsOnly = nullptr;
  CellList* list = nullptr;
  QPushButton* openButton = nullptr;
  QPushButton* removeButton = nullptr;
  QPushButton* removeAllButton = nullptr;
  UnitForm* unit = nullptr;
  QLabel* details = nullptr;
  QLabel* branch = nullptr;
  QString branchFigures; ///< as showBranch was given them
};

} // namespace hinesight::app
