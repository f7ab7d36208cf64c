#include "core/device.hpp"
#include "core/error.hpp"
#include "core/memory_limits.hpp"
#include "test_main.hpp"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <sys/resource.h>

using namespace hinesight;

class TestMemoryLimits : public QObject
{
  Q_OBJECT

  QTemporaryDir dir;

  void put(const QString& name, const QByteArray& content)
  {
    const QString path = dir.filePath(name);
    QVERIFY(QDir().mkpath(QFileInfo(path).path()));
    QFile file(path);
    QVERIFY(file.open(QFile::WriteOnly));
    QCOMPARE(file.write(content), content.size());
  }

  std::size_t left(const std::string& groups, const char* root) const
  {
    return memoryLeftInGroups(groups, dir.filePath(root).toStdString());
  }

private slots:
  void takesTheLeastOfTheGroupsAround()
  {
    put("second/memory.max", "max\n");
    put("second/memory.current", "9000\n");
    put("second/job/memory.max", "5000\n");
    put("second/job/memory.current", "4500\n");
    put("second/job/memory.stat", "anon 3000\ninactive_file 1000\nactive_file 500\n");
    put("second/job/step/memory.max", "2000\n");
    put("second/job/step/memory.current", "100\n");
    put("second/full/memory.max", "2000\n");
    put("second/full/memory.current", "2100\n");
    QCOMPARE(left("0::/job\n", "second"), 1500U);      // 5,000 - 4,500, and 1,000 of files
    QCOMPARE(left("0::/job/step\n", "second"), 1500U); // 1,900 by itself
    QCOMPARE(left("0::/full\n", "second"), 0U);
    QCOMPARE(left("0::/\n", "second"), kUnlimited);
  }

  void takesTheGroupOfMemoryAlone()
  {
    put("first/memory/memory.limit_in_bytes", "9223372036854771712\n"); // what means: no limit
    put("first/memory/memory.usage_in_bytes", "7000\n");
    put("first/memory/slurm/memory.limit_in_bytes", "6000\n");
    put("first/memory/slurm/memory.usage_in_bytes", "5000\n");
    put("first/memory/slurm/memory.stat", "cache 300\ninactive_file 1\ntotal_inactive_file 200\n");
    put("first/slurm/memory.limit_in_bytes", "1\n");
    put("first/slurm/memory.usage_in_bytes", "0\n");
    QCOMPARE(left("9:name=systemd:/slurm\n4:cpuset,memory:/slurm\n3:cpuset:/slurm\n", "first"), 1200U);
    QVERIFY(left("4:memory:/\n", "first") > 1'000'000'000U);
    QCOMPARE(left("3:cpuset:/slurm\n", "first"), kUnlimited);
  }

  void takesTheTopOneWhereThePathLeadsNowhere()
  {
    put("container/memory.max", "800\n");
    put("container/memory.current", "300\n");
    QCOMPARE(left("0::/docker/af01\n", "container"), 500U);
    QCOMPARE(left("0::/../other\n", "container"), 500U);
  }

  void findsNoLimitInOtherTexts()
  {
    for (const char* const text : {"", "\n", ":", "::", "0", "0:memory", "x:memory:y:z\n\n:::::"})
      QCOMPARE(left(text, "nowhere"), kUnlimited);
  }

  void refusesWhatTheAddressesDoNotHold()
  {
    rlimit before{};
    QCOMPARE(getrlimit(RLIMIT_AS, &before), 0);
    QFile statm("/proc/self/statm");
    QVERIFY(statm.open(QFile::ReadOnly));
    const rlim_t mapped = statm.readAll().split(' ').front().toULongLong() * 4096;
    rlimit limited = before;
    limited.rlim_cur = mapped + (rlim_t{1} << 30);
    QCOMPARE(setrlimit(RLIMIT_AS, &limited), 0);
    const std::size_t available = availableMemoryBytes();
    bool refused = false;
    try {
      requireMemory(std::size_t{2} << 30, "A table");
    } catch (const Error& error) {
      refused = error.code() == ErrorCode::OutOfMemory;
    }
    QCOMPARE(setrlimit(RLIMIT_AS, &before), 0);
    QVERIFY(available <= std::size_t{1} << 30);
    QVERIFY(refused);
  }
};

HINESIGHT_TEST(TestMemoryLimits)

#include "test_memory_limits.moc"
