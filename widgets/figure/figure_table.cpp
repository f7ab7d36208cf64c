#include "widgets/figure/figure_table.hpp"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <vector>

namespace hinesight::widgets {

namespace {

constexpr double kMargin = 10;
constexpr double kColumnGap = 16;
constexpr double kRowGap = 4;
constexpr double kFontShare = 0.85; // as in the charts

/// What the table says, as it is sorted.
class Rows
{
public:
  explicit Rows(const QAbstractItemModel& ofTable) : model(ofTable) {}

  int rows() const { return model.rowCount(); }
  int columns() const { return model.columnCount(); }
  QString title(int column) const { return model.headerData(column, Qt::Horizontal).toString(); }
  QString text(int row, int column) const { return model.index(row, column).data().toString(); }
  bool isNumber(int column) const
  {
    const auto alignment = model.index(0, column).data(Qt::TextAlignmentRole).value<Qt::Alignment>();
    return alignment.testFlag(Qt::AlignRight);
  }

private:
  const QAbstractItemModel& model;
};

/// Of as many first columns as fit into a width, with `rows` rows.
std::vector<double> columnWidths(const Rows& table, int rows, const QFontMetricsF& metrics, double most)
{
  std::vector<double> widths;
  double taken = 0;
  for (int column = 0; column < table.columns(); ++column) {
    double width = metrics.horizontalAdvance(table.title(column));
    for (int row = 0; row < rows; ++row)
      width = std::max(width, metrics.horizontalAdvance(table.text(row, column)));
    if (column > 0 && taken + width > most)
      break;
    widths.push_back(std::min(width, most));
    taken += width + kColumnGap;
  }
  return widths;
}

} // namespace

FigureTable::FigureTable(const QString& ofTable, QWidget* parent) : QTableView(parent), title(ofTable) {}

void FigureTable::paintPart(QPainter& painter, const FigureArea& area)
{
  if (!model())
    return;
  if (!area.isTransparent)
    painter.fillRect(QRectF({}, area.size), theme().canvas);
  QFont letters = font();
  letters.setPointSizeF(kFontShare * letters.pointSizeF());
  QFont bold = letters;
  bold.setWeight(QFont::DemiBold);
  const QFontMetricsF metrics(letters);
  const double line = metrics.height() + kRowGap;
  const Rows table(*model());
  const int lines = static_cast<int>((area.size.height() - 2 * kMargin) / line) - 2; // without title and header
  const int fitting = std::max(0, table.rows() <= lines ? table.rows() : lines - 1);
  double y = kMargin + metrics.ascent();
  painter.setFont(bold);
  painter.setPen(theme().text);
  painter.drawText(QPointF(kMargin, y), title);
  painter.setFont(letters);
  const std::vector<double> widths = columnWidths(table, fitting, metrics, area.size.width() - 2 * kMargin);
  painter.setPen(theme().secondaryText);
  if (const int left = table.columns() - static_cast<int>(widths.size()); left > 0)
    painter.drawText(QPointF(kMargin + QFontMetricsF(bold).horizontalAdvance(title) + kColumnGap, y),
                     QObject::tr("without its last %1 columns").arg(left));
  const auto paintRow = [&](const auto& textOf) {
    double x = kMargin;
    for (std::size_t column = 0; column < widths.size(); ++column) {
      const int place = static_cast<int>(column);
      const QString text = metrics.elidedText(textOf(place), Qt::ElideMiddle, widths[column]);
      const double shift = table.isNumber(place) ? widths[column] - metrics.horizontalAdvance(text) : 0;
      painter.drawText(QPointF(x + shift, y), text);
      x += widths[column] + kColumnGap;
    }
  };
  painter.setPen(theme().secondaryText);
  y += line;
  paintRow([&](int column) { return table.title(column); });
  painter.setPen(theme().text);
  for (int row = 0; row < fitting; ++row) {
    y += line;
    paintRow([&](int column) { return table.text(row, column); });
  }
  if (fitting < table.rows() && lines > 0) {
    y += line;
    painter.setPen(theme().secondaryText);
    painter.drawText(QPointF(kMargin, y),
                     QObject::tr("and %1 more rows").arg(formatNumber(static_cast<double>(table.rows() - fitting))));
  }
}

} // namespace hinesight::widgets
