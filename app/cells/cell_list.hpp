#pragma once

#include <QString>
#include <QStyledItemDelegate>
#include <QTreeView>

class QAbstractItemView;

namespace hinesight::widgets {
class ElidedTexts;
}

namespace hinesight::app {

/// Draws a row of the cell list: before the name an eye that can be clicked, behind it a badge that says why the cell
/// is not seen, or how many warnings its file has; then the figures. Names that are cut differ as far as they can.
class CellDelegate : public QStyledItemDelegate
{
  Q_OBJECT

public:
  /// `list` has its model.
  explicit CellDelegate(QAbstractItemView* list);

  /// What is seen of the name of a row.
  QString shownName(const QModelIndex& index) const;

  /// Where the eye is before a name, in the view's coordinates.
  static QRect eyeRect(const QRect& name);

  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
  bool editorEvent(QEvent* event, QAbstractItemModel* model, const QStyleOptionViewItem& option,
                   const QModelIndex& index) override;

signals:
  void eyeClicked(const QModelIndex& index);

private:
  QAbstractItemView* list;
  widgets::ElidedTexts* names;
};

/// The list, a table of one line a cell. An eye that is clicked leaves the choice of several cells as it is, if its own
/// is one of them. Names have what the panel's width leaves beside the first figures, or beside all where that is
/// enough.
class CellList : public QTreeView
{
  Q_OBJECT

public:
  explicit CellList(QWidget* parent);

  /// Makes the columns of figures as wide as their numbers and titles.
  void fitFigures();
  /// The column of tags has no room where there are none.
  void showTags(bool shown);

signals:
  void fitRequested(const QModelIndex& cell); ///< by double click or Enter

protected:
  QItemSelectionModel::SelectionFlags selectionCommand(const QModelIndex& index, const QEvent* event) const override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

private:
  void fitNames();
  int titleWidth(int column) const;
  bool isOnEye(const QMouseEvent& event) const;
};

} // namespace hinesight::app
