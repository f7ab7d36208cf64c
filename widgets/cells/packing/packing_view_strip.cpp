#include "widgets/cells/packing/packing_view_strip.hpp"

#include "widgets/canvas/planar_canvas_density.hpp"
#include "widgets/theme.hpp"

#include <QAbstractListModel>
#include <QCache>
#include <QPainter>
#include <QScrollBar>
#include <QSet>
#include <QSignalBlocker>
#include <QStyledItemDelegate>

#include <algorithm>
#include <cmath>

namespace hinesight::widgets {

namespace {

constexpr QSize kPicture{104, 52};     // pixels
constexpr QSize kFlatPicture{104, 24}; // pixels
constexpr int kShortName = Qt::UserRole;
constexpr int kPadding = 6;
constexpr int kCachedPictures = 512;

} // namespace

QImage paintSmall(const QSize& pixels, std::int32_t lanes, std::int64_t steps, const std::vector<SmallBar>& bars)
{
  // One cell of the grid is one pixel of the picture.
  constexpr int kCell = DensityGrid::kCell;
  const double perLane = kCell * static_cast<double>(pixels.width()) / std::max(1, lanes);
  const double perStep =
      kCell * static_cast<double>(pixels.height()) / static_cast<double>(std::max<std::int64_t>(1, steps));
  DensityGrid grid;
  grid.clear(kCell * pixels.width(), kCell * pixels.height());
  for (const SmallBar& bar : bars) {
    const double top = perStep * static_cast<double>(bar.step);
    grid.add(perLane * bar.lane, top, perLane * (bar.lane + 1), top + perStep * static_cast<double>(bar.steps),
             bar.color);
  }
  QImage image(pixels, QImage::Format_RGBA8888);
  grid.paint(image.bits(), theme().canvas.rgb());
  return image;
}

/// The groups of units, with their pictures drawn when they are first shown.
class PackingStrip::Model : public QAbstractListModel
{
public:
  using QAbstractListModel::QAbstractListModel;

  void reset(std::vector<hines::UnitGroup> newGroups, const QString& newName, Draw newDraw)
  {
    beginResetModel();
    groups = std::move(newGroups);
    name = newName;
    draw = std::move(newDraw);
    forgetPictures();
    endResetModel();
  }

  int rowCount(const QModelIndex& parent) const override
  {
    return parent.isValid() ? 0 : static_cast<int>(groups.size());
  }

  QVariant data(const QModelIndex& index, int role) const override
  {
    if (!index.isValid()) {
      return {};
    }
    const hines::UnitGroup& group = groups[index.row()];
    switch (role) {
    case Qt::DisplayRole:
      return name + u' ' + numbersOf(group);
    case kShortName:
      return numbersOf(group);
    case Qt::ToolTipRole: {
      const Picture* shown = picture(index.row());
      if (!shown) {
        return {};
      }
      return shown->figures + (group.units == 1 ? QString()
                                                : tr("\n%1 execute this schedule, each for its own cells")
                                                      .arg(formatNumber(static_cast<double>(group.units))));
    }
    default:
      return {};
    }
  }

  /// Null while it is on its way.
  const Picture* picture(int row) const
  {
    if (const Picture* known = pictures.object(row)) {
      return known;
    }
    if (!draw || awaited.contains(row)) {
      return nullptr;
    }
    std::optional<Picture> drawn = draw(row, size);
    if (!drawn) {
      awaited.insert(row);
      return nullptr;
    }
    pictures.insert(row, new Picture(std::move(*drawn)));
    return pictures.object(row);
  }

  void setPicture(int row, Picture picture)
  {
    awaited.remove(row);
    pictures.insert(row, new Picture(std::move(picture)));
    emit dataChanged(index(row, 0), index(row, 0));
  }

  void setPictureSize(const QSize& pixels)
  {
    size = pixels;
    forgetPictures();
  }

  const QSize& pictureSize() const { return size; }

  std::vector<hines::UnitGroup> groups;

private:
  static QString numbersOf(const hines::UnitGroup& group)
  {
    const QString first = formatNumber(static_cast<double>(group.first + 1));
    return group.units == 1 ? first
                            : first + QStringLiteral(" \u00d7 ") + formatNumber(static_cast<double>(group.units));
  }

  void forgetPictures()
  {
    pictures.clear();
    awaited.clear();
  }

