#include "widgets/charts/profile_chart.hpp"

#include "widgets/theme.hpp"

#include <QFocusEvent>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScopedValueRollback>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <utility>

namespace hinesight::widgets {

namespace {

constexpr double kHeadroom = 1.08;
constexpr double kSwatch = 12;       // length of the line beside a name
constexpr double kBesideName = 28;   // pixels that the line and gaps take
constexpr double kClickDistance = 4; // pixels that the mouse may move during a click
constexpr double kBeside = 4;        // pixels beside the plot that still pick
constexpr double kMarkRadius = 4;    // pixels
constexpr int kFaint = 60;           // of 255
constexpr int kStrong = 150;         // the same

} // namespace

ProfileChart::ProfileChart(const QString& name, QWidget* parent) : TitledChart(name, parent)
{
  setMouseTracking(true);
  setFocusPolicy(Qt::StrongFocus);
}

void ProfileChart::setCurves(std::vector<Curve> curves, double classWidth, const QString& ofQuantity, bool asStair)
{
  shown = std::move(curves);
  width = classWidth;
  unit = ofQuantity;
  isStair = asStair;
  refreshHighest();
  chosen.assign(shown.size(), {});
  press.reset();
  if (mark && (mark->curve >= shown.size() || mark->place >= shown[mark->curve].values.size())) {
    mark.reset();
  }
  update();
}

void ProfileChart::setSelected(std::vector<std::vector<double>> ofCurves)
{
  ofCurves.resize(shown.size());
  if (std::exchange(chosen, ofCurves) != ofCurves) {
    update();
  }
}

void ProfileChart::setAxisTitles(const QString& ofQuantity, const QString& ofNumbers)
{
  across = ofQuantity;
  upwards = ofNumbers;
  update();
}

void ProfileChart::setNotice(const QString& sentence)
{
  if (std::exchange(instead, sentence) == sentence) {
    return;
  }
  setAccessibleDescription(sentence);
  update();
}

QColor ProfileChart::colorOf(std::size_t curve)
{
  return curve == 0 ? theme().accent : theme().text;
}

void ProfileChart::refreshHighest()
{
  double most = 0;
  for (const Curve& curve : shown) {
    for (const double value : curve.values) {
      most = std::max(most, value);
    }
  }
  highest = most > 0 ? most * kHeadroom : 1;
}

std::size_t ProfileChart::places() const
{
  std::size_t most = 1;
  for (const Curve& curve : shown) {
    most = std::max(most, curve.values.size());
  }
  return most;
}

double ProfileChart::valueOf(std::size_t curve, std::size_t place) const
{
  const std::vector<double>& values = shown[curve].values;
  return place < values.size() ? values[place] : 0;
}

double ProfileChart::selectedOf(std::size_t curve, std::size_t place) const
{
  return place < chosen[curve].size() ? chosen[curve][place] : 0;
}

QRectF ProfileChart::plot() const
{
  const double title = upwards.isEmpty() ? 0 : fontMetrics().height();
  const double left = title + widthOfHeights(highest) + 3 * kTickGap;
  return plotArea(QMarginsF(left, kTickGap, kTickGap, fontMetrics().height() + kTickGap));
}

/// Where a value of the numbers is in the plot.
double ProfileChart::heightOf(double value, const QRectF& area) const
{
  return area.bottom() - area.height() * value / highest;
}

QPointF ProfileChart::pointOf(std::size_t curve, std::size_t place) const
{
  const QRectF area = plot();
  const double at = static_cast<double>(place) + (isStair ? 0.5 : 1);
  return {area.left() + area.width() * at / static_cast<double>(places()), heightOf(valueOf(curve, place), area)};
}

// ---- painting ----

void ProfileChart::paintChart(QPainter& painter)
{
  paintTitle(painter, {});
  paintLegend(painter);
  if (!instead.isEmpty()) {
    paintNotice(painter);
    return;
  }
  painter.setRenderHint(QPainter::Antialiasing);
  const QRectF area = plot();
  paintAxes(painter, area);
  const bool hasMark = hasFocus() && mark;
  if (press && press->first) {
    paintBand(painter, area, stretchOf(*press));
  } else if (hasMark) {
    paintBand(painter, area, {mark->curve, mark->place, mark->place + 1});
  }
  for (std::size_t curve = 0; curve < shown.size(); ++curve) {
    paintCurve(painter, area, curve);
  }
  for (std::size_t curve = 0; curve < shown.size(); ++curve) {
    paintSelected(painter, area, curve);
  }
  if (hasMark) {
    paintMark(painter);
  }
}

/// What a figure shows is not where the keyboard is.
void ProfileChart::paintPart(QPainter& painter, const FigureArea& area)
{
  const QScopedValueRollback<std::optional<Mark>> unmarked(mark, std::nullopt);
  TitledChart::paintPart(painter, area);
}

/// Beside the heading.
double ProfileChart::roomForNames() const
{
  return plotArea({}).right() - titleEnd({});
}

double ProfileChart::widthOfNames() const
{
  double all = 0;
  for (const Curve& curve : shown)
    all += fontMetrics().horizontalAdvance(curve.name) + kBesideName;
  return all;
}

std::vector<TitledChart::LineName> ProfileChart::namesWithoutRoom() const
{
  std::vector<LineName> names;
  if (widthOfNames() > roomForNames())
    for (std::size_t curve = 0; curve < shown.size(); ++curve)
      names.push_back({shown[curve].name, colorOf(curve)});
  return names;
}

/// At the right of the heading, the first curve at the left.
void ProfileChart::paintLegend(QPainter& painter) const
{
  if (hasNamesBelow())
    return;
  const QRectF whole = plotArea({});
  const double baseline = whole.top() - fontMetrics().height() + fontMetrics().ascent() / 2.0 + kTickGap;
  const double room = roomForNames();
  const double most =
      widthOfNames() <= room ? room : room / static_cast<double>(std::max<std::size_t>(1, shown.size())) - kBesideName;
  double right = whole.right();
  for (std::size_t curve = shown.size(); curve-- > 0;) {
    const QString name = fitting(shown[curve].name, Qt::ElideMiddle, most);
    right -= fontMetrics().horizontalAdvance(name);
    painter.setPen(theme().text);
    painter.drawText(QPointF(right, baseline), name);
    right -= kSwatch + kTickGap;
    painter.setPen(QPen(colorOf(curve), 2));
    const double middle = baseline - fontMetrics().ascent() / 3.0;
    painter.drawLine(QPointF(right, middle), QPointF(right + kSwatch, middle));
    right -= kSwatch;
  }
}

/// Whole, or where it has no room as much as a line holds: its tooltip has it all.
void ProfileChart::paintNotice(QPainter& painter) const
{
  constexpr int kInMiddle = Qt::AlignCenter | Qt::TextWordWrap;
  const QRectF area = plotArea({});
  const QSizeF needed = painter.boundingRect(area, kInMiddle, instead).size();
  const bool fits = needed.width() <= area.width() && needed.height() <= area.height();
  painter.setPen(theme().secondaryText);
  painter.drawText(area, kInMiddle, fits ? instead : fitting(instead, Qt::ElideRight, area.width()));
}

void ProfileChart::paintAxes(QPainter& painter, const QRectF& area) const
{
  paintHeights(painter, area, highest);
  const double baseline = area.bottom() + kTickGap + fontMetrics().ascent();
  painter.drawText(QPointF(area.left(), baseline), QStringLiteral("0"));
  const bool hasUnit = unit.isEmpty() || !across.isEmpty(); // which has it
  const QString end =
      formatNumber(static_cast<double>(places()) * width) + (hasUnit ? QString() : QStringLiteral(" ") + unit);
  const double endLeft = area.right() - fontMetrics().horizontalAdvance(end);
  painter.drawText(QPointF(endLeft, baseline), end);
  const auto paintCentred = [&](const QString& title, double from, double to, double y) {
    const QString text = fitting(title, Qt::ElideRight, to - from);
    painter.drawText(QPointF((from + to - fontMetrics().horizontalAdvance(text)) / 2, y), text);
  };
  paintCentred(across, area.left() + 4 * kTickGap, endLeft - kTickGap, baseline);
  painter.save();
  painter.rotate(-90);
  paintCentred(upwards, -area.bottom(), -area.top(), plotArea({}).left() + fontMetrics().ascent() - kTickGap);
  painter.restore();
}

QPolygonF ProfileChart::pathOf(const std::vector<double>& values, const QRectF& area) const
{
  const double step = area.width() / static_cast<double>(places());
  QPolygonF path;
  path << area.bottomLeft();
  for (std::size_t k = 0; k < values.size(); ++k) {
    const double right = area.left() + step * static_cast<double>(k + 1);
    const double y = heightOf(values[k], area);
    if (isStair) {
      path << QPointF(right - step, y);
    }
    path << QPointF(right, y);
  }
  if (isStair) {
    path << QPointF(area.left() + step * static_cast<double>(values.size()), area.bottom());
  } else if (values.size() < places()) { // beyond its values there is nothing
    path << QPointF(area.left() + step * static_cast<double>(values.size() + 1), area.bottom());
  }
  return path;
}

void ProfileChart::paintCurve(QPainter& painter, const QRectF& area, std::size_t curve) const
{
  const QPolygonF path = pathOf(shown[curve].values, area);
  const QColor color = colorOf(curve);
  painter.setPen(QPen(color, 1.5));
  if (isStair) {
    QColor faint = color;
    faint.setAlpha(kFaint);
    painter.setBrush(faint);
    painter.drawPolygon(path);
    painter.setBrush(Qt::NoBrush);
  } else {
    painter.drawPolyline(path);
  }
}

/// As a second line, or as the lower part of each class.
void ProfileChart::paintSelected(QPainter& painter, const QRectF& area, std::size_t curve) const
{
  const std::vector<double>& values = chosen[curve];
  if (std::ranges::none_of(values, [](double value) { return value > 0; })) {
    return;
  }
  painter.setPen(QPen(theme().selection, 2, curve == 0 ? Qt::SolidLine : Qt::DashLine));
  if (!isStair) {
    painter.drawPolyline(pathOf(values, area));
    return;
  }
  QColor strong = theme().selection;
  strong.setAlpha(curve == 0 ? kStrong : kFaint);
  painter.setBrush(strong);
  const double step = area.width() / static_cast<double>(places());
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (values[k] > 0) {
      const QPointF corner(area.left() + step * static_cast<double>(k), heightOf(values[k], area));
      painter.drawRect(QRectF(corner, QPointF(corner.x() + step, area.bottom())));
    }
  }
  painter.setBrush(Qt::NoBrush);
}

