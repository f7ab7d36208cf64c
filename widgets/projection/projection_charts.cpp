#include "widgets/projection/projection_charts.hpp"

#include "widgets/projection/projection_colors.hpp"
#include "widgets/theme.hpp"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace hinesight::widgets {

namespace {

using projection::IndexRange;

constexpr std::uint32_t kMostPixels = 256; ///< of a picture of a population, a side
constexpr std::uint32_t kSquares = 96;     ///< of a population that is no grid, on the longer side
constexpr std::uint8_t kLeastLevel = 1;    ///< of neurons; 0 is the ground, where there are none
constexpr int kBarWidth = 8;
constexpr double kLeastLines = 2; ///< of text, that a picture of a thin layer and its scale are high and wide
constexpr int kAxisGap = 3;       ///< between a picture and the name of an axis, pixels
constexpr double kZoomPerNotch = 1.5;
constexpr double kWheelNotch = 120;
constexpr double kClickDistance = 4;       ///< pixels that the mouse may move during a click
constexpr int kMarkedAlpha = 90;           ///< of the band over a marked row
constexpr double kMarkLength = 4;          ///< of its mark beside the matrix, pixels
constexpr std::uint64_t kLeastIndices = 8; ///< that a zoomed matrix shows along a side

QString number(double value)
{
  return formatNumber(value);
}

QVector<QRgb> colorTable()
{
  const std::vector<QRgb> colors = levelColors(false);
  return {colors.begin(), colors.end()};
}

/// Places an equal step apart.
struct EvenPlaces
{
  std::uint64_t count = 0;
  double step = 1;
};

/// Those of coordinates; of coordinates that are not so, none.
EvenPlaces evenPlacesOf(std::vector<double> coordinates)
{
  constexpr double kUneven = 1e-3; // of a step
  std::ranges::sort(coordinates);
  coordinates.erase(std::unique(coordinates.begin(), coordinates.end()), coordinates.end());
  if (coordinates.size() == 1)
    return {1, 1};
  const double step = (coordinates.back() - coordinates.front()) / static_cast<double>(coordinates.size() - 1);
  for (std::size_t place = 0; place < coordinates.size(); ++place)
    if (std::abs(coordinates[place] - coordinates.front() - static_cast<double>(place) * step) > kUneven * step)
      return {};
  return {coordinates.size(), step};
}

/// Which pixel of a picture has a neuron.
class PixelGrid
{
public:
  explicit PixelGrid(const projection::Population& shown) : population(shown), low(shown.bounds()[0])
  {
    const auto& parameters = population.parameters();
    if (population.isGrid()) {
      makeGrid(parameters.size[0], parameters.size[1]);
      return;
    }
    if (takeEvenPlaces())
      return;
    const auto high = population.bounds()[1];
    const double longest = std::max(high[0] - low[0], high[1] - low[1]);
    const double square = longest > 0 ? longest / kSquares : 1;
    step = {square, square};
    columns = std::max(1U, static_cast<std::uint32_t>(std::ceil((high[0] - low[0]) / square)));
    rows = std::max(1U, static_cast<std::uint32_t>(std::ceil((high[1] - low[1]) / square)));
  }

  std::size_t pixels() const { return std::size_t{columns} * rows; }

  std::size_t pixelOf(std::uint64_t neuron) const
  {
    if (population.isGrid()) {
      const auto& size = population.parameters().size;
      const std::uint64_t row = neuron / size[0] % size[1];
      return static_cast<std::size_t>(row / coarseness) * columns +
             static_cast<std::size_t>(neuron % size[0] / coarseness);
    }
    const projection::Position at = population.position(neuron);
    const auto place = [&](std::size_t axis, std::uint32_t count) {
      const auto index = static_cast<std::size_t>((at[axis] - low[axis]) / step[axis]);
      return std::min<std::size_t>(index, count - 1);
    };
    return place(1, rows) * columns + place(0, columns);
  }

  std::uint32_t columns = 1;
  std::uint32_t rows = 1;

private:
  void makeGrid(std::uint32_t alongX, std::uint32_t alongY)
  {
    coarseness = (std::max(alongX, alongY) + kMostPixels - 1) / kMostPixels;
    columns = (alongX + coarseness - 1) / coarseness;
    rows = (alongY + coarseness - 1) / coarseness;
  }

