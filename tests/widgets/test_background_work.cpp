#include "core/error.hpp"
#include "test_main.hpp"
#include "widgets/background_work.hpp"

#include <QSemaphore>
#include <QSignalSpy>
#include <QThread>
#include <QThreadPool>

#include <memory>
#include <new>
#include <string>

using namespace hinesight;
using namespace hinesight::widgets;

namespace {

using Order = BackgroundWork::Order;
using Deliver = BackgroundWork::Deliver;

/// A piece that a test holds where it begins.
struct HeldPiece
{
  std::shared_ptr<QSemaphore> begun = std::make_shared<QSemaphore>();
  std::shared_ptr<QSemaphore> released = std::make_shared<QSemaphore>();

  /// What it finds once it is released goes to `wasCancelled`.
  BackgroundWork::Piece piece(
      std::shared_ptr<bool> wasCancelled, Deliver deliver = [] {}) const
  {
    return [begun = begun, released = released, wasCancelled, deliver](const RunControl& control) {
      begun->release();
      released->acquire();
      *wasCancelled = control.isCancelled();
      return deliver;
    };
  }
};

/// Appends `name` where it is delivered.
BackgroundWork::Piece note(std::string& said, char name)
{
  return [&said, name](const RunControl&) -> Deliver { return [&said, name] { said += name; }; };
}

} // namespace

class TestBackgroundWork : public QObject
{
  Q_OBJECT

private slots:
  void worksElsewhereAndDeliversHere()
  {
    BackgroundWork background;
    QThread* worker = nullptr;
    QThread* receiver = nullptr;
    background.start([&](const RunControl&) -> Deliver {
      worker = QThread::currentThread();
      return [&] { receiver = QThread::currentThread(); };
    });
    background.wait();
    QCOMPARE(receiver, QThread::currentThread());
    QVERIFY(worker && worker != receiver);
  }

  void ordersPieces_data()
  {
    QTest::addColumn<bool>("newestFirst");
    QTest::addColumn<QString>("order");
    QTest::newRow("newest first") << true << "hcba";
    QTest::newRow("oldest first") << false << "habc";
  }

  void ordersPieces()
  {
    QFETCH(bool, newestFirst);
    BackgroundWork background(nullptr, newestFirst ? Order::NewestFirst : Order::OldestFirst);
    std::string said;
    const HeldPiece held;
    background.start(held.piece(std::make_shared<bool>(), [&said] { said += 'h'; }));
    held.begun->acquire();
    for (const char name : {'a', 'b', 'c'})
      background.start(note(said, name));
    held.released->release();
    background.wait();
    QTEST(QString::fromStdString(said), "order");
  }

  void wantsOnlyTheNewest()
  {
    BackgroundWork background;
    std::string said;
    const HeldPiece held;
    const auto wasCancelled = std::make_shared<bool>(false);
    background.start(held.piece(wasCancelled, [&said] { said += 'h'; }));
    held.begun->acquire();
    background.start(note(said, 'a'));
    background.restart(note(said, 'b'));
    held.released->release();
    background.wait();
    QVERIFY(*wasCancelled);
    QCOMPARE(said, std::string("b"));
  }

  void forgetsWhatIsDoneButNotDelivered()
  {
    BackgroundWork background;
    std::string said;
    background.start(note(said, 'a'));
    QVERIFY(QThreadPool::globalInstance()->waitForDone());
    background.restart();
    background.wait();
    QCOMPARE(said, std::string());
  }

  void goesOnAfterErrors()
  {
    BackgroundWork background;
    const QSignalSpy lacking(&background, &BackgroundWork::outOfMemory);
    std::string said;
    background.start([](const RunControl&) -> Deliver { throw Error(ErrorCode::BadParameter, "is refused"); });
    background.wait();
    background.start([](const RunControl&) -> Deliver { throw std::bad_alloc(); });
    background.wait();
    background.start(note(said, 'a'));
    background.wait();
    QCOMPARE(lacking.size(), 1);
    QCOMPARE(said, std::string("a"));
  }

  void mayEndBeforeItsPieces()
  {
    std::string said;
    const HeldPiece held;
    const auto wasCancelled = std::make_shared<bool>(false);
    auto background = std::make_unique<BackgroundWork>();
    background->start(held.piece(wasCancelled, [&said] { said += 'h'; }));
    held.begun->acquire();
    background->start(note(said, 'a'));
    background.reset(); // does not wait: the piece is held
    held.released->release();
    QVERIFY(QThreadPool::globalInstance()->waitForDone());
    QCoreApplication::sendPostedEvents();
    QVERIFY(*wasCancelled);
    QCOMPARE(said, std::string());
  }
};

HINESIGHT_TEST(TestBackgroundWork)

#include "test_background_work.moc"
