#include "widgets/simulation/raster_chart.hpp"

#include "widgets/orbit/scale_overlay.hpp"
#include "widgets/selection_outline.hpp"
#include "widgets/theme.hpp"

#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <ranges>
#include <utility>

namespace hinesight::widgets {

namespace {

constexpr double kTickHeight = 2;   // pixels of a row, below which spikes are binned
constexpr double kLongestTick = 14; // pixels
constexpr int kSpike = 2;           // pixels of a spike, each way, where there is room
constexpr double kLeastBand = 2;    // pixels
constexpr float kBandAlpha = 0.2F;
constexpr double kDeepest = 0.6; // of the colour of texts in that of many spikes
constexpr double kDeeper = 0.8;  // what one more leaves of the way there
constexpr double kBinPixels = 4; // at least, of the rates
constexpr double kLeastBin = 1;  // ms
constexpr double kHeadroom = 1.1;
constexpr double kNameGap = 8; // pixels from a name to the plot

/// The colour of so many spikes: from that of one towards that of texts.
QColor deepened(const QColor& one, int spikes)
{
  const double part = kDeepest * (1 - std::pow(kDeeper, spikes - 1));
  const QColor text = theme().text;
  const auto mean = [part](int a, int b) { return static_cast<int>(std::lround(a + part * (b - a))); };
  return {mean(one.red(), text.red()), mean(one.green(), text.green()), mean(one.blue(), text.blue())};
}

} // namespace

RasterChart::RasterChart(TimeAxis* axis, QWidget* parent)
    : TimeChart(tr("Spikes"), axis, parent), band(new SelectionOutline(this))
{
  setObjectName(QStringLiteral("simulationRaster"));
  setToolTip(
      tr("Spikes over time in ms, a row a neuron. Press: look at that time and select the neuron; with Ctrl one "
         "more. Shift and drag: select the neurons of several rows; with Ctrl more. Wheel: zoom. Right drag: move. "
         "Double click: the whole run, and while it runs the newest"));
}

QColor RasterChart::colorOf(std::size_t group) const
{
  return shownColor(colors[group]);
}

void RasterChart::setGroups(std::vector<NeuronGroup> groups)
{
  all = std::move(groups);
  std::vector<QColor> given;
  std::ranges::transform(all, std::back_inserter(given), &NeuronGroup::color);
  colors = entryColors(given);
  neuronOfRow.clear();
  std::uint32_t most = 0;
  for (const NeuronGroup& group : all)
    for (const std::uint32_t neuron : group.neurons) {
      neuronOfRow.push_back(neuron);
      most = std::max(most, neuron + 1);
    }
  groupOfNeuron.assign(most, -1);
  rowOfNeuron.assign(most, 0);
  std::size_t row = 0;
  for (std::size_t group = 0; group < all.size(); ++group)
    for (const std::uint32_t neuron : all[group].neurons) {
      groupOfNeuron[neuron] = static_cast<int>(group);
      rowOfNeuron[neuron] = row++;
    }
  selected.clear();
  spikes.clear();
  update();
}

void RasterChart::setSelected(const std::vector<std::uint32_t>& neurons)
{
  selected = neurons;
  update();
}

double RasterChart::rowHeight() const
{
  return plot().height() / std::max<double>(static_cast<double>(rows()), 1);
}

double RasterChart::yOf(std::uint32_t neuron) const
{
  return plot().top() + rowHeight() * (static_cast<double>(rowOfNeuron[neuron]) + 0.5);
}

std::optional<std::uint32_t> RasterChart::neuronAt(double y) const
{
  const double row = std::floor((y - plot().top()) / rowHeight());
  if (rows() == 0 || row < 0 || row >= static_cast<double>(rows()))
    return std::nullopt;
  return neuronOfRow[static_cast<std::size_t>(row)];
}

std::vector<std::uint32_t> RasterChart::neuronsBetween(double top, double bottom) const
{
  if (plot().height() <= 0)
    return {};
  const auto rowAt = [this](double y, int beyond) {
    const double row = std::floor((y - plot().top()) / rowHeight()) + beyond;
    return neuronOfRow.begin() + static_cast<std::ptrdiff_t>(std::clamp(row, 0.0, static_cast<double>(rows())));
  };
  return {rowAt(top, 0), rowAt(bottom, 1)};
}

void RasterChart::paintChart(QPainter& painter)
{
  const auto countOf = [](std::size_t number, const QString& one, const QString& many) {
    return formatNumber(static_cast<double>(number)) + QLatin1Char(' ') + (number == 1 ? one : many);
  };
  paintTitle(painter, rows() == 0 ? QString()
                                  : tr("%1 of %2")
                                        .arg(countOf(spikes.spikes().size(), tr("spike"), tr("spikes")),
                                             countOf(rows(), tr("neuron"), tr("neurons"))));
  paintTimes(painter);
  paintSelected(painter);
  if (rowHeight() >= kTickHeight)
    paintTicks(painter);
  else
    paintDensity(painter);
  paintGroups(painter);
  paintMarks(painter);
}

/// A band behind the rows of selected neurons, one where they lie beside each other.
void RasterChart::paintSelected(QPainter& painter) const
{
  std::vector<double> middles;
  for (const std::uint32_t neuron : selected)
    if (neuron < groupOfNeuron.size() && groupOfNeuron[neuron] >= 0)
      middles.push_back(yOf(neuron));
  std::ranges::sort(middles);
  const QRectF area = plot();
  const double height = std::max(rowHeight(), kLeastBand);
  QColor color = theme().selection;
  color.setAlphaF(kBandAlpha);
  for (auto first = middles.begin(); first != middles.end();) {
    const auto isApart = [&](double above, double below) { return below - above > 1.001 * height; };
    const auto last = std::adjacent_find(first, middles.end(), isApart);
    const auto end = last == middles.end() ? last : std::next(last);
    const double top = *first - height / 2;
    painter.fillRect(QRectF(area.left(), top, area.width(), *std::prev(end) + height / 2 - top), color);
    first = end;
  }
}

void RasterChart::paintTicks(QPainter& painter) const
{
  const double half = std::clamp(rowHeight() * 0.8, double{kSpike}, kLongestTick) / 2;
  int group = -2;
  for (const simulation::Spike& spike : spikes.between(axis().from(), axis().to())) {
    if (spike.cell >= groupOfNeuron.size() || groupOfNeuron[spike.cell] < 0)
      continue;
    if (std::exchange(group, groupOfNeuron[spike.cell]) != groupOfNeuron[spike.cell])
      painter.setPen(QPen(colorOf(static_cast<std::size_t>(groupOfNeuron[spike.cell])), kSpike));
    const double x = xOf(spike.time);
    const double y = yOf(spike.cell);
    painter.drawLine(QPointF(x, y - half), QPointF(x, y + half));
  }
}

/// A pixel is the deeper the more spikes it has. What has none beside it is drawn like it, so that one spike is seen.
void RasterChart::paintDensity(QPainter& painter) const
{
  const QRectF area = plot();
  const int width = std::max(1, static_cast<int>(area.width()));
  const int height = std::max(1, static_cast<int>(area.height()));
  const double rows = rowHeight();
  const double scale = area.width() / axis().span();
  struct Pixel
  {
    int spikes = 0;
    int group = 0; ///< of the last of them
  };
  std::vector<Pixel> pixels(static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
  const auto placeOf = [width](int x, int y) {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x);
  };
  const auto shown = spikes.between(axis().from(), axis().to());
  for (const simulation::Spike& spike : shown) {
    if (spike.cell >= groupOfNeuron.size() || groupOfNeuron[spike.cell] < 0)
      continue;
    const double row = static_cast<double>(rowOfNeuron[spike.cell]) + 0.5;
    const int x = std::clamp(static_cast<int>(scale * (spike.time - axis().from())), 0, width - 1);
    const int y = std::clamp(static_cast<int>(rows * row), 0, height - 1);
    Pixel& pixel = pixels[placeOf(x, y)];
    ++pixel.spikes;
    pixel.group = groupOfNeuron[spike.cell];
  }
  std::vector<QColor> colorOfGroup;
  std::ranges::transform(colors, std::back_inserter(colorOfGroup), shownColor);
  QImage picture(width, height, QImage::Format_ARGB32_Premultiplied);
  picture.fill(Qt::transparent);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      const Pixel& pixel = pixels[placeOf(x, y)];
      if (pixel.spikes == 0)
        continue;
      const QColor color = deepened(colorOfGroup[static_cast<std::size_t>(pixel.group)], pixel.spikes);
      const int left = std::clamp(x, 0, std::max(0, width - kSpike));
      const int top = std::clamp(y, 0, std::max(0, height - kSpike));
      for (int down = top; down < std::min(top + kSpike, height); ++down)
        for (int right = left; right < std::min(left + kSpike, width); ++right)
          if (const Pixel& there = pixels[placeOf(right, down)]; &there == &pixel || there.spikes == 0)
            picture.setPixelColor(right, down, color);
    }
  painter.drawImage(area.topLeft(), picture);
}

