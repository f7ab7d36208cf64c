#include "app/plasticity_runner.hpp"

#include <QMetaObject>

#include <algorithm>
#include <exception>
#include <new>
#include <utility>

namespace hinesight::app {

namespace {

constexpr double kStretch = 60;                ///< ms that a stretch of steps should take
constexpr std::uint32_t kLongestStretch = 500; ///< steps: their records are drawn at once

} // namespace

PlasticityRunner::PlasticityRunner(QObject* parent) : QObject(parent), worker([this] { work(); }) {}

PlasticityRunner::~PlasticityRunner()
{
  newestControl.cancel();
  {
    const std::lock_guard lock(mutex);
    quitting = true;
    waiting.reset();
  }
  wake.notify_one();
  worker.join();
}

void PlasticityRunner::run(const PlasticityRequest& request, std::optional<std::uint32_t> steps)
{
  newestControl.cancel();
  newestControl = RunControl();
  running = true;
  if (modelNumber == 0)
    modelNumber = 1;
  {
    const std::lock_guard lock(mutex);
    waiting = Order{++newest, modelNumber, request, steps, newestControl};
  }
  wake.notify_one();
}

void PlasticityRunner::pause()
{
  if (!running)
    return;
  newestControl.cancel(); // the worker says when it has stopped, after the last records
}

void PlasticityRunner::reset()
{
  const bool wasRunning = running;
  newestControl.cancel();
  ++newest; // whatever is still to be said of the old model is not heard
  ++modelNumber;
  running = false;
  if (wasRunning)
    emit stopped();
}

void PlasticityRunner::work()
{
  while (true) {
    Order order;
    {
      std::unique_lock lock(mutex);
      wake.wait(lock, [this] { return quitting || waiting; });
      if (quitting)
        return;
      order = std::move(*waiting);
      waiting.reset();
    }
    carryOut(order);
    deliver(order.number, [this] {
      running = false;
      emit stopped();
    });
  }
}

void PlasticityRunner::carryOut(const Order& order)
{
  const auto fail = [&](const Error& error) { deliver(order.number, [this, error] { emit failed(error); }); };
  try {
    if (modelMade != order.modelNumber) {
      model.reset();
      modelMade = 0;
      model = synapse::makePlasticityModel(makeNeurons(order.request.source, order.control), order.request.model);
      modelMade = order.modelNumber;
      stretch = 1;
    }
    advance(order);
  } catch (const Error& error) {
    // Whoever paused knows already.
    if (error.code() != ErrorCode::Cancelled)
      fail(error);
  } catch (const std::bad_alloc&) {
    fail(Error(ErrorCode::OutOfMemory, "The model needs more memory than is free; choose fewer neurons."));
  } catch (const std::exception& unexpected) {
    fail(Error(ErrorCode::DeviceFailure, std::string("The model failed: ") + unexpected.what() + "."));
  }
}

void PlasticityRunner::advance(const Order& order)
{
  std::uint32_t left = order.steps.value_or(0);
  while (!order.control.isCancelled() && (!order.steps || left > 0)) {
    const std::uint32_t steps = order.steps ? std::min(stretch, left) : stretch;
    const Stopwatch watch;
    PlasticityStretch progress;
    const auto tell = [&] {
      progress.step = model->step();
      progress.neurons = model->population().size();
      progress.timings = model->timings();
      deliver(order.number, [this, progress] { emit advanced(progress); });
    };
    try {
      model->run(steps, 1, progress.records, order.control);
    } catch (const Error&) {
      tell(); // the steps before the pause
      throw;
    }
    tell();
    left -= order.steps ? steps : 0;
    const double wanted = steps * kStretch / std::max(watch.elapsed(), 1e-3);
    stretch = std::clamp(static_cast<std::uint32_t>(std::min(wanted, 4.0 * stretch)), 1U, kLongestStretch);
  }
}

void PlasticityRunner::deliver(std::uint64_t number, std::function<void()> tell)
{
  QMetaObject::invokeMethod(
      this,
      [this, number, tell = std::move(tell)] {
        if (number == newest)
          tell();
      },
      Qt::QueuedConnection);
}

} // namespace hinesight::app
