#include "widgets/figure/figure_legend.hpp"

#include <QFontMetricsF>
#include <QObject>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <utility>

namespace hinesight::widgets {

namespace {

constexpr double kSwatch = 10;
constexpr double kSwatchGap = 6;
constexpr double kEntryGap = 16;
constexpr double kBarWidth = 168;
constexpr double kBarHeight = 9;
constexpr double kLineGap = 3;
constexpr double kNumberGap = 2; // between the numbers of a colour bar
constexpr double kUsualShare = 0.4;
constexpr double kMostShare = 0.6; // of a figure, for entries that had no room otherwise
constexpr int kLeastLetters = 8;   // 1/96 inch: 6 pt

/// What is written at a colour bar.
struct BarNumbers
{
  explicit BarNumbers(const Legend& legend)
      : low(formatNumber(legend.low)), middle(formatNumber((legend.low + legend.high) / 2)),
        high((legend.clamped ? QStringLiteral("\u2265 ") : QString()) + formatNumber(legend.high))
  {}

  /// Whether all of them have room, the middle one in the middle.
  bool fit(const QFontMetricsF& metrics, double width) const
  {
    const double wider = std::max(metrics.horizontalAdvance(low), metrics.horizontalAdvance(high));
    return wider + kNumberGap + metrics.horizontalAdvance(middle) / 2 <= width / 2;
  }

  QString low, middle, high;
};

/// The letters of a legend in one size, and what they need. A text is measured once.
class Letters
{
public:
  Letters(const Legend& ofLegend, const QFont& inFont, double inScale)
      : legend(ofLegend), font(inFont), metrics(inFont), scale(inScale)
  {}

  std::size_t count() const { return legend.entries.size(); }
  double line() const { return metrics.height() + scale * kLineGap; }
  double lead() const { return scale * (kSwatch + kSwatchGap); }
  double gap() const { return scale * kEntryGap; }
  /// Of text without its swatch.
  double widthOf(std::size_t entry)
  {
    for (std::size_t next = widths.size(); next <= entry; ++next)
      widths.push_back(metrics.horizontalAdvance(legend.entries[next].label));
    return widths[entry];
  }
  double widest()
  {
    widthOf(count() - 1);
    return *std::ranges::max_element(widths);
  }

  /// The title alone.
  FigureLegend begin(double width) const
  {
    FigureLegend made{.font = font, .scale = scale, .places = {}, .size = {}};
    const double title = metrics.horizontalAdvance(legend.title);
    made.isCut = title > width;
    made.size = {std::min(title, width), line()};
    return made;
  }
  void add(FigureLegend& made, const QPointF& at, std::size_t entry, double width)
  {
    const QString& label = legend.entries[entry].label;
    const bool isCut = lead() + widthOf(entry) > width;
    made.places.push_back({at, isCut ? metrics.elidedText(label, Qt::ElideMiddle, width - lead()) : label, entry});
    made.isCut = made.isCut || isCut;
  }

