#pragma once

#include "app/measure/measured_cell.hpp"
#include "app/measure/measured_path.hpp"
#include "study/cells/cell_measures.hpp"
#include "widgets/cells/branch_choice.hpp"
#include "widgets/charts/profile_chart.hpp"
#include "widgets/figure/figure.hpp"

#include <QString>
#include <QWidget>

#include <cstdint>
#include <memory>
#include <vector>

class QLabel;
class QSplitter;
class QStackedWidget;

namespace hinesight::widgets {
class ChoiceBox;
class Dendrogram;
} // namespace hinesight::widgets

namespace hinesight::app {

class MeasureTables;
class NumberSpinBox;
class PageHeader;

/// "How long, how thick, how branched?": a cell, or two of them, in figures: the dendrogram, the spheres of Sholl,
/// histograms, and tables of these and of the paths that were measured in the Morphology view.
class MeasurePage : public QWidget
{
  Q_OBJECT

public:
  explicit MeasurePage(QWidget* parent = nullptr);

  /// A cell that another one can be compared with.
  struct Other
  {
    std::uint64_t key; ///< above 0
    QString name;
  };
  /// In their order. The one that is compared with stays, as long as it is among them.
  void setOthers(const std::vector<Other>& cells);
  /// Key of the cell to compare with; 0: none.
  std::uint64_t beside() const;
  /// That cell, now or as soon as it is among the others.
  void compareWith(std::uint64_t key);
  /// The cell that compareWith was given and that is not among the others yet; else that of `beside`.
  std::uint64_t wantedBeside() const { return comingBeside > 0 ? comingBeside : beside(); }
  void setShollStep(double micrometres);
  void setQuantity(study::BranchQuantity quantity);
  /// From one sphere to the next, µm.
  double shollStep() const;
  study::BranchQuantity quantity() const;
  /// The object name of the table that is seen.
  QString tableInFront() const;

  /// The chosen cell, and the one beside it; empty: there is none, for the reason that `why` says.
  void setCells(std::shared_ptr<const MeasuredCells> cells, const QString& why = {});
  const MeasuredCells& cells() const { return *shown; }
  /// The branches to be marked in the charts and the tables.
  void selectBranches(const BranchesOfCells& ofCells);
  /// Appends it to the table.
  void addPath(const MeasuredPath& path);
  const std::vector<MeasuredPath>& paths() const;
  /// In place of those that are there.
  void setPaths(std::vector<MeasuredPath> paths);
  widgets::Dendrogram& dendrogram() const { return *tree; }
  widgets::ProfileChart& spheres() const { return *shollChart; }
  widgets::ProfileChart& histogram() const { return *histogramChart; }

signals:
  void asked();                                             ///< for other spheres, or another cell beside
  void branchPicked(std::size_t cell, std::int32_t branch); ///< branch -1: none
  /// In a profile or a table. Toggle: all together, in unless they are in already.
  void branchesPicked(const hinesight::app::BranchesOfCells& branches, hinesight::widgets::PickMode how);
  void exportRequested();
  /// Another choice in its fields, or another path.
  void questionsChanged();

protected:
  void resizeEvent(QResizeEvent* event) override;

private:
  PageHeader* makeHeader();
  QWidget* makeFields();
  void nameBeside();
  QWidget* makeCharts();
  void makeProfiles();
  void shareRoomSoon();
  void shareRoom();
  void refreshHeadline();
  void refreshCharts();
  void refreshHistogram();
  void selectBranch(std::size_t cell, std::int32_t branch);
  void refreshSelectedParts();
  void pickThroughSpheres(const widgets::ProfileChart::Stretch& spheres, Qt::KeyboardModifiers modifiers);
  void pickInClasses(const widgets::ProfileChart::Stretch& classes, Qt::KeyboardModifiers modifiers);
  void pick(std::size_t cell, std::vector<std::int32_t> branches, widgets::PickMode how);

  std::shared_ptr<const MeasuredCells> shown = std::make_shared<MeasuredCells>();
  BranchesOfCells selected;             ///< as selectBranches was given them
  study::BranchHistogram counted;       ///< as it is shown
  std::vector<std::uint64_t> otherKeys; ///< as setOthers was given them
  std::uint64_t comingBeside = 0;       ///< as compareWith was given it; 0: it is among the others
  PageHeader* header = nullptr;
  widgets::ChoiceBox* besideChoice = nullptr;
  NumberSpinBox* step = nullptr;
  widgets::ChoiceBox* quantityChoice = nullptr;
  QStackedWidget* stack = nullptr;
  int shownPart = 0; ///< of it
  QLabel* reason = nullptr;
  widgets::Dendrogram* tree = nullptr;
  widgets::ProfileChart* shollChart = nullptr;
  widgets::ProfileChart* histogramChart = nullptr;
  QSplitter* body = nullptr;     ///< the charts and the tables
  QSplitter* plots = nullptr;    ///< the dendrogram and the profiles
  QSplitter* profiles = nullptr; ///< the other charts
  MeasureTables* tables = nullptr;
};

} // namespace hinesight::app