std::vector<TitledChart::LineName> RasterChart::groupNames() const
{
  std::vector<LineName> names;
  for (std::size_t group = 0; group < all.size(); ++group)
    names.push_back({all[group].name, colorOf(group)});
  return names;
}

/// All, where one that has rows is not whole beside them.
std::vector<TitledChart::LineName> RasterChart::namesWithoutRoom() const
{
  const std::vector<QRectF> places = nameRects();
  for (std::size_t group = 0; group < all.size(); ++group)
    if (!all[group].neurons.empty() && fontMetrics().horizontalAdvance(all[group].name) > places[group].width())
      return groupNames();
  return {};
}

RasterChart::Rows RasterChart::rowsOf(std::size_t group) const
{
  const auto& neurons = all[group].neurons;
  if (neurons.empty())
    return {};
  const double top = plot().top() + rowHeight() * static_cast<double>(rowOfNeuron[neurons.front()]);
  return {top, top + rowHeight() * static_cast<double>(neurons.size())};
}

/// The largest ones, as many as there is room for; in the order of their rows.
std::vector<std::size_t> RasterChart::namedGroups() const
{
  std::vector<std::size_t> named;
  for (std::size_t group = 0; group < all.size(); ++group)
    if (!all[group].neurons.empty())
      named.push_back(group);
  const auto room = static_cast<std::size_t>(std::max(plot().height(), 0.0) / fontMetrics().height());
  if (named.size() <= room)
    return named;
  std::ranges::stable_sort(named, std::greater(), [this](std::size_t group) { return all[group].neurons.size(); });
  named.resize(room);
  std::ranges::sort(named);
  return named;
}