/// Behind places that a drag passed, or the one that the keyboard is at.
void ProfileChart::paintBand(QPainter& painter, const QRectF& area, const Stretch& places) const
{
  const double left = pointOf(places.curve, places.begin).x();
  const double right = pointOf(places.curve, places.end - 1).x();
  const double beside = isStair ? area.width() / static_cast<double>(this->places()) / 2 : 1;
  QColor faint = theme().secondaryText;
  faint.setAlpha(kFaint);
  painter.fillRect(QRectF(QPointF(left - beside, area.top()), QPointF(right + beside, area.bottom())), faint);
}

/// On the curve that the keyboard picks of.
void ProfileChart::paintMark(QPainter& painter) const
{
  painter.setPen(QPen(colorOf(mark->curve), 2));
  painter.setBrush(theme().canvas);
  painter.drawEllipse(pointOf(mark->curve, mark->place), kMarkRadius, kMarkRadius);
  painter.setBrush(Qt::NoBrush);
}

// ---- what is where ----

/// The class that a point is over, or the value of a line that is nearest across.
std::optional<std::size_t> ProfileChart::placeAt(const QPointF& point) const
{
  const QRectF around = plot().adjusted(-kBeside, 0, kBeside, kBeside);
  if (shown.empty() || !instead.isEmpty() || !around.contains(point)) {
    return std::nullopt;
  }
  return placeOver(point.x());
}