  /// Where a file, say, has the neurons of a grid: squares of another size would lie between them. A neuron stands in
  /// the middle of its place.
  bool takeEvenPlaces()
  {
    const auto kind = population.parameters().kind;
    if (kind == projection::PopulationKind::Box || kind == projection::PopulationKind::Sphere)
      return false; // random
    const EvenPlaces x = evenPlacesOf(population.coordinates(0));
    const EvenPlaces y = evenPlacesOf(population.coordinates(1));
    if (x.count == 0 || y.count == 0 || x.count * y.count > population.count())
      return false;
    makeGrid(static_cast<std::uint32_t>(x.count), static_cast<std::uint32_t>(y.count));
    step = {x.step * coarseness, y.step * coarseness};
    low[0] -= x.step / 2;
    low[1] -= y.step / 2;
    return true;
  }

  const projection::Population& population;
  projection::Position low; ///< where the first pixel begins
  std::array<double, 2> step{1, 1};
  std::uint32_t coarseness = 1; ///< neurons of a grid a pixel, each way
};

/// The longest range inside `all` that is `size` long and begins as near to `begin` as may be.
IndexRange rangeInside(double begin, double size, IndexRange all)
{
  const auto length = std::clamp<std::uint64_t>(static_cast<std::uint64_t>(std::llround(size)),
                                                std::min(kLeastIndices, all.size()), all.size());
  const double last = static_cast<double>(all.end - length);
  const auto first = static_cast<std::uint64_t>(std::llround(std::clamp(begin, static_cast<double>(all.begin), last)));
  return {first, first + length};
}

/// Those that lie in the pixels from one to another of a side; where there are more of them than pixels, all that share
/// these.
IndexRange indicesBetween(double from, double to, IndexRange seen, double begin, double length)
{
  const bool areFew = static_cast<double>(seen.size()) <= length;
  const auto indexAt = [&](double pixel) {
    const double share = std::clamp((pixel - begin) / length, 0.0, 1.0);
    return seen.begin + static_cast<std::uint64_t>(share * static_cast<double>(seen.size()));
  };
  const auto [low, high] = std::minmax(from, to);
  const std::uint64_t first = std::min(indexAt(areFew ? low : std::floor(low)), seen.end - 1);
  const std::uint64_t last = areFew ? indexAt(high) + 1 : indexAt(std::floor(high) + 1);
  return {first, std::clamp(last, first + 1, seen.end)};
}

} // namespace

FanPicture makeFanPicture(const projection::Population& population, const std::vector<std::uint32_t>& rows)
{
  const PixelGrid grid(population);
  std::vector<double> sum(grid.pixels(), 0);
  std::vector<std::uint32_t> neurons(grid.pixels(), 0);
  double total = 0;
  FanPicture picture;
  picture.lowest = std::numeric_limits<double>::infinity();
  for (std::size_t neuron = 0; neuron < rows.size(); ++neuron) {
    const std::size_t pixel = grid.pixelOf(neuron);
    sum[pixel] += rows[neuron];
    ++neurons[pixel];
    total += rows[neuron];
    picture.lowest = std::min<double>(picture.lowest, rows[neuron]);
    picture.highest = std::max<double>(picture.highest, rows[neuron]);
  }
  picture.mean = total / static_cast<double>(rows.size());
  picture.levels = QImage(static_cast<int>(grid.columns), static_cast<int>(grid.rows), QImage::Format_Indexed8);
  for (std::uint32_t y = 0; y < grid.rows; ++y) {
    uchar* line = picture.levels.scanLine(static_cast<int>(y));
    for (std::uint32_t x = 0; x < grid.columns; ++x) {
      const std::size_t pixel = std::size_t{y} * grid.columns + x;
      const double mean = neurons[pixel] > 0 ? sum[pixel] / neurons[pixel] : 0;
      const std::uint8_t level = picture.highest > 0 ? levelOf(mean / picture.highest) : 0;
      line[x] = neurons[pixel] > 0 ? std::max(level, kLeastLevel) : 0;
    }
  }
  return picture;
}

