#pragma once

#include <cstddef>
#include <vector>

class QTableView;

namespace hinesight::app {

class MeasureTable;
class WrappedHeader;

/// The widths of a table's columns: as wide as their titles, numbers and texts. Where there is no room for them, first
/// margins give way, then titles take two lines, then what MeasureTable::Column::givesWay names is cut; numbers never
/// are.
class FittedColumns
{
public:
  FittedColumns(QTableView* ofView, const WrappedHeader* ofColumns, const MeasureTable* ofTable)
      : view(ofView), header(ofColumns), table(ofTable)
  {}

  /// Looks at all rows. Linear.
  void measure();
  /// Sets the widths. `room`: pixels for all columns.
  void fit(int room) const;

private:
  int contentWidth(std::size_t column) const;

  QTableView* view;
  const WrappedHeader* header;
  const MeasureTable* table;
  std::vector<int> wanted;  ///< per column
  std::vector<int> whole;   ///< that shows all of it
  std::vector<int> wrapped; ///< the same, its title in two lines
  std::vector<int> least;
};

} // namespace hinesight::app