std::size_t ProfileChart::placeOver(double x) const
{
  const QRectF area = plot();
  const auto count = static_cast<double>(places());
  const double at = (x - area.left()) / area.width() * count;
  return static_cast<std::size_t>(std::clamp(isStair ? std::floor(at) : std::round(at) - 1, 0.0, count - 1));
}

/// Of those that are above 0 there.
std::optional<std::size_t> ProfileChart::curveNear(std::size_t place, double y) const
{
  const QRectF area = plot();
  std::optional<std::size_t> nearest;
  double least = 0;
  for (std::size_t curve = 0; curve < shown.size(); ++curve) {
    const double away = std::abs(heightOf(valueOf(curve, place), area) - y);
    if (valueOf(curve, place) > 0 && (!nearest || away < least)) {
      nearest = curve;
      least = away;
    }
  }
  return nearest;
}

/// Of the curve that is nearer where it began; where all are 0 there, of the first that is not 0 all along.
ProfileChart::Stretch ProfileChart::stretchOf(const Press& of) const
{
  if (!of.first) {
    return {};
  }
  Stretch places{0, std::min(*of.first, of.last), std::max(*of.first, of.last) + 1};
  const auto isAbove = [&](std::size_t curve) {
    for (std::size_t place = places.begin; place < places.end; ++place) {
      if (valueOf(curve, place) > 0) {
        return true;
      }
    }
    return false;
  };
  if (const auto nearest = curveNear(*of.first, of.at.y())) {
    places.curve = *nearest;
  } else {
    while (places.curve + 1 < shown.size() && !isAbove(places.curve)) {
      ++places.curve;
    }
  }
  return places;
}