void FanMap::setPicture(const FanPicture& picture)
{
  shown = picture;
  setToolTip(shown.levels.isNull() ? QString()
                                   : tr("Rows per neuron: %1 to %2, mean %3\nSeen along z: x to the right, y upward")
                                         .arg(number(shown.lowest), number(shown.highest), number(shown.mean)));
  update();
}

QString FanMap::note() const
{
  return shown.levels.isNull() ? QString() : tr("mean %1").arg(number(shown.mean));
}

QRectF FanMap::pictureRect() const
{
  if (shown.levels.isNull()) {
    return {};
  }
  const int labels = fontMetrics().horizontalAdvance(number(shown.highest));
  const QFontMetrics metrics = fontMetrics();
  const int left = metrics.horizontalAdvance(QLatin1Char('y')) + kAxisGap;
  const QRectF area = plotArea(QMarginsF(left, 0, kBarWidth + 10 + labels, metrics.height() + kAxisGap));
  const double least = kLeastLines * metrics.height();
  const QSizeF size = QSizeF(shown.levels.size()).scaled(area.size(), Qt::KeepAspectRatio);
  return {area.topLeft(), size.expandedTo({least, least}).boundedTo(area.size())};
}

QRectF FanMap::barRect() const
{
  const QRectF place = pictureRect();
  return {place.right() + 8, place.top(), kBarWidth, place.height()};
}

bool FanMap::labelsBothEnds() const
{
  return barRect().height() >= kLeastLines * fontMetrics().height();
}

void FanMap::paintChart(QPainter& painter)
{
  paintTitle(painter, note());
  const QRectF place = pictureRect();
  if (shown.levels.isNull() || place.width() < fontMetrics().height() || place.height() < fontMetrics().height()) {
    return;
  }
  QImage colored = shown.levels;
  colored.setColorTable(colorTable());
  // y upward, as in the layers.
  painter.drawImage(place, colored.mirrored(false, true));
  const QRectF bar = barRect();
  for (int y = 0; y < static_cast<int>(bar.height()); ++y) {
    painter.fillRect(QRectF(bar.left(), bar.bottom() - y - 1, bar.width(), 1),
                     mapColor(ColorMap::Viridis, y / bar.height()));
  }
  painter.setPen(theme().secondaryText);
  const double left = bar.right() + 4;
  painter.drawText(QPointF(left, bar.top() + fontMetrics().ascent()), number(shown.highest));
  if (labelsBothEnds())
    painter.drawText(QPointF(left, bar.bottom() - 2), QStringLiteral("0"));
  const QFontMetrics metrics = fontMetrics();
  const QString x = QStringLiteral("x"), y = QStringLiteral("y");
  painter.drawText(QPointF(place.center().x() - metrics.horizontalAdvance(x) / 2.0,
                           place.bottom() + kAxisGap + metrics.ascent() - metrics.descent()),
                   x);
  painter.drawText(QPointF(place.left() - kAxisGap - metrics.horizontalAdvance(y),
                           place.center().y() + metrics.ascent() / 2.0 - metrics.descent()),
                   y);
}

WeightChart::WeightChart(QWidget* parent) : TitledChart(tr("Weights"), parent) {}

void WeightChart::setHistogram(const projection::WeightHistogram& histogram, double newCut)
{
  shown = histogram;
  cut = newCut;
  update();
}

QRectF WeightChart::plot() const
{
  return plotArea(QMarginsF(fontMetrics().horizontalAdvance(QStringLiteral("10\u2070\u2070")) + 4, 0, 0,
                            fontMetrics().height() + 4));
}

double WeightChart::xOf(const QRectF& area, double weight) const
{
  const double low = std::min(0.0, static_cast<double>(shown.low));
  const double high = std::max(0.0, static_cast<double>(shown.high));
  return area.left() + area.width() * (high > low ? (weight - low) / (high - low) : 0);
}

