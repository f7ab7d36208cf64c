#include "widgets/background_work.hpp"

#include "core/error.hpp"

#include <QCoreApplication>
#include <QThreadPool>

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <new>
#include <utility>

namespace hinesight::widgets {

namespace {

/// Pieces of different widgets that can run at once. It does not follow the cores: a piece may wait for a slow disk,
/// and must not keep others from being drawn.
constexpr int kThreads = 8;

} // namespace

struct BackgroundWork::Queue
{
  std::mutex mutex;
  std::condition_variable finished; ///< no piece runs or waits
  BackgroundWork* owner = nullptr;  ///< null: gone
  Order order = Order::NewestFirst;
  std::deque<Piece> pieces; ///< that wait
  std::uint64_t generation = 0;
  RunControl control; ///< of this generation
  bool isWorking = false;
};

BackgroundWork::BackgroundWork(QObject* parent, Order pieces) : QObject(parent), queue(std::make_shared<Queue>())
{
  queue->owner = this;
  queue->order = pieces;
  QThreadPool* pool = QThreadPool::globalInstance();
  pool->setMaxThreadCount(std::max(pool->maxThreadCount(), kThreads));
}

BackgroundWork::~BackgroundWork()
{
  restart();
  const std::lock_guard lock(queue->mutex);
  queue->owner = nullptr;
}

void BackgroundWork::start(Piece piece)
{
  {
    const std::lock_guard lock(queue->mutex);
    if (queue->order == Order::NewestFirst)
      queue->pieces.push_front(std::move(piece));
    else
      queue->pieces.push_back(std::move(piece));
    if (std::exchange(queue->isWorking, true))
      return;
  }
  QThreadPool::globalInstance()->start([shared = queue] { work(shared); });
}

void BackgroundWork::restart()
{
  const std::lock_guard lock(queue->mutex);
  queue->pieces.clear();
  queue->control.cancel();
  queue->control = RunControl();
  queue->generation = ++newest;
}

void BackgroundWork::restart(Piece piece)
{
  restart();
  start(std::move(piece));
}

void BackgroundWork::work(const std::shared_ptr<Queue>& queue)
{
  std::unique_lock lock(queue->mutex);
  while (!queue->pieces.empty()) {
    Piece piece = std::move(queue->pieces.front());
    queue->pieces.pop_front();
    const std::uint64_t generation = queue->generation;
    const RunControl control = queue->control;
    lock.unlock();
    Deliver deliver;
    bool lacksMemory = false;
    try {
      deliver = piece(control);
    } catch (const Error&) {
    } catch (const std::bad_alloc&) {
      lacksMemory = true;
    }
    piece = nullptr; // may hold the last of something large, which is freed here and not on the thread that draws
    lock.lock();
    BackgroundWork* owner = queue->owner;
    if (!owner)
      continue;
    if (lacksMemory)
      deliver = [owner] { emit owner->outOfMemory(); };
    if (deliver)
      QMetaObject::invokeMethod(
          owner, [owner, generation, deliver = std::move(deliver)] { owner->take(generation, deliver); },
          Qt::QueuedConnection);
  }
  queue->isWorking = false;
  queue->finished.notify_all();
}

void BackgroundWork::take(std::uint64_t generation, const Deliver& deliver)
{
  if (generation == newest)
    deliver();
}

void BackgroundWork::wait()
{
  {
    std::unique_lock lock(queue->mutex);
    queue->finished.wait(lock, [this] { return !queue->isWorking; });
  }
  QCoreApplication::sendPostedEvents(this, QEvent::MetaCall);
}

} // namespace hinesight::widgets
