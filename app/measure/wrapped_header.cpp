#include "app/measure/wrapped_header.hpp"

#include <QIcon>
#include <QPainter>
#include <QStyleOptionHeader>

#include <algorithm>

namespace hinesight::app {

namespace {

constexpr int kLeastMargin = 20; // beside a title, both sides together, pixels
constexpr int kArrow = 8;        // of sorting, pixels
constexpr int kBesideTitle = 3;  // from it to the arrow, pixels

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
  option->sortIndicator = QStyleOptionHeader::None; // the style would draw it over a title that leaves no more room
}

void WrappedHeader::paintSection(QPainter* painter, const QRect& rect, int column) const
{
  painter->save(); // the style leaves a clip behind
  QHeaderView::paintSection(painter, rect, column);
  painter->restore();
  if (!isSortIndicatorShown() || sortIndicatorSection() != column)
    return;
  QStyleOptionHeader option;
  initStyleOption(&option);
  initStyleOptionForIndex(&option, column);
  option.rect = rect;
  const QRect label = style()->subElementRect(QStyle::SE_HeaderLabel, &option, this);
  const int text = fontMetrics().size(0, option.text).width();
  const int left = option.textAlignment.testFlag(Qt::AlignRight)
                       ? std::max(rect.left(), label.right() + 1 - text - kBesideTitle - kArrow)
                       : std::min(rect.right() + 1 - kArrow, label.left() + text + kBesideTitle);
  const bool isAscending = sortIndicatorOrder() == Qt::AscendingOrder;
  const QIcon arrow(isAscending ? QStringLiteral(":/theme/arrow_down.png") : QStringLiteral(":/theme/arrow_up.png"));
  arrow.paint(painter, QRect(left, rect.center().y() - kArrow / 2, kArrow, kArrow));
}

} // namespace hinesight::app
