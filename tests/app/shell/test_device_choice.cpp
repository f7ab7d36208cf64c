#include "app/app_fixture.hpp"
#include "app/jobs/device_report.hpp"
#include "app/jobs/jobs.hpp"
#include "app/pages/page_host.hpp"
#include "app/plasticity/plasticity_runner.hpp"
#include "app/simulation/simulation_runner.hpp"
#include "app/window_fixture.hpp"
#include "core/device_model.hpp"
#include "study/simulation/simulation_model.hpp"
#include "test_main.hpp"

#include <QAction>
#include <QLabel>
#include <QMenu>
#include <QSemaphore>
#include <QSettings>
#include <QThread>
#include <QtTest>

#include <optional>
#include <utility>
#include <vector>

using namespace hinesight;
using namespace hinesight::app;

namespace {

/// A machine with GPUs of these models, and whatever else it has.
DeviceReport machineWith(const std::vector<Gpu>& gpus)
{
  DeviceReport report;
  report.processor = "A processor";
  report.threads = 4;
  for (const Gpu gpu : gpus) {
    DeviceInfo device;
    device.index = static_cast<int>(report.cudaDevices.size());
    device.model = knownDevice(gpu).model;
    report.cudaDevices.push_back(device);
  }
  return report;
}

/// The main GPU of a job that begins now.
int gpuOfNextJob(Jobs& jobs)
{
  std::optional<int> gpu;
  jobs.submit(
      JobKind{.name = "which GPU"}, [](const JobContext&) { return mainCudaDevice(); }, [&](int main) { gpu = main; });
  if (!QTest::qWaitFor([&] { return gpu.has_value(); }, kPatience))
    qFatal("no job was done");
  return *gpu;
}

} // namespace

/// Machines of several GPUs, made up: no GPU is needed.
class TestDeviceChoice : public QObject, WindowFixture
{
  Q_OBJECT

private slots:
  void init()
  {
    QSettings().clear();
    openWindow();
  }
  void cleanup() { window.reset(); }

  void offersNothingWhereThereIsOneGpu()
  {
    findOut(machineWith({Gpu::H200}));
    QVERIFY(!window->findChild<QAction*>("gpu0Action"));
    QCOMPARE(deviceLabel(), QStringLiteral("NVIDIA H200"));
    findOut(machineWith({Gpu::H200, Gpu::H200}));
    QVERIFY(window->findChild<QAction*>("gpu1Action"));
    findOut(machineWith({Gpu::H200}));
    QVERIFY(!window->findChild<QAction*>("gpu1Action"));
  }

  void takesAGpuByMouse()
  {
    findOut(machineWith({Gpu::H200, Gpu::H200}));
    const auto* first = find<QAction>("gpu0Action");
    const auto* second = find<QAction>("gpu1Action");
    QCOMPARE(first->text(), QStringLiteral("GPU 0: NVIDIA H200, 151 GB"));
    QVERIFY2(second->toolTip().contains(QStringLiteral("151 GB")), qPrintable(second->toolTip()));
    QVERIFY(first->isChecked() && !second->isChecked());
    QCOMPARE(deviceLabel(), QStringLiteral("GPU 0: NVIDIA H200"));
    QCOMPARE(gpuOfNextJob(window->jobs()), 0);
    clickInMenu("gpu1Action");
    QVERIFY(!first->isChecked() && second->isChecked());
    QCOMPARE(deviceLabel(), QStringLiteral("GPU 1: NVIDIA H200"));
    QCOMPARE(gpuOfNextJob(window->jobs()), 1);
  }

  void takesAGpuByItsLetters()
  {
    findOut(machineWith({Gpu::H200, Gpu::T4}));
    for (const auto& [key, modifier] : {std::pair(Qt::Key_K, Qt::ControlModifier), std::pair(Qt::Key_R, Qt::NoModifier),
                                        std::pair(Qt::Key_B, Qt::NoModifier), std::pair(Qt::Key_4, Qt::NoModifier)})
      QTest::keyClick(window.get(), key, modifier);
    QTRY_VERIFY(find<QAction>("gpu1Action")->isChecked());
    QVERIFY(deviceLabel().startsWith(QStringLiteral("GPU 1: ")));
  }

  void remembersTheGpu()
  {
    findOut(machineWith({Gpu::H200, Gpu::H200, Gpu::T4}));
    clickInMenu("gpu1Action");
    window.reset();
    openWindow();
    findOut(machineWith({Gpu::H200, Gpu::H200, Gpu::T4}));
    QVERIFY(find<QAction>("gpu1Action")->isChecked());
    QCOMPARE(deviceLabel(), QStringLiteral("GPU 1: NVIDIA H200"));
    // Another one has that number: it is not the one that was chosen.
    findOut(machineWith({Gpu::H200, Gpu::T4}));
    QVERIFY(find<QAction>("gpu0Action")->isChecked());
    QCOMPARE(deviceLabel(), QStringLiteral("GPU 0: NVIDIA H200"));
    findOut(machineWith({Gpu::H200, Gpu::H200}));
    QVERIFY(find<QAction>("gpu1Action")->isChecked());
  }

