#include "app/app_fixture.hpp"
#include "app/cells/cell_list_model.hpp"
#include "app/shell/bars/message_banner.hpp"
#include "app/typed_path.hpp"
#include "app/window_fixture.hpp"
#include "benchmark/window/busy_watch.hpp"
#include "morphology/swc.hpp"
#include "morphology/synthetic.hpp"
#include "test_main.hpp"
#include "widgets/cells/morphology/morphology_view.hpp"
#include "widgets/gl_test.hpp"
#include "widgets/theme.hpp"

#include <QAbstractItemView>
#include <QAction>
#include <QDialogButtonBox>
#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QFileDialog>
#include <QLabel>
#include <QMap>
#include <QRegularExpression>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QToolButton>
#include <QtTest>

#include <algorithm>
#include <array>
#include <filesystem>
#include <iterator>
#include <string>
#include <vector>

using namespace hinesight;
using namespace hinesight::app;

namespace {

constexpr int kCells = 1'000;
constexpr int kMost = 10'000 * tests::kSlowness; ///< ms to read and draw them, on kThreads cores
constexpr int kThreads = 2;
constexpr int kFolders = 20;                         ///< that they are in, at three depths
constexpr double kLeastInk = 0.01;                   ///< share of a picture that is not empty
constexpr double kBusy = kSilent * tests::kSlowness; ///< ms of an event, as test_gui_thread.cpp counts them
constexpr int kRuns = 4;                             ///< at most, in each of which the same is too long

/// What is no SWC file though it is called so, and what the window says of it.
struct Unreadable
{
  const char* name;
  QByteArray content;
  const char* reason;
};

const std::array<Unreadable, 5>& unreadableKinds()
{
  static const std::array<Unreadable, 5> kKinds = {{
      {"empty", {}, "the file is empty"},
      {"binary", QByteArray("\0\1\2\3\xff\xfe", 6), "binary data, not SWC"},
      {"picture", "\x89PNG\r\n\x1a\n", "a PNG image"},
      {"table", "name,length\nstellate,12\n", "2 fields, need 7"},
      {"page", "<html><body>404 Not Found</body></html>\n", "an HTML page, not SWC"},
  }};
  return kKinds;
}

constexpr int kOfEachKind = 2;
constexpr int kUnreadable = 5 * kOfEachKind;
constexpr int kFiles = kCells + kUnreadable;

QString number(int value)
{
  return widgets::formatNumber(value);
}

} // namespace

/// A folder of very many files, in the real main window.
class TestFolder : public QObject, WindowFixture
{
  Q_OBJECT

  QTemporaryDir folder;
  QElapsedTimer sinceOpened;
  QStringList progress; ///< what the status bar said on the way

  static WatchedApplication& application() { return *static_cast<WatchedApplication*>(qApp); }

  /// At one of three depths.
  QString folderOf(int file) const
  {
    const int place = file % kFolders;
    const QString path =
        folder.filePath(QStringLiteral("layer %1").arg(place) + QStringLiteral("/slice").repeated(place % 3));
    if (!QDir().mkpath(path))
      qFatal("cannot make %s", qPrintable(path));
    return path;
  }

  void writeCells() const
  {
    for (int k = 0; k < kCells; ++k) {
      morphology::SyntheticCellParameters parameters;
      parameters.kind =
          morphology::kSyntheticKinds[static_cast<std::size_t>(k) % std::size(morphology::kSyntheticKinds)];
      parameters.levels = 6;
      parameters.seed = static_cast<std::uint64_t>(k);
      const QString path = QStringLiteral("%1/cell_%2.swc").arg(folderOf(k)).arg(k);
      morphology::writeSwc(*morphology::makeSyntheticCell(parameters), std::filesystem::path(path.toStdString()));
    }
  }
  void writeUnreadable() const
  {
    int written = 0;
    for (const Unreadable& kind : unreadableKinds())
      for (int k = 0; k < kOfEachKind; ++k) {
        const QString name = QStringLiteral("%1_%2.swc").arg(QLatin1String(kind.name)).arg(k);
        QFile file(folderOf(++written) + QLatin1Char('/') + name);
        QVERIFY(file.open(QIODevice::WriteOnly));
        QCOMPARE(file.write(kind.content), kind.content.size());
      }
  }

  void useThreads(int threads)
  {
    study::CellParameters parameters = window->parameters();
    parameters.solve.threads = threads;
    window->setParameters(parameters);
    QVERIFY(waitForJobs());
  }

