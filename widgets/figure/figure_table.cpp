#include "widgets/figure/figure_table.hpp"

#include <QEvent>
#include <QFontMetricsF>
#include <QPainter>
#include <QStringList>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

namespace hinesight::widgets {

namespace {

constexpr double kMargin = 10;
constexpr double kColumnGap = 16;
constexpr double kLeastColumnGap = 8;
constexpr double kRowGap = 4;
constexpr double kBandGap = 8;
constexpr double kFontShare = 0.85;  // as in the charts
constexpr double kLeastShare = 0.67; // about 6 pt
constexpr double kShareStep = 0.03;
constexpr double kLeastWidth = 200; // of a table that can be read
constexpr int kLeastRows = 3;       // of each band, the same

/// What the table says, as it is sorted.
class Rows
{
public:
  explicit Rows(const QAbstractItemModel& ofTable) : model(ofTable) {}

  int rows() const { return model.rowCount(); }
  int columns() const { return model.columnCount(); }
  QString title(int column) const { return model.headerData(column, Qt::Horizontal).toString(); }
  QString text(int row, int column) const { return model.index(row, column).data().toString(); }
  /// Columns at the left that say what a row is of.
  int keys() const
  {
    int leading = 0;
    while (leading < columns() && !isNumber(leading))
      ++leading;
    return std::clamp(leading, std::min(1, columns()), 2);
  }
  bool isNumber(int column) const
  {
    const auto alignment = model.index(0, column).data(Qt::TextAlignmentRole).value<Qt::Alignment>();
    return alignment.testFlag(Qt::AlignRight);
  }

private:
  const QAbstractItemModel& model;
};

QFont fontOf(const QFont& ofTable, double share)
{
  QFont letters = ofTable;
  letters.setPointSizeF(share * letters.pointSizeF());
  return letters;
}

struct Column
{
  QStringList title; ///< line by line
  double width = 0;
};

/// Words of a text in lines that are no wider than its longest word or `room`.
QStringList inLines(const QString& text, double room, const QFontMetricsF& metrics)
{
  QStringList lines;
  for (const QString& word : text.split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
    const QString longer = lines.isEmpty() ? word : lines.back() + QLatin1Char(' ') + word;
    if (!lines.isEmpty() && metrics.horizontalAdvance(longer) <= room)
      lines.back() = longer;
    else
      lines << word;
  }
  return lines;
}

/// A way to stand in a room: letters, gaps, and which columns stand side by side.
struct TableLayout
{
  QFont font;
  double gap = kColumnGap;
  std::vector<Column> columns;
  std::vector<int> bands; ///< what stands below one another begins with these columns, behind the keys
  int titleLines = 1;
  int shownRows = 0; ///< of each band
  int leftOut = 0;   ///< columns

  int end(std::size_t band) const
  {
    return band + 1 < bands.size() ? bands[band + 1] : static_cast<int>(columns.size()) - leftOut;
  }
};

/// With the widths that so many rows need.
std::vector<Column> columnsOf(const Rows& table, int rows, const QFontMetricsF& metrics, bool wrapsTitles)
{
  std::vector<Column> columns;
  for (int k = 0; k < table.columns(); ++k) {
    Column column;
    for (int row = 0; row < rows; ++row)
      column.width = std::max(column.width, metrics.horizontalAdvance(table.text(row, k)));
    column.title = wrapsTitles ? inLines(table.title(k), column.width, metrics) : QStringList(table.title(k));
    for (const QString& line : column.title)
      column.width = std::max(column.width, metrics.horizontalAdvance(line));
    columns.push_back(std::move(column));
  }
  return columns;
}

/// As many side by side as there is room for.
std::vector<int> bandsOf(const std::vector<Column>& columns, std::size_t keys, double gap, double room)
{
  std::vector<int> bands{0};
  double ofKeys = 0;
  for (std::size_t k = 0; k < keys; ++k)
    ofKeys += columns[k].width + gap;
  double taken = ofKeys;
  for (std::size_t k = keys; k < columns.size(); ++k) {
    if (k > keys && taken + columns[k].width > room) {
      bands.push_back(static_cast<int>(k));
      taken = ofKeys;
    }
    taken += columns[k].width + gap;
  }
  return bands;
}

/// How many lines a band has room for below the heading of the table.
int linesOfBand(const QSizeF& room, double line, std::size_t bands)
{
  const double gaps = kBandGap * static_cast<double>(bands - 1);
  return std::max(0, static_cast<int>((room.height() - line - gaps) / line / static_cast<double>(bands)));
}

TableLayout layOutIn(const Rows& table, const QSizeF& room, const QFont& font, double gap, bool wrapsTitles)
{
  const QFontMetricsF metrics(font);
  const double line = metrics.height() + kRowGap;
  TableLayout made{.font = font, .gap = gap, .columns = {}, .bands = {}};
  const auto measure = [&](std::size_t bands) {
    const int lines = linesOfBand(room, line, bands);
    made.titleLines = 1;
    made.columns = columnsOf(table, std::min(table.rows(), lines), metrics, wrapsTitles);
    for (const Column& column : made.columns)
      made.titleLines = std::max(made.titleLines, static_cast<int>(column.title.size()));
    const int ofRows = lines - made.titleLines;
    made.shownRows = std::max(0, table.rows() <= ofRows ? table.rows() : ofRows - 1);
  };
  measure(1);
  made.bands = bandsOf(made.columns, static_cast<std::size_t>(table.keys()), gap, room.width());
  if (made.bands.size() > 1)
    measure(made.bands.size());
  return made;
}

/// The first that has all columns side by side; else the last, whose columns stand below one another where at least
/// some rows have room so.
TableLayout layOut(const Rows& table, const QSizeF& room, const QFont& font)
{
  TableLayout made = layOutIn(table, room, fontOf(font, kFontShare), kColumnGap, false);
  for (double share = kFontShare; made.bands.size() > 1 && share >= kLeastShare; share -= kShareStep)
    made = layOutIn(table, room, fontOf(font, share), kLeastColumnGap, true);
  if (made.bands.size() > 1 && made.shownRows < std::min(table.rows(), kLeastRows)) {
    made.leftOut = static_cast<int>(made.columns.size()) - made.bands[1];
    made.bands.resize(1);
    const int lines = linesOfBand(room, QFontMetricsF(made.font).height() + kRowGap, 1) - made.titleLines;
    made.shownRows = std::max(0, table.rows() <= lines ? table.rows() : lines - 1);
  }
  return made;
}

/// How high a table is with its heading, the titles of its columns and some rows.
double leastHeight(const Rows& table, double width, const QFont& font)
{
  const double line = QFontMetricsF(fontOf(font, kFontShare)).height() + kRowGap;
  const QSizeF room(width - 2 * kMargin, (2 + kLeastRows) * line);
  return 2 * kMargin + (1 + layOut(table, room, font).titleLines + kLeastRows) * line;
}

class TablePainter
{
public:
  TablePainter(QPainter& onPainter, const Rows& ofTable, const TableLayout& inLayout, double inRoom)
      : painter(onPainter), table(ofTable), layout(inLayout), room(inRoom), metrics(inLayout.font),
        y(kMargin + metrics.ascent())
  {}

