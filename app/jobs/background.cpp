#include "app/jobs/background.hpp"

#include <QCoreApplication>
#include <QMetaObject>
#include <QPointer>
#include <QThreadPool>

#include <utility>

namespace hinesight::app {

void inBackground(QObject* owner, std::function<std::function<void()>()> work)
{
  QThreadPool::globalInstance()->start([guard = QPointer<QObject>(owner), work = std::move(work)] {
    QMetaObject::invokeMethod(
        qApp,
        [guard, then = work()] {
          if (guard)
            then();
        },
        Qt::QueuedConnection);
  });
}

} // namespace hinesight::app
