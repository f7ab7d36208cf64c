#pragma once

#include <QLayout>
#include <QList>

namespace hinesight::app {

/// Lays its items in a row, and where they have no room, in as many rows as they need.
class FlowLayout : public QLayout
{
public:
  FlowLayout(QWidget* parent, int gap);
  ~FlowLayout() override;

  void addItem(QLayoutItem* item) override { items << item; }
  int count() const override { return static_cast<int>(items.size()); }
  QLayoutItem* itemAt(int index) const override { return items.value(index); }
  QLayoutItem* takeAt(int index) override;
  Qt::Orientations expandingDirections() const override { return {}; }
  bool hasHeightForWidth() const override { return true; }
  int heightForWidth(int width) const override { return place(QRect(0, 0, width, 0), false); }
  QSize sizeHint() const override; ///< in one row
  QSize minimumSize() const override;
  void setGeometry(const QRect& rect) override;

private:
  int place(const QRect& rect, bool moves) const; ///< returns the height

  QList<QLayoutItem*> items;
  int gap;
};

} // namespace hinesight::app