QString ProfileChart::describe(std::size_t place) const
{
  const QString from = formatNumber(static_cast<double>(place) * width);
  const QString to = formatNumber(static_cast<double>(place + 1) * width);
  QString text = (isStair ? tr("%1 to %2 %3").arg(from, to, unit) : tr("%1 %2").arg(to, unit)).trimmed();
  const bool isAnySelected = std::ranges::any_of(chosen, [](const auto& ofCurve) { return !ofCurve.empty(); });
  for (std::size_t curve = 0; curve < shown.size(); ++curve) {
    const QString name = upwards.isEmpty() ? shown[curve].name : tr("%1, %2").arg(shown[curve].name, upwards);
    text += QStringLiteral("\n%1: %2").arg(name, formatNumber(valueOf(curve, place)));
    if (isAnySelected) {
      text += tr(", selected: %1").arg(formatNumber(selectedOf(curve, place)));
    }
  }
  return text;
}

bool ProfileChart::event(QEvent* event)
{
  if (event->type() != QEvent::ToolTip) {
    return TitledChart::event(event);
  }
  const auto* help = static_cast<QHelpEvent*>(event);
  const auto place = placeAt(help->pos());
  const QString text = instead.isEmpty() ? toolTip() : instead;
  QToolTip::showText(help->globalPos(), place ? describe(*place) : text, this);
  return true;
}

// ---- mouse and keys ----

void ProfileChart::mousePressEvent(QMouseEvent* event)
{
  if (event->button() != Qt::LeftButton) {
    TitledChart::mousePressEvent(event);
    return;
  }
  const auto place = placeAt(event->position());
  press = Press{event->position(), place, place.value_or(0)};
  update();
}