  void paint(const QString& heading)
  {
    paintHeading(heading);
    painter.setFont(layout.font);
    for (std::size_t band = 0; band < layout.bands.size(); ++band) {
      if (band > 0)
        y += kBandGap;
      paintBand(columnsOfBand(band));
    }
    if (layout.shownRows >= table.rows() || layout.shownRows == 0)
      return;
    newLine();
    painter.setPen(theme().secondaryText);
    painter.drawText(
        QPointF(kMargin, y),
        QObject::tr("and %1 more rows").arg(formatNumber(static_cast<double>(table.rows() - layout.shownRows))));
  }

private:
  void newLine() { y += metrics.height() + kRowGap; }

  void paintHeading(const QString& heading)
  {
    QFont bold = layout.font;
    bold.setWeight(QFont::DemiBold);
    painter.setFont(bold);
    painter.setPen(theme().text);
    painter.drawText(QPointF(kMargin, y), heading);
    painter.setFont(layout.font);
    painter.setPen(theme().secondaryText);
    if (layout.leftOut > 0)
      painter.drawText(QPointF(kMargin + QFontMetricsF(bold).horizontalAdvance(heading) + kColumnGap, y),
                       QObject::tr("without its last %1 columns").arg(layout.leftOut));
  }

  std::vector<int> columnsOfBand(std::size_t band) const
  {
    std::vector<int> columns;
    for (int key = 0; band > 0 && key < table.keys(); ++key)
      columns.push_back(key);
    for (int column = layout.bands[band]; column < layout.end(band); ++column)
      columns.push_back(column);
    return columns;
  }

  void paintBand(const std::vector<int>& columns)
  {
    painter.setPen(theme().secondaryText);
    for (int line = 0; line < layout.titleLines; ++line) { // the last ones stand on one line
      newLine();
      paintRow(columns, [&](int column) {
        const QStringList& title = layout.columns[static_cast<std::size_t>(column)].title;
        return title.value(line - layout.titleLines + static_cast<int>(title.size()));
      });
    }
    painter.setPen(theme().text);
    for (int row = 0; row < layout.shownRows; ++row) {
      newLine();
      paintRow(columns, [&](int column) { return table.text(row, column); });
    }
  }

  template <typename TextOf>
  void paintRow(const std::vector<int>& columns, const TextOf& textOf)
  {
    double x = kMargin;
    for (const int column : columns) {
      const double width = std::min(room, layout.columns[static_cast<std::size_t>(column)].width);
      const QString text = metrics.elidedText(textOf(column), Qt::ElideMiddle, width);
      const double shift = table.isNumber(column) ? width - metrics.horizontalAdvance(text) : 0;
      if (!text.isEmpty())
        painter.drawText(QPointF(x + shift, y), text);
      x += width + layout.gap;
    }
  }

  QPainter& painter;
  const Rows& table;
  const TableLayout& layout;
  double room;
  QFontMetricsF metrics;
  double y; ///< baseline
};

} // namespace

FigureTable::FigureTable(const QString& ofTable, QWidget* parent) : QTableView(parent), title(ofTable) {}

QSizeF FigureTable::leastSize(double width) const
{
  if (!model())
    return {};
  return {kLeastWidth, leastHeight(Rows(*model()), std::max(width, kLeastWidth), font())};
}

void FigureTable::paintPart(QPainter& painter, const FigureArea& area)
{
  if (!model())
    return;
  if (!area.isTransparent)
    painter.fillRect(QRectF({}, area.size), theme().canvas);
  const QSizeF room = area.size - QSizeF(2 * kMargin, 2 * kMargin);
  const Rows table(*model());
  const TableLayout layout = layOut(table, room, font());
  TablePainter(painter, table, layout, room.width()).paint(title);
}

bool FigureTable::viewportEvent(QEvent* event)
{
  if (event->type() == QEvent::MouseButtonPress)
    noteClick();
  return QTableView::viewportEvent(event);
}

} // namespace hinesight::widgets
