#include "app/app_fixture.hpp"
#include "app/cells/parameter_panel.hpp"
#include "app/document/command_texts.hpp"
#include "app/plasticity/plasticity_panel.hpp"
#include "app/projection/projection_panel.hpp"
#include "app/simulation/simulation_panel.hpp"
#include "app/synapses/formation_panel.hpp"
#include "core/device_model.hpp"
#include "test_main.hpp"

#include <QDoubleSpinBox>
#include <QtTest>

#include <string>

using namespace hinesight;
using namespace hinesight::app;

namespace {

/// A machine with so many GPUs, made up.
DeviceReport machineWith(int gpus)
{
  DeviceReport report;
  for (int index = 0; index < gpus; ++index) {
    DeviceInfo device;
    device.index = index;
    device.model = knownDevice(Gpu::H200).model;
    report.cudaDevices.push_back(device);
  }
  return report;
}

bool isHidden(const QWidget& panel, const char* row)
{
  const auto* found = panel.findChild<QWidget*>(QLatin1String(row));
  if (!found)
    qFatal("there is no row %s", row);
  return found->isHidden();
}

void type(const QWidget& panel, const char* spin, const char* text)
{
  auto* field = panel.findChild<QDoubleSpinBox*>(QLatin1String(spin));
  QVERIFY(field && field->isEnabled());
  field->setFocus();
  field->selectAll();
  QTest::keyClicks(field, QLatin1String(text));
  QTest::keyClick(field, Qt::Key_Return);
}

void show(QWidget& panel)
{
  panel.resize(400, 700);
  panel.show();
  QVERIFY(QTest::qWaitForWindowExposed(&panel));
}

bool has(const std::string& command, const char* option)
{
  return command.find(option) != std::string::npos;
}

} // namespace

class TestGpuFields : public QObject
{
  Q_OBJECT

private slots:
  void areThereWhereSeveralGpusAre()
  {
    FormationPanel formation;
    PlasticityPanel plasticity;
    ProjectionPanel projection;
    SimulationPanel simulation;
    ParameterPanel cells;
    const auto hidden = [&] {
      return isHidden(formation, "formationDevicesRow") + isHidden(plasticity, "plasticityDevicesRow") +
             isHidden(projection, "projectionDevicesRow") + isHidden(simulation, "simulationDevicesRow") +
             isHidden(cells, "devicesRow");
    };
    const auto take = [&](const DeviceReport& report) {
      formation.setDevices(report);
      plasticity.setDevices(report);
      projection.setDevices(report);
      simulation.setDevices(report);
      cells.setDevices(report);
    };
    QCOMPARE(hidden(), 5); // nobody knows yet
    take(machineWith(1));
    QCOMPARE(hidden(), 5);
    take(machineWith(2));
    QCOMPARE(hidden(), 0);
    QVERIFY(!formation.findChild<QWidget*>("formationDevicesRow")->isEnabled()); // on the CPU
    take(machineWith(0));
    QCOMPARE(hidden(), 5);
  }

  void aFormationTakesThem()
  {
    FormationPanel panel;
    panel.setDevices(machineWith(2));
    study::FormationRequest request;
    request.formation.backend = Backend::Cuda;
    panel.setRequest(request);
    show(panel);
    QSignalSpy edited(&panel, &FormationPanel::edited);
    type(panel, "formationDevicesSpin", "2");
    QCOMPARE(panel.request().formation.devices, 2);
    QVERIFY(!edited.isEmpty());
    QVERIFY(has(formCommand(panel.request()), " --devices 2"));
    type(panel, "formationDevicesSpin", "all");
    QCOMPARE(panel.request().formation.devices, 0);
    // A session of a larger machine can be brought back to this one.
    panel.setDevices(machineWith(1));
    QVERIFY(!isHidden(panel, "formationDevicesRow"));
    type(panel, "formationDevicesSpin", "1");
    QCOMPARE(panel.request().formation.devices, 1);
    QVERIFY(isHidden(panel, "formationDevicesRow"));
  }

  void aGrowthTakesThem()
  {
    PlasticityPanel panel;
    panel.setDevices(machineWith(2));
    study::GrowthRequest request = panel.request();
    request.model.backend = Backend::Cuda;
    panel.setRequest(request);
    show(panel);
    type(panel, "plasticityDevicesSpin", "2");
    QCOMPARE(panel.request().model.devices, 2);
    QVERIFY(has(growCommand(panel.request(), 10), " --devices 2"));
  }

  void aProjectionTakesThem()
  {
    ProjectionPanel panel;
    panel.setDevices(machineWith(2));
    projection::PopulationParameters grid;
    grid.name = "a";
    panel.setPopulations({study::PopulationChoice(grid)});
    projection::ComputeParameters compute;
    compute.backend = Backend::Cuda;
    panel.setCompute(compute);
    show(panel);
    type(panel, "projectionDevicesSpin", "2");
    QCOMPARE(panel.request().compute.devices, 2);
    QVERIFY(has(projectCommand(panel.request()), " --devices 2"));
  }
};

HINESIGHT_TEST_RUN(runWindowTest<TestGpuFields>)
#include "test_gpu_fields.moc"