std::vector<QRectF> RasterChart::nameRects() const
{
  const QRectF area = plot();
  const double line = fontMetrics().height();
  const std::vector<std::size_t> named = namedGroups();
  std::vector<QRectF> rects(all.size());
  double free = area.top();
  for (const std::size_t group : named) { // below the one before
    const Rows rows = rowsOf(group);
    const double top = std::max(free, (rows.top + rows.bottom - line) / 2);
    rects[group] = QRectF(0, top, area.left() - kNameGap, line);
    free = top + line;
  }
  double end = area.bottom();
  for (const std::size_t group : named | std::views::reverse) { // and above the one behind
    rects[group].moveBottom(std::min(rects[group].bottom(), end));
    end = rects[group].top();
  }
  return rects;
}

/// Lines in the colours of groups beside their rows, and their names. A name that had to move has a line to its rows.
void RasterChart::paintGroups(QPainter& painter) const
{
  constexpr double kLine = 3; // pixels
  const double left = plot().left() - kLine;
  const std::vector<QRectF> names = nameRects();
  for (std::size_t group = 0; group < all.size(); ++group) {
    const Rows rows = rowsOf(group);
    const double middle = (rows.top + rows.bottom) / 2;
    const double half = std::max(rows.bottom - rows.top - 2, 1.0) / 2;
    painter.setPen(QPen(colorOf(group), kLine));
    painter.drawLine(QPointF(left, middle - half), QPointF(left, middle + half));
    const QRectF& name = names[group];
    if (name.isEmpty() || hasNamesBelow())
      continue;
    const double beside = name.center().y();
    if (beside < rows.top || beside > rows.bottom) {
      painter.setPen(QPen(colorOf(group), 1));
      painter.drawLine(QPointF(name.right() + 1, beside), QPointF(left, middle));
    }
    painter.setPen(theme().secondaryText);
    painter.drawText(name, Qt::AlignRight | Qt::AlignVCenter,
                     fontMetrics().elidedText(all[group].name, Qt::ElideMiddle, static_cast<int>(name.width())));
  }
}

void RasterChart::mousePressEvent(QMouseEvent* event)
{
  drawsBand = event->button() == Qt::LeftButton && event->modifiers().testFlag(Qt::ShiftModifier);
  if (drawsBand)
    return band->begin({plot().left(), event->position().y()}, false);
  TimeChart::mousePressEvent(event);
  if (event->button() != Qt::LeftButton)
    return;
  if (const auto neuron = neuronAt(event->position().y()))
    emit neuronPicked(*neuron, event->modifiers().testFlag(Qt::ControlModifier));
}

/// All of time belongs to a row.
void RasterChart::mouseMoveEvent(QMouseEvent* event)
{
  if (drawsBand)
    band->extend({plot().right(), event->position().y()});
  else
    TimeChart::mouseMoveEvent(event);
}

