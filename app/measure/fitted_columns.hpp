#pragma once

#include <vector>

class QTableView;

namespace hinesight::app {

/// The widths of a table's columns: as wide as their titles and figures, with margins that give way where there is no
/// room for them.
class FittedColumns
{
public:
  explicit FittedColumns(QTableView* table) : view(table) {}

  QTableView* table() const { return view; }
  /// Looks at the titles and figures, of a thousand rows at most.
  void measure();
  /// Sets the widths. `room`: pixels for all columns.
  void fit(int room) const;

private:
  QTableView* view;
  std::vector<int> wanted; ///< per column
  std::vector<int> least;  ///< that shows all of it
};

} // namespace hinesight::app
