#pragma once

#include "core/run_control.hpp"

#include <QObject>

#include <cstdint>
#include <functional>
#include <memory>

namespace hinesight::widgets {

/// Work for a widget that takes longer than a frame and is not timed: one piece after another, on another thread. What
/// a piece returns runs on this object's thread, unless `restart` was called since or this object is gone. A piece may
/// outlive this object, so it must not touch the widget. A piece that throws an Error delivers nothing.
class BackgroundWork : public QObject
{
  Q_OBJECT

public:
  enum class Order
  {
    NewestFirst,
    OldestFirst
  };

  explicit BackgroundWork(QObject* parent = nullptr, Order pieces = Order::NewestFirst);
  /// Cancels the piece that runs. Does not wait for it.
  ~BackgroundWork() override;

  using Deliver = std::function<void()>;
  using Piece = std::function<Deliver(const RunControl& control)>;
  void start(Piece piece);
  /// Cancels the piece that runs, and forgets all others.
  void restart();
  /// The same, then starts `piece`: only the newest is wanted.
  void restart(Piece piece);
  /// Blocks until every piece was delivered.
  void wait();

signals:
  void outOfMemory(); ///< a piece ran out of it; it delivers nothing

private:
  struct Queue;
  static void work(const std::shared_ptr<Queue>& queue);
  /// Takes over the end of a piece, on this object's thread.
  void take(std::uint64_t generation, const Deliver& deliver);

  std::shared_ptr<Queue> queue; ///< shared with the thread that works
  std::uint64_t newest = 0;     ///< generation of pieces; what older ones return is dropped
};

} // namespace hinesight::widgets
