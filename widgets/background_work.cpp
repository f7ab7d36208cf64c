#include "widgets/background_work.hpp"

#include <QCoreApplication>

#include <new>
#include <utility>

namespace hinesight::widgets {

BackgroundWork::BackgroundWork(QObject* parent) : QObject(parent)
{
  pool.setMaxThreadCount(1);
}

BackgroundWork::~BackgroundWork()
{
  pool.clear();
  pool.waitForDone();
}

void BackgroundWork::start(std::function<Deliver()> work)
{
  pool.start(
      [this, work = std::move(work), wanted = generation] {
        Deliver deliver;
        try {
          deliver = work();
        } catch (const std::bad_alloc&) {
          deliver = [this] { emit outOfMemory(); };
        }
        QMetaObject::invokeMethod(
            this,
            [this, deliver = std::move(deliver), wanted] {
              if (wanted == generation) {
                deliver();
              }
            },
            Qt::QueuedConnection);
      },
      ++priority);
}

void BackgroundWork::restart()
{
  pool.clear();
  ++generation;
}

void BackgroundWork::wait()
{
  pool.waitForDone();
  QCoreApplication::sendPostedEvents(this, QEvent::MetaCall);
}

} // namespace hinesight::widgets
