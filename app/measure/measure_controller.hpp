#pragma once

#include "app/jobs/jobs.hpp"
#include "app/measure/measure_page.hpp"
#include "widgets/cells/branch_choice.hpp"
#include "widgets/cells/morphology/path_overlay.hpp"
#include "widgets/cells/scene.hpp"

#include <QObject>
#include <QString>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace hinesight::app {

class BranchSelection;
class CellListModel;
class CellViews;
struct OpenCell;

inline constexpr JobKind kMeasures{.name = "measures", .stage = "measure", .isQuiet = true};
inline constexpr JobKind kMeasureExport{.name = "Export of measures", .stage = "export", .newestWins = false};

/// Measures the chosen cell, and the one beside it, while their page is seen; joins its branches with those that are
/// selected in the views; measures between points that are picked in a Morphology view.
class MeasureController : public QObject
{
  Q_OBJECT

public:
  struct Parts
  {
    MeasurePage* page;
    CellListModel* cells;
    BranchSelection* selection;
    CellViews* views;
    std::function<std::shared_ptr<const widgets::Scene>()> scene;
  };

  MeasureController(Jobs* jobs, const Parts& parts, QObject* parent);

  /// A row of the list of cells; -1: none.
  void choose(int row);
  /// The cells are others, or more is known of them.
  void takeCells();
  /// The page is seen.
  void pageShown();
  /// The command that measures the same; throws Error(BadParameter) where there is no cell.
  std::string command() const;

signals:
  void told(const QString& result);
  void failed(const QString& sentence);
  void saved(const QString& path);
  void questionChanged();

private:
  int chosenRow() const;
  std::vector<int> otherRows() const;
  std::vector<int> measuredRows() const;
  void refreshOthers();
  void measure();
  std::int32_t placeInScene(std::size_t cell) const;
  widgets::BranchId branchInViews(std::size_t cell, std::int32_t branch) const;
  widgets::BranchIds branchesInViews(const BranchesOfCells& branches) const;
  void pickBranches(const BranchesOfCells& branches, widgets::PickMode how);
  void takeSelection();
  void measureBetween(widgets::SamplePoint from, widgets::SamplePoint to);
  std::set<QString> takeChangedCells();
  void measurePathsAgain();
  const OpenCell* findCell(const QString& name) const;
  std::optional<PathEnd> findEnd(const MeasuredPath::End& end) const;
  void askWhereToExport();

  Jobs* jobs;
  Parts parts;
  std::uint64_t chosen = 0;                                            ///< key of the chosen cell; 0: none
  std::vector<std::shared_ptr<const morphology::Morphology>> measured; ///< the cells of the page
  bool isStale = true;
  std::map<std::uint64_t, std::weak_ptr<const morphology::Morphology>> readings; ///< of the open cells, by their keys
};

} // namespace hinesight::app
