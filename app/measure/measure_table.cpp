#include "app/measure/measure_table.hpp"

#include "widgets/theme.hpp"

namespace hinesight::app {

namespace {

bool isText(const QVariant& value)
{
  return value.typeId() == QMetaType::QString;
}

Qt::Alignment alignmentOf(const QVariant& value)
{
  return Qt::AlignVCenter | (isText(value) ? Qt::AlignLeft : Qt::AlignRight);
}

} // namespace

void MeasureTable::setRows(std::size_t count, std::vector<Column> shown)
{
  beginResetModel();
  columns = std::move(shown);
  rows = static_cast<int>(count);
  endResetModel();
}

int MeasureTable::rowCount(const QModelIndex& parent) const
{
  return parent.isValid() ? 0 : rows;
}

int MeasureTable::columnCount(const QModelIndex& parent) const
{
  return parent.isValid() ? 0 : static_cast<int>(columns.size());
}

QVariant MeasureTable::headerData(int section, Qt::Orientation orientation, int role) const
{
  if (orientation != Qt::Horizontal)
    return {};
  const Column& column = columns[static_cast<std::size_t>(section)];
  if (role == Qt::DisplayRole)
    return column.title;
  if (role == Qt::TextAlignmentRole && rows > 0)
    return QVariant(alignmentOf(column.value(0)));
  return role == Qt::ToolTipRole ? QVariant(column.help) : QVariant();
}

QVariant MeasureTable::data(const QModelIndex& index, int role) const
{
  if (role != Qt::DisplayRole && role != SortRole && role != Qt::TextAlignmentRole)
    return {};
  const QVariant value = columns[static_cast<std::size_t>(index.column())].value(static_cast<std::size_t>(index.row()));
  if (role == Qt::TextAlignmentRole)
    return QVariant(alignmentOf(value));
  if (role == SortRole || !value.isValid() || isText(value))
    return value;
  return widgets::formatNumber(value.toDouble());
}

} // namespace hinesight::app
