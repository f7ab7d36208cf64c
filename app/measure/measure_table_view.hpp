#pragma once

#include "app/measure/fitted_columns.hpp"
#include "app/measure/measure_table.hpp"
#include "app/measure/wrapped_header.hpp"
#include "widgets/cells/branch_choice.hpp"
#include "widgets/figure/figure_table.hpp"

#include <QItemSelection>
#include <QString>

#include <cstddef>
#include <vector>

class QLabel;

namespace hinesight::app {

/// A table of measures, in columns that fit. A person selects rows by mouse and keyboard as in any table; which ones
/// are shown as selected, who listens says by setMarked.
class MeasureTableView : public widgets::FigureTable
{
  Q_OBJECT

public:
  MeasureTableView(const char* name, const QString& heading, const QString& help);

  /// None of them is marked. Parameters as those of MeasureTable::setRows.
  void setRows(std::size_t rows, std::vector<MeasureTable::Column> columns, MeasureTable::Describe describe);
  /// What is shown while there are no rows. `name`: of the label's object. Once.
  void setHint(const char* name, const QString& text);
  /// Shows rows as selected, by their places in what setRows was given; those beyond the end are not. Unless a person
  /// has just picked in this table, it scrolls to the first one.
  void setMarked(std::vector<bool> rows);

signals:
  /// By a person; ascending. Replace: a click, or all rows as far as a Shift+click or a drag; Add: with Ctrl; Toggle:
  /// marked rows, with Ctrl.
  void rowsPicked(const std::vector<std::size_t>& rows, hinesight::widgets::PickMode how);

protected:
  void mousePressEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void showEvent(QShowEvent* event) override;
  void scrollContentsBy(int dx, int dy) override;

private:
  void beginPick(Qt::KeyboardModifiers modifiers);
  void endPick(bool isCertain);
  void pick(const std::vector<int>& selected);
  void pickBySelection();
  std::vector<int> selectedPlaces() const;
  bool isMarkedAt(int place) const;
  QItemSelection markedRanges(int first, int end) const;
  void showMarked();
  void goToFirstMarked();
  void scrollToCurrent();

  MeasureTable* table;
  WrappedHeader* titles;
  QLabel* hint = nullptr;
  FittedColumns columns;
  std::vector<bool> marked; ///< per row, as setMarked was given it
  bool hasMore = false;     ///< rows are marked that the selection model does not have
  bool isBehind = false;    ///< it went to a row while it was not seen
  bool isPicking = false;   ///< a button or a key is down
  bool isTelling = false;
  Qt::KeyboardModifiers held;
  std::vector<int> before; ///< places that were selected when it went down
};

} // namespace hinesight::app
