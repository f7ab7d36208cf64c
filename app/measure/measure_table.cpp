#include "app/measure/measure_table.hpp"

#include "widgets/theme.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace hinesight::app {

namespace {

bool isTextValue(const QVariant& value)
{
  return value.typeId() == QMetaType::QString;
}

Qt::Alignment alignmentOf(const QVariant& value)
{
  return Qt::AlignVCenter | (isTextValue(value) ? Qt::AlignLeft : Qt::AlignRight);
}

} // namespace

void MeasureTable::setRows(std::size_t rows, std::vector<Column> columns, Describe ofRow)
{
  beginResetModel();
  shown = std::move(columns);
  describe = std::move(ofRow);
  order.resize(rows);
  arrange();
  endResetModel();
}

bool MeasureTable::isText(std::size_t column) const
{
  return !order.empty() && isTextValue(shown[column].value(0));
}

int MeasureTable::rowCount(const QModelIndex& parent) const
{
  return parent.isValid() ? 0 : static_cast<int>(order.size());
}

int MeasureTable::columnCount(const QModelIndex& parent) const
{
  return parent.isValid() ? 0 : static_cast<int>(shown.size());
}

QVariant MeasureTable::headerData(int section, Qt::Orientation orientation, int role) const
{
  if (orientation != Qt::Horizontal)
    return {};
  const Column& column = shown[static_cast<std::size_t>(section)];
  if (role == Qt::DisplayRole)
    return column.title;
  if (role == Qt::TextAlignmentRole && !order.empty())
    return QVariant(alignmentOf(column.value(0)));
  return role == Qt::ToolTipRole ? QVariant(column.help) : QVariant();
}

QVariant MeasureTable::data(const QModelIndex& index, int role) const
{
  const std::size_t row = rowAt(index.row());
  if (role == Qt::ToolTipRole || role == Qt::AccessibleDescriptionRole)
    return describe ? QVariant(describe(row)) : QVariant();
  if (role != Qt::DisplayRole && role != SortRole && role != Qt::TextAlignmentRole)
    return {};
  const QVariant value = shown[static_cast<std::size_t>(index.column())].value(row);
  if (role == Qt::TextAlignmentRole)
    return QVariant(alignmentOf(value));
  if (role == SortRole || !value.isValid() || isTextValue(value))
    return value;
  return widgets::formatNumber(value.toDouble());
}

// ---- sorting ----

void MeasureTable::sort(int column, Qt::SortOrder direction)
{
  emit layoutAboutToBeChanged({}, VerticalSortHint);
  const std::vector<std::size_t> before = order;
  sortedBy = column;
  sortedIn = direction;
  arrange();
  std::vector<int> placeOf(order.size()); // of each row
  for (std::size_t place = 0; place < order.size(); ++place)
    placeOf[order[place]] = static_cast<int>(place);
  const QModelIndexList from = persistentIndexList();
  QModelIndexList to;
  for (const QModelIndex& moved : from)
    to << index(placeOf[before[static_cast<std::size_t>(moved.row())]], moved.column());
  changePersistentIndexList(from, to);
  emit layoutChanged({}, VerticalSortHint);
}

void MeasureTable::arrange()
{
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (sortedBy < 0 || sortedBy >= columnCount())
    return;
  const auto column = static_cast<std::size_t>(sortedBy);
  if (isText(column)) {
    std::vector<QString> texts;
    for (std::size_t row = 0; row < order.size(); ++row)
      texts.push_back(shown[column].value(row).toString());
    return arrangeBy(texts);
  }
  constexpr double kBehindAll = std::numeric_limits<double>::infinity();
  std::vector<double> numbers;
  for (std::size_t row = 0; row < order.size(); ++row) {
    const QVariant value = shown[column].value(row);
    numbers.push_back(value.isValid() ? value.toDouble() : sortedIn == Qt::AscendingOrder ? kBehindAll : -kBehindAll);
  }
  arrangeBy(numbers);
}

template <typename Value>
void MeasureTable::arrangeBy(const std::vector<Value>& values)
{
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
    return sortedIn == Qt::AscendingOrder ? values[a] < values[b] : values[b] < values[a];
  });
}

} // namespace hinesight::app