  /// By the menu's key and the dialog.
  void openFolder()
  {
    progress.clear();
    QTest::keyClick(window.get(), Qt::Key_O, Qt::ControlModifier | Qt::ShiftModifier);
    auto* dialog = find<QFileDialog>("openFolderDialog");
    QVERIFY(QTest::qWaitForWindowExposed(dialog));
    QTRY_VERIFY_WITH_TIMEOUT(typedPath(*dialog, folder.path()), kPatience);
    auto* open = dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Open);
    QTRY_VERIFY(open->isEnabled());
    sinceOpened.start();
    QTest::mouseClick(open, Qt::LeftButton);
  }

  /// Files that are read, as the status bar says it; 0: it does not.
  int filesReadInWords()
  {
    static const QRegularExpression kReading(QStringLiteral("^Reading files: ([\\d,]+) of %1").arg(number(kFiles)));
    const QString words = find<QLabel>("stageLabel")->text();
    if (!find<QWidget>("jobPanel")->isVisible())
      return 0;
    const int files = kReading.match(words).captured(1).remove(QLatin1Char(',')).toInt();
    if (files > 0)
      progress << words;
    return files;
  }

  widgets::MorphologyView& view() { return static_cast<widgets::MorphologyView&>(window->view(ViewKind::Morphology)); }

  /// The share of the picture that is not ground, without what lies over it.
  double inkOfPicture()
  {
    constexpr int kStep = 3;
    const QImage seen = view().canvas()->grabFramebuffer();
    int inked = 0;
    int all = 0;
    for (int y = 0; y < seen.height(); y += kStep)
      for (int x = 0; x < seen.width(); x += kStep, ++all)
        inked += test::distance(seen.pixelColor(x, y), widgets::theme().canvas) > 60 ? 1 : 0;
    return static_cast<double>(inked) / std::max(1, all);
  }

  /// Their names, in the order of the list.
  std::vector<std::string> readCells() const
  {
    std::vector<std::string> names;
    for (const OpenCell& cell : window->cells().cells())
      if (cell.morphology)
        names.push_back(cell.morphology->name);
    return names;
  }
  std::vector<std::string> drawnCells() const
  {
    std::vector<std::string> names;
    if (window->scene())
      for (const widgets::SceneCell& cell : window->scene()->cells)
        names.push_back(cell.name);
    return names;
  }
  int cellsWithErrors() const
  {
    return static_cast<int>(
        std::ranges::count_if(window->cells().cells(), [](const OpenCell& cell) { return cell.error.has_value(); }));
  }

  /// Opens the folder until all cells are drawn, and fills in what kept the window's thread busy meanwhile.
  void openWatched(QMap<QString, double>& busy)
  {
    openFolder();
    if (QTest::currentTestFailed())
      return;
    application().watchAnew(); // the dialog is Qt's
    const auto isDrawn = [this] {
      filesReadInWords();
      return view().geometry().placements.size() == static_cast<std::size_t>(kCells);
    };
    const bool isInTime = QTest::qWaitFor(isDrawn, kMost);
    QVERIFY2(isInTime, qPrintable(QStringLiteral("%1 cells are read").arg(readCells().size())));
    qInfo("%d files after %lld ms", kFiles, static_cast<long long>(sinceOpened.elapsed()));
    QVERIFY(waitForJobs());
    for (const Silence& silence : application().times().silences)
      if (const double own = silence.own - silence.drawing; own > kBusy)
        busy[silence.during] = std::max(busy.value(silence.during), own);
  }

  /// Each with its reason, in the list and above the views.
  void checkUnreadable()
  {
    QTest::mouseClick(find<QToolButton>("problemFilter"), Qt::LeftButton);
    const QAbstractItemModel& listed = *find<QAbstractItemView>("cellList")->model();
    QCOMPARE(listed.rowCount(), kUnreadable);
    const auto isOf = [&listed](const Unreadable& kind, int row) {
      const QString reason = listed.index(row, CellListModel::ProblemsColumn).data().toString();
      return listed.index(row, CellListModel::NameColumn).data().toString().startsWith(QLatin1String(kind.name)) &&
             reason.contains(QLatin1String(kind.reason));
    };
    for (const Unreadable& kind : unreadableKinds()) {
      int found = 0;
      for (int row = 0; row < kUnreadable; ++row)
        found += isOf(kind, row) ? 1 : 0;
      QVERIFY2(found == kOfEachKind, kind.name);
    }
    QTest::mouseClick(find<QToolButton>("problemFilter"), Qt::LeftButton);
    QCOMPARE(listed.rowCount(), kFiles);

    const auto* said = find<QLabel>("messageText");
    const QString first =
        QStringLiteral("%1 of the %2 open files could not be read:\n").arg(number(kUnreadable), number(kFiles));
    QVERIFY(said->isVisible());
    QTRY_VERIFY2(said->text().startsWith(first), qPrintable(said->text()));
    QCOMPARE(said->text().count(QLatin1Char('\n')), kUnreadable);
  }

