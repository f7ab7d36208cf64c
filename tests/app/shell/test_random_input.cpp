#include "app/app_fixture.hpp"
#include "app/typed_path.hpp"
#include "app/window_fixture.hpp"
#include "benchmark/window/busy_watch.hpp"
#include "paths/paths.hpp"
#include "run_again.hpp"
#include "test_main.hpp"

#include <QAbstractButton>
#include <QAction>
#include <QContextMenuEvent>
#include <QDialogButtonBox>
#include <QDir>
#include <QDrag>
#include <QElapsedTimer>
#include <QFileDialog>
#include <QLineEdit>
#include <QMenu>
#include <QMessageBox>
#include <QPointer>
#include <QTimer>
#include <QtTest>

#include <algorithm>
#include <array>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <mutex>
#include <stop_token>
#include <thread>
#include <utility>
#include <vector>

using namespace hinesight;
using namespace hinesight::app;

/// What nobody would do on purpose: clicks, drags, keys, numbers and commands by chance on the real main window, with
/// files opened and jobs cancelled in between. It passes if the program is still there. The seed is HINESIGHT_SEED,
/// the time HINESIGHT_RANDOM_SECONDS; HINESIGHT_RANDOM_LOG is a file that gets every step before it is done.
class TestRandomInput : public QObject, WindowFixture
{
  Q_OBJECT

  static constexpr int kSeconds = 8;
  static constexpr int kStepsBetweenRests = 40;
  static constexpr int kMoment = 300; // ms
  static constexpr int kJobsLeft = 100;
  static constexpr std::size_t kSlowestTold = 8;
  /// ms of the thread's own processor time in an event, drawing by software OpenGL left out.
  static constexpr double kMostOwn = 100 * tests::kSlowness;
  static constexpr int kRuns = 3; ///< at most, in each of which something is too long

  /// SplitMix64 (Steele 2014): the same steps on every machine.
  class Dice
  {
  public:
    explicit Dice(std::uint64_t seed) : state(seed) {}
    std::uint64_t next()
    {
      state += 0x9E3779B97F4A7C15U;
      std::uint64_t z = state;
      z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
      z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
      return z ^ (z >> 31);
    }
    int below(int end) { return static_cast<int>(next() % static_cast<std::uint64_t>(end)); }
    template <typename List>
    auto& of(List& list)
    {
      return list[static_cast<typename List::size_type>(below(static_cast<int>(list.size())))];
    }
    QPoint in(const QRect& rect) { return rect.topLeft() + QPoint(below(rect.width()), below(rect.height())); }

  private:
    std::uint64_t state;
  };

  /// Says on standard error what was done last, once it has not ended for long: who reads the output of a test that was
  /// stopped learns why.
  class Watch
  {
  public:
    void take(const QString& what)
    {
      const std::lock_guard lock(mutex);
      last = what.toUtf8();
      changed.notify_one();
    }

  private:
    void run(const std::stop_token& stop)
    {
      std::unique_lock lock(mutex);
      while (!stop.stop_requested()) {
        const QByteArray before = last;
        const bool isNew = changed.wait_for(lock, stop, kLong, [&] { return last != before; });
        if (!isNew && !stop.stop_requested() && !before.isEmpty())
          std::fprintf(stderr, "not ended for %d s: %s\n", static_cast<int>(kLong.count()), before.constData());
      }
    }

    static constexpr std::chrono::seconds kLong{15};
    std::mutex mutex;
    std::condition_variable_any changed;
    QByteArray last;
    std::jthread thread{[this](const std::stop_token& stop) { run(stop); }};
  };

  QTemporaryDir folder;
  QStringList files;
  QString neurons; ///< a folder of small SWC files
  QFile log;
  Watch watch;
  Dice dice{1};
  int written = 0;
  std::vector<std::pair<double, QString>> slowest;

private slots:
  void initTestCase();
  void survives();

private:
  QString step();
  void writeNeurons();
  QString answer(QFileDialog* dialog);
  QString answerFolder(QFileDialog* dialog);
  QString emptiedFolder(bool isThere, bool holdsSomething);
  QString touch(QWidget* widget);
  QString press(QWidget* widget);
  QWidget* anyWidget();
  QAction* anyAction();
  void note(const QString& what);
  static WatchedApplication& application() { return *static_cast<WatchedApplication*>(qApp); }
};

