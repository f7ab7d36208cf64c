#include "widgets/elided_texts.hpp"

#include <QAbstractItemView>
#include <QHash>
#include <QStyle>

#include <algorithm>
#include <utility>

namespace hinesight::widgets {

namespace {

using Places = std::vector<qsizetype>; ///< of texts in a list

constexpr int kMostRounds = 6; ///< of telling apart what still looks alike

/// How many letters these texts have in common at their beginning, and how many more at their end.
std::pair<qsizetype, qsizetype> commonLetters(const QStringList& texts, const Places& places)
{
  const QString& first = texts[places.front()];
  qsizetype start = first.size();
  qsizetype shortest = first.size();
  for (const qsizetype place : places) {
    const QString& other = texts[place];
    shortest = std::min(shortest, other.size());
    start =
        std::mismatch(first.begin(), first.begin() + std::min(start, shortest), other.begin()).first - first.begin();
  }
  qsizetype end = shortest - start;
  for (const qsizetype place : places)
    end = std::mismatch(first.rbegin(), first.rbegin() + end, texts[place].rbegin()).first - first.rbegin();
  return {start, end};
}

/// With dots among its first `start` and its last `end` letters, and among the others where these have no room either.
QString elidedAround(const QString& text, qsizetype start, qsizetype end, int room, const QFontMetrics& metrics)
{
  const QString dots(QChar(0x2026));
  const QString before = text.left(start);
  const QString own = text.mid(start, text.size() - start - end);
  const QString after = text.right(end);
  const int widthOfDots = metrics.horizontalAdvance(dots);
  const int rest = room - metrics.horizontalAdvance(own);
  if (rest < 2 * widthOfDots)
    return start == 0 ? metrics.elidedText(text, Qt::ElideRight, room)
                      : dots + metrics.elidedText(own + after, Qt::ElideRight, room - widthOfDots);
  const int roomBefore =
      std::min(metrics.horizontalAdvance(before) + 1, std::max(rest / 2, rest - metrics.horizontalAdvance(after)));
  return metrics.elidedText(before, Qt::ElideMiddle, roomBefore) + own +
         metrics.elidedText(after, Qt::ElideMiddle, rest - roomBefore);
}

} // namespace

QStringList elidedApart(const QStringList& texts, const std::vector<int>& rooms, const QFontMetrics& metrics)
{
  const auto roomOf = [&rooms](qsizetype place) { return rooms[static_cast<std::size_t>(place)]; };
  QStringList shown;
  for (qsizetype place = 0; place < texts.size(); ++place)
    shown << metrics.elidedText(texts[place], Qt::ElideMiddle, roomOf(place));
  bool areOthers = true;
  for (int round = 0; round < kMostRounds && areOthers; ++round) {
    QHash<QString, Places> alike;
    for (qsizetype place = 0; place < texts.size(); ++place)
      if (shown[place] != texts[place])
        alike[shown[place]].push_back(place);
    areOthers = false;
    for (const Places& places : std::as_const(alike)) {
      const auto isFirst = [&](qsizetype place) { return texts[place] == texts[places.front()]; };
      if (std::ranges::all_of(places, isFirst))
        continue;
      const auto [start, end] = commonLetters(texts, places);
      for (const qsizetype place : places) {
        const QString apart = elidedAround(texts[place], start, end, roomOf(place), metrics);
        areOthers = areOthers || apart != shown[place];
        shown[place] = apart;
      }
    }
  }
  return shown;
}

ElidedTexts::ElidedTexts(QAbstractItemModel* itemModel, int shownColumn, QObject* parent, Beside besideText)
    : QObject(parent), model(itemModel), column(shownColumn), beside(std::move(besideText))
{
  const auto forget = [this] { areCurrent = false; };
  connect(model, &QAbstractItemModel::rowsInserted, this, forget);
  connect(model, &QAbstractItemModel::rowsRemoved, this, forget);
  connect(model, &QAbstractItemModel::rowsMoved, this, forget);
  connect(model, &QAbstractItemModel::dataChanged, this, forget);
  connect(model, &QAbstractItemModel::layoutChanged, this, forget);
  connect(model, &QAbstractItemModel::modelReset, this, forget);
}

QString ElidedTexts::shown(int row, int room, const QFont& font)
{
  if (areCurrent && room == roomOfColumn && font == fontOfTexts)
    return texts.value(row);
  areCurrent = true;
  roomOfColumn = room;
  QStringList wanted;
  std::vector<int> there;
  for (int each = 0; each < model->rowCount(); ++each) {
    const QModelIndex index = model->index(each, column);
    wanted << index.data().toString();
    there.push_back(beside ? room - beside(index, room) : room);
  }
  if (wanted != wholes || there != rooms || font != fontOfTexts) {
    wholes = wanted;
    rooms = there;
    fontOfTexts = font;
    texts = elidedApart(wholes, rooms, QFontMetrics(font));
  }
  return texts.value(row);
}

ElidedTextDelegate::ElidedTextDelegate(QAbstractItemView* table, int column)
    : QStyledItemDelegate(table), view(table), texts(new ElidedTexts(table->model(), column, this))
{}

QString ElidedTextDelegate::shownText(const QModelIndex& index) const
{
  return texts->shown(index.row(), roomIn(view->visualRect(index)), view->font());
}

void ElidedTextDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
  QStyleOptionViewItem item = option;
  initStyleOption(&item, index);
  item.text = texts->shown(index.row(), roomIn(item.rect), item.font);
  item.textElideMode = Qt::ElideNone; // it is so already, but for fractions of pixels
  view->style()->drawControl(QStyle::CE_ItemViewItem, &item, painter, view);
}

/// Between the margins that the style gives an item.
int ElidedTextDelegate::roomIn(const QRect& cell) const
{
  return cell.width() - 2 * (view->style()->pixelMetric(QStyle::PM_FocusFrameHMargin, nullptr, view) + 1);
}

} // namespace hinesight::widgets