private slots:
  void initTestCase()
  {
    QVERIFY(folder.isValid());
    writeCells();
    writeUnreadable();
  }
  void init()
  {
    QSettings().clear();
    QVERIFY(showWindow({1280, 720}));
    useThreads(kThreads);
  }
  void cleanup() { window.reset(); }

  void opensAThousandFiles()
  {
    QMap<QString, double> busy;
    openWatched(busy);
    if (QTest::currentTestFailed())
      return;
    QVERIFY2(!progress.isEmpty(), "the status bar does not say how many files are read");
    QCOMPARE(window->cells().rowCount(), kFiles);
    QCOMPARE(readCells().size(), static_cast<std::size_t>(kCells));
    QVERIFY(drawnCells() == readCells());
    QCOMPARE(window->runs().rowCount(), 1);
    const QString result = find<QLabel>("resultLabel")->text();
    QVERIFY2(result.contains(QStringLiteral(": %1 cells, ").arg(number(kCells))), qPrintable(result));
    const auto* header = view().findChild<QLabel*>(QStringLiteral("viewText"));
    QTRY_VERIFY_WITH_TIMEOUT(header->text().startsWith(QStringLiteral("%1 cells, ").arg(number(kCells))), kPatience);
    QTRY_VERIFY_WITH_TIMEOUT(inkOfPicture() > kLeastInk, kPatience);
    checkUnreadable();

    // What an event costs is the least of several runs: other programs take the caches away.
    for (int run = 1; run < kRuns && !busy.isEmpty() && !QTest::currentTestFailed(); ++run) {
      cleanup();
      init();
      QMap<QString, double> again;
      openWatched(again);
      busy.removeIf([&again](QMap<QString, double>::iterator event) { return !again.contains(event.key()); });
    }
    QStringList events;
    for (auto event = busy.cbegin(); event != busy.cend(); ++event)
      events << QStringLiteral("%1 ms by event %2").arg(event.value(), 0, 'f', 0).arg(event.key());
    QVERIFY2(events.isEmpty(), qPrintable(events.join(QLatin1Char('\n'))));
  }

  void staysConsistentWhenItIsCancelled_data()
  {
    QTest::addColumn<bool>("isByKey");
    QTest::newRow("Escape") << true;
    QTest::newRow("the button") << false;
  }

  void staysConsistentWhenItIsCancelled()
  {
    QFETCH(bool, isByKey);
    useThreads(1); // which gives a person time
    openFolder();
    if (QTest::currentTestFailed())
      return;
    window->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(window.get()));
    const QSignalSpy cancelled(&window->jobs(), &Jobs::cancelled);
    QVERIFY(QTest::qWaitFor([this] { return filesReadInWords() > 0; }, kPatience));
    if (isByKey)
      QTest::keyClick(window.get(), Qt::Key_Escape);
    else
      QTest::mouseClick(find<QToolButton>("cancelButton"), Qt::LeftButton);
    QCOMPARE(cancelled.count(), 1);
    const QString said = find<QLabel>("resultLabel")->text();
    QVERIFY2(said.startsWith(QStringLiteral("Cancelled")), qPrintable(said));
    QVERIFY(!find<QWidget>("jobPanel")->isVisible());

    // What was read is solved and drawn, and nothing else is said to be read.
    QTRY_VERIFY_WITH_TIMEOUT(!readCells().empty(), kPatience);
    QVERIFY(waitForJobs());
    const int read = static_cast<int>(readCells().size());
    const int errors = cellsWithErrors();
    QVERIFY2(read < kCells, qPrintable(QString::number(read)));
    QCOMPARE(window->cells().rowCount(), kFiles);
    QVERIFY(drawnCells() == readCells());
    QTRY_COMPARE_WITH_TIMEOUT(view().geometry().placements.size(), static_cast<std::size_t>(read), kPatience);
    QTRY_VERIFY_WITH_TIMEOUT(inkOfPicture() > kLeastInk, kPatience);
    const QStringList problems =
        find<MessageBanner>("messageBanner")->text().split(QLatin1Char('\n'), Qt::SkipEmptyParts);
    QCOMPARE(problems.size(), errors);
    QTRY_COMPARE(find<QLabel>("mismatchText")->text(),
                 QStringLiteral("Reading was cancelled: %1 of %2 cells are not read.")
                     .arg(number(kFiles - read - errors), number(kFiles)));
    QVERIFY(find<QLabel>("mismatchText")->isVisible());
    QTRY_VERIFY_WITH_TIMEOUT(window->jobs().isIdle(), kPatience);
    QVERIFY(!find<QWidget>("jobPanel")->isVisible());
    QVERIFY(!find<QAction>("cancelAction")->isEnabled());

    click("mismatchAgree");
    QVERIFY(waitForJobs());
    QCOMPARE(readCells().size(), static_cast<std::size_t>(kCells));
    QVERIFY(drawnCells() == readCells());
    QCOMPARE(cellsWithErrors(), kUnreadable);
    QTRY_VERIFY(!find<QLabel>("mismatchText")->isVisible());
  }
};

static int runWatched(int argc, char** argv)
{
  return runInApplication<WatchedApplication>(argc, argv, [&] {
    TestFolder test;
    return QTest::qExec(&test, argc, argv);
  });
}

HINESIGHT_TEST_RUN(runWatched)
#include "test_folder.moc"
