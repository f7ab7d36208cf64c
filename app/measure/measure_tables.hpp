#pragma once

#include "app/measure/measure_table.hpp"
#include "app/measure/measured_cell.hpp"
#include "app/measure/measured_path.hpp"
#include "widgets/cells/branch_choice.hpp"

#include <QString>
#include <QTabWidget>

#include <cstddef>
#include <memory>
#include <vector>

class QPushButton;

namespace hinesight::app {

class MeasureTableView;

/// The tables of the page Measure: types, branches, spheres of Sholl, classes of the histogram and measured paths. All
/// but the paths select branches: those that a row stands for, of all cells that are shown.
class MeasureTables : public QTabWidget
{
  Q_OBJECT

public:
  explicit MeasureTables(QWidget* parent = nullptr);

  /// In place of those before; without classes, which setClasses has. No branch is selected.
  void setCells(std::shared_ptr<const MeasuredCells> cells);
  /// `unit`: of the quantity of the classes.
  void setClasses(const study::BranchHistogram& classes, const QString& unit);
  void setPaths(std::vector<MeasuredPath> paths);
  const std::vector<MeasuredPath>& paths() const { return measuredPaths; }

  using Counts = std::vector<std::vector<double>>; ///< per cell, and sphere or class; what is missing is 0
  /// `crossed`: how many intersections of each sphere are of these branches. `inClasses`: how many of these are in each
  /// class.
  void setSelected(const BranchesOfCells& branches, const Counts& crossed, const Counts& inClasses);
  /// The object name of the table that is seen.
  QString inFront() const { return currentWidget()->objectName(); }

signals:
  void branchesPicked(const hinesight::app::BranchesOfCells& branches, hinesight::widgets::PickMode how);
  void exportRequested();

private:
  /// The branches of the rows from `begin` on, without `end`.
  using BranchesOfRows = BranchesOfCells (MeasureTables::*)(std::size_t begin, std::size_t end) const;
  MeasureTableView* addTable(const char* name, const QString& title, const QString& help);
  MeasureTableView* addTable(const char* name, const QString& title, const QString& help, BranchesOfRows branchesOf);
  BranchesOfCells ofTypes(std::size_t begin, std::size_t end) const;
  BranchesOfCells ofBranches(std::size_t begin, std::size_t end) const;
  BranchesOfCells throughSpheres(std::size_t begin, std::size_t end) const;
  BranchesOfCells inClasses(std::size_t begin, std::size_t end) const;
  BranchesOfCells together(const std::vector<std::size_t>& rows, BranchesOfRows branchesOf) const;
  QString describe(const QString& row, const BranchesOfCells& branches) const;
  std::vector<bool> selectedTypes() const;
  std::vector<bool> selectedBranches() const;
  std::vector<MeasureTable::Column> cellColumn(MeasureTable::Describe nameOf) const;
  void refreshTypes();
  void refreshBranches();
  void refreshSpheres();
  void refreshPaths();
  void refreshExport();
  static QString howToMeasure();

  std::shared_ptr<const MeasuredCells> shown = std::make_shared<MeasuredCells>();
  study::BranchHistogram counted;
  BranchesOfCells selected;
  std::vector<MeasuredPath> measuredPaths;
  MeasureTableView* types;
  MeasureTableView* branches;
  MeasureTableView* spheres;
  MeasureTableView* classes;
  MeasureTableView* pathTable;
  QPushButton* exportButton;
};

} // namespace hinesight::app
