#include "widgets/projection/circuit_map.hpp"

#include "widgets/theme.hpp"

#include <QFontInfo>
#include <QFontMetricsF>
#include <QHelpEvent>
#include <QLineF>
#include <QMouseEvent>
#include <QPainter>
#include <QScopedValueRollback>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

namespace hinesight::widgets {

namespace {

constexpr double kMargin = 14;
constexpr double kWide = 1.3; // width over height from which the matrix stands beside the arrows
constexpr double kDiagramShare = 0.6;
constexpr double kMostCard = 190; // pixels across
constexpr double kLeastCard = 44;
constexpr double kCardGap = 8;
constexpr double kMostUpright = 4; // lines of text that an upright name of the matrix is long
constexpr double kBend = 0.16;     // of the distance that an arrow spans
constexpr double kNextBend = 22;   // pixels more for each that joins the same populations
constexpr double kLoop = 20;       // radius of an arrow to its own population
constexpr double kMostWidth = 6;   // of an arrow, pixels
constexpr double kHead = 9;
constexpr double kReach = 5;     // around an arrow, for the mouse
constexpr double kMostCell = 86; // of the matrix, pixels
constexpr double kDim = 0.25;    // of what does not stand out
constexpr double kScaleHeight = 8;
constexpr std::size_t kMostLabels = 16;

/// Where the line from inside leaves the card.
QPointF edgeOf(const QRectF& card, const QPointF& towards)
{
  const QPointF centre = card.center();
  const QPointF along = towards - centre;
  const double reach = std::min(std::abs(along.x()) > 0 ? card.width() / 2 / std::abs(along.x()) : 1e9,
                                std::abs(along.y()) > 0 ? card.height() / 2 / std::abs(along.y()) : 1e9);
  return centre + along * std::min(reach, 1.0);
}

constexpr int kParts = 64; // of a line

QPointF partOf(const QPainterPath& line, int part)
{
  return line.pointAtPercent(static_cast<double>(part) / kParts);
}

/// The point of a line next to its middle for which a condition holds; its middle where it holds for none.
template <typename Condition>
QPointF nearMiddle(const QPainterPath& line, Condition isFree)
{
  for (int away = 0; away < kParts / 2; ++away)
    for (const int part : {kParts / 2 + away, kParts / 2 - away})
      if (const QPointF point = partOf(line, part); isFree(point))
        return point;
  return partOf(line, kParts / 2);
}

/// The point of a line next to its middle that lies under no card; its middle where all do.
QPointF visibleMiddle(const QPainterPath& line, const std::vector<QRectF>& cards)
{
  return nearMiddle(line, [&](const QPointF& point) {
    return std::ranges::none_of(cards, [&](const QRectF& card) { return card.contains(point); });
  });
}

/// "10 k" of 10,000; all of it where that is as short.
QString inThousands(double number)
{
  struct Unit
  {
    double value;
    const char* letter;
  };
  for (const Unit& unit : {Unit{1e12, "T"}, Unit{1e9, "G"}, Unit{1e6, "M"}, Unit{1e3, "k"}})
    if (number >= 0.9995 * unit.value) // rounded to three figures
      return formatNumber(number / unit.value) + QLatin1Char(' ') + QLatin1String(unit.letter);
  return formatNumber(number);
}

/// The number as a room of so many pixels holds it, in letters of the font or, where there is no other way, in smaller
/// ones; empty where these could not be read.
struct FittedNumber
{
  FittedNumber(double number, QFont ofText, double room) : font(std::move(ofText))
  {
    constexpr double kSmaller = 0.8;
    for (int attempt = 0; attempt < 2; ++attempt) {
      for (const QString& each :
           {formatNumber(number), inThousands(number), inThousands(number).remove(QLatin1Char(' '))})
        if (QFontMetricsF(font).horizontalAdvance(each) <= room) {
          text = each;
          return;
        }
      const QFontInfo info(font);
      font.setPixelSize(std::max(1, static_cast<int>(kSmaller * info.pixelSize())));
    }
  }