void TestRandomInput::initTestCase()
{
  QVERIFY(folder.isValid());
  // Nothing of the person who runs this is touched.
  qputenv("HOME", folder.path().toUtf8());
  // Copies: a session that is open can be saved.
  const QDir copies(folder.path());
  const auto take = [&](const QString& file, const QString& into) {
    QVERIFY(copies.mkpath(into));
    const QString copy = copies.filePath(into + QLatin1Char('/') + QFileInfo(file).fileName());
    QVERIFY2(QFile::copy(file, copy), qPrintable(file));
    files << copy;
  };
  for (const char* cell : {"stellate.swc", "bipolar.swc", "broken.swc", "warned.swc"})
    take(dataFile(cell), QStringLiteral("cells"));
  files << copies.filePath(QStringLiteral("cells"));
  take(tests::sourceFile("docs/example.hinesight"), QStringLiteral("docs"));
  for (const char* below : {"tables", "plasticity", "sessions", "swc"})
    for (const QFileInfo& file : QDir(tests::testData(below)).entryInfoList(QDir::Files))
      take(file.filePath(), QLatin1String(below));
  writeNeurons();
  dice = Dice(qEnvironmentVariable("HINESIGHT_SEED", QStringLiteral("1")).toULongLong());
  if (const QString path = qEnvironmentVariable("HINESIGHT_RANDOM_LOG"); !path.isEmpty()) {
    log.setFileName(path);
    QVERIFY(log.open(QIODevice::WriteOnly));
  }
}

/// Some of them in a folder in the folder, which is opened with it.
void TestRandomInput::writeNeurons()
{
  const QDir all(folder.filePath(QStringLiteral("neurons")));
  neurons = all.path();
  QVERIFY(all.mkpath(QStringLiteral("deeper")));
  for (const char* name : {"one.swc", "two.swc", "deeper/three.swc"}) {
    QFile file(all.filePath(QLatin1String(name)));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("1 1 0 0 0 5 -1\n2 3 0 10 0 1 1\n3 3 5 20 0 1 2\n4 3 -5 20 0 1 2\n5 2 0 -30 0 0.5 1\n");
  }
}

void TestRandomInput::note(const QString& what)
{
  watch.take(what);
  if (log.isOpen()) {
    log.write(what.toUtf8() + '\n');
    log.flush();
  }
}

/// Of the popup or dialog that is open, else of the window; one that can be seen.
QWidget* TestRandomInput::anyWidget()
{
  QWidget* top = QApplication::activePopupWidget();
  if (!top)
    top = QApplication::activeModalWidget();
  if (!top) {
    QList<QWidget*> tops;
    for (QWidget* widget : QApplication::topLevelWidgets())
      if (widget->isVisible() && widget->isWindow())
        tops << widget;
    if (tops.isEmpty())
      return nullptr;
    top = dice.of(tops);
  }
  QList<QWidget*> widgets{top};
  for (QWidget* widget : top->findChildren<QWidget*>())
    if (widget->isVisible() && widget->isEnabled() && widget->window() == top && !widget->size().isEmpty())
      widgets << widget;
  return dice.of(widgets);
}

QAction* TestRandomInput::anyAction()
{
  QList<QAction*> actions;
  for (QAction* action : window->findChildren<QAction*>())
    if (action->isEnabled() && !action->isSeparator() && !action->menu() && !action->objectName().isEmpty() &&
        action->objectName() != QLatin1String("quitAction"))
      actions << action;
  return actions.isEmpty() ? nullptr : dice.of(actions);
}

