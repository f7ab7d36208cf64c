#include "widgets/charts/titled_chart.hpp"

#include "widgets/orbit/scale_overlay.hpp"
#include "widgets/theme.hpp"

#include <QEvent>
#include <QPainter>
#include <QScopedValueRollback>

#include <algorithm>
#include <limits>
#include <utility>

namespace hinesight::widgets {

namespace {

constexpr int kMargin = 10;
constexpr int kTitleGap = 6;
constexpr int kTextGap = 8;           // from the title to the text behind it
constexpr double kSample = 12;        // of a line beside its name
constexpr double kNameGap = 12;       // from one name to the next
constexpr double kUsualShare = 0.4;   // of the height, that names below the plot may take
constexpr double kMostShare = 0.6;    // the same, where the plot has enough lines left
constexpr double kEnoughLines = 6;    // with its labels
constexpr double kLeastLetters = 8;   // of a name that is cut
constexpr double kSmallLetters = 0.7; // of a figure's usual letters, about 6 pt
constexpr double kLeastLines = 3;     // of text, that a plot and its labels are high and wide

QFont smallFont(const QFont& base)
{
  QFont font = base;
  font.setPointSizeF(base.pointSizeF() * 0.85);
  return font;
}

QFont boldFont(const QFont& base)
{
  QFont font = base;
  font.setWeight(QFont::DemiBold);
  return font;
}

} // namespace

TitledChart::TitledChart(const QString& name, QWidget* parent) : QWidget(parent), heading(name)
{
  setFont(smallFont(font()));
}

void TitledChart::paintTitle(QPainter& painter, const QString& text) const
{
  if (!isTransparent) {
    painter.fillRect(QRectF({}, chartSize()), theme().canvas);
  }
  const QFont bold = boldFont(font());
  const QFontMetrics titleMetrics(bold);
  const int baseline = kMargin + titleMetrics.ascent();
  if (baseline + titleMetrics.descent() > chartSize().height())
    return;
  painter.setFont(bold);
  painter.setPen(theme().text);
  const auto most = static_cast<int>(chartSize().width()) - 2 * kMargin;
  painter.drawText(kMargin, baseline, titleMetrics.elidedText(heading, Qt::ElideRight, most));
  painter.setFont(font());
  painter.setPen(theme().secondaryText);
  const int left = kMargin + titleMetrics.horizontalAdvance(heading) + kTextGap;
  painter.drawText(left, baseline, fitting(text, Qt::ElideRight, chartSize().width() - left - kMargin));
}

double TitledChart::titleEnd(const QString& text) const
{
  return kMargin + QFontMetrics(boldFont(font())).horizontalAdvance(heading) + kTextGap +
         fontMetrics().horizontalAdvance(text);
}

void TitledChart::paintPart(QPainter& painter, const FigureArea& area)
{
  const QScopedValueRollback ground(isTransparent, area.isTransparent);
  const QScopedValueRollback<std::optional<QSizeF>> inFigure(sizeInFigure, area.size);
  double scale = 1;
  if (!takeNamesBelow()) {
    scale = kSmallLetters;
    sizeInFigure = area.size / scale;
    takeNamesBelow();
  }
  painter.save();
  painter.scale(scale, scale);
  painter.save();
  painter.setFont(font());
  painter.setPen(theme().text);
  painter.setBrush(Qt::NoBrush);
  painter.setClipRect(QRectF({}, chartSize()), Qt::IntersectClip);
  paintChart(painter);
  painter.restore();
  paintNamesBelow(painter);
  painter.restore();
  leaveNamesBelow();
}

/// Where each begins, in rows from (0, 0) on, of which each is as wide as the chart lets it.
std::vector<QPointF> TitledChart::placesOf(const std::vector<LineName>& names) const
{
  const double room = chartSize().width() - 2 * kMargin;
  std::vector<QPointF> places;
  QPointF at;
  for (const LineName& name : names) {
    const double needed = kSample + kTickGap + fontMetrics().horizontalAdvance(name.text);
    if (at.x() > 0 && at.x() + needed > room)
      at = {0, at.y() + fontMetrics().height()};
    places.push_back(at);
    at.rx() += needed + kNameGap;
  }
  return places;
}

double TitledChart::heightOf(const std::vector<LineName>& names) const
{
  return placesOf(names).back().y() + fontMetrics().height();
}

/// Each in no more than so many pixels.
std::vector<TitledChart::LineName> TitledChart::shortened(std::vector<LineName> names, double most) const
{
  for (LineName& name : names)
    name.text = fontMetrics().elidedText(name.text, Qt::ElideMiddle, static_cast<int>(most));
  return names;
}

/// Whole, in as many rows as leave the plot enough of the height; else cut in the middle, as little as need be. Where
/// that is no room for all of them either, a last row counts the others.
TitledChart::NamesInRoom TitledChart::inRoom(std::vector<LineName> names) const
{
  const double line = fontMetrics().height();
  const double height = chartSize().height();
  const double most = std::max(
      {2 * line, kUsualShare * height, std::min(kMostShare * height, plotArea({}).height() - kEnoughLines * line)});
  if (heightOf(names) <= most)
    return {std::move(names), true};
  const double beside = kSample + kTickGap + kNameGap;
  const double room = chartSize().width() - 2 * kMargin + kNameGap;
  const double least = beside + kLeastLetters * fontMetrics().averageCharWidth();
  std::vector<LineName> cut = shortened(names, room - beside);
  for (int inRow = 2; heightOf(cut) > most && room / inRow >= least; ++inRow)
    cut = shortened(names, room / inRow - beside);
  if (heightOf(cut) <= most)
    return {std::move(cut), true};
  const std::vector<QPointF> places = placesOf(cut);
  const auto first =
      std::ranges::find_if(places, [&](const QPointF& place) { return place.y() + 2 * line > most; }) - places.begin();
  cut.erase(cut.begin() + first, cut.end());
  cut.push_back({tr("and %1 more").arg(formatNumber(static_cast<double>(names.size() - cut.size()))), {}});
  return {std::move(cut), false};
}

/// Whether they all have room.
bool TitledChart::takeNamesBelow()
{
  leaveNamesBelow();
  std::vector<LineName> names = namesWithoutRoom();
  if (names.empty())
    return true;
  NamesInRoom shown = inRoom(std::move(names));
  heightBelow = heightOf(shown.names) + kTickGap;
  namesBelow = std::move(shown.names);
  return shown.areAll;
}

void TitledChart::leaveNamesBelow()
{
  namesBelow.clear();
  heightBelow = 0;
}

void TitledChart::paintNamesBelow(QPainter& painter) const
{
  if (namesBelow.empty())
    return;
  const double room = chartSize().width() - 2 * kMargin;
  const std::vector<QPointF> places = placesOf(namesBelow);
  const QPointF corner(kMargin, chartSize().height() - kMargin - heightBelow + kTickGap);
  painter.setFont(font());
  for (std::size_t k = 0; k < namesBelow.size(); ++k) {
    const LineName& name = namesBelow[k];
    const double baseline = corner.y() + places[k].y() + fontMetrics().ascent();
    double left = corner.x() + places[k].x();
    if (name.color.isValid()) {
      const double middle = baseline - fontMetrics().ascent() / 3.0;
      painter.setPen(QPen(name.color, 2, name.style));
      painter.drawLine(QPointF(left, middle), QPointF(left + kSample, middle));
      left += kSample + kTickGap;
    }
    painter.setPen(theme().text);
    painter.drawText(QPointF(left, baseline), fitting(name.text, Qt::ElideMiddle, corner.x() + room - left));
  }
}

void TitledChart::paintHeights(QPainter& painter, const QRectF& area, double top) const
{
  const double step = roundLength(top / 2);
  double free = std::numeric_limits<double>::infinity(); // above the value before
  for (double value = 0; value <= top; value += step) {
    const double y = area.bottom() - area.height() * value / top;
    painter.setPen(QPen(theme().hairline, 1));
    painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
    painter.setPen(theme().secondaryText);
    if (y > free)
      continue;
    free = y - fontMetrics().ascent();
    const QString label = formatNumber(value);
    painter.drawText(QPointF(area.left() - fontMetrics().horizontalAdvance(label) - kTickGap, y + 4), label);
  }
}

double TitledChart::widthOfHeights(double top) const
{
  const double step = roundLength(top / 2);
  double widest = 0;
  for (double value = 0; value <= top; value += step)
    widest = std::max<double>(widest, fontMetrics().horizontalAdvance(formatNumber(value)));
  return widest;
}

QString TitledChart::fitting(const QString& text, Qt::TextElideMode mode, double room) const
{
  const QString shown = fontMetrics().elidedText(text, mode, static_cast<int>(room));
  const bool saysAnything = shown == text || shown.size() > 1;
  return saysAnything && fontMetrics().horizontalAdvance(shown) <= room ? shown : QString();
}

QRectF TitledChart::plotArea(const QMarginsF& margins) const
{
  const double top = kMargin + fontMetrics().height() + kTitleGap;
  const QRectF area(kMargin, top, chartSize().width() - 2 * kMargin,
                    chartSize().height() - top - kMargin - heightBelow);
  return area.marginsRemoved(margins);
}

void TitledChart::paintEvent(QPaintEvent*)
{
  QPainter painter(this);
  const QSizeF room = plotArea({}).size();
  const double least = kLeastLines * fontMetrics().height();
  if (room.width() < least || room.height() < least)
    paintTitle(painter, {});
  else
    paintChart(painter);
}

bool TitledChart::event(QEvent* event)
{
  if (event->type() == QEvent::MouseButtonPress)
    noteClick();
  return QWidget::event(event);
}

void TitledChart::changeEvent(QEvent* event)
{
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) {
    update();
  }
}

} // namespace hinesight::widgets
