#pragma once

#include "app/jobs/jobs.hpp"
#include "study/growth/growth_study.hpp"

#include <QObject>
#include <QPointer>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace hinesight::app {

/// A model that was read from a checkpoint.
struct OpenedPlasticity
{
  std::string path;
  synapse::PlasticityParameters parameters;
  std::uint32_t step = 0; ///< steps that it has done
  std::size_t neurons = 0;
};

/// Grows a network by jobs. A run is one long job, with pauses in which others run: it does stretches of steps, so that
/// it can be watched, and pauses within 100 ms. Signals come on the thread of Jobs.
class PlasticityRunner : public QObject
{
  Q_OBJECT

public:
  /// Whether a kind of jobs is that of running models.
  static bool isOwn(const JobKind& kind);

  /// `jobs` may go first.
  explicit PlasticityRunner(Jobs* jobs, QObject* parent = nullptr);
  /// Ends the stretch that runs, and does not wait for it.
  ~PlasticityRunner() override;

  /// Goes on, or begins where there is no model yet, until `pause` or, given a number, for so many steps.
  void run(const study::GrowthRequest& request, std::optional<std::uint32_t> steps = {});
  /// The model goes on with other parameters from its next step, whether it runs or stands still; what it has from its
  /// beginning stays. Where they cannot be had, `refused` comes. Nothing happens where there is no model.
  void change(const synapse::PlasticityParameters& parameters);
  void pause();
  /// Forgets the model: the next run begins anew.
  void reset();
  bool isRunning() const { return running; }
  /// Reads a checkpoint in place of the model, which stays where that fails; `opened` or `failed` comes, then
  /// `stopped`.
  void open(const std::string& path, Backend backend, int threads, std::int32_t devices = 1);
  bool isOpening() const { return running && opens; }
  /// What is being read is not wanted any more: the model stays, and only `stopped` comes. Nothing happens where
  /// nothing is being read.
  void dropOpening();
  /// Lets a job use the model where it stands, between stretches of a run or while nothing runs, and then gives `done`.
  /// What it throws comes by `failed`. Nothing happens where there is no model.
  void borrow(std::function<void(const synapse::PlasticityModel&, const RunControl&)> use, std::function<void()> done);

signals:
  void opened(const hinesight::app::OpenedPlasticity& checkpoint);
  void advanced(const hinesight::study::GrowthStretch& progress);
  /// Parameters of `change`; the model keeps those that it has.
  void refused(const hinesight::Error& error, const hinesight::synapse::PlasticityParameters& kept);
  void stopped();                             ///< after `pause`, the last of so many steps, or a failure
  void failed(const hinesight::Error& error); ///< before `stopped`

private:
  struct Order
  {
    std::uint64_t modelNumber = 0; ///< another one: the model is made anew
    study::GrowthRequest request;
    std::optional<std::uint32_t> steps;
    RunControl control; ///< cancelled to pause
  };
  /// What jobs work on, one at a time, on the worker.
  struct Worker;

  void start(Order order);
  void end();
  static void advance(const Order& order, Worker& worker, const JobContext& context,
                      const std::function<void(std::function<void(PlasticityRunner&)>)>& tell);

  QPointer<Jobs> jobs;
  std::shared_ptr<Worker> worker;
  std::uint64_t modelNumber = 0; ///< of the model that runs are of
  std::uint64_t modelsNamed = 0; ///< numbers given away
  bool running = false;
  bool opens = false; ///< what runs, or ran last, reads a checkpoint
  RunControl pausing; ///< of the newest order
};

} // namespace hinesight::app