/// Files are read from the tests' data, and written into a folder of the test.
QString TestRandomInput::answer(QFileDialog* dialog)
{
  if (dice.below(3) == 0) {
    note(QStringLiteral("reject %1").arg(dialog->objectName()));
    dialog->reject();
    return QStringLiteral("rejected dialog");
  }
  if (dialog->fileMode() == QFileDialog::Directory || dialog->testOption(QFileDialog::ShowDirsOnly))
    return answerFolder(dialog);
  const bool saves = dialog->acceptMode() == QFileDialog::AcceptSave;
  const QString suffix = dialog->defaultSuffix().isEmpty() ? QStringLiteral("out") : dialog->defaultSuffix();
  const QString path =
      saves ? folder.filePath(QStringLiteral("%1.%2").arg(written++ % 20).arg(suffix)) : dice.of(files);
  note(QStringLiteral("answer %1 with %2").arg(dialog->objectName(), path));
  if (saves)
    QFile::remove(path);
  emit dialog->fileSelected(path);
  if (!saves)
    emit dialog->filesSelected({path});
  dialog->close();
  return QStringLiteral("answered dialog");
}

/// One of a few in turn, so that a long test fills no disk.
QString TestRandomInput::emptiedFolder(bool isThere, bool holdsSomething)
{
  const QString path = folder.filePath(QStringLiteral("into%1").arg(written++ % 20, 2, 10, QLatin1Char('0')));
  QDir(path).removeRecursively();
  if (isThere || holdsSomething)
    QDir().mkpath(path);
  if (holdsSomething) {
    QFile file(path + QStringLiteral("/kept.txt"));
    if (file.open(QIODevice::WriteOnly))
      file.write("of another program");
  }
  return path;
}

QString TestRandomInput::answerFolder(QFileDialog* dialog)
{
  static constexpr std::array kOpening{QLatin1String("openFolderDialog"), QLatin1String("locateDialog")};
  // All by the dice at once: what is thrown does not depend on what happens here.
  const bool holdsSomething = dice.below(3) == 0, mayReplace = dice.below(2) == 0;
  const bool mayBeNew = dialog->acceptMode() == QFileDialog::AcceptSave;
  const QString path = std::ranges::find(kOpening, dialog->objectName()) != kOpening.end()
                           ? neurons
                           : emptiedFolder(!mayBeNew, holdsSomething);
  note(QStringLiteral("answer %1 with %2%3")
           .arg(dialog->objectName(), path,
                holdsSomething && mayBeNew ? QStringLiteral(", which is not empty") : QString()));
  if (!mayBeNew) {
    emit dialog->fileSelected(path);
    dialog->close();
    return QStringLiteral("answered dialog");
  }
  if (!typedPath(*dialog, path)) // its folder is being read: a later step answers
    return QStringLiteral("typed path");
  // It asks, in a loop of its own, before it takes a folder that holds something.
  QTimer::singleShot(0, dialog, [dialog, mayReplace] {
    if (const auto* question = dialog->findChild<QMessageBox*>())
      question->button(mayReplace ? QMessageBox::Yes : QMessageBox::No)->click();
  });
  static_cast<QDialog*>(dialog)->accept();
  return QStringLiteral("answered dialog");
}

