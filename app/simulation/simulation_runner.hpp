#pragma once

#include "app/jobs/jobs.hpp"
#include "study/simulation/live_simulation.hpp"

#include <QObject>
#include <QPointer>

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

namespace hinesight::app {

/// What a simulation did in a moment, and what is to be seen of it.
struct SimulationStretch
{
  double time = 0;                         ///< ms, at its end
  std::int64_t step = 0;                   ///< at its end
  std::vector<study::SharedFrame> frames;  ///< by their times
  std::vector<simulation::Spike> spikes;   ///< new ones
  std::vector<std::vector<float>> records; ///< of each probe: the newest values, up to the last step
  bool isBehind = false;                   ///< the play speed lets it go on at once
  double milliseconds = 0;                 ///< simulated
  double spent = 0;                        ///< ms that the steps took
  StageTimings stages;                     ///< of these steps; empty where the engine does not tell
  double compartmentSteps = 0;
};

/// Simulates by jobs. A run is one long job, with pauses in which others run: it advances by moments, so that it can be
/// watched, hears of pauses and changes at least every ms of simulated time, and pauses within an epoch. Signals come
/// on the thread of Jobs.
class SimulationRunner : public QObject
{
  Q_OBJECT

public:
  static constexpr double kAsFastAsItGoes = std::numeric_limits<double>::infinity();

  /// Whether a kind of jobs is that of running simulations.
  static bool isOwn(const JobKind& kind);

  /// `jobs` may go first.
  explicit SimulationRunner(Jobs* jobs, QObject* parent = nullptr);
  /// Ends what runs, and does not wait for it.
  ~SimulationRunner() override;

  /// Reads a model; `opened` or `openingFailed` comes. What there is stays. `project`: whose circuit it may be.
  void open(const study::SimulationRequest& request, const model::Project& project = {});
  bool isOpening() const;
  /// The next run is of it. Forgets the run that there is, with its places.
  void setModel(std::shared_ptr<const study::SimulationModel> model);
  /// Of the next run.
  void setParameters(const simulation::SimulationParameters& parameters);
  /// Goes on, or begins, until `pause`, or until a time, ms.
  void run(std::optional<double> until = {});
  void pause();
  /// Forgets the run but not its places: the next one begins at 0.
  void reset();
  bool isRunning() const { return running; }

  /// ms of simulated time a second.
  void setSpeed(double millisecondsPerSecond);
  /// From the next ms of simulated time on; `changed` says when. Before the beginning: from the beginning on.
  void adjust(const study::LiveFactors& factors);
  /// Records there from the next step on, and runs again what has run, to fill in what came before. Returns its number.
  std::size_t addProbe(const simulation::Probe& probe);
  const std::vector<simulation::Probe>& probes() const { return places; }
  void clearProbes();
  /// Lets a job use the run where it stands; then `done`. Nothing happens where there is none.
  void borrow(std::function<void(const study::LiveSimulation&, const RunControl&)> use, std::function<void()> done);

signals:
  void opened(std::shared_ptr<const hinesight::study::SimulationModel> model);
  void openingFailed(const hinesight::Error& error);
  void advanced(const hinesight::app::SimulationStretch& stretch);
  /// Values before those that `advanced` brought, the first of step `from`.
  void filled(std::size_t probe, std::int64_t from, const std::vector<float>& values);
  void changed(const hinesight::study::LiveChange& change);
  /// What was to be changed cannot be; all stays as it was.
  void refused(const hinesight::Error& error);
  void failed(const hinesight::Error& error);
  void stopped(); ///< paused, or came to its end

private:
  struct Commands;
  struct Worker;
  struct Order
  {
    std::uint64_t number; ///< of the run
    std::shared_ptr<const study::SimulationModel> model;
    simulation::SimulationParameters parameters;
    std::vector<simulation::Probe> probes; ///< at the beginning
    std::optional<double> until;
    bool fillsOnly = false;
    RunControl control = {};
  };
  using Tell = std::function<void(std::function<void(SimulationRunner&)>)>;

  void start(Order order);
  static void advance(const Order& order, Worker& worker, Commands& commands, const JobContext& context,
                      const Tell& tell);
  Order orderOf(std::optional<double> until) const;
  void end();

  QPointer<Jobs> jobs;
  std::shared_ptr<Commands> commands;
  std::shared_ptr<Worker> worker; ///< of the thread of the jobs
  std::shared_ptr<const study::SimulationModel> model;
  simulation::SimulationParameters parameters;
  std::vector<simulation::Probe> places;
  RunControl pausing;
  std::uint64_t number = 1; ///< of the run that there is, or will be
  std::uint64_t order = 0;  ///< of the job that runs
  bool running = false;
  bool isBegun = false;
};

} // namespace hinesight::app
