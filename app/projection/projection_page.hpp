#pragma once

#include "app/projection/projection_outcome.hpp"
#include "app/selection/hidden_neurons.hpp"
#include "app/selection/neuron_selection.hpp"
#include "model/project.hpp"
#include "morphology/morphology.hpp"
#include "widgets/background_work.hpp"
#include "widgets/figure/figure.hpp"

#include <QWidget>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

class QLabel;
class QPushButton;
class QSplitter;

namespace hinesight::widgets {
class AdjacencyChart;
enum class AreaShape;
class CircuitMap;
struct CircuitPicture;
class FanMap;
class ProjectionView;
class WeightChart;
} // namespace hinesight::widgets

namespace hinesight::app {

class PageHeader;
class QuestionBar;

/// "Who talks to whom, how strongly?": the two layers with the weights of chosen sources, fan-out and fan-in maps, the
/// histogram of weights and the matrix of the table; or all connections of the circuit together. The page is told what
/// was made; it makes nothing itself but the bins of a zoomed matrix, in the background.
class ProjectionPage : public QWidget
{
  Q_OBJECT

public:
  explicit ProjectionPage(QWidget* parent = nullptr);

  static QString title();

  /// Marks the neurons of the circuit that are picked, and picks them. Those of the upper layer are sources. What
  /// another page picks takes the place of all sources.
  void setSelection(NeuronSelection* selection);
  void setOutcome(const ProjectionOutcome& outcome);
  /// An earlier outcome is seen again: it is no run.
  void showAgain(const ProjectionOutcome& outcome);
  /// The same outcome, where a population has another name: it is no other run.
  void setRenamed(const ProjectionOutcome& outcome);
  /// What the connection is called that is shown; empty: it is none of the circuit.
  void setConnection(const QString& name);
  /// All connections of the circuit, shown together or only the one that was made last.
  void setCircuit(widgets::CircuitPicture picture);
  void setTogether(bool isTogether);
  /// The next drag over the layers, which are seen then, draws that; nullopt: it turns them.
  void awaitArea(std::optional<widgets::AreaShape> shape);
  bool isTogether() const;
  /// A population of reconstructed cells, with their morphologies in the order of its cells, µm; without: points.
  struct CellsOfLayer
  {
    model::Population population;
    std::vector<std::shared_ptr<const morphology::Morphology>> pool;

    bool operator==(const CellsOfLayer&) const = default;
  };
  /// The layers draw these at their places, as soon as they are placed on another thread.
  void setCells(const CellsOfLayer& sources, const CellsOfLayer& destinations);
  /// Asks whether a table of that size is meant, until it is answered or `dropQuestion` is called.
  void ask(const study::SizeQuestion& question);
  void dropQuestion();
  bool isAsking() const;
  const ProjectionOutcome& outcome() const { return shown; }
  /// Both populations and the table, for expressions; null: there is no table.
  SharedNetwork networkShown() const;
  void takeProgress(const QString& stage, double fraction);
  /// The run came to its end without a table: the old one stays.
  void takeEnd();
  /// How long the last run took, ms; infinite before the first, and where the table was read.
  double lastMilliseconds() const;

  widgets::ProjectionView& view() const { return *layers; }
  void setTimingsShown(bool timingsShown);
  /// Waits until what is counted in the background is shown.
  void settle();
  /// All of the page as PNG. Throws as widgets::writePicture.
  void savePicture(const QString& path);
  /// Its layers and charts as they are on the screen.
  widgets::Figure figure();

signals:
  /// There is another table.
  void networkChanged();
  /// All connections are seen together now.
  void togetherShown();
  /// By a person: every connection is to be made.
  void makeAllWanted();
  /// By a person: this one of them is to be seen alone.
  void connectionPicked(const QString& name);
  void saveRequested();
  void exportRequested();
  void sizeAgreed(std::uint64_t rows);
  void sizeDeclined();

private:
  PageHeader* makeHeader();
  QSplitter* makeBody();
  void countPart();
  void placeCells();
  void showOutcome(bool areSameNeurons = false);
  void takePicked();
  void pickAll(const std::vector<std::uint32_t>& sources, const std::vector<std::uint32_t>& destinations,
               widgets::PickMode how);
  void showPicked(bool isOfOthers);
  void takeHidden();
  void refreshHeader();
  QString headlineOfTable() const;

  ProjectionOutcome shown;
  NeuronSelection* ofCircuit = nullptr; ///< what is picked there
  HiddenNeurons hiddenThere;            ///< of it
  bool isPicking = false;               ///< here
  QString connection;                   ///< its name
  mutable SharedNetwork network;        ///< made when it is first asked for
  std::array<CellsOfLayer, 2> cells;    ///< of both layers
  widgets::ProjectionView* layers;
  widgets::FanMap* fanOut;
  widgets::FanMap* fanIn;
  widgets::WeightChart* weights;
  widgets::AdjacencyChart* matrix;
  QSplitter* body = nullptr;
  widgets::CircuitMap* map;
  QuestionBar* question;
  std::uint64_t askedRows = 0;
  PageHeader* header = nullptr;
  QPushButton* togetherButton = nullptr;
  QPushButton* makeAllButton = nullptr;
  QPushButton* clearButton = nullptr;
  QPushButton* saveButton = nullptr;
  QPushButton* exportButton = nullptr;
  widgets::BackgroundWork counting; ///< the part of the matrix that is wanted
  widgets::BackgroundWork placing;  ///< the cells of the layers
};

/// "22,208,750 rows, 178 MB".
QString describeTable(const projection::WeightTable& table);

} // namespace hinesight::app