QString TestRandomInput::touch(QWidget* widget)
{
  const QPoint at = dice.in(widget->rect());
  static constexpr std::array kModifiers{Qt::KeyboardModifiers(), Qt::KeyboardModifiers(Qt::ShiftModifier),
                                         Qt::KeyboardModifiers(Qt::ControlModifier)};
  const Qt::KeyboardModifiers modifiers = kModifiers[static_cast<std::size_t>(dice.below(3))];
  const QString whose = QStringLiteral("%1 (%2) at %3,%4")
                            .arg(QLatin1String(widget->metaObject()->className()), widget->objectName())
                            .arg(at.x())
                            .arg(at.y());
  switch (dice.below(8)) {
  case 0: {
    note(QStringLiteral("wheel on ") + whose);
    QWheelEvent wheel(at, widget->mapToGlobal(at), {}, {0, dice.below(2) ? 120 : -120}, Qt::NoButton, modifiers,
                      Qt::NoScrollPhase, false);
    QApplication::sendEvent(widget, &wheel);
    return QStringLiteral("wheel on ") + whose;
  }
  case 1: {
    const QPoint to = dice.in(widget->rect());
    note(QStringLiteral("drag on ") + whose);
    const QPointer<QWidget> kept = widget;
    QTest::mousePress(widget, Qt::LeftButton, modifiers, at);
    for (const QPoint& point : {(at + to) / 2, to})
      if (kept) {
        QMouseEvent move(QEvent::MouseMove, point, kept->mapToGlobal(point), Qt::NoButton, Qt::LeftButton, modifiers);
        QApplication::sendEvent(kept, &move);
      }
    if (kept)
      QTest::mouseRelease(kept, Qt::LeftButton, modifiers, to);
    return QStringLiteral("drag on ") + whose;
  }
  case 2:
    note(QStringLiteral("double click on ") + whose);
    QTest::mouseDClick(widget, Qt::LeftButton, modifiers, at);
    return QStringLiteral("double click on ") + whose;
  case 3: {
    note(QStringLiteral("help on ") + whose);
    QHelpEvent help(QEvent::ToolTip, at, widget->mapToGlobal(at));
    QApplication::sendEvent(widget, &help);
    return QStringLiteral("help on ") + whose;
  }
  default:
    note(QStringLiteral("click on ") + whose);
    QTest::mouseClick(widget, dice.below(8) == 0 ? Qt::RightButton : Qt::LeftButton, modifiers, at);
    return QStringLiteral("click on ") + whose;
  }
}

QString TestRandomInput::press(QWidget* widget)
{
  static constexpr std::array kKeys{Qt::Key_Tab,  Qt::Key_Return, Qt::Key_Escape, Qt::Key_Space,  Qt::Key_Up,
                                    Qt::Key_Down, Qt::Key_Left,   Qt::Key_Right,  Qt::Key_Delete, Qt::Key_F5,
                                    Qt::Key_G,    Qt::Key_T,      Qt::Key_D,      Qt::Key_F,      Qt::Key_F1,
                                    Qt::Key_0,    Qt::Key_1,      Qt::Key_5,      Qt::Key_9,      Qt::Key_Period};
  static constexpr std::array kTexts{"type == axon", "order > 2 && length < 50", "&&", "0", "-1", "nan", "3.5", "abc"};
  if (qobject_cast<QLineEdit*>(widget) && dice.below(2) == 0) {
    const char* text = kTexts[static_cast<std::size_t>(dice.below(static_cast<int>(kTexts.size())))];
    note(QStringLiteral("type '%1' into %2").arg(QLatin1String(text), widget->objectName()));
    QTest::keyClicks(widget, QLatin1String(text));
    return QStringLiteral("typing");
  }
  const Qt::Key key = kKeys[static_cast<std::size_t>(dice.below(static_cast<int>(kKeys.size())))];
  note(QStringLiteral("key %1 on %2").arg(QKeySequence(key).toString(), widget->objectName()));
  QTest::keyClick(widget, key);
  return QStringLiteral("key %1").arg(QKeySequence(key).toString());
}

