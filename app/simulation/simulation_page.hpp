#pragma once

#include "app/selection/hidden_neurons.hpp"
#include "app/simulation/simulated_neurons.hpp"
#include "app/simulation/simulation_runner.hpp"
#include "app/simulation/simulation_timings.hpp"
#include "io/runs/run_record.hpp"
#include "study/simulation/simulation_model.hpp"
#include "study/simulation/voltage_frames.hpp"
#include "widgets/simulation/voltage_view.hpp"

#include <QColor>
#include <QTimer>
#include <QWidget>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

class QPushButton;
class QSplitter;
class QStackedLayout;

namespace hinesight::selection {
struct NetworkTable;
}

namespace hinesight::widgets {
struct NeuronGroup;
class RasterChart;
class RateChart;
class TimeAxis;
class TraceChart;
} // namespace hinesight::widgets

namespace hinesight::app {

struct CircuitNeuron;
class NeuronSelection;
class PageHeader;
class PlayBar;
class SimulationCharts;

/// "When do these cells spike, and where does it begin?": a model that is run, paused, stepped and reset; its cells
/// coloured by their potentials, traces at the places that were clicked, all spikes, and their rates. Simulated by
/// jobs.
class SimulationPage : public QWidget
{
  Q_OBJECT

public:
  explicit SimulationPage(Jobs* jobs, QWidget* parent = nullptr);
  ~SimulationPage() override;

  static QString title();

  /// Reads it; `opened` or `failed` comes. What there is stays until then. `project`: whose circuit it may be.
  void open(const study::SimulationRequest& request, const model::Project& project = {});
  /// What is open; null: nothing.
  const std::shared_ptr<const study::SimulationModel>& model() const { return shown; }
  /// Of the next run; of the one that has begun they stay as they are.
  void setParameters(const simulation::SimulationParameters& parameters);
  const simulation::SimulationParameters& parameters() const { return ofRun; }
  /// With another current, which a cell by itself has; as `open` of the same files.
  bool isBegun() const { return time() > 0 || runner.isRunning(); }
  bool isRunning() const { return runner.isRunning(); }
  double time() const { return reached; } ///< ms, of the run
  /// The populations of what is open are called this by now, in their order; what runs goes on.
  void renamePopulations(const std::vector<std::string>& names);

  /// Runs, or pauses what runs.
  void toggle();
  void pause() { runner.pause(); }
  void step();    ///< one step of the method
  void runMore(); ///< 100 ms more
  void reset();   ///< to 0 ms
  /// Throws the run away for one by these parameters.
  void startAnew(const simulation::SimulationParameters& parameters);
  void adjust(const study::LiveFactors& factors);
  const std::vector<study::LiveChange>& changes() const { return made; }
  /// Records there. Nothing happens where it is recorded already.
  void addPlace(const widgets::CellNode& place);
  void removePlace(std::size_t line);
  const std::vector<widgets::CellNode>& places() const { return ofLines; }
  /// Neurons of the circuit of the session are picked there, and what is picked there is selected here.
  void setSelection(NeuronSelection* selection);
  /// What is selected of what is open: of the circuit of the session, else of files and samples, which is theirs alone.
  NeuronSelection* neurons() const;
  void select(const std::vector<std::uint32_t>& several);
  const std::vector<std::uint32_t>& selection() const { return selected; }
  /// The neurons of what is open with their spikes until now, for expressions; null: nothing is.
  std::shared_ptr<const selection::NetworkTable> networkShown() const;
  /// ms of simulated time a second.
  void setSpeed(double millisecondsPerSecond);
  /// The colours of the populations of the session, by their names; of a circuit that is opened from now on.
  void setPopulationColors(std::function<QColor(const std::string& population)> colors)
  {
    populationColor = std::move(colors);
  }
  double speed() const;