void RasterChart::mouseReleaseEvent(QMouseEvent* event)
{
  if (!std::exchange(drawsBand, false))
    return TimeChart::mouseReleaseEvent(event);
  const QRectF rows = band->end().box();
  emit neuronsPicked(neuronsBetween(rows.top(), rows.bottom()), areaModeOf(event->modifiers()));
}

QString RasterChart::describe(const QPointF& pixel) const
{
  const auto neuron = neuronAt(pixel.y());
  if (!neuron)
    return {};
  const int group = groupOfNeuron[*neuron];
  const auto& [name, neurons, color, numbers] = all[static_cast<std::size_t>(group)];
  const auto place = static_cast<std::size_t>(std::ranges::find(neurons, *neuron) - neurons.begin());
  const auto mine = std::ranges::count(spikes.spikes(), *neuron, &simulation::Spike::cell);
  return tr("%1: %2 spikes; %3 ms")
      .arg(neurons.size() == 1 ? name : tr("%1, neuron %2").arg(name).arg(numbers.empty() ? place : numbers[place]))
      .arg(mine)
      .arg(timeAt(pixel.x()), 0, 'f', 1);
}

// ---- rates ----

RateChart::RateChart(const RasterChart* ofRaster, TimeAxis* axis, QWidget* parent)
    : TimeChart(tr("Rate"), axis, parent), raster(ofRaster)
{
  setObjectName(QStringLiteral("simulationRates"));
  setToolTip(tr("Spikes a second (Hz) of a neuron, on the mean of each population, in bins of time in ms; at the top "
                "the colours of the populations"));
}

double RateChart::binWidth() const
{
  const double pixels = std::max(plot().width(), 1.0);
  return std::max(kLeastBin, 5 * roundLength(axis().span() * kBinPixels / pixels));
}

/// `from`: where the first bin begins; whole bins, so that they stay while the axis moves. None is of a time to come.
std::vector<std::vector<double>> RateChart::rates(double& from) const
{
  const double width = binWidth();
  from = std::floor(axis().from() / width) * width;
  const double end = std::min(axis().to(), axis().now());
  const auto bins = static_cast<std::size_t>(std::max(0.0, std::ceil((end - from) / width)));
  return study::spikeRates(raster->store().between(from, from + width * static_cast<double>(bins)), raster->groupOf(),
                           from, width, bins);
}

/// Behind the heading.
QString RateChart::note() const
{
  return tr("Hz, bins of %1 ms").arg(formatNumber(binWidth()));
}

std::vector<TitledChart::LineName> RateChart::namesWithoutRoom() const
{
  const std::vector<LineName> names = raster->groupNames();
  return hasRoomFor(names, note()) ? std::vector<LineName>() : names;
}

void RateChart::paintChart(QPainter& painter)
{
  paintTitle(painter, note(), raster->groupNames());
  double from = 0;
  const std::vector<std::vector<double>> all = rates(from);
  double most = 0;
  for (const auto& group : all)
    for (const double rate : group)
      most = std::max(most, rate);
  const double top = most > 0 ? kHeadroom * most : 1;
  const QRectF area = plot();
  paintHeights(painter, area, top);
  paintTimes(painter);
  painter.setClipRect(area.adjusted(-1, -1, 1, 1));
  for (std::size_t group = 0; group < all.size(); ++group) {
    QPolygonF outline;
    for (std::size_t bin = 0; bin < all[group].size(); ++bin) {
      const double y = area.bottom() - area.height() * all[group][bin] / top;
      outline << QPointF(xOf(from + static_cast<double>(bin) * binWidth()), y)
              << QPointF(xOf(from + static_cast<double>(bin + 1) * binWidth()), y);
    }
    painter.setPen(QPen(raster->colorOf(group), 1.5));
    painter.drawPolyline(outline);
  }
  painter.setClipping(false);
  paintMarks(painter);
}

QString RateChart::describe(const QPointF& pixel) const
{
  double from = 0;
  const std::vector<std::vector<double>> all = rates(from);
  const double bin = std::floor((timeAt(pixel.x()) - from) / binWidth());
  QString text = tr("%1 ms").arg(timeAt(pixel.x()), 0, 'f', 1);
  for (std::size_t group = 0; group < all.size(); ++group)
    if (bin >= 0 && bin < static_cast<double>(all[group].size()))
      text += QStringLiteral("\n") +
              tr("%1: %2 spikes a second")
                  .arg(raster->groups()[group].name, formatNumber(all[group][static_cast<std::size_t>(bin)]));
  return text;
}

} // namespace hinesight::widgets