/// Does one thing; returns what it was.
QString TestRandomInput::step()
{
  for (QWidget* widget : QApplication::topLevelWidgets())
    if (auto* dialog = qobject_cast<QFileDialog*>(widget); dialog && dialog->isVisible())
      return answer(dialog);
  const int what = dice.below(100);
  if (what < 4) {
    const QString& file = dice.of(files);
    note(QStringLiteral("open ") + file);
    window->openFiles({file});
    return QStringLiteral("opening ") + file;
  }
  if (what < 8) {
    note(QStringLiteral("cancel"));
    window->jobs().cancel();
    return QStringLiteral("cancelling");
  }
  if (what < 24 && !QApplication::activeModalWidget() && !QApplication::activePopupWidget()) {
    QAction* action = anyAction();
    if (!action)
      return {};
    const QString name = action->objectName();
    note(QStringLiteral("trigger ") + name);
    action->trigger();
    return QStringLiteral("trigger ") + name;
  }
  if (what < 26) {
    static constexpr std::array kSizes{QSize(1280, 720), QSize(1000, 700), QSize(1366, 768), QSize(1500, 950)};
    note(QStringLiteral("resize"));
    window->resize(kSizes[static_cast<std::size_t>(dice.below(static_cast<int>(kSizes.size())))]);
    return QStringLiteral("resizing");
  }
  QWidget* widget = anyWidget();
  if (!widget)
    return {};
  return what < 78 ? touch(widget) : press(widget);
}

void TestRandomInput::survives()
{
  QSettings().clear();
  QVERIFY(showWindow({1280, 720}));
  window->keepOpenIn(folder.filePath(QStringLiteral("state")));
  bool isNumber = false;
  const int asked = qEnvironmentVariableIntValue("HINESIGHT_RANDOM_SECONDS", &isNumber);
  const qint64 until = 1000LL * (isNumber ? asked : kSeconds);
  // A menu or a dialog that waits for an answer in a loop of its own is closed after a moment; so is what was dragged
  // out of a list or a text, which waits for a hand that nobody has here.
  QTimer closer;
  connect(&closer, &QTimer::timeout, this, [] {
    QDrag::cancel();
    if (QWidget* popup = QApplication::activePopupWidget())
      popup->close();
    else if (QWidget* dialog = QApplication::activeModalWidget())
      dialog->close();
  });
  QElapsedTimer all;
  all.start();
  int steps = 0;
  while (all.elapsed() < until) {
    if (!window->isVisible()) // by its frame's menu, or a key
      QVERIFY(showWindow({1280, 720}));
    application().watchAnew();
    closer.start(kMoment);
    const QString what = step();
    closer.stop();
    QCoreApplication::processEvents();
    const BusyTimes& times = application().times();
    slowest.emplace_back(times.event, QStringLiteral("%1: %2").arg(what, times.slowest));
    std::ranges::sort(slowest, std::ranges::greater());
    slowest.resize(std::min(slowest.size(), kSlowestTold));
    if (++steps % kStepsBetweenRests == 0)
      QTest::qWait(30); // jobs get on
  }
  QStringList blocks;
  for (const auto& [milliseconds, what] : slowest) {
    qInfo("%.0f ms of its own: %s", milliseconds, qPrintable(what));
    if (milliseconds >= kMostOwn)
      blocks << what;
  }
  qInfo("%d steps", steps);
  // What is left ends, and the window with it.
  note(QStringLiteral("the end"));
  if (QWidget* popup = QApplication::activePopupWidget())
    popup->close();
  const QWidgetList widgets = QApplication::topLevelWidgets();
  const std::vector<QPointer<QWidget>> dialogs(widgets.begin(), widgets.end()); // one that closes takes others along
  for (const QPointer<QWidget>& dialog : dialogs)
    if (dialog && dialog->isVisible() && dialog != window.get())
      dialog->close();
  for (int i = 0; i < kJobsLeft && window->jobs().current(); ++i)
    window->jobs().cancel();
  QVERIFY(!window->jobs().current());
  window->close();
  window.reset();
  QVERIFY(steps > 0);
  if (isRunAgain())
    return writeBlocks(blocks);
  for (int run = 1; run < kRuns && !blocks.isEmpty(); ++run)
    blocks = blocksOfAnotherRun("test_random_input");
  QVERIFY2(blocks.isEmpty(), qPrintable(blocks.join(QLatin1Char('\n'))));
}

static int runWatched(int argc, char** argv)
{
  return runInApplication<WatchedApplication>(argc, argv, [&] {
    TestRandomInput test;
    return QTest::qExec(&test, argc, argv);
  });
}

HINESIGHT_TEST_RUN(runWatched)
#include "test_random_input.moc"