  /// A job that waits in the pauses of a long one has the choice of its time; the long one keeps its own.
  void whatRunsKeepsItsGpu()
  {
    window.reset();
    QSemaphore begun;
    std::optional<int> before, after;
    Jobs jobs;
    jobs.submit(
        JobKind{.name = "long", .isLong = true},
        [&](const JobContext& context) {
          before = mainCudaDevice();
          begun.release();
          while (!context.letOthersRun()) {
            context.control().checkpoint();
            QThread::yieldCurrentThread();
          }
          after = mainCudaDevice();
        },
        [] {});
    QVERIFY(begun.tryAcquire(1, kPatience));
    jobs.setGpu(1);
    QCOMPARE(gpuOfNextJob(jobs), 1);
    QVERIFY(QTest::qWaitFor([&] { return jobs.isIdle(); }, kPatience));
    QVERIFY(before == 0 && after == 0);
    QCOMPARE(gpuOfNextJob(jobs), 1);
  }

  /// What is in the memory of one GPU is of no use on another.
  void aModelThatGrowsStaysWhereItBegan()
  {
    window.reset();
    Jobs jobs;
    PlasticityRunner runner(&jobs);
    runner.run({}, 1);
    QVERIFY(QTest::qWaitFor([&] { return !runner.isRunning(); }, kPatience));
    jobs.setGpu(1);
    QCOMPARE(gpuOfModel(runner), 0);
    runner.run({}, 1);
    QVERIFY(QTest::qWaitFor([&] { return !runner.isRunning(); }, kPatience));
    QCOMPARE(gpuOfModel(runner), 0);
    runner.reset();
    runner.run({}, 1);
    QVERIFY(QTest::qWaitFor([&] { return !runner.isRunning(); }, kPatience));
    QCOMPARE(gpuOfModel(runner), 1);
  }

  void aSimulationStaysWhereItBegan()
  {
    window.reset();
    Jobs jobs;
    SimulationRunner runner(&jobs);
    connect(&runner, &SimulationRunner::opened, &runner, &SimulationRunner::setModel);
    QSignalSpy opened(&runner, &SimulationRunner::opened);
    study::SimulationRequest request;
    request.file = study::sampleModels().front().path;
    runner.open(request);
    QVERIFY(opened.count() == 1 || opened.wait(kPatience));
    runner.run(1);
    QVERIFY(QTest::qWaitFor([&] { return !runner.isRunning(); }, kPatience));
    jobs.setGpu(1);
    QCOMPARE(gpuOfRun(runner), 0);
    runner.reset();
    runner.run(1);
    QVERIFY(QTest::qWaitFor([&] { return !runner.isRunning(); }, kPatience));
    QCOMPARE(gpuOfRun(runner), 1);
  }

private:
  void openWindow()
  {
    QVERIFY(showWindow());
    QVERIFY(QTest::qWaitFor([this] { return !deviceLabel().isEmpty(); }, kPatience)); // those of this machine are known
  }
  void findOut(const DeviceReport& report) const { emit window->findChild<PageHost*>()->devicesFound(report); }
  QString deviceLabel() const { return find<QLabel>("deviceLabel")->text(); }

  void clickInMenu(const char* name) const
  {
    auto* action = find<QAction>(name);
    auto* menu = qobject_cast<QMenu*>(find<QAction>("cpuBackendAction")->parent());
    QVERIFY(menu);
    menu->popup(window->mapToGlobal(QPoint(60, 60)));
    QVERIFY(QTest::qWaitForWindowExposed(menu));
    QTest::mouseClick(menu, Qt::LeftButton, {}, menu->actionGeometry(action).center());
    QTRY_VERIFY(!menu->isVisible());
  }

  static int gpuOfModel(PlasticityRunner& runner)
  {
    std::optional<int> gpu;
    bool isDone = false;
    runner.borrow([&](const synapse::PlasticityModel&, const RunControl&) { gpu = mainCudaDevice(); },
                  [&] { isDone = true; });
    if (!QTest::qWaitFor([&] { return isDone; }, kPatience))
      qFatal("there is no model");
    return *gpu;
  }
  static int gpuOfRun(SimulationRunner& runner)
  {
    std::optional<int> gpu;
    bool isDone = false;
    runner.borrow([&](const study::LiveSimulation&, const RunControl&) { gpu = mainCudaDevice(); },
                  [&] { isDone = true; });
    if (!QTest::qWaitFor([&] { return isDone; }, kPatience))
      qFatal("there is no run");
    return *gpu;
  }
};

HINESIGHT_TEST_RUN(runWindowTest<TestDeviceChoice>)
#include "test_device_choice.moc"
