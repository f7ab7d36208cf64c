#pragma once

#include <QHeaderView>

namespace hinesight::app {

/// The titles of a table's columns, each in two lines where its column is too narrow for one. The arrow of sorting
/// stands beside a title, in its margin.
class WrappedHeader : public QHeaderView
{
public:
  explicit WrappedHeader(QWidget* parent = nullptr);

  /// Pixels that a title needs in a line, with what is beside it.
  int widthInLine(const QString& title) const;
  /// The same in two lines; in one where titles are elided.
  int leastWidth(const QString& title) const;

protected:
  QSize sectionSizeFromContents(int column) const override;
  void initStyleOptionForIndex(QStyleOptionHeader* option, int column) const override;
  void paintSection(QPainter* painter, const QRect& rect, int column) const override;

private:
  QString inLines(const QString& title) const;
  bool isWrapped(int column) const;
};

} // namespace hinesight::app
