#include "app/simulation/simulation_runner.hpp"

#include "core/device.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <deque>
#include <mutex>
#include <thread>
#include <utility>

namespace hinesight::app {

namespace {

constexpr JobKind kRun{.name = "simulation", .isLong = true, .isQuiet = true};
constexpr JobKind kOpening{.name = "Model to simulate"};
constexpr JobKind kErrand{.name = "simulation errand", .newestWins = false, .isQuiet = true};

constexpr double kFramesPerSecond = 30;
constexpr double kMoment = 25;        // ms of work, after which what was done is told
constexpr double kLongestPiece = 0.5; // ms of simulated time from one frame to the next
constexpr double kFillMoment = 12;    // ms of work beside a run that goes on
constexpr double kFillPiece = 1;      // ms of simulated time
constexpr double kLag = 200;          // ms behind the play speed, after which it is not caught up
constexpr auto kNap = std::chrono::milliseconds(3);
constexpr double kCheckpointEvery = 100; // ms of simulated time
constexpr double kPastWanted = 1000;     // ms that are filled in before a place was chosen, where that costs less
constexpr double kRounding = 1e-6;       // ms

/// Of the circuit of a session, what is wrong with it and where it is mended.
std::shared_ptr<const study::SimulationModel> read(const study::SimulationRequest& request,
                                                   const model::Project& project, const RunControl& control)
{
  try {
    return std::make_shared<const study::SimulationModel>(study::openModel(request, project, control));
  } catch (const Error& error) {
    if (request.file != study::kCircuitOfProject || error.code() != ErrorCode::BadParameter)
      throw;
    const QString advice =
        SimulationRunner::tr("The tab Simulation of the dock Circuit has what is simulated, and how.");
    throw Error(error.code(), error.message() + ' ' + advice.toStdString(), error.file(), error.line());
  }
}

/// What runs again for a place that was chosen later.
struct Fill
{
  std::size_t probe;
  std::int64_t untilStep; ///< with it
  std::unique_ptr<study::LiveSimulation> again;
  std::size_t nextChange = 0;
};

/// As people know it.
QString nameOf(const study::SimulationRequest& request)
{
  if (request.file == study::kCircuitOfProject)
    return SimulationRunner::tr("circuit of the session");
  for (const study::SampleModel& sample : study::sampleModels())
    if (request.file == sample.path)
      return QString::fromStdString(sample.title);
  return QString::fromStdString(request.file);
}

} // namespace

/// What the window wants of the run; shared by two threads.
struct SimulationRunner::Commands
{
  std::mutex mutex;
  double speed = kFramesPerSecond;
  std::optional<study::LiveFactors> factors;
  std::vector<std::pair<std::size_t, simulation::Probe>> probes; ///< with their numbers
};

struct SimulationRunner::Worker
{
  std::uint64_t number = 0; ///< of the run that there is; 0: none
  int gpu = 0;              ///< the main one when it began, where it stays
  std::shared_ptr<const study::SimulationModel> model;
  simulation::SimulationParameters parameters;
  std::unique_ptr<study::LiveSimulation> live;
  std::vector<simulation::Probe> probes;
  std::vector<study::LiveChange> changes;
  std::vector<simulation::Checkpoint> checkpoints;
  std::deque<Fill> fills;
  double untold = 0; ///< compartment-steps
  StageTimings told;

  bool has(std::uint64_t wanted) const { return live && number == wanted; }

  void begin(const Order& order)
  {
    live.reset();
    fills.clear();
    changes.clear();
    checkpoints.clear();
    number = order.number;
    gpu = mainCudaDevice();
    model = order.model;
    parameters = order.parameters;
    probes = order.probes;
    live = std::make_unique<study::LiveSimulation>(model, parameters, probes);
    untold = 0;
    told = {};
    keepCheckpoint();
  }

  void keepCheckpoint()
  {
    if (!checkpoints.empty() && live->time() < checkpoints.back().time + kCheckpointEvery - kRounding)
      return;
    checkpoints.push_back(live->checkpoint());
    // The first of those that are still wanted stays.
    while (checkpoints.size() > 1 && checkpoints[1].time <= live->time() - kPastWanted)
      checkpoints.erase(checkpoints.begin());
  }

