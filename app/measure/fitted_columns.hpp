#pragma once

#include <cstddef>
#include <vector>

class QTableView;

namespace hinesight::app {

class MeasureTable;

/// The widths of a table's columns: as wide as their titles, numbers and texts. Where there is no room for them, first
/// margins give way, then what MeasureTable::Column::givesWay names; numbers never do.
class FittedColumns
{
public:
  FittedColumns(QTableView* ofView, const MeasureTable* ofTable) : view(ofView), table(ofTable) {}

  /// Looks at all rows. Linear.
  void measure();
  /// Sets the widths. `room`: pixels for all columns.
  void fit(int room) const;

private:
  int contentWidth(std::size_t column) const;

  QTableView* view;
  const MeasureTable* table;
  std::vector<int> wanted; ///< per column
  std::vector<int> whole;  ///< that shows all of it
  std::vector<int> least;
};

} // namespace hinesight::app
