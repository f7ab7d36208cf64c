#pragma once

#include <QCollator>
#include <QSortFilterProxyModel>
#include <QString>

#include <cstdint>
#include <set>

namespace hinesight::app {

/// Orders names as a person does: numbers in them as numbers, so that cell 9 stands before cell 10, and upper and lower
/// case alike.
QCollator orderOfNames();

/// Of the open cells those whose names or tags contain a text, in the order of the batch or sorted by a column; or of
/// these those with problems. Texts are sorted by orderOfNames.
class CellFilter : public QSortFilterProxyModel
{
  Q_OBJECT

public:
  explicit CellFilter(QObject* parent);

  /// In upper or lower case; empty: all do.
  void setWords(const QString& words);
  /// Only cells with warnings, and those that are not read or not drawn.
  void setProblemsOnly(bool problemsOnly);
  /// That cell of the list stays listed although it is mended, until setProblemsOnly is called again.
  void keepProblem(int row);
  bool isFiltering() const { return problemsOnly || !words.isEmpty(); }

  bool isSorted() const { return sortColumn() >= 0; }

  /// One row, which goes before the row `before` that is seen; not while the rows are sorted.
  bool moveRows(const QModelIndex& from, int first, int count, const QModelIndex& to, int before) override;

protected:
  bool filterAcceptsRow(int row, const QModelIndex& parent) const override;
  bool lessThan(const QModelIndex& left, const QModelIndex& right) const override;

private:
  std::uint64_t keyOf(int row) const;

  QCollator texts = orderOfNames();
  QString words;
  bool problemsOnly = false;
  std::set<std::uint64_t> kept; ///< keys
};

} // namespace hinesight::app
