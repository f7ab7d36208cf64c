#pragma once

#include "app/cells/cell_list_model.hpp"

#include <QStyledItemDelegate>
#include <QWidget>

#include <vector>

class QHBoxLayout;
class QLabel;
class QListView;
class QPushButton;
class QScrollArea;

namespace hinesight::app {

class UnitForm;

/// Draws a row of the cell list: an eye that toggles, the name, the counts below it, and a badge that says why the cell
/// is not seen, or how many warnings its file has.
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
};

/// The open cells with their eyes, counts and warnings; below them the branch that is selected in the views, the unit
/// of the chosen cell, and its details.
class DataPanel : public QWidget
{
  Q_OBJECT

public:
  explicit DataPanel(CellListModel* model, QWidget* parent = nullptr);

  /// Figures of the selected branch, one "name: value" a line; empty: nothing selected.
  void showBranch(const QString& figures);
  /// Shows the details of a cell, as if it had been clicked; nothing happens for a row that is none.
  void chooseCell(int row);

signals:
  void openRequested();

private:
  void makeList();
  QHBoxLayout* makeButtons();
  QScrollArea* makeTexts();
  void layOut(QHBoxLayout* buttons, QScrollArea* texts);
  void connectModel();
  void removeSelected();
  void refresh();
  std::vector<int> chosenRows() const;

  CellListModel* model;
  QListView* list = nullptr;
  QPushButton* openButton = nullptr;
  QPushButton* removeButton = nullptr;
  QPushButton* removeAllButton = nullptr;
  UnitForm* unit = nullptr;
  QLabel* details = nullptr;
  QLabel* branch = nullptr;
};

} // namespace hinesight::app