double WeightChart::yOf(const QRectF& area, double count) const
{
  const auto most = static_cast<double>(*std::max_element(shown.counts.begin(), shown.counts.end()));
  const double top = std::max(1.0, std::ceil(std::log10(std::max(1.0, most))));
  return area.bottom() - area.height() * std::log10(std::max(1.0, count)) / top;
}

void WeightChart::paintChart(QPainter& painter)
{
  const bool any = shown.high != 0 || shown.low != 0;
  paintTitle(painter, any ? tr("rows by weight, logarithmic") : tr("no rows"));
  if (!any) {
    return;
  }
  const QRectF area = plot();
  painter.setRenderHint(QPainter::Antialiasing);
  double free = std::numeric_limits<double>::infinity(); // above the label before
  for (double power = 1; yOf(area, power) >= area.top() - 0.5; power *= 10) {
    const double y = yOf(area, power);
    painter.setPen(QPen(theme().hairline, 1));
    painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
    if (y > free)
      continue;
    free = y - fontMetrics().ascent();
    static const QString kSuperscript = QStringLiteral("\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079");
    QString label = QStringLiteral("10");
    for (const QChar digit : QString::number(std::lround(std::log10(power)))) {
      label += kSuperscript[digit.digitValue()];
    }
    painter.setPen(theme().secondaryText);
    painter.drawText(QPointF(area.left() - fontMetrics().horizontalAdvance(label) - 4, y + 4), label);
  }
  const double width =
      (static_cast<double>(shown.high) - static_cast<double>(shown.low)) / static_cast<double>(shown.counts.size());
  const double farthest = std::max(std::abs(shown.low), std::abs(shown.high));
  for (std::size_t bin = 0; bin < shown.counts.size(); ++bin) {
    if (shown.counts[bin] == 0) {
      continue;
    }
    const double begin = static_cast<double>(shown.low) + width * static_cast<double>(bin);
    const double middle = (begin + width / 2) / farthest;
    const QColor color =
        shown.low < 0 ? mapColor(ColorMap::Diverging, 0.5 + middle / 2) : mapColor(ColorMap::Viridis, middle);
    const double top = std::min(yOf(area, static_cast<double>(shown.counts[bin])), area.bottom() - 1);
    const double left = xOf(area, begin);
    const double right = std::max(xOf(area, begin + width) - 0.6, left + 1);
    painter.fillRect(QRectF(QPointF(left, top), QPointF(right, area.bottom())), color);
  }
  painter.setPen(theme().secondaryText);
  const double baseline = area.bottom() + 4 + fontMetrics().ascent();
  const QString low = number(std::min(0.0, static_cast<double>(shown.low)));
  const QString high = number(std::max(0.0, static_cast<double>(shown.high)));
  const double highLeft = area.right() - fontMetrics().horizontalAdvance(high);
  painter.drawText(QPointF(area.left(), baseline), low);
  if (highLeft > area.left() + fontMetrics().horizontalAdvance(low) + kTickGap)
    painter.drawText(QPointF(highLeft, baseline), high);
  for (const double at : {cut, -cut}) {
    if (cut == 0 || (at < 0 && shown.low >= 0)) {
      continue;
    }
    painter.setPen(QPen(theme().accent, 1.2, Qt::DashLine));
    painter.drawLine(QPointF(xOf(area, at), area.top()), QPointF(xOf(area, at), area.bottom()));
  }
  if (cut != 0) {
    const auto widthOf = [this](const QString& text) -> double { return fontMetrics().horizontalAdvance(text); };
    QString label = tr("threshold %1").arg(number(cut));
    if (widthOf(label) > area.width())
      label = number(cut);
    if (widthOf(label) > area.width())
      return;
    const double x = std::clamp(xOf(area, cut) + 4, area.left(), area.right() - widthOf(label));
    painter.setPen(theme().accent);
    painter.drawText(QPointF(x, area.top() + fontMetrics().ascent()), label);
  }
}

