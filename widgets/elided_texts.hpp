#pragma once

#include <QAbstractItemModel>
#include <QFont>
#include <QFontMetrics>
#include <QStringList>
#include <QStyledItemDelegate>

#include <functional>
#include <vector>

class QAbstractItemView;

namespace hinesight::widgets {

/// Texts for rooms of so many pixels, one each. One that does not fit has dots in its middle; where texts that differ
/// would then look alike, the dots stand in what they have in common.
QStringList elidedApart(const QStringList& texts, const std::vector<int>& rooms, const QFontMetrics& metrics);

/// What is seen of the texts of a column, by elidedApart: made for all rows at once, when one is asked for after a
/// text, its room or the font has changed.
class ElidedTexts : public QObject
{
public:
  /// Pixels of what stands beside the text of a row in a room.
  using Beside = std::function<int(const QModelIndex& index, int room)>;

  ElidedTexts(QAbstractItemModel* model, int column, QObject* parent, Beside beside = {});

  /// `room`: of the column, pixels.
  QString shown(int row, int room, const QFont& font);

private:
  QAbstractItemModel* model;
  int column;
  Beside beside;
  bool areCurrent = false; ///< no row has changed since they were made
  int roomOfColumn = 0;
  QFont fontOfTexts;
  QStringList wholes; ///< of all rows
  std::vector<int> rooms;
  QStringList texts; ///< as they are seen
};

/// Draws the texts of a column of a table so.
class ElidedTextDelegate : public QStyledItemDelegate
{
public:
  /// `view` has its model.
  ElidedTextDelegate(QAbstractItemView* view, int column);

  /// What is seen of the text of a row.
  QString shownText(const QModelIndex& index) const;
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;

private:
  int roomIn(const QRect& cell) const;

  QAbstractItemView* view;
  ElidedTexts* texts;
};

} // namespace hinesight::widgets