  const Legend& legend;
  const QFont font;
  const QFontMetricsF metrics;
  const double scale;

private:
  std::vector<double> widths; ///< of the first entries
};

FigureLegend asBar(const Letters& letters, const QSizeF& most)
{
  FigureLegend made = letters.begin(most.width());
  made.barWidth = std::min(kBarWidth, most.width());
  made.isCut = made.isCut || !BarNumbers(letters.legend).fit(letters.metrics, made.barWidth);
  made.size = {std::max(made.size.width(), made.barWidth),
               2 * letters.line() + letters.scale * (kBarHeight + kLineGap)};
  return made;
}

/// One behind the other, line by line. Those that have no room below are left out, and counted in a line more.
FigureLegend inLines(Letters& letters, const QSizeF& most)
{
  FigureLegend made = letters.begin(most.width());
  const double line = letters.line();
  QPointF at(0, line);
  double right = made.size.width();
  std::size_t entry = 0;
  for (; entry < letters.count(); ++entry) {
    const double needed = std::min(letters.lead() + letters.widthOf(entry), most.width());
    if (at.x() > 0 && at.x() + needed > most.width())
      at = {0, at.y() + line};
    if (at.y() + line > most.height())
      break;
    letters.add(made, at, entry, most.width());
    right = std::max(right, at.x() + needed);
    at.rx() += needed + letters.gap();
  }
  double bottom = made.places.empty() ? line : made.places.back().at.y() + line;
  made.leftOut = letters.count() - entry;
  if (made.leftOut > 0) {
    const QString text = QObject::tr("and %1 more").arg(formatNumber(static_cast<double>(made.leftOut)));
    made.places.push_back({{0, bottom}, letters.metrics.elidedText(text, Qt::ElideMiddle, most.width())});
    right = std::max(right, letters.metrics.horizontalAdvance(made.places.back().text));
    bottom += line;
  }
  made.size = {std::min(most.width(), right), bottom};
  return made;
}

/// One below the other in columns of one width, as few or as many of these as there is room for. None: there is no room
/// for all entries.
std::optional<FigureLegend> inColumns(Letters& letters, const QSizeF& most, bool hasFewColumns)
{
  const double gap = letters.gap();
  const double rowsOfRoom = std::floor(most.height() / letters.line()) - 1; // without the title
  const auto count = static_cast<double>(letters.count());
  if (rowsOfRoom < 1 || count > rowsOfRoom * (most.width() + gap) / (letters.lead() + gap))
    return {};
  const double width = std::min(letters.lead() + letters.widest(), most.width());
  const double columnsOfRoom = std::max(1.0, std::floor((most.width() + gap) / (width + gap)));
  if (count > rowsOfRoom * columnsOfRoom)
    return {};
  const double columns = hasFewColumns ? std::ceil(count / rowsOfRoom) : columnsOfRoom;
  const double rows = std::ceil(count / columns);
  FigureLegend made = letters.begin(most.width());
  for (std::size_t entry = 0; entry < letters.count(); ++entry) {
    const auto place = static_cast<double>(entry);
    const double column = std::floor(place / rows);
    letters.add(made, {column * (width + gap), letters.line() * (place - column * rows + 1)}, entry, width);
  }
  const double taken = std::ceil(count / rows) * (width + gap) - gap;
  made.size = {std::max(made.size.width(), taken), letters.line() * (rows + 1)};
  return made;
}

/// What a legend may take of a figure.
QSizeF roomIn(const FigureOptions& options, double top, double share)
{
  const QSizeF size = options.size();
  const QSizeF room = options.legendPlace == LegendPlace::Right
                          ? QSizeF(share * size.width(), size.height() - top - 2 * kFigureMargin)
                          : QSizeF(size.width() - 2 * kFigureMargin, share * size.height());
  return room.expandedTo({1, 1});
}

/// In lines with the letters of the view, in columns beside it and with smaller letters, in which lines need less room
/// where names differ in length.
std::vector<FigureLegend> arrangementsOf(Letters& letters, const QSizeF& room, bool isBeside, bool isSmaller)
{
  if (letters.legend.isQuantity)
    return {asBar(letters, room)};
  std::vector<FigureLegend> made;
  if (letters.count() > 0 && (isBeside || isSmaller))
    if (auto columns = inColumns(letters, room, isBeside))
      made.push_back(std::move(*columns));
  if (letters.count() == 0 || !isBeside)
    made.push_back(inLines(letters, room));
  return made;
}

/// The first that has all entries, whole; else the last that has all, of the smallest letters.
FigureLegend layOut(std::vector<Letters>& sizes, const FigureOptions& options, double top)
{
  const bool isBeside = options.legendPlace == LegendPlace::Right;
  std::optional<FigureLegend> cut;
  for (const double share : {kUsualShare, kMostShare})
    for (Letters& letters : sizes)
      for (FigureLegend& made :
           arrangementsOf(letters, roomIn(options, top, share), isBeside, &letters != &sizes.front())) {
        if (made.leftOut > 0)
          continue;
        if (!made.isCut)
          return std::move(made);
        cut = std::move(made);
      }
  if (cut)
    return std::move(*cut);
  QSizeF room = roomIn(options, top, kMostShare);
  room.rheight() -= sizes.back().line(); // for the line that counts the others
  return inLines(sizes.back(), room);
}

/// From that of the view down to the least.
std::vector<Letters> sizesOf(const Legend& legend, const QFont& font)
{
  std::vector<Letters> sizes;
  const int largest = font.pixelSize();
  for (int size = largest; size >= std::min(largest, kLeastLetters); --size) {
    QFont letters = font;
    letters.setPixelSize(size);
    sizes.emplace_back(legend, letters, static_cast<double>(size) / largest);
  }
  return sizes;
}

void paintBar(QPainter& painter, const Legend& legend, const FigureLegend& shown, double top)
{
  // Plain rectangles: a gradient would be blurred by some readers of drawings.
  constexpr int kSteps = 84;
  const double height = shown.scale * kBarHeight;
  painter.setPen(Qt::NoPen);
  painter.setRenderHint(QPainter::Antialiasing, false);
  for (int step = 0; step < kSteps; ++step) {
    const double left = shown.barWidth * step / kSteps;
    painter.setBrush(mapColor(legend.map, (step + 0.5) / kSteps));
    painter.drawRect(QRectF(left, top, shown.barWidth - left, height));
  }
  painter.setRenderHint(QPainter::Antialiasing, true);
  const QFontMetricsF metrics(shown.font);
  const BarNumbers numbers(legend);
  const double baseline = top + height + shown.scale * kLineGap + metrics.ascent();
  painter.setPen(theme().text);
  painter.drawText(QPointF(0, baseline), numbers.low);
  if (numbers.fit(metrics, shown.barWidth))
    painter.drawText(QPointF((shown.barWidth - metrics.horizontalAdvance(numbers.middle)) / 2, baseline),
                     numbers.middle);
  painter.drawText(QPointF(shown.barWidth - metrics.horizontalAdvance(numbers.high), baseline), numbers.high);
}

} // namespace

void FigureLegend::paint(QPainter& painter, const Legend& legend) const
{
  const QFontMetricsF metrics(font);
  painter.setFont(font);
  painter.setPen(theme().secondaryText);
  painter.drawText(QPointF(0, metrics.ascent()), metrics.elidedText(legend.title, Qt::ElideRight, size.width()));
  if (legend.isQuantity)
    return paintBar(painter, legend, *this, metrics.height() + scale * kLineGap);
  const double swatch = scale * kSwatch;
  for (const Place& place : places) {
    double left = place.at.x();
    if (place.entry) {
      painter.setPen(Qt::NoPen);
      painter.setBrush(legend.entries[*place.entry].color);
      const double top = place.at.y() + (metrics.height() - swatch) / 2;
      painter.drawRoundedRect(QRectF(left, top, swatch, swatch), 2 * scale, 2 * scale);
      left += scale * (kSwatch + kSwatchGap);
    }
    painter.setPen(theme().text);
    painter.drawText(QPointF(left, place.at.y() + metrics.ascent()), place.text);
  }
}

FigureLegend layOutLegend(const Legend& legend, const FigureOptions& options, const QFont& font, double top)
{
  std::vector<Letters> sizes = sizesOf(legend, font);
  return layOut(sizes, options, top);
}

std::optional<int> heightForLegend(const Legend& legend, const FigureOptions& options, const QFont& font, double top,
                                   int tallest)
{
  std::vector<Letters> sizes = sizesOf(legend, font);
  FigureOptions tried = options;
  const auto hasAll = [&](int height) {
    tried.height = height;
    return layOut(sizes, tried, top).leftOut == 0;
  };
  if (!hasAll(tallest))
    return {};
  int low = static_cast<int>(std::floor(options.height));
  int high = tallest;
  while (low + 1 < high) {
    const int middle = low + (high - low) / 2;
    (hasAll(middle) ? high : low) = middle;
  }
  return high;
}

} // namespace hinesight::widgets
