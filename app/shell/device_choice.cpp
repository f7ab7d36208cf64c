#include "app/shell/device_choice.hpp"

#include "app/document/document.hpp"
#include "app/jobs/jobs.hpp"
#include "app/pages/page_host.hpp"
#include "app/projection/projection_controller.hpp"
#include "app/shell/bars/status_panel.hpp"
#include "app/shell/frame/window_tabs.hpp"
#include "app/shell/main_menus.hpp"
#include "app/simulation/simulation_controller.hpp"
#include "app/synapses/formation_controller.hpp"

#include <optional>

namespace hinesight::app {

DeviceChoice::DeviceChoice(const Parts& ofWindow, QObject* parent) : QObject(parent), parts(ofWindow)
{
  MainMenus* menus = parts.menus;
  connect(menus, &MainMenus::backendRequested, this, &DeviceChoice::chooseBackend);
  connect(menus, &MainMenus::backendsShown, this, &DeviceChoice::showBackend);
  connect(menus, &MainMenus::gpuRequested, this, [this](const DeviceInfo& gpu) {
    keepChosenGpu(gpu);
    parts.jobs->setGpu(gpu.index);
    parts.status->showChosenGpu();
  });
  connect(parts.host, &PageHost::devicesFound, menus, [menus](const DeviceReport& report) {
    menus->setCuda(QString::fromStdString(report.whyNoCuda));
    menus->setGpus(chosenFirst(report.cudaDevices));
  });
}

void DeviceChoice::findDevices()
{
  parts.jobs->submit(
      JobKind{.name = "devices", .isQuiet = true},
      [jobs = parts.jobs](const JobContext&) {
        DeviceReport report = app::findDevices();
        if (!report.cudaDevices.empty())
          jobs->setGpu(report.cudaDevices.front().index); // of jobs that wait already
        return report;
      },
      [this](const DeviceReport& report) { emit parts.host->devicesFound(report); });
}

void DeviceChoice::setBackend(Backend backend)
{
  study::CellParameters cells = parts.host->parts.parameters();
  cells.solve.backend = backend;
  emit parts.host->backendChosen(backend);
  emit parametersWanted(cells);
}

/// What is seen is made there at once; a model of plasticity that runs is asked about.
void DeviceChoice::chooseBackend(Backend backend)
{
  setBackend(backend);
  const Tab& tab = parts.tabs->current();
  if (tab.runs != io::RunKind::Growth && tab.mismatch && !tab.mismatch().text.isEmpty())
    tab.takeFields();
}

/// Benchmarks compare backends, and have none.
void DeviceChoice::showBackend()
{
  const Backend ofCells = parts.host->parts.parameters().solve.backend;
  const auto grows = parts.document->project().grow;
  const bool isOne = parts.tables->request().compute.backend == ofCells &&
                     parts.formations->request().formation.backend == ofCells &&
                     (!grows || grows->model.backend == ofCells) && parts.simulations->request().run.backend == ofCells;
  parts.menus->setBackend(isOne ? std::optional(ofCells) : std::nullopt);
}

} // namespace hinesight::app
