#include "app/plasticity/plasticity_runner.hpp"

#include "io/networks/network_start.hpp"

#include <QMetaObject>

#include <algorithm>
#include <exception>
#include <new>
#include <utility>

namespace hinesight::app {

namespace {

constexpr double kStretch = 60;                ///< ms that a stretch of steps should take
constexpr std::uint32_t kLongestStretch = 500; ///< steps: their records are drawn at once

/// A model that goes on from where this one stands, with other parameters. Neurons without a calcium target of their
/// own have the new one from now on.
std::unique_ptr<synapse::PlasticityModel> goOnWith(const synapse::PlasticityModel& model,
                                                   const synapse::PlasticityParameters& parameters)
{
  synapse::PlasticityProgress progress = model.progress();
  if (parameters.calciumTarget != model.parameters().calciumTarget) {
    std::vector<std::uint8_t> hasOwn(progress.neurons.target.size(), 0);
    for (const synapse::NeuronCalcium& own : parameters.calciumOf)
      if (own.neuron < hasOwn.size())
        hasOwn[own.neuron] = 1;
    for (std::size_t neuron = 0; neuron < hasOwn.size(); ++neuron)
      if (hasOwn[neuron] == 0)
        progress.neurons.target[neuron] = parameters.calciumTarget;
  }
  return synapse::continuePlasticityModel(std::make_shared<const synapse::NeuronPopulation>(model.population()),
                                          parameters, model.staticNetwork(), progress);
}

/// What the stages took between two looks at a model.
StageTimings between(const StageTimings& before, const StageTimings& after)
{
  StageTimings part = after;
  for (Stage& stage : part.stages)
    stage.milliseconds -= before.of(stage.name);
  return part;
}

} // namespace

PlasticityRunner::PlasticityRunner(QObject* parent) : QObject(parent), worker([this] { work(); }) {}

PlasticityRunner::~PlasticityRunner()
{
  newestControl.cancel();
  errandControl.cancel();
  {
    const std::lock_guard lock(mutex);
    quitting = true;
    waiting.reset();
    errands.clear();
  }
  wake.notify_one();
  worker.join();
}

void PlasticityRunner::run(const PlasticityRequest& request, std::optional<std::uint32_t> steps)
{
  if (modelNumber == 0)
    modelNumber = ++modelsNamed;
  start({0, modelNumber, request, steps, {}});
}

void PlasticityRunner::open(const std::string& path, Backend backend, int threads)
{
  PlasticityRequest request;
  request.model.backend = backend;
  request.model.threads = threads;
  start({0, ++modelsNamed, request, {}, {}, path});
}

void PlasticityRunner::dropOpening()
{
  if (!isOpening())
    return;
  ++newest; // what comes of it is not heard
  running = false;
  emit stopped();
}

void PlasticityRunner::start(Order order)
{
  newestControl.cancel();
  newestControl = RunControl();
  running = true;
  opens = !order.checkpoint.empty();
  order.number = ++newest;
  order.control = newestControl;
  {
    const std::lock_guard lock(mutex);
    waiting = std::move(order);
  }
  wake.notify_one();
}

void PlasticityRunner::borrow(std::function<void(const synapse::PlasticityModel&, const RunControl&)> use,
                              std::function<void()> done)
{
  {
    const std::lock_guard lock(mutex);
    errands.push_back({std::move(use), std::move(done)});
  }
  wake.notify_one();
}

void PlasticityRunner::change(const synapse::PlasticityParameters& parameters)
{
  {
    const std::lock_guard lock(mutex);
    changeWanted = Change{modelNumber, parameters};
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
  modelNumber = ++modelsNamed;
  running = false;
  if (wasRunning)
    emit stopped();
}

void PlasticityRunner::work()
{
  while (true) {
    std::optional<Order> order;
    {
      std::unique_lock lock(mutex);
      wake.wait(lock, [this] { return quitting || waiting || taken || isChangeDue() || !errands.empty(); });
      if (quitting)
        return;
      order = std::exchange(waiting, std::nullopt);
      settleRead(std::exchange(taken, std::nullopt), order.has_value());
    }
    takeChange();
    runErrands(); // on the model as it was when they were wanted
    if (!order)
      continue;
    carryOut(*order);
    deliver(order->number, [this] {
      running = false;
      emit stopped();
    });
  }
}

/// What was read replaces the model once the window has taken it; where the window has ordered something else
/// meanwhile, it never will.
void PlasticityRunner::settleRead(std::optional<std::uint64_t> number, bool isOutdated)
{
  if (number && modelRead && readNumber == *number) {
    model = std::move(modelRead);
    modelMade = readNumber;
    stretch = 1;
  } else if (isOutdated) {
    modelRead.reset();
  }
}

/// Whether a change is of the model that there is. To be called with the mutex locked.
bool PlasticityRunner::isChangeDue() const
{
  return changeWanted && modelMade != 0 && changeWanted->modelNumber == modelMade;
}

/// What was wanted of a model that is yet to be made waits for it.
void PlasticityRunner::takeChange()
{
  Change wanted;
  {
    const std::lock_guard lock(mutex);
    if (!isChangeDue())
      return;
    wanted = *std::exchange(changeWanted, std::nullopt);
  }
  attempt([&] { model = goOnWith(*model, wanted.parameters); },
          [&](const Error& error) {
            QMetaObject::invokeMethod(
                this,
                [this, error, number = wanted.modelNumber, kept = model->parameters()] {
                  if (number == modelNumber)
                    emit refused(error, kept);
                },
                Qt::QueuedConnection);
          });
}

void PlasticityRunner::runErrands()
{
  std::vector<Errand> wanted;
  {
    const std::lock_guard lock(mutex);
    wanted.swap(errands);
  }
  for (const Errand& errand : wanted) {
    if (!model)
      continue;
    // Of the model as it stands, whatever was ordered since: not asked for the number of an order.
    const auto tell = [this](std::function<void()> say) {
      QMetaObject::invokeMethod(this, std::move(say), Qt::QueuedConnection);
    };
    attempt(
        [&] {
          errand.use(*model, errandControl);
          tell(errand.done);
        },
        [&](const Error& error) { tell([this, error] { emit failed(error); }); });
  }
}

void PlasticityRunner::attempt(const std::function<void()>& act, const std::function<void(const Error&)>& fail)
{
  try {
    act();
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

void PlasticityRunner::carryOut(const Order& order)
{
  attempt(
      [&] {
        if (!order.checkpoint.empty())
          return openCheckpoint(order);
        prepareModel(order);
        advance(order);
      },
      [&](const Error& error) { deliver(order.number, [this, error] { emit failed(error); }); });
}

/// The model that the order is of, made where it is another one than there is.
void PlasticityRunner::prepareModel(const Order& order)
{
  if (modelMade == order.modelNumber)
    return;
  model.reset();
  modelMade = 0;
  if (const auto& start = order.request.start; start && start->isCheckpoint()) {
    const synapse::PlasticityParameters& wanted = order.request.model;
    model = synapse::readCheckpoint(start->checkpoint, wanted.backend, wanted.threads);
    if (const auto next = goingOn(model->parameters(), wanted); next != model->parameters())
      model = goOnWith(*model, next);
  } else if (start) {
    io::StoredNetwork formed;
    if (!start->stored)
      formed.plastic = start->formation->network;
    model = io::startFromNetwork(start->formation->population, order.request.model,
                                 start->stored ? *start->stored : formed, start->name);
  } else {
    model = synapse::makePlasticityModel(makeNeurons(order.request.source, order.control), order.request.model);
  }
  modelMade = order.modelNumber;
  stretch = 1;
}

void PlasticityRunner::openCheckpoint(const Order& order)
{
  const auto& wanted = order.request.model;
  modelRead = synapse::readCheckpoint(order.checkpoint, wanted.backend, wanted.threads);
  readNumber = order.modelNumber;
  const OpenedPlasticity checkpoint{order.checkpoint, modelRead->parameters(), modelRead->step(),
                                    modelRead->population().size()};
  deliver(order.number, [this, checkpoint, number = order.modelNumber] {
    take(number);
    emit opened(checkpoint);
  });
}

/// From now on runs are of the model that was read.
void PlasticityRunner::take(std::uint64_t number)
{
  modelNumber = number;
  {
    const std::lock_guard lock(mutex);
    taken = number;
  }
  wake.notify_one();
}

void PlasticityRunner::advance(const Order& order)
{
  std::uint32_t left = order.steps.value_or(0);
  while (!order.control.isCancelled() && (!order.steps || left > 0)) {
    takeChange();
    const std::uint32_t steps = order.steps ? std::min(stretch, left) : stretch;
    const Stopwatch watch;
    const StageTimings before = model->timings();
    PlasticityStretch progress;
    const auto tell = [&] {
      progress.step = model->step();
      progress.neurons = model->population().size();
      progress.timings = between(before, model->timings());
      deliverOf(order.modelNumber, [this, progress] { emit advanced(progress); });
    };
    try {
      model->run(steps, 1, progress.records, order.control);
    } catch (const Error&) {
      tell(); // the steps before the pause
      throw;
    }
    tell();
    takeChange();
    runErrands();
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

void PlasticityRunner::deliverOf(std::uint64_t number, std::function<void()> tell)
{
  QMetaObject::invokeMethod(
      this,
      [this, number, tell = std::move(tell)] {
        if (number == modelNumber)
          tell();
      },
      Qt::QueuedConnection);
}

} // namespace hinesight::app