  QString name;
  Draw draw;
  QSize size = kPicture;
  mutable QCache<int, Picture> pictures{kCachedPictures};
  mutable QSet<int> awaited;
};

class PackingStrip::Delegate : public QStyledItemDelegate
{
public:
  Delegate(const Model& shown, QObject* parent) : QStyledItemDelegate(parent), model(shown) {}

  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const override
  {
    const QSize& picture = model.pictureSize();
    return {picture.width() + 4 * kPadding,
            picture.height() + 4 * kPadding + lines() * QFontMetrics(smallFont(option.font)).height()};
  }

  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override
  {
    const Picture* picture = model.picture(index.row());
    const bool current = option.state.testFlag(QStyle::State_Selected);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    const QRectF card = QRectF(option.rect).adjusted(3.5, 3.5, -3.5, -3.5);
    painter->setPen(QPen(current ? theme().accent : theme().hairline, current ? 2 : 1));
    painter->setBrush(option.state.testFlag(QStyle::State_MouseOver) || current ? QBrush(theme().panel) : Qt::NoBrush);
    painter->drawRoundedRect(card, 4, 4);
    const QRect frame(QPoint(option.rect.left() + 2 * kPadding, option.rect.top() + kPadding + 2), model.pictureSize());
    if (picture) {
      painter->drawImage(frame, picture->image);
    }

    painter->setFont(smallFont(option.font));
    const int line = painter->fontMetrics().height();
    const QRect text(frame.left(), frame.bottom() + kPadding / 2, frame.width(), line);
    const QString percent = picture ? tr("%1 %").arg(formatNumber(std::round(100 * picture->occupancy))) : QString();
    const auto write = [&](const QRect& place, const QString& words, const QColor& color) {
      painter->setPen(color);
      painter->drawText(place, Qt::AlignLeft | Qt::AlignVCenter,
                        painter->fontMetrics().elidedText(words, Qt::ElideRight, place.width()));
    };
    if (lines() == 1) {
      const QString unit = index.data(kShortName).toString();
      write(text, picture ? tr("%1: %2").arg(unit, percent) : unit, theme().text);
    } else {
      write(text, index.data().toString(), theme().text);
      write(text.translated(0, line), picture ? tr("%1 busy").arg(percent) : QString(), theme().secondaryText);
    }
    painter->restore();
  }

private:
  int lines() const { return model.pictureSize() == kFlatPicture ? 1 : 2; }

  static QFont smallFont(QFont font)
  {
    font.setPointSizeF(font.pointSizeF() * 0.88);
    return font;
  }

  const Model& model;
};

PackingStrip::PackingStrip(QWidget* parent) : QListView(parent), blocks(new Model(this))
{
  setObjectName(QStringLiteral("blockStrip"));
  setToolTip(tr("What the schedule executes side by side, such as blocks of threads; click one to see it below"));
  setAccessibleName(tr("Blocks"));
  setModel(blocks);
  painter = new Delegate(*blocks, this);
  setItemDelegate(painter);
  setFlow(QListView::LeftToRight);
  setWrapping(false);
  setUniformItemSizes(true);
  setFrameShape(QFrame::NoFrame);
  setMouseTracking(true);
  setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
  setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setSelectionMode(QAbstractItemView::SingleSelection);
  fitHeight();
}

void PackingStrip::fitHeight()
{
  QStyleOptionViewItem option;
  option.font = font();
  setFixedHeight(painter->sizeHint(option, {}).height() + horizontalScrollBar()->sizeHint().height() + 2);
}

void PackingStrip::setCompact(bool compact)
{
  const QSize size = compact ? kFlatPicture : kPicture;
  if (size == blocks->pictureSize()) {
    return;
  }
  blocks->setPictureSize(size);
  fitHeight();
  scheduleDelayedItemsLayout();
  viewport()->update();
}

PackingStrip::~PackingStrip() = default;

void PackingStrip::setGroups(std::vector<hines::UnitGroup> groups, const QString& name, Draw draw)
{
  const int before = std::max(0, chosenGroup());
  const QSignalBlocker blocker(this);
  blocks->reset(std::move(groups), name, std::move(draw));
  choose(std::min(before, static_cast<int>(blocks->groups.size()) - 1));
}

void PackingStrip::setPicture(int group, Picture picture)
{
  blocks->setPicture(group, std::move(picture));
}

QSize PackingStrip::pictureSize() const
{
  return blocks->pictureSize();
}

const std::vector<hines::UnitGroup>& PackingStrip::groups() const
{
  return blocks->groups;
}

void PackingStrip::choose(int group)
{
  const QSignalBlocker blocker(this);
  setCurrentIndex(blocks->index(group, 0));
}

int PackingStrip::chosenGroup() const
{
  return currentIndex().isValid() ? currentIndex().row() : -1;
}

void PackingStrip::currentChanged(const QModelIndex& current, const QModelIndex& previous)
{
  QListView::currentChanged(current, previous);
  if (current.isValid()) {
    emit chosen(current.row());
  }
}

} // namespace hinesight::widgets
