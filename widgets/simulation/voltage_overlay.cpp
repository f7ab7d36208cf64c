#include "widgets/simulation/voltage_overlay.hpp"

#include "widgets/theme.hpp"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <utility>

namespace hinesight::widgets {

namespace {

constexpr int kCharactersOfNote = 36; // at most
constexpr int kMargin = 12;
constexpr double kMarkRadius = 5; // pixels
constexpr double kBesideName = 3; // pixels of its ground
constexpr double kClockScale = 1.6;

/// Where the name of a mark may stand, the best first: right of it, left of it, then lines above and below.
std::vector<QRectF> placesOfName(QPointF mark, const QSizeF& size)
{
  constexpr double kGap = kMarkRadius + 4;
  constexpr int kMostLines = 3;
  std::vector<QRectF> places;
  const double top = mark.y() - kMarkRadius - size.height();
  for (int lines = 0; lines <= kMostLines; ++lines)
    for (const double shift : {-lines * size.height(), lines * size.height()})
      for (const double left : {mark.x() + kGap, mark.x() - kGap - size.width()})
        places.emplace_back(QPointF(left, top + shift), size);
  return places;
}

QFont clockFont(const QFont& font)
{
  QFont large = font;
  if (font.pointSizeF() > 0)
    large.setPointSizeF(kClockScale * font.pointSizeF());
  else
    large.setPixelSize(static_cast<int>(kClockScale * font.pixelSize()));
  large.setBold(true);
  return large;
}

} // namespace

VoltageOverlay::VoltageOverlay(QWidget* canvas) : QWidget(canvas)
{
  setObjectName(QStringLiteral("voltageOverlay"));
  setAttribute(Qt::WA_TransparentForMouseEvents);
}

void VoltageOverlay::setCamera(const OrbitCamera& camera)
{
  if (camera == eye)
    return;
  eye = camera;
  update();
}

void VoltageOverlay::setMarks(std::vector<PlaceMark> marks)
{
  shownMarks = std::move(marks);
  update();
}

void VoltageOverlay::setClock(const QString& clock, const QString& note)
{
  if (clock == clockText && note == noteText)
    return;
  const QRect before = clockRect();
  clockText = clock;
  noteText = note;
  update(before.united(clockRect()));
}

QRect VoltageOverlay::clockRect() const
{
  if (clockText.isEmpty())
    return {};
  const QFontMetrics large(clockFont(font()));
  const int width = std::max(large.horizontalAdvance(clockText), fontMetrics().horizontalAdvance(noteText));
  return {kMargin, kMargin, width + 2, large.height() + (noteText.isEmpty() ? 0 : fontMetrics().height()) + 2};
}

QRect VoltageOverlay::clockRoom() const
{
  if (clockText.isEmpty())
    return {};
  const QFontMetrics large(clockFont(font()));
  const int longest = std::max(large.horizontalAdvance(QStringLiteral("10000.0 ms")),
                               kCharactersOfNote * fontMetrics().averageCharWidth());
  return {kMargin, kMargin, std::max(clockRect().width(), longest + 2), large.height() + fontMetrics().height() + 2};
}

std::vector<QRectF> VoltageOverlay::nameRects(const OrbitCamera& camera, const std::vector<PlaceMark>& marks,
                                              const QFont& font)
{
  const QFontMetricsF metrics(font);
  const QRectF picture(QPointF(0, 0), QSizeF(camera.viewport()));
  std::vector<QRectF> taken;
  for (const PlaceMark& mark : marks) {
    QRectF& name = taken.emplace_back();
    const ScreenPoint at = camera.project(mark.at);
    if (at.depth <= 0)
      continue;
    const std::vector<QRectF> places =
        placesOfName({at.x, at.y}, {metrics.horizontalAdvance(mark.label), metrics.height()});
    const auto isFree = [&](const QRectF& place) {
      return std::ranges::none_of(taken, [&](const QRectF& other) { return other.intersects(place); });
    };
    const auto isWhole = [&](const QRectF& place) { return picture.contains(place) && isFree(place); };
    auto found = std::ranges::find_if(places, isWhole);
    if (found == places.end())
      found = std::ranges::find_if(places, isFree);
    if (found != places.end())
      name = *found;
  }
  return taken;
}

void VoltageOverlay::paint(QPainter& painter, const OrbitCamera& camera, const std::vector<PlaceMark>& marks,
                           const QString& clock, const QFont& font)
{
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setFont(font);
  const std::vector<QRectF> names = nameRects(camera, marks, font);
  painter.setPen(Qt::NoPen);
  painter.setBrush(theme().panel); // names may lie over the cells
  for (const QRectF& name : names)
    if (!name.isEmpty())
      painter.drawRoundedRect(name.adjusted(-kBesideName, 0, kBesideName, 0), kBesideName, kBesideName);
  for (std::size_t k = 0; k < marks.size(); ++k) {
    const PlaceMark& mark = marks[k];
    const ScreenPoint at = camera.project(mark.at);
    if (at.depth <= 0)
      continue;
    const QPointF centre(at.x, at.y);
    painter.setPen(QPen(theme().canvas, 3));
    painter.setBrush(Qt::NoBrush);
    painter.drawEllipse(centre, kMarkRadius + 1, kMarkRadius + 1);
    painter.setPen(QPen(mark.color, 2));
    painter.drawEllipse(centre, kMarkRadius, kMarkRadius);
    painter.setPen(theme().text);
    if (!names[k].isEmpty())
      painter.drawText(names[k].topLeft() + QPointF(0, QFontMetricsF(font).ascent()), mark.label);
  }
  if (clock.isEmpty())
    return;
  painter.setFont(clockFont(font));
  painter.setPen(theme().text);
  painter.drawText(QPointF(kMargin, kMargin + QFontMetricsF(clockFont(font)).ascent()), clock);
}

void VoltageOverlay::paintEvent(QPaintEvent*)
{
  QPainter painter(this);
  paint(painter, eye, shownMarks, clockText, font());
  if (noteText.isEmpty())
    return;
  painter.setFont(font());
  painter.setPen(theme().secondaryText);
  painter.drawText(QPoint(kMargin, kMargin + QFontMetrics(clockFont(font())).height() + fontMetrics().ascent()),
                   noteText);
}

} // namespace hinesight::widgets
