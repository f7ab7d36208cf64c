#pragma once

#include <QObject>
#include <QThreadPool>

#include <cstdint>
#include <functional>

namespace hinesight::widgets {

/// Work for a view that takes longer than a frame: one piece after another, what was asked for last first. What a piece
/// returns runs on this object's thread, unless `restart` was called since.
class BackgroundWork : public QObject
{
  Q_OBJECT

public:
  explicit BackgroundWork(QObject* parent = nullptr);
  /// Waits for the piece that is under way.
  ~BackgroundWork() override;

  using Deliver = std::function<void()>;
  void start(std::function<Deliver()> work);
  /// Forgets what was asked for.
  void restart();
  /// Blocks until everything asked for was delivered.
  void wait();

signals:
  void outOfMemory(); ///< a piece ran out of it; it delivers nothing

private:
  QThreadPool pool;
  std::uint64_t generation = 0; ///< results of older ones are dropped
  int priority = 0;
};

} // namespace hinesight::widgets
