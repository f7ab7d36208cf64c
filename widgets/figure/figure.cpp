#include "widgets/figure/figure.hpp"

#include "core/error.hpp"
#include "widgets/figure/figure_legend.hpp"
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
constexpr double kPairGap = 12;

constexpr int kLongestSide = 16'384; // pixels
constexpr std::int64_t kMostPixels = 100'000'000;

double pixelsPerUnit(const FigureOptions& options)
{
  return options.unit == FigureUnit::Pixels ? 1 : options.dotsPerInch / kMillimetresPerInch;
}

/// The greatest height that a figure of that width may have, in whole units; that field ends at kLongestSide, too.
int tallestOf(const FigureOptions& options)
{
  const auto mostPixels =
      static_cast<double>(std::min<std::int64_t>(kLongestSide, kMostPixels / options.pixels().width()));
  return static_cast<int>(std::min<double>(kLongestSide, std::floor(mostPixels / pixelsPerUnit(options))));
}

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

/// 0 without a title.
double titleEnd(const Figure& figure, const FigureOptions& options, const QFont& font)
{
  const bool hasTitle = options.hasTitle && !figure.title.isEmpty();
  return hasTitle ? kFigureMargin + QFontMetricsF(titleFont(font)).height() : 0;
}

void paintTitle(QPainter& painter, const QString& title, const QFont& font, double width)
{
  const QFontMetricsF metrics(font);
  painter.setFont(font);
  painter.setPen(theme().text);
  painter.drawText(QPointF(kFigureMargin, kFigureMargin + metrics.ascent()),
                   metrics.elidedText(title, Qt::ElideRight, std::max(1.0, width - 2 * kFigureMargin)));
}

/// Without a title where there is none.
Legend legendOf(const Figure& figure, const FigureOptions& options)
{
  return options.hasLegend && figure.legend ? figure.legend() : Legend();
}

/// Takes the room of a legend from that of the view. Returns where the legend begins.
QPointF takeRoom(QRectF& view, const QSizeF& legend, LegendPlace place)
{
  const double left = kFigureMargin;
  const double right = view.right() - kFigureMargin - legend.width();
  if (place == LegendPlace::Right) {
    view.setRight(right - kFigureMargin);
    return {right, view.top() + kFigureMargin};
  }
  if (place == LegendPlace::BottomLeft || place == LegendPlace::BottomRight) {
    view.setBottom(view.bottom() - kFigureMargin - legend.height());
    return {place == LegendPlace::BottomLeft ? left : right, view.bottom()};
  }
  const double top = view.top() + kFigureMargin;
  view.setTop(top + legend.height());
  return {place == LegendPlace::TopLeft ? left : right, top};
}

/// Title above, the view below it, the legend beside the view.
void paintWhole(QPainter& painter, const Figure& figure, const FigureOptions& options, double ratio,
                const RunControl& control)
{
  const QSizeF size = options.size();
  const QFont font = figureFont();
  const PainterScope scope(painter);
  painter.setRenderHint(QPainter::Antialiasing);
  if (!options.isTransparent)
    painter.fillRect(QRectF(QPointF(0, 0), size), theme().canvas);
  QRectF view(QPointF(0, 0), size);
  view.setTop(titleEnd(figure, options, font));
  if (view.top() > 0)
    paintTitle(painter, figure.title, titleFont(font), size.width());
  if (const Legend legend = legendOf(figure, options); !legend.title.isEmpty()) {
    const FigureLegend laidOut = layOutLegend(legend, options, font, view.top());
    painter.save();
    painter.translate(takeRoom(view, laidOut.size, options.legendPlace));
    laidOut.paint(painter, legend);
    painter.restore();
  }
  painter.translate(view.topLeft());
  figure.paint(painter, {view.size().expandedTo({1, 1}), ratio, options.isTransparent, options.hasScaleBar,
                         options.scaleCorner, font, control, options.isParallel});
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
  const double perUnit = pixelsPerUnit(*this);
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
  return options.theme == FigureTheme::Light ? ThemeMode::Print : theme().mode;
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

std::optional<LegendShortage> legendShortage(const Figure& figure, const FigureOptions& options)
{
  validate(options);
  const ThemeScope scope(themeOf(options));
  const Legend legend = legendOf(figure, options);
  const QFont font = figureFont();
  const double top = titleEnd(figure, options, font);
  const std::size_t leftOut = legend.title.isEmpty() ? 0 : layOutLegend(legend, options, font, top).leftOut;
  if (leftOut == 0)
    return {};
  return LegendShortage{legend.entries.size(), leftOut,
                        heightForLegend(legend, options, font, top, tallestOf(options))};
}

} // namespace hinesight::widgets