bool WeightChart::event(QEvent* event)
{
  if (event->type() != QEvent::ToolTip || shown.counts.empty()) {
    return TitledChart::event(event);
  }
  const auto* help = static_cast<QHelpEvent*>(event);
  const QRectF area = plot();
  const double width =
      (static_cast<double>(shown.high) - static_cast<double>(shown.low)) / static_cast<double>(shown.counts.size());
  for (std::size_t bin = 0; bin < shown.counts.size(); ++bin) {
    const double begin = static_cast<double>(shown.low) + width * static_cast<double>(bin);
    if (help->pos().x() >= xOf(area, begin) && help->pos().x() < xOf(area, begin + width)) {
      QToolTip::showText(help->globalPos(),
                         tr("%1 rows with a weight of %2 to %3")
                             .arg(number(static_cast<double>(shown.counts[bin])), number(begin), number(begin + width)),
                         this);
      return true;
    }
  }
  QToolTip::hideText();
  return true;
}

AdjacencyChart::AdjacencyChart(QWidget* parent) : TitledChart(tr("Matrix"), parent)
{
  setCursor(Qt::CrossCursor);
  setToolTip(
      tr("A click on a row picks its sources, a click above a column its destinations; a drag beside or above the "
         "matrix, or with Shift in it, those of several; with Ctrl they are added. Wheel: zoom; drag: move; "
         "double click: the whole matrix."));
}

QRectF AdjacencyChart::plot() const
{
  return plotArea(QMarginsF(labelHeight(), labelHeight(), 0, 0));
}

void AdjacencyChart::setWhole(const projection::AdjacencyBins& bins)
{
  const bool sameMatrix = bins.sources == allSources && bins.destinations == allDestinations;
  const bool isZoomed = sources != allSources || destinations != allDestinations;
  allSources = bins.sources;
  allDestinations = bins.destinations;
  if (!sameMatrix || !isZoomed) {
    sources = allSources;
    destinations = allDestinations;
  }
  setPart(bins);
  if (sameMatrix && isZoomed) {
    emit partWanted();
  }
}

void AdjacencyChart::setPart(const projection::AdjacencyBins& bins)
{
  shown = bins;
  refreshImage();
  update();
}

/// The square root spreads the low densities of wide kernels over the colours.
void AdjacencyChart::refreshImage()
{
  image = QImage(static_cast<int>(shown.across), static_cast<int>(shown.down), QImage::Format_Indexed8);
  densest = 0;
  std::vector<double> densities;
  densities.reserve(shown.counts.size());
  for (std::uint32_t down = 0; down < shown.down; ++down) {
    for (std::uint32_t across = 0; across < shown.across; ++across) {
      densities.push_back(shown.density(down, across));
      densest = std::max(densest, densities.back());
    }
  }
  for (std::uint32_t down = 0; down < shown.down; ++down) {
    uchar* line = image.scanLine(static_cast<int>(down));
    for (std::uint32_t across = 0; across < shown.across; ++across) {
      const double density = densities[std::size_t{down} * shown.across + across];
      line[across] = densest > 0 ? levelOf(std::sqrt(density / densest)) : 0;
    }
  }
}

void AdjacencyChart::paintChart(QPainter& painter)
{
  if (shown.counts.empty()) {
    return paintTitle(painter, {});
  }
  const bool isZoomed = sources != allSources || destinations != allDestinations;
  paintTitle(painter, isZoomed ? tr("zoomed; double click for all") : tr("densest %1 %").arg(number(100 * densest)));
  const QRectF area = plot();
  image.setColorTable(colorTable());
  painter.save();
  painter.setClipRect(area);
  painter.fillRect(area, QColor::fromRgb(image.colorTable()[0]));
  const auto place = [](std::uint64_t index, IndexRange wanted, double begin, double length) {
    return begin + length * (static_cast<double>(index) - static_cast<double>(wanted.begin)) /
                       static_cast<double>(wanted.size());
  };
  const QRectF whole(QPointF(place(shown.destinations.begin, destinations, area.left(), area.width()),
                             place(shown.sources.begin, sources, area.top(), area.height())),
                     QPointF(place(shown.destinations.end, destinations, area.left(), area.width()),
                             place(shown.sources.end, sources, area.top(), area.height())));
  painter.drawImage(whole, image);
  painter.restore();
  paintMarked(painter, area);
  painter.setPen(theme().secondaryText);
  const auto rangeText = [](const QString& name, IndexRange range) {
    return QStringLiteral("%1 %2\u2013%3")
        .arg(name, number(static_cast<double>(range.begin)), number(static_cast<double>(range.end - 1)));
  };
  painter.drawText(QPointF(area.left(), area.top() - 5),
                   fitting(rangeText(tr("destinations"), destinations), Qt::ElideRight, area.width()));
  painter.save();
  painter.translate(area.left() - 5, area.bottom());
  painter.rotate(-90);
  painter.drawText(QPointF(0, 0), fitting(rangeText(tr("sources"), sources), Qt::ElideRight, area.height()));
  painter.restore();
}

