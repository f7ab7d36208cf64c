#include "core/device.hpp"
#include "core/device_model.hpp"
#include "test_main.hpp"

#include <QTest>

#include <set>
#include <string>

using namespace hinesight;

namespace {

std::vector<Gpu> knownGpus()
{
  std::vector<Gpu> gpus;
  for (std::size_t k = 1; k < tableOf(Gpu::Here).size(); ++k)
    gpus.push_back(static_cast<Gpu>(k));
  return gpus;
}

} // namespace

class TestDeviceModel : public QObject
{
  Q_OBJECT

private slots:
  void everyKnownModelIsComplete()
  {
    QCOMPARE(knownGpus().size(), std::size_t{12});
    for (const Gpu gpu : knownGpus()) {
      const auto& [model, source, isChecked] = knownDevice(gpu);
      const char* const name = model.name.c_str();
      QVERIFY2(model.name.starts_with("NVIDIA "), name);
      QVERIFY2(source.size() > 20 && source.find("20") != std::string_view::npos, name); // a document and its year
      QVERIFY2(model.multiprocessors >= 20 && model.multiprocessors <= 200, name);
      QVERIFY2(model.clock > 1e9 && model.clock < 3e9, name);
      QVERIFY2(model.bandwidth > 2e11 && model.bandwidth <= 8e12, name);
      QVERIFY2(model.l2Bytes >= (std::size_t{3} << 20) && model.l2Bytes < (std::size_t{130} << 20), name);
      QVERIFY2(model.memoryBytes >= (std::size_t{8} << 30), name);
      QVERIFY2(model.doublesPerClock() >= 2 && model.singlesPerClock() >= 64, name);
      // Predictions were compared with measurements on these.
      QCOMPARE(isChecked, gpu == Gpu::H100 || gpu == Gpu::H200);
      QCOMPARE(isPredictionChecked(model), isChecked);
    }
  }

  void sizesFollowFromTheCapability()
  {
    for (const Gpu gpu : knownGpus()) {
      const DeviceModel& model = knownDevice(gpu).model;
      const char* const name = model.name.c_str();
      const int capability = model.capability;
      QVERIFY2(std::set({75, 80, 86, 89, 90, 100, 120}).contains(capability), name);
      QCOMPARE(model.registersPerMultiprocessor, 65'536);
      QCOMPARE(model.threadsPerMultiprocessor, capability == 75                                            ? 1024
                                               : capability == 80 || capability == 90 || capability == 100 ? 2048
                                                                                                           : 1536);
      QCOMPARE(model.sharedBytesPerBlock + model.reservedSharedBytes, model.sharedBytesPerMultiprocessor);
      const std::size_t kilobytes = model.sharedBytesPerBlock >> 10;
      QCOMPARE(kilobytes, capability == 75                        ? std::size_t{64}
                          : capability == 80                      ? std::size_t{163}
                          : capability == 90 || capability == 100 ? std::size_t{227}
                                                                  : std::size_t{99});
      QCOMPARE(model.hasClusters(), capability >= 90);
    }
  }

  void namesAreUniqueAndFound()
  {
    std::set<std::string> names;
    std::set<std::string_view> choices;
    for (const Gpu gpu : knownGpus()) {
      const std::string& name = knownDevice(gpu).model.name;
      QVERIFY2(names.insert(name).second, name.c_str());
      QVERIFY(choices.insert(tableOf(gpu)[static_cast<std::size_t>(gpu)].name).second);
      QVERIFY(knownDeviceNamed(name) == gpu);
    }
    QVERIFY(knownDeviceNamed("NVIDIA H100 80GB HBM3") == Gpu::H100);
    QVERIFY(knownDeviceNamed("NVIDIA GeForce RTX 3060") == Gpu::Rtx3060);
    QVERIFY(!knownDeviceNamed("NVIDIA H1000"));
    QVERIFY(!knownDeviceNamed("NVIDIA GeForce GTX 1080"));
    QVERIFY(!knownDeviceNamed(""));
  }

  void aLimitTakesTheSmaller()
  {
    const DeviceModel& large = knownDevice(Gpu::H200).model;
    const DeviceModel& small = knownDevice(Gpu::T4).model;
    DeviceModel asSmall = limited(large, small);
    QCOMPARE(asSmall.name, std::string("NVIDIA H200 limited to NVIDIA T4"));
    QVERIFY(!isPredictionChecked(asSmall));
    QCOMPARE(asSmall.capability, 75);
    QCOMPARE(asSmall.multiprocessors, 40);
    QCOMPARE(asSmall.sharedBytesPerBlock, std::size_t{64} << 10);
    QCOMPARE(asSmall.l2Bytes, small.l2Bytes);
    QCOMPARE(asSmall.memoryBytes, small.memoryBytes);
    QCOMPARE(asSmall.bandwidth, small.bandwidth);
    QCOMPARE(asSmall.clock, small.clock);
    // A larger limit changes nothing but the name.
    DeviceModel asLarge = limited(small, large);
    asLarge.name = small.name;
    QCOMPARE(asLarge, small);
    // An RTX 4090 is faster than an A100 in one thing and slower in another.
    const DeviceModel both = limited(knownDevice(Gpu::Rtx4090).model, knownDevice(Gpu::A100).model);
    QCOMPARE(both.multiprocessors, 108);
    QCOMPARE(both.memoryBytes, knownDevice(Gpu::Rtx4090).model.memoryBytes);
    QCOMPARE(both.capability, 80);
  }

  void aDeviceSaysWhatItCanDo()
  {
    QVERIFY(pathsText(knownDevice(Gpu::H100).model).starts_with("clusters of blocks"));
    QVERIFY(pathsText(knownDevice(Gpu::Rtx3060).model).starts_with("asynchronous copies"));
    QVERIFY(pathsText(knownDevice(Gpu::T4).model).starts_with("plain copies"));
    QCOMPARE(sizesText(knownDevice(Gpu::H200).model),
             std::string("227 KB of shared memory a block, 228 KB a multiprocessor, 60 MB of L2, 4800 GB/s to memory"));
    DeviceInfo here;
    here.model = knownDevice(Gpu::H100).model;
    here.codeCapability = 90;
    here.isCodeNative = true;
    QCOMPARE(codeText(here), std::string("native code for 9.0"));
    QVERIFY(pathsText(here).starts_with("clusters of blocks"));
    here.codeCapability = 80;
    here.isCodeNative = false;
    QCOMPARE(codeText(here), std::string("PTX 8.0, which the driver compiles"));
    QVERIFY(pathsText(here).starts_with("asynchronous copies"));
    here.codeCapability = 90; // of a larger GPU that counts as a T4
    here.model = limited(here.model, knownDevice(Gpu::T4).model);
    QVERIFY(pathsText(here).starts_with("asynchronous copies"));
    DeviceInfo old;
    old.model.name = "NVIDIA GeForce GTX 1080";
    old.model.capability = 61;
    QVERIFY(codeText(old).starts_with("NVIDIA GeForce GTX 1080 has compute capability 6.1, but "));
  }

  void modelsThatAreNotHereCanBePlannedFor()
  {
    QCOMPARE(planningDevice(Gpu::T4), knownDevice(Gpu::T4).model);
    QVERIFY(!isDeviceHere(Gpu::T4));
    QCOMPARE(isDeviceHere(Gpu::Here), !cudaDevices().empty());
  }
};

HINESIGHT_TEST(TestDeviceModel)
#include "test_device_model.moc"