  QString text;
  QFont font;
};

/// From a point to a line, in pixels, to a fraction of one.
double distanceTo(const QPainterPath& line, const QPointF& point)
{
  double least = std::numeric_limits<double>::max();
  for (int k = 0; k <= kParts; ++k) {
    const QPointF away = partOf(line, k) - point;
    least = std::min(least, std::hypot(away.x(), away.y()));
  }
  return least;
}

} // namespace

CircuitMap::CircuitMap(QWidget* parent) : QWidget(parent)
{
  setObjectName(QStringLiteral("circuitMap"));
  setMouseTracking(true);
  setToolTip(tr("All connections together: an arrow is as wide as it has rows, and has the colour of the sum of its "
                "weights. Click one to see it alone"));
}

void CircuitMap::setPicture(CircuitPicture picture)
{
  if (shown == picture)
    return;
  shown = std::move(picture);
  hovered.clear();
  layOut(size());
  update();
}

void CircuitMap::layOut(const QSizeF& size)
{
  const QRectF all = QRectF({}, size).marginsRemoved({kMargin, kMargin, kMargin, kMargin});
  const bool isWide = all.width() > kWide * all.height();
  diagram = all;
  if (isWide)
    diagram.setWidth(all.width() * kDiagramShare - kMargin);
  else
    diagram.setHeight(all.height() * kDiagramShare - kMargin);
  QRectF rest = all;
  if (isWide)
    rest.setLeft(diagram.right() + 2 * kMargin);
  else
    rest.setTop(diagram.bottom() + 2 * kMargin);

  mostRows = 1;
  std::vector<double> weights(shown.populations.size() * shown.populations.size());
  for (const CircuitPicture::Join& join : shown.joins) {
    mostRows = std::max(mostRows, join.rows.value_or(0));
    weights[join.source * shown.populations.size() + join.target] += join.weight.value_or(0);
  }
  mostWeight = 0;
  for (const double weight : weights)
    mostWeight = std::max(mostWeight, std::abs(weight));

  // Names of the sources stand left of the matrix, those of the targets above it, and the scale of colours below.
  const double line = fontMetrics().height();
  const auto n = std::max(1.0, static_cast<double>(shown.populations.size()));
  const double names = std::min(rest.width() * 0.3, 110.0);
  double longest = 0;
  for (const CircuitPicture::Population& population : shown.populations)
    longest = std::max<double>(longest, fontMetrics().horizontalAdvance(population.name));
  // Cells are no higher than wide: what stands in them is.
  const double across = std::clamp((rest.width() - names) / n, 0.0, kMostCell);
  const bool areUpright = longest > across - 4;
  nameHeight = areUpright ? std::min(longest, kMostUpright * line) + 4 : 1.2 * line;
  const double above = 1.3 * line + nameHeight;
  heading = QRectF(rest.left(), rest.top() + 0.1 * line, rest.width(), line);
  const double high = std::clamp((rest.height() - above - 2.5 * line - kScaleHeight) / n, 0.0, across);
  matrix = QRectF(rest.left() + names, rest.top() + above, across * n, high * n);
  scale =
      QRectF(matrix.left(), matrix.bottom() + line / 2, std::min(rest.right() - matrix.left(), 260.0), kScaleHeight);

  placePopulations(diagram);
  arrows.clear();
  for (std::size_t k = 0; k < shown.joins.size(); ++k) {
    const auto isLike = [&](const CircuitPicture::Join& other) {
      return other.source == shown.joins[k].source && other.target == shown.joins[k].target;
    };
    const auto turn = std::count_if(shown.joins.begin(), shown.joins.begin() + static_cast<std::ptrdiff_t>(k), isLike);
    arrows.push_back(arrowOf(shown.joins[k], static_cast<int>(turn)));
  }
}

/// Around an ellipse, the first one at the left, and as wide as they can be beside each other.
void CircuitMap::placePopulations(const QRectF& area)
{
  const double line = fontMetrics().height();
  const auto n = static_cast<double>(shown.populations.size());
  const double height = 2 * line + 10;
  const bool hasLoops = std::ranges::any_of(shown.joins, [](const auto& join) { return join.source == join.target; });
  const double room = hasLoops ? 2 * kLoop + kMostWidth : line; // for loops, and for the names of arrows
  double width = std::clamp(2 * area.width() / std::max(n, 3.0), kLeastCard, std::min(kMostCard, area.width() / 3));
  const auto place = [&] {
    const QSizeF radii(std::max(0.0, (area.width() - width) / 2 - room),
                       std::max(0.0, (area.height() - height) / 2 - room));
    cards.clear();
    for (double k = 0; k < n; ++k) {
      const double turn = std::numbers::pi * (1 + 2 * k / n);
      const QPointF centre = area.center() + QPointF(radii.width() * std::cos(turn), radii.height() * std::sin(turn));
      cards.emplace_back(centre.x() - width / 2, centre.y() - height / 2, width, height);
    }
  };
  const auto anyMeet = [this] {
    for (std::size_t k = 0; k < cards.size(); ++k)
      for (std::size_t other = 0; other < k; ++other)
        if (cards[k].marginsAdded({kCardGap, kCardGap, kCardGap, kCardGap}).intersects(cards[other]))
          return true;
    return false;
  };
  for (place(); anyMeet() && width > kLeastCard; place())
    width = std::max(kLeastCard, 0.95 * width);
}

CircuitMap::Arrow CircuitMap::arrowOf(const CircuitPicture::Join& join, int turn) const
{
  Arrow arrow;
  arrow.width = join.rows.value_or(0) > 0 ? 1 + (kMostWidth - 1) * std::log1p(*join.rows) / std::log1p(mostRows) : 1;
  const QRectF& from = cards[join.source];
  const QRectF& to = cards[join.target];
  if (join.source == join.target) {
    // Above the card in the upper half, below it in the lower one.
    const double up = from.center().y() > diagram.center().y() + 1 ? -1 : 1;
    const double radius = kLoop + 9 * turn;
    const double base = up > 0 ? from.top() : from.bottom();
    const QPointF begin(from.center().x() - radius, base);
    const QPointF end(from.center().x() + radius, base);
    const QPointF lift(0, -up * 2 * radius);
    arrow.line.moveTo(begin);
    arrow.line.cubicTo(begin + lift, end + lift, end);
    arrow.behind = end + lift / 2;
    arrow.tip = end;
    arrow.middle = visibleMiddle(arrow.line, cards);
    return arrow;
  }
  const QPointF across = to.center() - from.center();
  const double distance = std::hypot(across.x(), across.y());
  const QPointF aside = distance > 0 ? QPointF(across.y(), -across.x()) / distance : QPointF(0, -1);
  const QPointF control = (from.center() + to.center()) / 2 + aside * (2 * (kBend * distance / 2 + kNextBend * turn));
  const QPointF begin = edgeOf(from, control);
  arrow.tip = edgeOf(to, control);
  arrow.behind = control;
  arrow.line.moveTo(begin);
  arrow.line.quadTo(control, arrow.tip);
  arrow.middle = visibleMiddle(arrow.line, cards);
  return arrow;
}

QRectF CircuitMap::cellOf(std::size_t source, std::size_t target) const
{
  const auto n = static_cast<double>(std::max<std::size_t>(1, shown.populations.size()));
  const QSizeF cell(matrix.width() / n, matrix.height() / n);
  return {QPointF(matrix.left() + cell.width() * static_cast<double>(target),
                  matrix.top() + cell.height() * static_cast<double>(source)),
          cell};
}

/// Of a sum of weights; none: it is not known.
QColor CircuitMap::colourOf(const std::optional<double>& weight) const
{
  if (!weight || mostWeight == 0)
    return theme().secondaryText;
  // Small sums keep their sign: the middle of the map says zero, and is left out.
  constexpr double kLeast = 0.25;
  const double share = std::min(1.0, std::abs(*weight) / mostWeight);
  const double strength = *weight == 0 ? 0 : kLeast + (1 - kLeast) * share;
  return mapColor(ColorMap::Diverging, 0.5 + (*weight < 0 ? -0.5 : 0.5) * strength);
}

/// What the numbers of the matrix are, where its cells have room for any, and its colours, whose scale says so too.
QString CircuitMap::headingThatFits() const
{
  const double room = roomOfNumber();
  const bool hasNumbers = std::ranges::any_of(shown.joins, [&](const CircuitPicture::Join& join) {
    return join.rows && !FittedNumber(*join.rows, font(), room).text.isEmpty();
  });
  const QString ofCells = hasNumbers ? tr("Numbers: rows, from (left) to (top)") : tr("From (left) to (top)");
  const QString whole = tr("%1. Colours: sum of weights").arg(ofCells);
  const bool fits = fontMetrics().horizontalAdvance(whole) <= heading.width();
  return mostWeight > 0 && fits ? whole
                                : fontMetrics().elidedText(ofCells, Qt::ElideRight, static_cast<int>(heading.width()));
}

bool CircuitMap::hasRoomForMatrix() const
{
  return cellOf(0, 0).height() >= fontMetrics().height();
}

/// In a cell of the matrix.
double CircuitMap::roomOfNumber() const
{
  constexpr double kAround = 4; // pixels
  return cellOf(0, 0).width() - kAround;
}

QString CircuitMap::textOf(const CircuitPicture::Join& join) const
{
  const QString ends =
      tr("%1, %2 \u2192 %3")
          .arg(join.connection, shown.populations[join.source].name, shown.populations[join.target].name);
  if (!join.rows)
    return tr("%1: not made yet").arg(ends);
  const QString rows = tr("%1: %2 rows").arg(ends, formatNumber(*join.rows));
  return join.weight ? tr("%1, sum of weights %2").arg(rows, formatNumber(*join.weight)) : rows;
}

std::optional<std::size_t> CircuitMap::joinAt(const QPointF& at) const
{
  for (const QRectF& card : cards)
    if (card.contains(at))
      return {};
  // Where arrows cross or lie close, it is the nearest.
  std::optional<std::size_t> nearest;
  double least = 0;
  for (std::size_t k = 0; k < arrows.size(); ++k) {
    const double distance = distanceTo(arrows[k].line, at);
    if (distance <= arrows[k].width / 2 + kReach && (!nearest || distance < least)) {
      nearest = k;
      least = distance;
    }
  }
  if (nearest)
    return nearest;
  for (std::size_t k = 0; k < shown.joins.size(); ++k)
    if (matrix.width() > 0 && cellOf(shown.joins[k].source, shown.joins[k].target).contains(at))
      return k;
  return {};
}

bool CircuitMap::isLit(const CircuitPicture::Join& join) const
{
  return hovered.isEmpty() || join.connection == hovered;
}

void CircuitMap::hover(const QString& connection)
{
  if (std::exchange(hovered, connection) == connection)
    return;
  setCursor(connection.isEmpty() ? Qt::ArrowCursor : Qt::PointingHandCursor);
  update();
}

// ---- painting ----

void CircuitMap::paintPart(QPainter& painter, const FigureArea& area)
{
  const QScopedValueRollback unlit(hovered, QString());
  layOut(area.size);
  painter.save();
  painter.setFont(font());
  if (!area.isTransparent)
    painter.fillRect(QRectF({}, area.size), theme().canvas);
  paint(painter);
  painter.restore();
  layOut(size());
}

void CircuitMap::paintEvent(QPaintEvent*)
{
  QPainter painter(this);
  painter.fillRect(rect(), theme().canvas);
  paint(painter);
}

void CircuitMap::paint(QPainter& painter) const
{
  painter.setRenderHint(QPainter::Antialiasing);
  if (shown.populations.empty())
    return;
  paintArrows(painter);
  paintPopulations(painter);
  paintLabels(painter);
  paintMatrix(painter);
  paintScale(painter);
}

void CircuitMap::paintArrows(QPainter& painter) const
{
  for (std::size_t k = 0; k < arrows.size(); ++k) {
    const CircuitPicture::Join& join = shown.joins[k];
    const Arrow& arrow = arrows[k];
    const QColor colour = colourOf(join.weight);
    painter.setOpacity(isLit(join) ? 1 : kDim);
    painter.setPen(QPen(colour, arrow.width, join.rows.value_or(0) > 0 ? Qt::SolidLine : Qt::DashLine, Qt::FlatCap));
    painter.setBrush(Qt::NoBrush);
    painter.drawPath(arrow.line);
    QLineF back(arrow.tip, arrow.behind);
    back.setLength(kHead + arrow.width);
    QLineF left = back;
    QLineF right = back;
    constexpr double kHalfAngle = 24; // degrees
    left.setAngle(back.angle() + kHalfAngle);
    right.setAngle(back.angle() - kHalfAngle);
    painter.setPen(Qt::NoPen);
    painter.setBrush(colour);
    painter.drawPolygon(QPolygonF({arrow.tip, left.p2(), right.p2()}));
  }
  painter.setOpacity(1);
}

/// Of the connections, each on its first arrow; of all where there are few, else of those that stand out.
void CircuitMap::paintLabels(QPainter& painter) const
{
  std::vector<QString> named;
  std::vector<QRectF> taken = cards;
  for (std::size_t k = 0; k < arrows.size(); ++k) {
    const CircuitPicture::Join& join = shown.joins[k];
    if (std::ranges::find(named, join.connection) != named.end() || (!hovered.isEmpty() && !isLit(join)))
      continue;
    if (arrows.size() > kMostLabels && hovered.isEmpty() && join.connection != shown.chosen)
      continue;
    named.push_back(join.connection);
    QFont font = this->font();
    font.setBold(join.connection == shown.chosen);
    const QFontMetrics metrics(font);
    const QString name = metrics.elidedText(join.connection, Qt::ElideMiddle, static_cast<int>(kMostCard));
    QRectF box(0, 0, metrics.horizontalAdvance(name) + 8, metrics.height() + 2);
    const auto boxAt = [&](const QPointF& point) {
      QRectF moved = box;
      moved.moveCenter(point);
      moved.moveLeft(std::clamp(moved.left(), diagram.left(), std::max(diagram.left(), diagram.right() - box.width())));
      return moved;
    };
    box = boxAt(nearMiddle(arrows[k].line, [&](const QPointF& point) {
      return std::ranges::none_of(taken, [&](const QRectF& other) { return other.intersects(boxAt(point)); });
    }));
    taken.push_back(box);
    painter.setPen(Qt::NoPen);
    QColor behind = theme().canvas;
    behind.setAlphaF(0.85F);
    painter.setBrush(behind);
    painter.drawRoundedRect(box, 4, 4);
    painter.setFont(font);
    painter.setPen(theme().text);
    painter.drawText(box, Qt::AlignCenter, name);
  }
  painter.setFont(font());
}

void CircuitMap::paintPopulations(QPainter& painter) const
{
  constexpr double kMark = 5; // the bar of the population's colour
  for (std::size_t k = 0; k < cards.size(); ++k) {
    const CircuitPicture::Population& population = shown.populations[k];
    const QRectF& card = cards[k];
    painter.setPen(QPen(theme().hairline, 1));
    QColor fill = theme().panel;
    fill.setAlpha(255);
    painter.setBrush(fill);
    painter.drawRoundedRect(card, 5, 5);
    painter.fillRect(QRectF(card.left(), card.top() + 3, kMark, card.height() - 6), shownColor(population.colour));
    const QRectF text = card.adjusted(kMark + 5, 4, -5, -4);
    const int width = static_cast<int>(text.width());
    painter.setPen(theme().text);
    painter.drawText(text, Qt::AlignLeft | Qt::AlignTop,
                     fontMetrics().elidedText(population.name, Qt::ElideMiddle, width));
    painter.setPen(theme().secondaryText);
    painter.drawText(text, Qt::AlignLeft | Qt::AlignBottom,
                     fontMetrics().elidedText(population.about, Qt::ElideRight, width));
  }
}

void CircuitMap::paintMatrix(QPainter& painter) const
{
  if (!hasRoomForMatrix())
    return;
  const std::size_t n = shown.populations.size();
  const double line = fontMetrics().height();
  painter.setPen(theme().secondaryText);
  painter.drawText(heading, Qt::AlignLeft | Qt::AlignVCenter, headingThatFits());
  for (std::size_t k = 0; k < n; ++k) {
    const QString& name = shown.populations[k].name;
    painter.setPen(theme().text);
    const QRectF beside(matrix.left() - 114, cellOf(k, 0).top(), 108, cellOf(k, 0).height());
    const double room = std::min(beside.width(), matrix.left() - diagram.left());
    painter.drawText(beside, Qt::AlignRight | Qt::AlignVCenter,
                     fontMetrics().elidedText(name, Qt::ElideMiddle, static_cast<int>(room)));
    const QRectF above(cellOf(0, k).left(), matrix.top() - nameHeight, cellOf(0, k).width(), nameHeight);
    const bool isUpright = nameHeight > 2 * line;
    if (isUpright) {
      painter.save();
      painter.translate(above.bottomLeft());
      painter.rotate(-90);
      painter.drawText(QRectF(3, 0, above.height() - 3, above.width()), Qt::AlignLeft | Qt::AlignVCenter,
                       fontMetrics().elidedText(name, Qt::ElideMiddle, static_cast<int>(above.height()) - 3));
      painter.restore();
    } else {
      painter.drawText(above, Qt::AlignCenter,
                       fontMetrics().elidedText(name, Qt::ElideMiddle, static_cast<int>(above.width()) - 4));
    }
  }
  for (std::size_t source = 0; source < n; ++source)
    for (std::size_t target = 0; target < n; ++target) {
      const QRectF cell = cellOf(source, target);
      std::optional<double> rows;
      std::optional<double> weight;
      bool lit = hovered.isEmpty();
      for (const CircuitPicture::Join& join : shown.joins)
        if (join.source == source && join.target == target) {
          lit = lit || join.connection == hovered;
          if (join.rows)
            rows = rows.value_or(0) + *join.rows;
          if (join.weight)
            weight = weight.value_or(0) + *join.weight;
        }
      painter.setOpacity(lit ? 1 : kDim);
      const bool isFilled = rows.value_or(0) > 0 && weight;
      const QColor fill = isFilled ? colourOf(weight) : theme().canvas;
      painter.setPen(QPen(theme().hairline, 1));
      painter.setBrush(fill);
      painter.drawRect(cell);
      if (!rows)
        continue;
      const FittedNumber number(*rows, font(), roomOfNumber());
      painter.setFont(number.font);
      painter.setPen(!isFilled ? theme().text : fill.lightnessF() > 0.5 ? Qt::black : Qt::white);
      painter.drawText(cell, Qt::AlignCenter, number.text);
    }
  painter.setFont(font());
  painter.setOpacity(1);
}

/// The colours of the sums of weights, from inhibition to excitation.
void CircuitMap::paintScale(QPainter& painter) const
{
  if (mostWeight == 0 || !hasRoomForMatrix())
    return;
  const int steps = std::max(1, static_cast<int>(scale.width()));
  for (int k = 0; k < steps; ++k) {
    const double weight = mostWeight * (2.0 * k / steps - 1);
    painter.fillRect(QRectF(scale.left() + k, scale.top(), 1.5, scale.height()), colourOf(weight));
  }
  const QRectF below(scale.left(), scale.bottom() + 2, scale.width(), fontMetrics().height());
  painter.setPen(theme().secondaryText);
  const QString least = formatNumber(-mostWeight);
  const QString most = formatNumber(mostWeight);
  painter.drawText(below, Qt::AlignLeft, least);
  painter.drawText(below, Qt::AlignRight, most);
  const double room = below.width() - fontMetrics().horizontalAdvance(least + most) - 12;
  const QString title = tr("sum of weights");
  if (fontMetrics().horizontalAdvance(title) <= room)
    painter.drawText(below, Qt::AlignHCenter, title);
}

// ---- events ----

void CircuitMap::resizeEvent(QResizeEvent* event)
{
  QWidget::resizeEvent(event);
  layOut(size());
}

void CircuitMap::mouseMoveEvent(QMouseEvent* event)
{
  const auto join = joinAt(event->position());
  hover(join ? shown.joins[*join].connection : QString());
}

void CircuitMap::mousePressEvent(QMouseEvent* event)
{
  noteClick();
  if (event->button() != Qt::LeftButton)
    return;
  if (const auto join = joinAt(event->position()))
    emit connectionChosen(shown.joins[*join].connection);
}

void CircuitMap::leaveEvent(QEvent* event)
{
  QWidget::leaveEvent(event);
  hover({});
}

void CircuitMap::changeEvent(QEvent* event)
{
  QWidget::changeEvent(event);
  if (event->type() == QEvent::FontChange)
    layOut(size());
  if (event->type() == QEvent::PaletteChange)
    update();
}

bool CircuitMap::event(QEvent* event)
{
  if (event->type() != QEvent::ToolTip)
    return QWidget::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  const auto join = joinAt(help->pos());
  if (!join)
    return QWidget::event(event);
  QStringList lines;
  const CircuitPicture::Join& first = shown.joins[*join];
  for (const CircuitPicture::Join& each : shown.joins)
    if (matrix.contains(help->pos()) ? each.source == first.source && each.target == first.target : &each == &first)
      lines << textOf(each);
  QToolTip::showText(help->globalPos(), lines.join(QLatin1Char('\n')), this);
  return true;
}

} // namespace hinesight::widgets
