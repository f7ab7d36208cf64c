#include "app/measure/fitted_columns.hpp"

#include <QHeaderView>
#include <QTableView>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace hinesight::app {

namespace {

constexpr int kLeastMargin = 20; // beside a title, both sides together, pixels

} // namespace

void FittedColumns::measure()
{
  const QHeaderView& header = *view->horizontalHeader();
  const QAbstractItemView& figures = *view;
  wanted.clear();
  least.clear();
  for (int column = 0; column < header.count(); ++column) {
    const QString title = view->model()->headerData(column, Qt::Horizontal).toString();
    const int ofFigures = figures.sizeHintForColumn(column);
    wanted.push_back(std::max(header.sectionSizeHint(column), ofFigures));
    least.push_back(std::max(header.fontMetrics().horizontalAdvance(title) + kLeastMargin, ofFigures));
  }
}

void FittedColumns::fit(int room) const
{
  int spare = 0;
  for (std::size_t column = 0; column < wanted.size(); ++column)
    spare += std::max(0, wanted[column] - least[column]);
  const int missing = std::max(0, std::accumulate(wanted.begin(), wanted.end(), 0) - room);
  const double share = spare > 0 ? std::min(1.0, static_cast<double>(missing) / spare) : 0;
  for (std::size_t column = 0; column < wanted.size(); ++column) {
    const int taken = static_cast<int>(std::ceil(share * std::max(0, wanted[column] - least[column])));
    view->setColumnWidth(static_cast<int>(column), wanted[column] - taken);
  }
}

} // namespace hinesight::app
