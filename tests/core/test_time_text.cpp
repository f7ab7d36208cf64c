#include "core/time_text.hpp"
#include "test_main.hpp"

#include <QTemporaryDir>
#include <QtTest>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>

using namespace hinesight;

class TestTimeText : public QObject
{
  Q_OBJECT

private slots:
  void timesAreInUtcWithMilliseconds()
  {
    using Time = std::chrono::system_clock::time_point;
    QCOMPARE(timeText(Time()), std::string("1970-01-01T00:00:00.000Z"));
    QCOMPARE(timeText(Time(std::chrono::milliseconds(1'772'368'496'789))), std::string("2026-03-01T12:34:56.789Z"));
    QCOMPARE(timeText(Time(std::chrono::milliseconds(-1))), std::string("1969-12-31T23:59:59.999Z"));
  }

  void aFileHasTheTimeOfItsLastWrite()
  {
    const QTemporaryDir folder;
    const std::filesystem::path file = folder.filePath("a.swc").toStdString();
    std::ofstream(file) << "1 1 0 0 0 5 -1\n";
    const std::string before = modificationTime(file);
    QCOMPARE(before.size(), std::string("2026-03-01T12:34:56.789Z").size());
    std::filesystem::last_write_time(file, std::filesystem::last_write_time(file) + std::chrono::hours(1));
    QVERIFY(modificationTime(file) > before);
    QVERIFY(modificationTime(folder.filePath("no such file").toStdString()).empty());
    QVERIFY(modificationTime(":/samples/stellate.swc").empty());
  }
};

HINESIGHT_TEST(TestTimeText)

#include "test_time_text.moc"
