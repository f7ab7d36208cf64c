#include "app/cells/cell_filter.hpp"

#include "app/cells/cell_list_model.hpp"

#include <QLocale>
#include <QVariant>

namespace hinesight::app {

QCollator orderOfNames()
{
  QCollator order{QLocale(QLocale::English)};
  order.setNumericMode(true);
  order.setCaseSensitivity(Qt::CaseInsensitive);
  return order;
}

CellFilter::CellFilter(QObject* parent) : QSortFilterProxyModel(parent)
{
  setSortRole(CellListModel::SortRole);
}

bool CellFilter::lessThan(const QModelIndex& left, const QModelIndex& right) const
{
  const QVariant a = left.data(sortRole());
  const QVariant b = right.data(sortRole());
  const bool areTexts = a.typeId() == QMetaType::QString && b.typeId() == QMetaType::QString;
  return areTexts ? texts.compare(a.toString(), b.toString()) < 0 : QSortFilterProxyModel::lessThan(left, right);
}

void CellFilter::setWords(const QString& wanted)
{
  words = wanted;
  invalidateFilter();
}

void CellFilter::setProblemsOnly(bool only)
{
  problemsOnly = only;
  kept.clear();
  invalidateFilter();
}

void CellFilter::keepProblem(int row)
{
  kept.insert(keyOf(row));
}

std::uint64_t CellFilter::keyOf(int row) const
{
  return static_cast<const CellListModel*>(sourceModel())->cells()[static_cast<std::size_t>(row)].key;
}

bool CellFilter::moveRows(const QModelIndex& from, int first, int count, const QModelIndex& to, int before)
{
  if (isSorted() || from.isValid() || to.isValid() || count != 1 || first < 0 || first >= rowCount() || before < 0 ||
      before > rowCount())
    return false;
  const int place = before < rowCount() ? mapToSource(index(before, 0)).row() : sourceModel()->rowCount();
  return sourceModel()->moveRows({}, mapToSource(index(first, 0)).row(), 1, {}, place);
}

bool CellFilter::filterAcceptsRow(int row, const QModelIndex& parent) const
{
  const QModelIndex cell = sourceModel()->index(row, 0, parent);
  const bool hasProblem =
      cell.data(CellListModel::WarningsRole).toInt() > 0 || !cell.data(CellListModel::ProblemRole).toString().isEmpty();
  const auto hasWords = [&](CellListModel::Column column) {
    return cell.siblingAtColumn(column).data().toString().contains(words, Qt::CaseInsensitive);
  };
  return (hasProblem || !problemsOnly || kept.contains(keyOf(row))) &&
         (hasWords(CellListModel::NameColumn) || hasWords(CellListModel::TagsColumn));
}

} // namespace hinesight::app
