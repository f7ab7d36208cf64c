#pragma once

#include "app/formation_pipeline.hpp"
#include "core/error.hpp"
#include "synapse/plasticity.hpp"

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

/// Neurons, and how they and their synapses grow.
struct PlasticityRequest
{
  NeuronSource source;
  synapse::PlasticityParameters model;

  bool operator==(const PlasticityRequest&) const = default;
};

/// What a stretch of steps left.
struct PlasticityStretch
{
  std::vector<synapse::StepRecord> records; ///< one a step
  std::uint32_t step = 0;                   ///< steps done
  std::size_t neurons = 0;
  StageTimings timings; ///< since the start
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
  void pause();
  /// Forgets the model: the next run begins anew.
  void reset();
  bool isRunning() const { return running; }

signals:
  void advanced(const hinesight::app::PlasticityStretch& progress);
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
  };

  void work();
  void carryOut(const Order& order);
  void advance(const Order& order);
  /// Calls `tell` on the runner's thread if the order is still the newest by then.
  void deliver(std::uint64_t number, std::function<void()> tell);

  // Of the runner's own thread.
  std::uint64_t newest = 0;
  std::uint64_t modelNumber = 0;
  bool running = false;
  RunControl newestControl;

  // Shared with the worker.
  std::mutex mutex;
  std::condition_variable wake;
  std::optional<Order> waiting;
  bool quitting = false;

  // Of the worker.
  std::unique_ptr<synapse::PlasticityModel> model;
  std::uint64_t modelMade = 0; ///< its number; 0: none
  std::uint32_t stretch = 1;   ///< steps that the next stretch should have

  std::thread worker;
};

} // namespace hinesight::app