/// A band over each row and column, at least a pixel wide, and its mark beside the matrix.
void AdjacencyChart::paintMarked(QPainter& painter, const QRectF& area) const
{
  QColor band = theme().selection;
  band.setAlpha(kMarkedAlpha);
  const auto paint = [&](const std::vector<std::uint32_t>& marked, IndexRange seen, double begin, double length,
                         const auto& rectangle) {
    const auto place = [&](std::uint64_t index) {
      return begin +
             length * (static_cast<double>(index) - static_cast<double>(seen.begin)) / static_cast<double>(seen.size());
    };
    double free = begin; // no pixel is painted twice
    for (std::size_t k = 0, next = 0; k < marked.size(); k = next) {
      next = k + 1;
      while (next < marked.size() && marked[next] == marked[next - 1] + 1)
        ++next;
      const double first = std::floor(place(marked[k]));
      const double end = place(marked[next - 1] + std::uint64_t{1});
      const double from = std::max(first, free);
      const double to = std::min(std::max(end, first + 1), begin + length);
      if (to <= from || end <= begin)
        continue;
      const auto [over, beside] = rectangle(from, to - from);
      painter.fillRect(over, band);
      painter.fillRect(beside, theme().selection);
      free = to;
    }
  };
  paint(markedSources, sources, area.top(), area.height(), [&](double top, double height) {
    return std::pair(QRectF(area.left(), top, area.width(), height),
                     QRectF(area.left() - kMarkLength, top, kMarkLength, height));
  });
  paint(markedDestinations, destinations, area.left(), area.width(), [&](double left, double width) {
    return std::pair(QRectF(left, area.top(), width, area.height()),
                     QRectF(left, area.top() - kMarkLength, width, kMarkLength));
  });
}

void AdjacencyChart::setMarked(const std::vector<std::uint32_t>& ofSources,
                               const std::vector<std::uint32_t>& ofDestinations)
{
  markedSources = ofSources;
  markedDestinations = ofDestinations;
  std::ranges::sort(markedSources);
  std::ranges::sort(markedDestinations);
  update();
}

/// Of what stands above the matrix, and beside it.
int AdjacencyChart::labelHeight() const
{
  return fontMetrics().height() + 2;
}

bool AdjacencyChart::isAbove(const QPointF& pixel) const
{
  const QRectF area = plot();
  return QRectF(area.left(), area.top() - labelHeight(), area.width(), labelHeight()).contains(pixel) &&
         pixel.y() < area.top();
}

bool AdjacencyChart::isBeside(const QPointF& pixel) const
{
  const QRectF area = plot();
  return pixel.x() < area.left() && pixel.y() >= area.top() && pixel.y() < area.bottom();
}

QString AdjacencyChart::describe(const QPointF& pixel) const
{
  const QRectF area = plot();
  if (isAbove(pixel))
    return tr("Click: pick the destinations of this column; drag: of several; with Ctrl they are added");
  if (isBeside(pixel))
    return tr("Click: pick the sources of this row; drag: of several; with Ctrl they are added");
  if (shown.counts.empty() || !area.contains(pixel) || shown.sources != sources || shown.destinations != destinations) {
    return {};
  }
  const auto bin = [](double share, std::uint32_t bins) {
    return std::min(static_cast<std::uint32_t>(share * bins), bins - 1);
  };
  const std::uint32_t down = bin((pixel.y() - area.top()) / area.height(), shown.down);
  const std::uint32_t across = bin((pixel.x() - area.left()) / area.width(), shown.across);
  return tr("%1 rows here, %2 % of the pairs")
      .arg(number(shown.counts[std::size_t{down} * shown.across + across]), number(100 * shown.density(down, across)));
}

