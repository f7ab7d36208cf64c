#include "core/device.hpp"

#include "core/error.hpp"
#include "test_main.hpp"

#include <QTest>

#include <limits>
#include <vector>

using namespace hinesight;

class TestDevice : public QObject
{
  Q_OBJECT

private slots:
  void formatsBytesWithThreeDigits_data()
  {
    QTest::addColumn<qulonglong>("bytes");
    QTest::addColumn<QString>("expected");
    QTest::newRow("0") << 0ULL << "0 B";
    QTest::newRow("999") << 999ULL << "999 B";
    QTest::newRow("1000") << 1000ULL << "1.00 kB";
    QTest::newRow("1234") << 1234ULL << "1.23 kB";
    QTest::newRow("just below 10 kB") << 9'994ULL << "9.99 kB";
    QTest::newRow("rounds up to 10 kB") << 9'996ULL << "10.0 kB";
    QTest::newRow("12 kB") << 12'345ULL << "12.3 kB";
    QTest::newRow("rounds up to 100 kB") << 99'960ULL << "100 kB";
    QTest::newRow("310 MB") << 310'000'000ULL << "310 MB";
    QTest::newRow("just below 1 MB") << 999'499ULL << "999 kB";
    QTest::newRow("rounds up to 1 MB") << 999'500ULL << "1.00 MB";
    QTest::newRow("1.5 GB") << 1'500'000'000ULL << "1.50 GB";
    QTest::newRow("all") << std::numeric_limits<qulonglong>::max() << "18.4 EB";
  }
  void formatsBytesWithThreeDigits()
  {
    QFETCH(qulonglong, bytes);
    QFETCH(QString, expected);
    QCOMPARE(QString::fromStdString(formatBytes(bytes)), expected);
  }

  void refusesMoreMemoryThanThereIs()
  {
    QVERIFY(availableMemoryBytes() > 0);
    requireMemory(1, "A byte");
    try {
      requireMemory(std::numeric_limits<std::size_t>::max(), "Everything");
      QFAIL("did not throw");
    } catch (const Error& error) {
      QVERIFY(error.code() == ErrorCode::OutOfMemory);
      QVERIFY(error.message().find("Everything needs 18.4 EB") != std::string::npos);
    }
  }

  void takesWhatFitsAGpu()
  {
    requireDeviceMemory(1'000, 8'000'000, 8'000'000);
    requireDeviceMemory(0, 0, 0);
  }

  void saysHowManyNeuronsWouldFitAGpu()
  {
    try {
      requireDeviceMemory(1'000, 8'000'000, 2'000'000);
      QFAIL("It should not fit.");
    } catch (const Error& error) {
      QCOMPARE(error.code(), ErrorCode::OutOfMemory);
      QCOMPARE(std::string(error.what()),
               std::string("1000 neurons need 8.00 MB of the GPU's memory, of which 2.00 MB are "
                           "free; choose at most 250 neurons, or the CPU backend."));
    }
  }

  void namesTheProcessor() { QVERIFY(!processorName().empty()); }

  void saysWhichFileNeedsTheMemory()
  {
    try {
      requireMemory(std::numeric_limits<std::size_t>::max(), "The table", "weights.h5");
      QFAIL("did not throw");
    } catch (const Error& error) {
      QCOMPARE(error.file(), std::string("weights.h5"));
      QVERIFY(QString(error.what()).startsWith("weights.h5: The table needs "));
    }
  }

  void putsTheMainDeviceFirst()
  {
    const auto order = [](const std::vector<int>& indices, int main) {
      std::vector<DeviceInfo> devices(indices.size());
      for (std::size_t k = 0; k < indices.size(); ++k)
        devices[k].index = indices[k];
      std::vector<int> ordered;
      for (const DeviceInfo& device : mainFirst(devices, main))
        ordered.push_back(device.index);
      return ordered;
    };
    QVERIFY(order({0, 1, 2, 3}, 2) == (std::vector{2, 0, 1, 3}));
    QVERIFY(order({0, 1}, 0) == (std::vector{0, 1}));
    QVERIFY(order({0, 2, 3}, 1) == (std::vector{0, 2, 3})); // one of no use is not among them
    QVERIFY(order({0, 2, 3}, 3) == (std::vector{3, 0, 2}));
    QVERIFY(order({}, 1).empty());
  }

  void changesTheMainDeviceForAScope()
  {
    const int before = mainCudaDevice();
    {
      const MainCudaDeviceScope outer(1);
      {
        const MainCudaDeviceScope inner(7);
        QCOMPARE(mainCudaDevice(), 7);
      }
      QCOMPARE(mainCudaDevice(), 1);
      if (const auto devices = cudaDevices(); devices.size() > 1)
        QCOMPARE(devices.front().index, 1);
    }
    QCOMPARE(mainCudaDevice(), before);
  }

  void saysWhenThereIsNoDevice()
  {
    const auto devices = cudaDevices();
    if (!devices.empty()) {
      requireCudaDevice();
      QVERIFY(cudaCompiled());
      for (const DeviceInfo& device : devices) {
        QVERIFY(!device.model.name.empty());
        QVERIFY(device.model.memoryBytes >= device.freeBytes);
        QVERIFY(device.model.multiprocessors > 0);
      }
      return;
    }
    try {
      requireCudaDevice();
      QFAIL("did not throw");
    } catch (const Error& error) {
      QVERIFY(error.code() == ErrorCode::NoDevice);
      QVERIFY(error.message().find("choose the CPU backend") != std::string::npos);
    }
    QVERIFY_EXCEPTION_THROWN(measureCopyBandwidth(), Error);
  }
};

HINESIGHT_TEST(TestDevice)
#include "test_device.moc"