  widgets::VoltageView& view() const { return *cells; }
  widgets::TraceChart& traces() const { return *traceChart; }
  widgets::RasterChart& raster() const { return *rasterChart; }
  widgets::RateChart& rates() const { return *rateChart; }
  widgets::TimeAxis& axis() const { return *timeAxis; }
  const study::FrameRing& frames() const { return ring; }
  SimulationRunner& running() { return runner; }
  /// Frames that came to the screen since the model was opened.
  std::int64_t framesShown() const { return shownFrames; }
  void setTimingsShown(bool shown);
  /// The charts alone. Throws as widgets::writePicture.
  void saveCharts(const QString& path);

signals:
  /// Another model, another state, another time.
  void changed();
  void opened();
  void failed(const QString& sentence);
  void told(const QString& result);
  /// A file of a cell that has no form beside it.
  void morphologyMissing(const hinesight::study::SimulationRequest& request, const QString& sentence);
  void ran(const hinesight::io::RunRecord& run);
  void changesChanged();
  void selectionChanged();
  /// Another model, or another run of it came to a stop.
  void networkChanged();
  void openRequested();
  void circuitRequested(); ///< that of the session
  void sampleRequested(const QString& path);
  void exportRequested();
  void movieRequested();
  void saveRequested();

protected:
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

private:
  PageHeader* makeHeader();
  QWidget* makeWelcome();
  QWidget* makeBody();
  QWidget* makePlayBar();
  void connectRunner();
  void takeModel(std::shared_ptr<const study::SimulationModel> model);
  std::vector<widgets::NeuronGroup> groupsOfModel() const;
  void takePickedRow(std::uint32_t neuron, bool adds);
  void takeSeveral(const std::vector<std::uint32_t>& several, widgets::PickMode how);
  void traceSoma(std::uint32_t neuron);
  QString nameOf(const widgets::CellNode& place) const;
  QString progressInWords(bool runs) const;
  QString modelInWords() const;
  void takeStretch(const SimulationStretch& stretch);
  void tellOfRun();
  void forget();
  void emptyTraces();
  void play(std::optional<double> until);
  void takePicked();
  double frameInterval() const;
  void showNewest();
  void showAt(std::optional<double> time);
  void showCharts();
  void showMarks();
  void refresh();
  void fitCharts();
  void shareRoom();

  std::shared_ptr<const study::SimulationModel> shown;
  std::function<QColor(const std::string&)> populationColor;
  simulation::SimulationParameters ofRun;
  simulation::SimulationParameters wanted; ///< of the next run
  SimulationRunner runner;
  study::FrameRing ring;
  double reached = 0;
  QString stoppedBecause; ///< of a run that failed; it has to be reset
  std::vector<study::LiveChange> made;
  std::vector<widgets::CellNode> ofLines; ///< of each trace
  std::vector<std::size_t> probeOfLine;
  std::vector<std::uint32_t> selected;
  NeuronSelection* ofCircuit = nullptr;     ///< what is picked there
  std::unique_ptr<NeuronSelection> ofFiles; ///< what is picked of any other model
  /// Made when it is first asked for.
  mutable std::shared_ptr<const selection::NetworkTable> network;
  SimulatedNeurons numbered;    ///< of the model
  HiddenNeurons hiddenThere;    ///< of the selection
  std::optional<double> looked; ///< the time that is looked at; none: the newest
  QTimer clock;                 ///< of what is shown of a run
  Stopwatch sinceFrame;
  Stopwatch sinceCharts;
  std::int64_t shownFrames = 0;
  bool isNewFrame = false;
  bool isBehind = false; ///< the run, of the play speed

  PageHeader* header = nullptr;
  QPushButton* runButton = nullptr;
  QPushButton* stepButton = nullptr;
  QPushButton* moreButton = nullptr;
  QPushButton* resetButton = nullptr;
  QPushButton* openButton = nullptr;
  QPushButton* circuitButton = nullptr;
  QPushButton* exportButton = nullptr;
  QPushButton* saveButton = nullptr;
  QStackedLayout* stack = nullptr;
  QSplitter* body = nullptr;
  SimulationCharts* charts = nullptr;
  PlayBar* playBar = nullptr;
  widgets::VoltageView* cells;
  widgets::TimeAxis* timeAxis;
  widgets::TraceChart* traceChart;
  widgets::RasterChart* rasterChart;
  widgets::RateChart* rateChart;
  SimulationTimings timings;
};

} // namespace hinesight::app
