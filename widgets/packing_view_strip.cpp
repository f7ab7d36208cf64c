#include "widgets/packing_view_strip.hpp"

#include "widgets/planar_canvas_density.hpp"
#include "widgets/theme.hpp"

#include <QAbstractListModel>
#include <QCache>
#include <QPainter>
#include <QScrollBar>
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

/// The groups of blocks of a plan, with their pictures drawn when they are first shown.
class PackingStrip::Model : public QAbstractListModel
{
public:
  using QAbstractListModel::QAbstractListModel;

  struct Picture
  {
    QImage image;
    double occupancy = 0;
    std::int64_t steps = 0;
  };

  void reset(std::shared_ptr<const hines::SolvePlan> newPlan, LaneOrder newOrder, Sweep newSweep, BranchColor newColor)
  {
    beginResetModel();
    plan = std::move(newPlan);
    order = newOrder;
    sweep = newSweep;
    color = std::move(newColor);
    groups = plan ? groupBlocks(*plan) : std::vector<BlockGroup>{};
    pictures.clear();
    mostSteps = std::max<std::int64_t>(1, plan ? plan->figures.criticalPath : 1);
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
    const BlockGroup& group = groups[index.row()];
    switch (role) {
    case Qt::DisplayRole:
      return group.blocks == 1 ? tr("Block %1").arg(formatNumber(static_cast<double>(group.firstBlock + 1)))
                               : tr("Block %1 \u00d7 %2")
                                     .arg(formatNumber(static_cast<double>(group.firstBlock + 1)),
                                          formatNumber(static_cast<double>(group.blocks)));
    case kShortName:
      return formatNumber(static_cast<double>(group.firstBlock + 1)) +
             (group.blocks == 1 ? QString()
                                : QStringLiteral(" \u00d7 ") + formatNumber(static_cast<double>(group.blocks)));
    case Qt::ToolTipRole: {
      const Picture& shown = picture(index.row());
      return tr("%1 cells, %2 levels, %3 steps, %4 % of lane steps busy")
                 .arg(formatNumber(static_cast<double>(plan->schedules[group.schedule].cellShape.size())),
                      formatNumber(static_cast<double>(plan->schedules[group.schedule].levels.size())),
                      formatNumber(static_cast<double>(shown.steps)), formatNumber(std::round(100 * shown.occupancy))) +
             (group.blocks == 1
                  ? QString()
                  : tr("\n%1 blocks execute this schedule").arg(formatNumber(static_cast<double>(group.blocks))));
    }
    default:
      return {};
    }
  }

  const Picture& picture(int row) const
  {
    if (const Picture* known = pictures.object(row)) {
      return *known;
    }
    auto* drawn = new Picture(draw(groups[row]));
    pictures.insert(row, drawn);
    return *drawn;
  }

  void setPictureSize(const QSize& pixels)
  {
    size = pixels;
    pictures.clear();
  }

  const QSize& pictureSize() const { return size; }

  std::vector<BlockGroup> groups;

private:
  Picture draw(const BlockGroup& group) const
  {
    const PackedSweep packed = layOutSweep(plan->schedules[group.schedule], plan->parameters.blockSize, sweep, order);
    // One cell of the grid is one pixel of the picture.
    constexpr int kCell = DensityGrid::kCell;
    const double perLane = kCell * static_cast<double>(size.width()) / plan->parameters.blockSize;
    const double perStep = kCell * static_cast<double>(size.height()) / static_cast<double>(mostSteps);
    DensityGrid grid;
    grid.clear(kCell * size.width(), kCell * size.height());
    for (const PackedBar& bar : packed.bars) {
      const double top = perStep * static_cast<double>(bar.step);
      grid.add(perLane * bar.lane, top, perLane * (bar.lane + 1), top + perStep * bar.length,
               color(group.firstBlock, bar.branch));
    }
    Picture result{QImage(size, QImage::Format_RGBA8888), packed.occupancy, packed.steps};
    grid.paint(result.image.bits(), theme().canvas.rgb());
    return result;
  }

  std::shared_ptr<const hines::SolvePlan> plan;
  LaneOrder order = LaneOrder::ByLength;
  Sweep sweep = Sweep::Backward;
  BranchColor color;
  std::int64_t mostSteps = 1;
  QSize size = kPicture;
  mutable QCache<int, Picture> pictures{kCachedPictures};
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
    const Model::Picture& picture = model.picture(index.row());
    const bool current = option.state.testFlag(QStyle::State_Selected);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    const QRectF card = QRectF(option.rect).adjusted(3.5, 3.5, -3.5, -3.5);
    painter->setPen(QPen(current ? theme().accent : theme().hairline, current ? 2 : 1));
    painter->setBrush(option.state.testFlag(QStyle::State_MouseOver) || current ? QBrush(theme().panel) : Qt::NoBrush);
    painter->drawRoundedRect(card, 4, 4);
    const QRect frame(QPoint(option.rect.left() + 2 * kPadding, option.rect.top() + kPadding + 2), model.pictureSize());
    painter->drawImage(frame, picture.image);

    painter->setFont(smallFont(option.font));
    const int line = painter->fontMetrics().height();
    const QRect text(frame.left(), frame.bottom() + kPadding / 2, frame.width(), line);
    const QString busy = tr("%1 % busy").arg(formatNumber(std::round(100 * picture.occupancy)));
    const auto write = [&](const QRect& place, const QString& words, const QColor& color) {
      painter->setPen(color);
      painter->drawText(place, Qt::AlignLeft | Qt::AlignVCenter,
                        painter->fontMetrics().elidedText(words, Qt::ElideRight, place.width()));
    };
    if (lines() == 1) {
      write(text,
            tr("%1: %2 %").arg(index.data(kShortName).toString(), formatNumber(std::round(100 * picture.occupancy))),
            theme().text);
    } else {
      write(text, index.data().toString(), theme().text);
      write(text.translated(0, line), busy, theme().secondaryText);
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
  setToolTip(tr("The blocks of threads that the plan launches; click one to see it below"));
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

void PackingStrip::setPlan(std::shared_ptr<const hines::SolvePlan> plan, LaneOrder order, Sweep sweep,
                           BranchColor color)
{
  const int before = std::max(0, chosenGroup());
  const QSignalBlocker blocker(this);
  blocks->reset(std::move(plan), order, sweep, std::move(color));
  choose(std::min(before, static_cast<int>(groups().size()) - 1));
}

const std::vector<BlockGroup>& PackingStrip::groups() const
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
