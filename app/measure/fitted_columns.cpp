#include "app/measure/fitted_columns.hpp"

#include "app/measure/measure_table.hpp"
#include "app/measure/wrapped_header.hpp"
#include "widgets/theme.hpp"

#include <QFontMetricsF>
#include <QSet>
#include <QStyle>
#include <QTableView>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace hinesight::app {

namespace {

constexpr int kLeastLetters = 18; // of what is cut: "apical dendrite" is whole with its margins

/// Sizes of numbers that are not negative, as far as formatNumber writes some longer than others.
class NumberSizes
{
public:
  void add(double size)
  {
    constexpr double kLeastExponent = 1e15; // larger ones are written with one
    if (!std::isfinite(size))
      return;
    const double whole = std::round(size);
    if (size < kLeastExponent)
      mostWhole = std::max(mostWhole, whole);
    if (size >= kLeastExponent || size != whole) {
      leastRounded = std::min(leastRounded, size);
      mostRounded = std::max(mostRounded, size);
    }
  }

  /// Numbers one of which is written with as many figures as the longest of those that were added.
  std::vector<double> longest() const
  {
    std::vector<double> numbers{mostWhole};
    if (mostRounded > 0)
      for (double power = std::floor(std::log10(leastRounded)); power <= std::log10(mostRounded); ++power)
        numbers.push_back(1.11 * std::pow(10, power));
    return numbers;
  }

private:
  double mostWhole = 0;
  double leastRounded = std::numeric_limits<double>::infinity(); ///< to three figures
  double mostRounded = 0;
};

/// Figures need not be of one width.
QString inWidestFigures(QString number, const QFontMetricsF& metrics)
{
  QChar widest = u'0';
  for (const QChar figure : QStringLiteral("123456789"))
    if (metrics.horizontalAdvance(figure) > metrics.horizontalAdvance(widest))
      widest = figure;
  for (QChar& letter : number)
    if (letter.isDigit())
      letter = widest;
  return number;
}

/// Of a double as it is: conversions of as many values as there may be take their time.
double numberOf(const QVariant& value)
{
  return value.typeId() == QMetaType::Double ? *static_cast<const double*>(value.constData()) : value.toDouble();
}

/// One of which is at least as wide as any of the column.
QStringList widestTexts(const MeasureTable& table, std::size_t column, const QFontMetricsF& metrics)
{
  QSet<QString> texts; // few, for as many rows as there may be
  QString before;      // of the row above, which often says the same
  NumberSizes sizes;
  const auto& valueOf = table.columns()[column].value;
  const auto rows = static_cast<std::size_t>(table.rowCount());
  for (std::size_t row = 0; row < rows; ++row) {
    const QVariant value = valueOf(row);
    if (value.typeId() != QMetaType::QString) {
      if (value.isValid())
        sizes.add(numberOf(value));
    } else if (QString text = value.toString(); text != before) {
      texts << text;
      before = std::move(text);
    }
  }
  QStringList widest = texts.values();
  if (!table.isText(column))
    for (const double number : sizes.longest())
      widest << inWidestFigures(widgets::formatNumber(number), metrics);
  return widest;
}

/// Makes columns narrower, each by the same share of what it can spare, until they fit.
void narrow(std::vector<int>& widths, const std::vector<int>& least, int room)
{
  const int taken = std::accumulate(widths.begin(), widths.end(), 0);
  const int spare = taken - std::accumulate(least.begin(), least.end(), 0);
  const double share = spare > 0 ? std::clamp(static_cast<double>(taken - room) / spare, 0.0, 1.0) : 0;
  for (std::size_t column = 0; column < widths.size(); ++column)
    widths[column] -= static_cast<int>(std::ceil(share * (widths[column] - least[column])));
}

} // namespace

int FittedColumns::contentWidth(std::size_t column) const
{
  const QFontMetricsF metrics(view->font());
  double widest = 0;
  for (const QString& text : widestTexts(*table, column, metrics))
    widest = std::max(widest, metrics.horizontalAdvance(text));
  const int margin = view->style()->pixelMetric(QStyle::PM_FocusFrameHMargin, nullptr, view) + 1;
  return static_cast<int>(std::ceil(widest)) + 2 * margin + 1; // and what a screen of another ratio rounds
}

void FittedColumns::measure()
{
  view->ensurePolished();
  const int cut = kLeastLetters * view->fontMetrics().averageCharWidth();
  wanted.clear();
  whole.clear();
  wrapped.clear();
  least.clear();
  for (std::size_t column = 0; column < table->columns().size(); ++column) {
    const MeasureTable::Column& shown = table->columns()[column];
    const int title = header->leastWidth(shown.title);
    const int content = contentWidth(column);
    const bool isText = table->isText(column);
    whole.push_back(std::max(header->widthInLine(shown.title), content));
    wanted.push_back(std::max(header->sectionSizeHint(static_cast<int>(column)), whole.back()));
    wrapped.push_back(std::max(title, content));
    const int kept = isText ? title : content;
    const int given = isText ? content : title;
    least.push_back(shown.givesWay ? std::max(kept, std::min(given, cut)) : wrapped.back());
  }
}

void FittedColumns::fit(int room) const
{
  std::vector<int> widths = wanted;
  for (const std::vector<int>* narrower : {&whole, &wrapped, &least})
    narrow(widths, *narrower, room);
  for (std::size_t column = 0; column < widths.size(); ++column)
    view->setColumnWidth(static_cast<int>(column), widths[column]);
}

} // namespace hinesight::app
