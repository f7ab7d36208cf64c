#include "app/measure/wrapped_header.hpp"

#include <QStyleOptionHeader>

#include <algorithm>

namespace hinesight::app {

namespace {

constexpr int kLeastMargin = 20; // beside a title, both sides together, pixels

} // namespace

WrappedHeader::WrappedHeader(QWidget* parent) : QHeaderView(Qt::Horizontal, parent)
{
  setSectionsClickable(true);
  setHighlightSections(false);
}

int WrappedHeader::widthInLine(const QString& title) const
{
  return fontMetrics().horizontalAdvance(title) + kLeastMargin;
}

int WrappedHeader::leastWidth(const QString& title) const
{
  int widest = 0;
  for (const QString& line : inLines(title).split(u'\n'))
    widest = std::max(widest, widthInLine(line));
  return widest;
}

/// Of all breaks the one that leaves the longer line shortest; a title of one word has none.
QString WrappedHeader::inLines(const QString& title) const
{
  QString best = title;
  if (textElideMode() != Qt::ElideNone)
    return best;
  int least = widthInLine(title);
  for (qsizetype space = title.indexOf(u' '); space >= 0; space = title.indexOf(u' ', space + 1)) {
    const int wider = std::max(widthInLine(title.first(space)), widthInLine(title.sliced(space + 1)));
    if (wider < least) {
      least = wider;
      best = title.first(space) + u'\n' + title.sliced(space + 1);
    }
  }
  return best;
}

bool WrappedHeader::isWrapped(int column) const
{
  const QString title = model()->headerData(column, Qt::Horizontal).toString();
  return sectionSize(column) < widthInLine(title) && inLines(title) != title;
}

QSize WrappedHeader::sectionSizeFromContents(int column) const
{
  const QSize inLine = QHeaderView::sectionSizeFromContents(column);
  return isWrapped(column) ? inLine + QSize(0, fontMetrics().lineSpacing()) : inLine;
}

void WrappedHeader::initStyleOptionForIndex(QStyleOptionHeader* option, int column) const
{
  QHeaderView::initStyleOptionForIndex(option, column);
  if (isWrapped(column))
    option->text = inLines(option->text);
}

} // namespace hinesight::app
