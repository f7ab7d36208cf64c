#pragma once

#include "app/plasticity/plasticity_request.hpp"
#include "core/error.hpp"

#include <QObject>

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace hinesight::app {

/// A model that was read from a checkpoint.
struct OpenedPlasticity
{
  std::string path;
  synapse::PlasticityParameters parameters;
  std::uint32_t step = 0; ///< steps that it has done
  std::size_t neurons = 0;
};

/// What a stretch of steps left.
struct PlasticityStretch
{
  std::vector<synapse::StepRecord> records; ///< one a step
  std::uint32_t step = 0;                   ///< steps done
  std::size_t neurons = 0;
  StageTimings timings; ///< of these steps
};

/// Steps a plasticity model on a thread of its own. A stretch is as many steps as take some tens of milliseconds, so
/// that it can be watched; between stretches, and inside one by cancelling it, it pauses within 100 ms. Signals come on
/// the thread that the runner lives on.
class PlasticityRunner : public QObject
{
  Q_OBJECT

public:
  explicit PlasticityRunner(QObject* parent = nullptr);
  /// Ends the stretch that runs and waits for it.
  ~PlasticityRunner() override;

  /// Goes on, or begins where there is no model yet, until `pause` or, given a number, for so many steps.
  void run(const PlasticityRequest& request, std::optional<std::uint32_t> steps = {});
  /// The model goes on with other parameters from its next step, whether it runs or stands still; what it has from its
  /// beginning stays. Where they cannot be had, `refused` comes. Nothing happens where there is no model.
  void change(const synapse::PlasticityParameters& parameters);
  void pause();
  /// Forgets the model: the next run begins anew.
  void reset();
  bool isRunning() const { return running; }
  /// Reads a checkpoint in place of the model, which stays where that fails; `opened` or `failed` comes, then
  /// `stopped`.
  void open(const std::string& path, Backend backend, int threads);
  bool isOpening() const { return running && opens; }
  /// What is being read is not wanted any more: the model stays, and only `stopped` comes. Nothing happens where
  /// nothing is being read.
  void dropOpening();
  /// Lets the worker use the model where it stands, between stretches of a run or while nothing runs, and then gives
  /// `done`. What it throws comes by `failed`. Nothing happens where there is no model.
  void borrow(std::function<void(const synapse::PlasticityModel&, const RunControl&)> use, std::function<void()> done);

signals:
  void opened(const hinesight::app::OpenedPlasticity& checkpoint);
  void advanced(const hinesight::app::PlasticityStretch& progress);
  /// Parameters of `change`; the model keeps those that it has.
  void refused(const hinesight::Error& error, const hinesight::synapse::PlasticityParameters& kept);
  void stopped();                             ///< after `pause`, the last of so many steps, or a failure
  void failed(const hinesight::Error& error); ///< before `stopped`

private:
  struct Order
  {
    std::uint64_t number = 0;
    std::uint64_t modelNumber = 0; ///< another one: the model is made anew
    PlasticityRequest request;
    std::optional<std::uint32_t> steps;
    RunControl control;
    std::string checkpoint = {}; ///< to read in place of a run; empty: none
  };
  struct Errand
  {
    std::function<void(const synapse::PlasticityModel&, const RunControl&)> use;
    std::function<void()> done;
  };

  struct Change
  {
    std::uint64_t modelNumber = 0; ///< of the model that is meant
    synapse::PlasticityParameters parameters;
  };

  void work();
  void carryOut(const Order& order);
  void prepareModel(const Order& order);
  void openCheckpoint(const Order& order);
  void take(std::uint64_t number);
  void settleRead(std::optional<std::uint64_t> number, bool isOutdated);
  void advance(const Order& order);
  bool isChangeDue() const;
  void takeChange();
  void runErrands();
  void start(Order order);
  /// Calls `act`; what it throws, but a cancellation, is given to `fail`.
  void attempt(const std::function<void()>& act, const std::function<void(const Error&)>& fail);
  /// Calls `tell` on the runner's thread if the order is still the newest by then.
  void deliver(std::uint64_t number, std::function<void()> tell);
  /// Calls `tell` on the runner's thread if runs are still of that model by then: its steps are done, whatever was
  /// ordered since.
  void deliverOf(std::uint64_t number, std::function<void()> tell);

  // Of the runner's own thread.
  std::uint64_t newest = 0;
  std::uint64_t modelNumber = 0; ///< of the model that runs are of
  std::uint64_t modelsNamed = 0; ///< numbers given away
  bool running = false;
  bool opens = false; ///< what runs, or ran last, reads a checkpoint
  RunControl newestControl;

  // Shared with the worker.
  std::mutex mutex;
  std::condition_variable wake;
  std::optional<Order> waiting;
  std::vector<Errand> errands;
  std::optional<Change> changeWanted;
  std::optional<std::uint64_t> taken; ///< number of a model that was read and the window has heard of
  RunControl errandControl;           ///< cancelled when the runner ends
  bool quitting = false;

  // Of the worker.
  std::unique_ptr<synapse::PlasticityModel> model;
  std::uint64_t modelMade = 0;                         ///< its number; 0: none
  std::unique_ptr<synapse::PlasticityModel> modelRead; ///< until the window has heard of it
  std::uint64_t readNumber = 0;                        ///< its number
  std::uint32_t stretch = 1;                           ///< steps that the next stretch should have

  std::thread worker;
};

} // namespace hinesight::app
