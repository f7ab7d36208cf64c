#include "widgets/background.hpp"

#include <QCoreApplication>

#include <new>
#include <utility>

namespace hinesight::widgets {

Background::Background(QObject* parent) : QObject(parent)
{
  pool.setMaxThreadCount(1);
}

Background::~Background()
{
  pool.clear();
  pool.waitForDone();
}

void Background::start(std::function<Deliver()> work)
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

void Background::restart()
{
  pool.clear();
  ++generation;
}

void Background::wait()
{
  pool.waitForDone();
  QCoreApplication::sendPostedEvents(this, QEvent::MetaCall);
}

} // namespace hinesight::widgets