  void addFill(std::size_t probe)
  {
    if (live->step() == 0)
      return;
    Fill fill{probe, live->step(), nullptr, 0};
    fill.again = std::make_unique<study::LiveSimulation>(model, parameters, std::vector<simulation::Probe>{});
    fill.again->restore(checkpoints.front());
    fill.again->addProbe(probes[probe]);
    const double from = checkpoints.front().time;
    // What had been changed by then acts at once.
    while (fill.nextChange < changes.size() && changes[fill.nextChange].time <= from + kRounding)
      fill.again->adjust(changes[fill.nextChange++].factors);
    fills.push_back(std::move(fill));
  }
};

bool SimulationRunner::isOwn(const JobKind& kind)
{
  return kind == kRun;
}

SimulationRunner::SimulationRunner(Jobs* ofWindow, QObject* parent)
    : QObject(parent), jobs(ofWindow), commands(std::make_shared<Commands>()), worker(std::make_shared<Worker>())
{}

SimulationRunner::~SimulationRunner()
{
  pausing.cancel();
}

// ---- on the thread of Jobs ----

void SimulationRunner::open(const study::SimulationRequest& request, const model::Project& project)
{
  const QPointer<SimulationRunner> guard(this);
  jobs->submit(
      {kOpening, nameOf(request)},
      [request, project](const JobContext& context) { return read(request, project, context.control()); },
      [guard](const std::shared_ptr<const study::SimulationModel>& read) {
        if (guard)
          emit guard->opened(read);
      },
      {[guard](const Error& error) {
         if (guard)
           emit guard->openingFailed(error);
       },
       {}});
}

bool SimulationRunner::isOpening() const
{
  return jobs && jobs->isActive(kOpening);
}

void SimulationRunner::setModel(std::shared_ptr<const study::SimulationModel> next)
{
  places.clear();
  model = std::move(next);
  reset();
}

void SimulationRunner::setParameters(const simulation::SimulationParameters& next)
{
  parameters = next;
}

SimulationRunner::Order SimulationRunner::orderOf(std::optional<double> until) const
{
  return {number, model, parameters, places, until};
}

void SimulationRunner::run(std::optional<double> until)
{
  if (model)
    start(orderOf(until));
}

void SimulationRunner::start(Order wanted)
{
  pausing.cancel();
  pausing = wanted.control;
  running = true;
  isBegun = isBegun || !wanted.fillsOnly;
  const std::uint64_t mine = ++order;
  const QPointer<SimulationRunner> guard(this);
  const auto work = [wanted, guard, worker = worker, commands = commands](const JobContext& context) {
    // What is done is told whatever was ordered since, as long as it is of the run that there is.
    const Tell tell = [&](std::function<void(SimulationRunner&)> say) {
      context.tell([guard, number = wanted.number, say = std::move(say)] {
        if (guard && guard->number == number)
          say(*guard);
      });
    };
    try {
      advance(wanted, *worker, *commands, context, tell);
    } catch (const Error& error) {
      // Who paused it hears that it has stopped.
      if (error.code() != ErrorCode::Cancelled || context.control().isCancelled())
        throw;
    }
  };
  const auto stop = [guard, mine] {
    if (guard && guard->order == mine)
      guard->end();
  };
  const auto fail = [guard, mine](const Error& error) {
    if (!guard || guard->order != mine)
      return;
    emit guard->failed(error);
    guard->end();
  };
  jobs->submit(kRun, work, stop, {fail, stop});
}

void SimulationRunner::end()
{
  running = false;
  emit stopped();
}

void SimulationRunner::pause()
{
  if (running)
    pausing.cancel(); // the job says when it has stopped, after the last values
}

void SimulationRunner::reset()
{
  const bool ran = running;
  pausing.cancel();
  jobs->drop(kRun);
  ++number; // whatever is still to be said of the old run is not heard
  ++order;
  running = false;
  isBegun = false;
  const std::lock_guard lock(commands->mutex);
  commands->probes.clear();
  commands->factors.reset();
  if (ran)
    emit stopped();
}

void SimulationRunner::setSpeed(double millisecondsPerSecond)
{
  const std::lock_guard lock(commands->mutex);
  commands->speed = millisecondsPerSecond;
}

void SimulationRunner::adjust(const study::LiveFactors& factors)
{
  const std::lock_guard lock(commands->mutex);
  commands->factors = factors;
}

std::size_t SimulationRunner::addProbe(const simulation::Probe& probe)
{
  const std::size_t place = places.size();
  places.push_back(probe);
  if (!isBegun)
    return place;
  {
    const std::lock_guard lock(commands->mutex);
    commands->probes.emplace_back(place, probe);
  }
  if (!running) {
    Order fills = orderOf({});
    fills.fillsOnly = true;
    start(std::move(fills));
  }
  return place;
}

void SimulationRunner::clearProbes()
{
  places.clear();
}

void SimulationRunner::borrow(std::function<void(const study::LiveSimulation&, const RunControl&)> use,
                              std::function<void()> done)
{
  const QPointer<SimulationRunner> guard(this);
  jobs->submit(
      kErrand,
      [worker = worker, number = number, use = std::move(use)](const JobContext& context) {
        const MainCudaDeviceScope scope(worker->gpu);
        if (worker->has(number))
          use(*worker->live, context.control());
        return worker->has(number);
      },
      [guard, done = std::move(done)](bool wasUsed) {
        if (guard && wasUsed)
          done();
      },
      {[guard](const Error& error) {
         if (guard)
           emit guard->failed(error);
       },
       {}});
}

// ---- on the worker ----

void SimulationRunner::advance(const Order& order, Worker& worker, Commands& commands, const JobContext& context,
                               const Tell& tell)
{
  const RunControl control(nullptr, [&] {
    order.control.checkpoint();
    context.control().checkpoint();
  });
  if (!worker.has(order.number))
    worker.begin(order);
  const MainCudaDeviceScope scope(worker.gpu);
  study::LiveSimulation& live = *worker.live;
  const double dt = worker.parameters.timeStep;
  const double until = order.fillsOnly ? live.time() : order.until.value_or(std::numeric_limits<double>::infinity());

  double speed = kAsFastAsItGoes;
  Stopwatch sincePace;
  double paceFrom = live.time();
  /// How far the play speed lets it go by now.
  const auto allowed = [&] { return paceFrom + speed * sincePace.elapsed() / 1000; };
  const auto takeCommands = [&] {
    std::optional<study::LiveFactors> factors;
    std::vector<std::pair<std::size_t, simulation::Probe>> probes;
    {
      const std::lock_guard lock(commands.mutex);
      speed = commands.speed;
      if (!order.fillsOnly)
        factors = std::exchange(commands.factors, std::nullopt);
      probes = std::exchange(commands.probes, {});
    }
    if (factors) {
      try {
        live.adjust(*factors);
        worker.changes.push_back({live.time(), *factors});
        tell([change = worker.changes.back()](SimulationRunner& runner) { emit runner.changed(change); });
      } catch (const Error& error) {
        tell([error](SimulationRunner& runner) { emit runner.refused(error); });
      }
    }
    for (const auto& [place, probe] : probes) {
      if (place != worker.probes.size())
        continue; // of the beginning
      live.addProbe(probe);
      worker.probes.push_back(probe);
      worker.addFill(place);
    }
  };

  const auto tellMoment = [&](SimulationStretch& moment) {
    moment.time = live.time();
    moment.step = live.step();
    moment.isBehind = !std::isfinite(speed) || allowed() >= live.time();
    moment.spikes = live.takeSpikes();
    for (std::size_t k = 0; k < live.probes(); ++k)
      moment.records.push_back(live.takeRecord(k));
    const double steps = live.compartmentSteps();
    moment.compartmentSteps = steps - std::exchange(worker.untold, steps);
    moment.stages.add(worker.told, -1);
    worker.told = live.stages();
    moment.stages.add(worker.told);
    tell([done = std::make_shared<const SimulationStretch>(std::move(moment))](SimulationRunner& runner) {
      emit runner.advanced(*done);
    });
  };

  /// A moment, at most up to a time.
  const auto runMoment = [&](double target) {
    SimulationStretch moment;
    const Stopwatch watch;
    const double before = live.time();
    const double piece =
        std::max(dt, std::min(kLongestPiece, std::isfinite(speed) ? speed / kFramesPerSecond : kLongestPiece));
    try {
      do {
        takeCommands();
        const Stopwatch steps;
        live.runUntil(std::min(target, live.time() + piece), control);
        moment.spent += steps.elapsed();
        moment.frames.push_back(live.frame());
        worker.keepCheckpoint();
      } while (live.time() < target - kRounding && watch.elapsed() < kMoment);
    } catch (const Error&) {
      moment.milliseconds = live.time() - before;
      tellMoment(moment); // what came before the pause
      throw;
    }
    moment.milliseconds = live.time() - before;
    tellMoment(moment);
  };

  const auto fillMoment = [&](double most) {
    const Stopwatch watch;
    while (!worker.fills.empty() && watch.elapsed() < most) {
      Fill& fill = worker.fills.front();
      study::LiveSimulation& again = *fill.again;
      const std::int64_t from = again.step() + 1;
      const double end = static_cast<double>(fill.untilStep) * dt;
      double target = std::min(end, again.time() + kFillPiece);
      if (fill.nextChange < worker.changes.size())
        target = std::min(target, worker.changes[fill.nextChange].time);
      again.runUntil(target, control);
      while (fill.nextChange < worker.changes.size() &&
             worker.changes[fill.nextChange].time <= again.time() + kRounding)
        again.adjust(worker.changes[fill.nextChange++].factors);
      tell([probe = fill.probe, from, values = again.takeRecord(0)](SimulationRunner& runner) {
        emit runner.filled(probe, from, values);
      });
      if (again.step() >= fill.untilStep)
        worker.fills.pop_front();
    }
  };

  double paced = 0; // speed
  while (true) {
    control.checkpoint();
    takeCommands();
    const bool goesOn = live.time() < until - kRounding;
    if (!goesOn && worker.fills.empty())
      return;
    if (std::exchange(paced, speed) != speed) {
      sincePace = Stopwatch();
      paceFrom = live.time();
    }
    // The play speed lets it go on in whole frames, a frame ahead.
    const double frame = std::max(dt, speed / kFramesPerSecond);
    const double most = frame + allowed();
    const double target =
        std::isfinite(speed) ? live.time() + frame * std::floor((most - live.time()) / frame + kRounding) : until;
    if (goesOn && target > live.time() + kRounding) {
      runMoment(std::min(until, target));
      if (most - live.time() > speed * kLag / 1000 + frame) {
        sincePace = Stopwatch();
        paceFrom = live.time();
      }
    } else if (goesOn && worker.fills.empty()) {
      std::this_thread::sleep_for(kNap);
    }
    fillMoment(goesOn ? kFillMoment : kMoment);
    context.letOthersRun();
  }
}

} // namespace hinesight::app
