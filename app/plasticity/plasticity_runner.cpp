#include "app/plasticity/plasticity_runner.hpp"

#include "core/device.hpp"

#include <algorithm>
#include <utility>

namespace hinesight::app {

namespace {

constexpr JobKind kGrowth{.name = "growth", .isLong = true, .isQuiet = true};
constexpr JobKind kOpening{.name = "growth checkpoint", .isQuiet = true};
constexpr JobKind kErrand{.name = "growth errand", .newestWins = false, .isQuiet = true};

} // namespace

struct PlasticityRunner::Worker
{
  study::GrowthStudy study;
  std::uint64_t modelNumber = 0; ///< of the model that there is; 0: none
  int gpu = 0;                   ///< the main one when it was made, where it stays
  /// Wanted of a model that is yet to be made.
  std::optional<std::pair<std::uint64_t, synapse::PlasticityParameters>> change;

  bool has(std::uint64_t number) const { return study.model() && modelNumber == number; }
  /// Calls `refuse` where the model cannot have them, and goes on as it is.
  void take(const synapse::PlasticityParameters& parameters, const std::function<void(const Error&)>& refuse)
  {
    try {
      study.change(parameters);
    } catch (const Error& error) {
      if (error.code() == ErrorCode::Cancelled)
        throw;
      refuse(error);
    }
  }
};

PlasticityRunner::PlasticityRunner(Jobs* ofWindow, QObject* parent)
    : QObject(parent), jobs(ofWindow), worker(std::make_shared<Worker>())
{}

bool PlasticityRunner::isOwn(const JobKind& kind)
{
  return kind == kGrowth;
}

PlasticityRunner::~PlasticityRunner()
{
  pausing.cancel();
}

void PlasticityRunner::run(const study::GrowthRequest& request, std::optional<std::uint32_t> steps)
{
  if (modelNumber == 0)
    modelNumber = ++modelsNamed;
  start({modelNumber, request, steps, {}});
}

void PlasticityRunner::start(Order order)
{
  pausing.cancel();
  pausing = order.control;
  running = true;
  opens = false;
  const QPointer<PlasticityRunner> guard(this);
  const auto study = [order, worker = worker, guard](const JobContext& context) {
    // Steps that are done are told whatever was ordered since, as long as runs are still of that model.
    const auto tell = [&](std::function<void(PlasticityRunner&)> say) {
      context.tell([guard, number = order.modelNumber, say = std::move(say)] {
        if (guard && guard->modelNumber == number)
          say(*guard);
      });
    };
    try {
      advance(order, *worker, context, tell);
    } catch (const Error& error) {
      // Who paused it hears that it has stopped.
      if (error.code() != ErrorCode::Cancelled || context.control().isCancelled())
        throw;
    }
  };
  const auto stop = [guard] {
    if (guard)
      guard->end();
  };
  const auto fail = [guard](const Error& error) {
    if (!guard)
      return;
    emit guard->failed(error);
    guard->end();
  };
  jobs->submit(kGrowth, study, stop, {fail, stop});
}

void PlasticityRunner::advance(const Order& order, Worker& worker, const JobContext& context,
                               const std::function<void(std::function<void(PlasticityRunner&)>)>& tell)
{
  const RunControl control(nullptr, [&] {
    order.control.checkpoint();
    context.control().checkpoint();
  });
  if (!worker.has(order.modelNumber)) {
    worker.modelNumber = order.modelNumber;
    worker.gpu = mainCudaDevice();
    worker.study.begin(order.request, control);
  }
  const MainCudaDeviceScope scope(worker.gpu);
  std::uint32_t left = order.steps.value_or(0);
  while (!order.steps || left > 0) {
    control.checkpoint();
    if (const auto change = std::exchange(worker.change, std::nullopt); change && change->first == order.modelNumber)
      worker.take(change->second, [&](const Error& error) {
        tell([error, kept = worker.study.model()->parameters()](PlasticityRunner& runner) {
          emit runner.refused(error, kept);
        });
      });
    const std::uint32_t steps = order.steps ? std::min(worker.study.steps(), left) : worker.study.steps();
    study::GrowthStretch done;
    const auto tellProgress = [&] { tell([done](PlasticityRunner& runner) { emit runner.advanced(done); }); };
    try {
      worker.study.advance(steps, done, control);
    } catch (const Error&) {
      tellProgress(); // the steps before the pause
      throw;
    }
    tellProgress();
    left -= order.steps ? steps : 0;
    context.letOthersRun();
  }
}

void PlasticityRunner::end()
{
  running = false;
  emit stopped();
}

void PlasticityRunner::open(const std::string& path, Backend backend, int threads, std::int32_t devices)
{
  pausing.cancel();
  if (jobs->isActive(kGrowth))
    jobs->drop(kGrowth); // of the model that is given up, whose end is not heard
  running = true;
  opens = true;
  const QPointer<PlasticityRunner> guard(this);
  synapse::PlasticityParameters machine;
  machine.backend = backend;
  machine.threads = threads;
  machine.devices = devices;
  const auto read = [path, machine](const JobContext&) {
    auto opened = std::make_shared<Worker>();
    opened->gpu = mainCudaDevice();
    opened->study.open(path, machine);
    return opened;
  };
  const auto take = [guard, path](const std::shared_ptr<Worker>& opened) {
    if (!guard)
      return;
    guard->modelNumber = ++guard->modelsNamed;
    const synapse::PlasticityModel& model = *opened->study.model();
    const OpenedPlasticity checkpoint{path, model.parameters(), model.step(), model.population().size()};
    guard->jobs->submit(
        kErrand,
        [worker = guard->worker, opened, number = guard->modelNumber](const JobContext&) {
          worker->study = std::move(opened->study);
          worker->gpu = opened->gpu;
          worker->modelNumber = number;
        },
        [] {});
    emit guard->opened(checkpoint);
    guard->end();
  };
  const auto fail = [guard](const Error& error) {
    if (!guard)
      return;
    emit guard->failed(error);
    guard->end();
  };
  jobs->submit(kOpening, read, take, {fail, {}});
}

void PlasticityRunner::dropOpening()
{
  if (!isOpening())
    return;
  jobs->drop(kOpening);
  end();
}

/// What is wanted of a model that is yet to be made waits for it.
void PlasticityRunner::change(const synapse::PlasticityParameters& parameters)
{
  const QPointer<PlasticityRunner> guard(this);
  const auto apply = [worker = worker, number = modelNumber, parameters, guard](const JobContext& context) {
    if (!worker->has(number)) {
      worker->change = {number, parameters};
      return;
    }
    const MainCudaDeviceScope scope(worker->gpu);
    worker->take(parameters, [&](const Error& error) {
      context.tell([guard, number, error, kept = worker->study.model()->parameters()] {
        if (guard && guard->modelNumber == number)
          emit guard->refused(error, kept);
      });
    });
  };
  jobs->submit(kErrand, apply, [] {});
}

void PlasticityRunner::pause()
{
  if (running)
    pausing.cancel(); // the job says when it has stopped, after the last records
}

void PlasticityRunner::reset()
{
  const bool wasRunning = running;
  pausing.cancel();
  jobs->drop(kGrowth); // whatever is still to be said of the old model is not heard
  jobs->drop(kOpening);
  modelNumber = ++modelsNamed;
  running = false;
  if (wasRunning)
    emit stopped();
}

void PlasticityRunner::borrow(std::function<void(const synapse::PlasticityModel&, const RunControl&)> use,
                              std::function<void()> done)
{
  const QPointer<PlasticityRunner> guard(this);
  const auto work = [worker = worker, use = std::move(use)](const JobContext& context) {
    const MainCudaDeviceScope scope(worker->gpu);
    if (worker->study.model())
      use(*worker->study.model(), context.control());
    return worker->study.model() != nullptr;
  };
  const auto finish = [guard, done = std::move(done)](bool wasUsed) {
    if (guard && wasUsed)
      done();
  };
  const auto fail = [guard](const Error& error) {
    if (guard)
      emit guard->failed(error);
  };
  jobs->submit(kErrand, work, finish, {fail, {}});
}

} // namespace hinesight::app