void ProfileChart::mouseMoveEvent(QMouseEvent* event)
{
  const QPointF point = event->position();
  if (!press) {
    const auto place = placeAt(point);
    setCursor(place && curveNear(*place, point.y()) ? Qt::PointingHandCursor : Qt::ArrowCursor);
    return;
  }
  press->isDrag = press->isDrag || (point - press->at).manhattanLength() > kClickDistance;
  if (press->isDrag && press->first) {
    press->last = placeOver(point.x());
    update();
  }
}

void ProfileChart::mouseReleaseEvent(QMouseEvent* event)
{
  if (!press || event->button() != Qt::LeftButton) {
    TitledChart::mouseReleaseEvent(event);
    return;
  }
  const Press ended = *std::exchange(press, std::nullopt);
  const Stretch places = stretchOf(ended);
  if (ended.first && ended.last < shown[places.curve].values.size()) {
    mark = Mark{places.curve, ended.last};
  }
  update();
  emit picked(places, event->modifiers());
}

void ProfileChart::keyPressEvent(QKeyEvent* event)
{
  switch (event->key()) {
  case Qt::Key_Left:
    return walk(-1, 0);
  case Qt::Key_Right:
    return walk(1, 0);
  case Qt::Key_Up:
    return walk(0, -1);
  case Qt::Key_Down:
    return walk(0, 1);
  case Qt::Key_Home:
    return goTo(false);
  case Qt::Key_End:
    return goTo(true);
  case Qt::Key_Space:
  case Qt::Key_Return:
  case Qt::Key_Enter:
    return pickMark(event->modifiers());
  default:
    TitledChart::keyPressEvent(event);
  }
}

/// The first value above 0.
std::optional<ProfileChart::Mark> ProfileChart::firstMark() const
{
  for (std::size_t curve = 0; curve < shown.size(); ++curve) {
    const std::vector<double>& values = shown[curve].values;
    const auto found = std::ranges::find_if(values, [](double value) { return value > 0; });
    if (found != values.end()) {
      return Mark{curve, static_cast<std::size_t>(found - values.begin())};
    }
  }
  return std::nullopt;
}

void ProfileChart::setMark(Mark wanted)
{
  mark = wanted;
  const QString text = describe(wanted.place);
  setAccessibleDescription(text);
  QToolTip::showText(mapToGlobal(pointOf(wanted.curve, wanted.place).toPoint()), text, this);
  update();
}

void ProfileChart::walk(int along, int acrossCurves)
{
  if (!mark) {
    if (const auto first = firstMark()) {
      setMark(*first);
    }
    return;
  }
  const auto moved = [](std::size_t from, int by, std::size_t count) {
    const auto wanted = static_cast<std::ptrdiff_t>(from) + by;
    return static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(wanted, 0, static_cast<std::ptrdiff_t>(count) - 1));
  };
  const std::size_t curve = moved(mark->curve, acrossCurves, shown.size());
  if (const std::size_t count = shown[curve].values.size(); count > 0) {
    setMark({curve, moved(mark->place, along, count)});
  }
}

void ProfileChart::goTo(bool isLast)
{
  if (mark) {
    setMark({mark->curve, isLast ? shown[mark->curve].values.size() - 1 : 0});
  } else {
    walk(0, 0);
  }
}

void ProfileChart::pickMark(Qt::KeyboardModifiers modifiers)
{
  if (mark) {
    emit picked({mark->curve, mark->place, mark->place + 1}, modifiers);
  }
}

void ProfileChart::focusInEvent(QFocusEvent* event)
{
  if (!mark && event->reason() != Qt::MouseFocusReason) {
    mark = firstMark();
  }
  if (mark) {
    setAccessibleDescription(describe(mark->place));
  }
  TitledChart::focusInEvent(event); // which repaints
}

void ProfileChart::focusOutEvent(QFocusEvent* event)
{
  press.reset();
  TitledChart::focusOutEvent(event);
}

} // namespace hinesight::widgets