bool AdjacencyChart::event(QEvent* event)
{
  if (event->type() == QEvent::ToolTip) {
    const auto* help = static_cast<QHelpEvent*>(event);
    QToolTip::showText(help->globalPos(), describe(help->pos()), this);
    return true;
  }
  return TitledChart::event(event);
}

void AdjacencyChart::want(IndexRange newSources, IndexRange newDestinations)
{
  if (newSources == sources && newDestinations == destinations) {
    return;
  }
  sources = newSources;
  destinations = newDestinations;
  update();
  emit partWanted();
}

void AdjacencyChart::wheelEvent(QWheelEvent* event)
{
  event->accept();
  const QRectF area = plot();
  if (shown.counts.empty() || !area.contains(event->position())) {
    return;
  }
  const double factor = std::pow(kZoomPerNotch, -event->angleDelta().y() / kWheelNotch);
  const auto zoomed = [&](IndexRange range, IndexRange all, double share) {
    const auto size = static_cast<double>(range.size());
    return rangeInside(static_cast<double>(range.begin) + share * size * (1 - factor), size * factor, all);
  };
  want(zoomed(sources, allSources, (event->position().y() - area.top()) / area.height()),
       zoomed(destinations, allDestinations, (event->position().x() - area.left()) / area.width()));
}

void AdjacencyChart::mousePressEvent(QMouseEvent* event)
{
  pressedAt = lastPixel = event->position();
  isDrag = false;
  picks = isAbove(pressedAt) || isBeside(pressedAt) || event->modifiers().testFlag(Qt::ShiftModifier);
}

void AdjacencyChart::mouseReleaseEvent(QMouseEvent* event)
{
  const bool isOfMatrix = isAbove(pressedAt) || isBeside(pressedAt) || plot().contains(pressedAt);
  if (event->button() != Qt::LeftButton || shown.counts.empty() || !isOfMatrix)
    return;
  if (!isDrag)
    pickUntil(pressedAt, pickModeOf(event->modifiers()));
  else if (picks)
    pickUntil(event->position(), areaModeOf(event->modifiers()));
}

/// From where the button was pressed on: columns where that was above the matrix, or where it was in it and the way
/// goes rather to the right or left; else rows.
void AdjacencyChart::pickUntil(const QPointF& pixel, PickMode how)
{
  const QRectF area = plot();
  const QPointF way = pixel - pressedAt;
  const bool goesAcross = !isBeside(pressedAt) && std::abs(way.x()) > std::abs(way.y());
  if (isAbove(pressedAt) || goesAcross)
    emit destinationsPicked(indicesBetween(pressedAt.x(), pixel.x(), destinations, area.left(), area.width()), how);
  else
    emit sourcesPicked(indicesBetween(pressedAt.y(), pixel.y(), sources, area.top(), area.height()), how);
}

void AdjacencyChart::mouseMoveEvent(QMouseEvent* event)
{
  if (!event->buttons().testFlag(Qt::LeftButton) || shown.counts.empty()) {
    return;
  }
  isDrag = isDrag || (event->position() - pressedAt).manhattanLength() > kClickDistance;
  if (!isDrag || picks)
    return;
  const QRectF area = plot();
  const QPointF step = event->position() - lastPixel;
  const auto moved = [](IndexRange range, IndexRange all, double share) {
    const auto size = static_cast<double>(range.size());
    return rangeInside(static_cast<double>(range.begin) - share * size, size, all);
  };
  const IndexRange down = moved(sources, allSources, step.y() / area.height());
  const IndexRange across = moved(destinations, allDestinations, step.x() / area.width());
  if (down != sources || across != destinations) {
    lastPixel = event->position();
    want(down, across);
  }
}

void AdjacencyChart::mouseDoubleClickEvent(QMouseEvent*)
{
  pressedAt = {-1, -1}; // its release is no click
  want(allSources, allDestinations);
}

} // namespace hinesight::widgets
