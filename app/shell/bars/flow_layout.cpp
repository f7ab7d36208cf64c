#include "app/shell/bars/flow_layout.hpp"

#include <QtGlobal>

#include <algorithm>

namespace hinesight::app {

FlowLayout::FlowLayout(QWidget* parent, int between) : QLayout(parent), gap(between)
{
  setContentsMargins(0, 0, 0, 0);
}

FlowLayout::~FlowLayout()
{
  qDeleteAll(items);
}

QLayoutItem* FlowLayout::takeAt(int index)
{
  return index >= 0 && index < items.size() ? items.takeAt(index) : nullptr;
}

QSize FlowLayout::sizeHint() const
{
  QSize size(-gap, 0);
  for (const QLayoutItem* item : items)
    if (!item->isEmpty())
      size = {size.width() + gap + item->sizeHint().width(), std::max(size.height(), item->sizeHint().height())};
  return size.expandedTo({0, 0});
}

QSize FlowLayout::minimumSize() const
{
  QSize size;
  for (const QLayoutItem* item : items)
    size = size.expandedTo(item->minimumSize());
  return size;
}

void FlowLayout::setGeometry(const QRect& rect)
{
  QLayout::setGeometry(rect);
  place(rect, true);
}

int FlowLayout::place(const QRect& rect, bool moves) const
{
  QPoint at = rect.topLeft();
  int height = 0; // of this row
  for (QLayoutItem* item : items) {
    if (item->isEmpty())
      continue;
    const QSize size = item->sizeHint();
    if (at.x() > rect.left() && at.x() + size.width() > rect.right() + 1) {
      at = {rect.left(), at.y() + height + gap};
      height = 0;
    }
    if (moves)
      item->setGeometry(QRect(at, QSize(std::min(size.width(), rect.width()), size.height())));
    at.rx() += size.width() + gap;
    height = std::max(height, size.height());
  }
  return at.y() + height - rect.top();
}

} // namespace hinesight::app
