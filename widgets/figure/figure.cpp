#include "widgets/figure/figure.hpp"

#include "core/error.hpp"
#include "widgets/theme_scope.hpp"

#include <QApplication>
#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <utility>

namespace hinesight::widgets {

namespace {

constexpr double kUnitsPerInch = 96;
constexpr double kMillimetresPerInch = 25.4;
constexpr double kMargin = 10;
constexpr double kSwatch = 10;
constexpr double kSwatchGap = 6;
constexpr double kEntryGap = 16;
constexpr double kBarWidth = 168;
constexpr double kBarHeight = 9;
constexpr double kLineGap = 3;
constexpr double kMostLegend = 0.4; // of the height of a figure
constexpr double kPairGap = 12;

constexpr int kLongestSide = 16'384; // pixels
constexpr std::int64_t kMostPixels = 100'000'000;

QFont figureFont()
{
  QFont font = QApplication::font();
  const double points = font.pointSizeF();
  font.setPixelSize(points > 0 ? static_cast<int>(std::lround(points * kUnitsPerInch / 72)) : font.pixelSize());
  return font;
}

QFont titleFont(const QFont& base)
{
  QFont font = base;
  font.setWeight(QFont::DemiBold);
  return font;
}

/// Where the entries of a legend stand, line by line below its title.
struct LegendLayout
{
  struct Place
  {
    QPointF at;
    QString text;
    std::optional<std::size_t> entry; ///< none: the line that counts those that are left out
  };
  std::vector<Place> places;
  QSizeF size;
};

LegendLayout layOut(const Legend& legend, const QFont& font, double width, double height)
{
  const QFontMetricsF metrics(font);
  const double line = metrics.height() + kLineGap;
  LegendLayout layout;
  QPointF at(0, line);
  double right = metrics.horizontalAdvance(legend.title);
  const auto place = [&](const QString& label, std::optional<std::size_t> entry) {
    const double lead = entry ? kSwatch + kSwatchGap : 0;
    const QString text = metrics.elidedText(label, Qt::ElideMiddle, width - lead);
    const double needed = lead + metrics.horizontalAdvance(text);
    if (at.x() > 0 && at.x() + needed > width)
      at = {0, at.y() + line};
    layout.places.push_back({at, text, entry});
    right = std::max(right, at.x() + needed);
    at.rx() += needed + kEntryGap;
  };
  std::size_t entry = 0;
  for (; entry < legend.entries.size(); ++entry) {
    place(legend.entries[entry].label, entry);
    if (at.y() + line > height) // the lines after it would be cut off
      break;
  }
  if (entry < legend.entries.size()) {
    layout.places.pop_back();
    at = layout.places.empty() ? QPointF(0, line) : QPointF(0, layout.places.back().at.y() + line);
    place(QObject::tr("and %1 more").arg(formatNumber(static_cast<double>(legend.entries.size() - entry))), {});
  }
  const double bottom = layout.places.empty() ? line : layout.places.back().at.y() + line;
  layout.size = {std::min(width, right), bottom};
  if (legend.isQuantity)
    layout.size = {std::max(right, kBarWidth), line + kBarHeight + 3 + line};
  return layout;
}

void paintColorBar(QPainter& painter, const Legend& legend, const QFontMetricsF& metrics, double top)
{
  // Plain rectangles: a gradient would be blurred by some readers of drawings.
  constexpr int kSteps = 84;
  painter.setPen(Qt::NoPen);
  painter.setRenderHint(QPainter::Antialiasing, false);
  for (int step = 0; step < kSteps; ++step) {
    const double left = kBarWidth * step / kSteps;
    painter.setBrush(mapColor(legend.map, (step + 0.5) / kSteps));
    painter.drawRect(QRectF(left, top, kBarWidth - left, kBarHeight));
  }
  painter.setRenderHint(QPainter::Antialiasing, true);
  const double baseline = top + kBarHeight + 3 + metrics.ascent();
  const QString low = formatNumber(legend.low);
  const QString high = (legend.clamped ? QStringLiteral("\u2265 ") : QString()) + formatNumber(legend.high);
  const QString middle = formatNumber((legend.low + legend.high) / 2);
  painter.setPen(theme().text);
  painter.drawText(QPointF(0, baseline), low);
  painter.drawText(QPointF((kBarWidth - metrics.horizontalAdvance(middle)) / 2, baseline), middle);
  painter.drawText(QPointF(kBarWidth - metrics.horizontalAdvance(high), baseline), high);
}

void paintPlaces(QPainter& painter, const Legend& legend, const QFont& font, const LegendLayout& layout)
{
  const QFontMetricsF metrics(font);
  painter.setFont(font);
  painter.setPen(theme().secondaryText);
  painter.drawText(QPointF(0, metrics.ascent()), metrics.elidedText(legend.title, Qt::ElideRight, layout.size.width()));
  if (legend.isQuantity)
    return paintColorBar(painter, legend, metrics, metrics.height() + kLineGap);
  for (const LegendLayout::Place& place : layout.places) {
    double left = place.at.x();
    if (place.entry) {
      painter.setPen(Qt::NoPen);
      painter.setBrush(legend.entries[*place.entry].color);
      const double top = place.at.y() + (metrics.height() - kSwatch) / 2;
      painter.drawRoundedRect(QRectF(left, top, kSwatch, kSwatch), 2, 2);
      left += kSwatch + kSwatchGap;
    }
    painter.setPen(theme().text);
    painter.drawText(QPointF(left, place.at.y() + metrics.ascent()), place.text);
  }
}

/// What a painter was before, also where painting ends by an error.
class PainterScope
{
public:
  explicit PainterScope(QPainter& ofFigure) : painter(ofFigure) { painter.save(); }
  ~PainterScope() { painter.restore(); }
  PainterScope(const PainterScope&) = delete;
  PainterScope& operator=(const PainterScope&) = delete;

private:
  QPainter& painter;
};

/// Title above, the view in the middle, the legend below.
void paintWhole(QPainter& painter, const Figure& figure, const FigureOptions& options, double ratio,
                const RunControl& control)
{
  const QSizeF size = options.size();
  const QFont font = figureFont();
  const PainterScope scope(painter);
  painter.setRenderHint(QPainter::Antialiasing);
  if (!options.isTransparent)
    painter.fillRect(QRectF(QPointF(0, 0), size), theme().canvas);
  double top = 0;
  double bottom = size.height();
  const double width = std::max(1.0, size.width() - 2 * kMargin);
  if (options.hasTitle && !figure.title.isEmpty()) {
    const QFontMetricsF metrics(titleFont(font));
    painter.setFont(titleFont(font));
    painter.setPen(theme().text);
    painter.drawText(QPointF(kMargin, kMargin + metrics.ascent()),
                     metrics.elidedText(figure.title, Qt::ElideRight, width));
    top = kMargin + metrics.height();
  }
  const Legend legend = options.hasLegend && figure.legend ? figure.legend() : Legend();
  if (!legend.title.isEmpty()) {
    const LegendLayout layout = layOut(legend, font, width, kMostLegend * size.height());
    bottom = size.height() - kMargin - layout.size.height();
    painter.save();
    painter.translate(kMargin, bottom);
    paintPlaces(painter, legend, font, layout);
    painter.restore();
  }
  painter.translate(0, top);
  figure.paint(
      painter,
      {{size.width(), std::max(1.0, bottom - top)}, ratio, options.isTransparent, options.hasScaleBar, font, control});
}

/// In the colours that are wanted.
void paintThemed(QPainter& painter, const Figure& figure, const FigureOptions& options, double ratio,
                 const RunControl& control)
{
  const ThemeScope scope(themeOf(options));
  paintWhole(painter, figure, options, ratio, control);
}

QImage pixelsOfFigure(const Figure& figure, const FigureOptions& options, const QSize& pixels,
                      const RunControl& control)
{
  QImage image(pixels, options.isTransparent ? QImage::Format_ARGB32_Premultiplied : QImage::Format_RGB32);
  if (image.isNull())
    throw Error(ErrorCode::OutOfMemory, "The figure needs more memory than is free; make it smaller.");
  image.fill(Qt::transparent);
  // While it is painted an inch has 96 units on every device; the file says how many pixels it has.
  const auto setDots = [&](double perInch) {
    image.setDotsPerMeterX(static_cast<int>(std::lround(perInch * 1000 / kMillimetresPerInch)));
    image.setDotsPerMeterY(static_cast<int>(std::lround(perInch * 1000 / kMillimetresPerInch)));
  };
  setDots(kUnitsPerInch);
  QPainter painter(&image);
  const double ratio = pixels.width() / options.size().width();
  painter.scale(ratio, pixels.height() / options.size().height());
  paintThemed(painter, figure, options, ratio, control);
  painter.end();
  setDots(options.dotsPerInch);
  return image;
}

} // namespace

QSize FigureOptions::pixels() const
{
  const double perUnit = unit == FigureUnit::Pixels ? 1 : dotsPerInch / kMillimetresPerInch;
  return QSize(static_cast<int>(std::lround(width * perUnit)), static_cast<int>(std::lround(height * perUnit)))
      .expandedTo({1, 1});
}

QSizeF FigureOptions::size() const
{
  return QSizeF(width, height) * kUnitsPerInch / (unit == FigureUnit::Pixels ? dotsPerInch : kMillimetresPerInch);
}

void validate(const FigureOptions& options)
{
  validateFields(fieldsOf(options));
  const QSize pixels = options.pixels();
  if (std::max(pixels.width(), pixels.height()) > kLongestSide ||
      std::int64_t{pixels.width()} * pixels.height() > kMostPixels)
    throw Error(ErrorCode::BadParameter, "The figure would have " + std::to_string(pixels.width()) + "x" +
                                             std::to_string(pixels.height()) +
                                             " pixels; choose a size or resolution with at most 16384 a side and 100 "
                                             "million in all.");
}

ThemeMode themeOf(const FigureOptions& options)
{
  return options.theme == FigureTheme::Light ? ThemeMode::Light : theme().mode;
}

Figure sideBySide(Figure left, Figure right)
{
  Figure both = left;
  both.still = nullptr;
  if (left.still && right.still)
    both.still = [left = left.still, right = right.still](ThemeMode mode) {
      return sideBySide(left(mode), right(mode));
    };
  both.paint = [left = std::move(left.paint), right = std::move(right.paint)](QPainter& painter, FigureArea area) {
    area.size.rwidth() = std::max(1.0, (area.size.width() - kPairGap) / 2);
    left(painter, area);
    painter.save();
    painter.translate(area.size.width() + kPairGap, 0);
    right(painter, area);
    painter.restore();
  };
  return both;
}

Picture pictureOf(const Figure& figure, const FigureOptions& options, const RunControl& control)
{
  validate(options);
  Picture picture;
  picture.pixels = [figure, options, control] { return pixelsOfFigure(figure, options, options.pixels(), control); };
  picture.paint = [figure, options, control](QPainter& painter) {
    paintThemed(painter, figure, options, options.dotsPerInch / kUnitsPerInch, control);
  };
  picture.size = options.size();
  picture.dotsPerInch = static_cast<int>(kUnitsPerInch);
  return picture;
}

QImage previewOf(const Figure& figure, const FigureOptions& options, const QSize& room, const RunControl& control)
{
  validate(options);
  const QSize whole = options.size().toSize().expandedTo({1, 1});
  return pixelsOfFigure(figure, options, whole.scaled(room, Qt::KeepAspectRatio).expandedTo({1, 1}), control);
}

} // namespace hinesight::widgets
