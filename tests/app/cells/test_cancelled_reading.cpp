#include "app/app_fixture.hpp"
#include "app/cells/cell_controller.hpp"
#include "app/cells/cell_list_model.hpp"
#include "app/shell/bars/question_bar.hpp"
#include "app/window_fixture.hpp"
#include "test_main.hpp"

#include <QLabel>
#include <QtTest>

#include <algorithm>
#include <utility>

using namespace hinesight;
using namespace hinesight::app;

/// Many files of which a person wants no more, in the real main window.
class TestCancelledReading : public QObject, WindowFixture
{
  Q_OBJECT

  static constexpr int kFiles = 800;
  QTemporaryDir folder;

  /// A long unbranched cell: it takes a while to read.
  void writeFiles() const
  {
    QByteArray text = "1 1 0 0 0 5 -1\n";
    for (int sample = 2; sample <= 5'000; ++sample)
      text += QByteArray::number(sample) + " 3 " + QByteArray::number(sample) + " 0 0 1 " +
              QByteArray::number(sample - 1) + "\n";
    for (int k = 0; k < kFiles; ++k) {
      QFile file(folder.filePath(QStringLiteral("cell%1.swc").arg(k)));
      QVERIFY(file.open(QIODevice::WriteOnly));
      file.write(text);
    }
  }
  int readCells() const
  {
    return static_cast<int>(std::ranges::count_if(window->cells().cells(),
                                                  [](const OpenCell& cell) { return cell.morphology != nullptr; }));
  }

private slots:
  void whatWasReadIsShown()
  {
    QVERIFY(folder.isValid());
    writeFiles();
    QVERIFY(showWindow());
    bool isCancelled = false; // once: what was read is a job of its own
    const auto connection = connect(
        &window->jobs(), &Jobs::progressed, this, [&](const JobKind& kind, const QString& stage, double fraction) {
          if (kind == kCells && stage == QLatin1String("read") && fraction > 0 && !std::exchange(isCancelled, true))
            window->jobs().cancel();
        });
    window->openFiles({folder.path()});
    QTRY_VERIFY_WITH_TIMEOUT(!window->isOpening() && readCells() > 0, kPatience);
    disconnect(connection);
    QVERIFY(waitForJobs());
    const int read = readCells();
    QVERIFY2(read < kFiles, qPrintable(QString::number(read)));
    QCOMPARE(window->cells().rowCount(), kFiles);
    QTRY_COMPARE_WITH_TIMEOUT(window->scene() ? static_cast<int>(window->scene()->cells.size()) : 0, read, kPatience);
    const auto* question = find<QLabel>("mismatchText");
    QTRY_VERIFY2(question->text().contains(QString::number(kFiles - read)), qPrintable(question->text()));
    click("mismatchAgree");
    QVERIFY(waitForJobs());
    QCOMPARE(readCells(), kFiles);
    QTRY_COMPARE_WITH_TIMEOUT(static_cast<int>(window->scene()->cells.size()), kFiles, kPatience);
    QVERIFY(!find<QWidget>("mismatchBar")->isVisible());
  }
  void cleanupTestCase() { window.reset(); }
};

HINESIGHT_TEST_RUN(runWindowTest<TestCancelledReading>)

#include "test_cancelled_reading.moc"
