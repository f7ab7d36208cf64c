#pragma once

#include "app/selection/hidden_neurons.hpp"
#include "app/synapses/formation_outcome.hpp"
#include "io/runs/formation_timings.hpp"
#include "widgets/background_work.hpp"
#include "widgets/figure/figure.hpp"
#include "widgets/synapse/octree_view.hpp"

#include <QWidget>

#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

class QLabel;
class QPushButton;

namespace hinesight::widgets {
class DistanceChart;
}

namespace hinesight::selection {
struct NetworkTable;
}

namespace hinesight::app {

class NeuronSelection;
class PageHeader;

/// "How does the search see space, and what did it form?": the octree with a neuron's search and synapses, the lengths
/// of all synapses beside the kernel's expectation, and the selected neuron in words. The page is told what was formed;
/// in the background it looks a neuron's search up, bundles synapses and sums the kernel.
class FormationPage : public QWidget
{
  Q_OBJECT

public:
  explicit FormationPage(QWidget* parent = nullptr);

  static QString title();

  /// Neurons of the circuit are picked there, and what is picked there is marked here; its newest one is selected.
  void setSelection(NeuronSelection* selection);
  /// Of populations of the circuit, by which their neurons are coloured.
  void setPopulationColors(widgets::PopulationColors colors) { populationColor = std::move(colors); }
  /// After populations may have got other colours.
  void recolor();
  void setOutcome(const FormationOutcome& outcome);
  /// An earlier outcome is seen again: it is no run.
  void showAgain(const FormationOutcome& outcome);
  const FormationOutcome& outcome() const { return shown; }
  /// The neurons and synapses that are shown, for expressions; null: they are of no circuit.
  std::shared_ptr<selection::NetworkTable> networkShown() const;
  void setLook(const widgets::OctreeLook& look);
  /// The accepted nodes are those of this theta at once, before anything is formed by it.
  void setTheta(double theta);
  /// None: nothing is selected.
  void select(std::optional<std::uint32_t> neuron);
  std::optional<std::uint32_t> selection() const { return selected; }
  void takeProgress(const QString& stage, double fraction);
  /// The run came to its end without a network: the old one stays.
  void takeEnd();
  /// How long the last run took, ms; infinite before the first.
  double lastMilliseconds() const;

  widgets::OctreeView& view() const { return *octree; }
  const widgets::DistanceChart& distances() const { return *lengths; }
  /// All that were formed, in their order.
  const std::vector<io::FormationRun>& runs() const { return allRuns; }
  void setTimingsShown(bool timingsShown);
  /// Waits until what is computed in the background is shown.
  void settle();
  /// All of the page as PNG. Throws as widgets::writePicture.
  void savePicture(const QString& path);
  /// As it is on the screen.
  widgets::Figure figure();

signals:
  /// There are other neurons or synapses.
  void networkChanged();
  void formRequested();
  void importRequested();
  void exportRequested();
  void saveRequested();
  /// The plasticity model is to go on with this network.
  void growRequested();

private:
  PageHeader* makeHeader();
  io::FormationRun show(const FormationOutcome& outcome);
  void pickAll(const std::vector<std::uint32_t>& neurons, widgets::PickMode how);
  void takePicked();
  std::optional<std::uint32_t> markPicked();
  void takeHidden();
  void showSelected(std::optional<std::uint32_t> neuron);
  bool isOfCircuit() const;
  QString numberOf(std::uint32_t neuron) const;
  void lookUpSearch();
  void showSearch(const widgets::SearchPicture& search);
  void bundle();
  void expectDistances();
  QString describe(const widgets::SearchPicture& search) const;
  void refreshHeader();

  FormationOutcome shown;
  NeuronSelection* ofCircuit = nullptr; ///< what is picked there
  HiddenNeurons hiddenThere;            ///< of it
  widgets::PopulationColors populationColor;
  std::vector<io::FormationRun> allRuns;
  widgets::OctreeLook look;
  std::optional<std::uint32_t> selected;
  double theta = 0; ///< of the search that is shown
  widgets::OctreeView* octree;
  widgets::DistanceChart* lengths;
  QLabel* neuronText = nullptr;
  PageHeader* header = nullptr;
  QPushButton* growButton = nullptr;
  QPushButton* deselectButton = nullptr;
  QPushButton* exportButton = nullptr;
  QPushButton* saveButton = nullptr;
  widgets::BackgroundWork searching;
  widgets::BackgroundWork bundling;
  widgets::BackgroundWork expecting;
};

/// "6,293 synapses of 6,150 pairs, 10,000 neurons".
QString describeNetwork(const FormationOutcome& outcome);

} // namespace hinesight::app
