#include "app/plasticity_controller.hpp"

#include "app/plasticity_page.hpp"
#include "app/plasticity_panel.hpp"

namespace hinesight::app {

PlasticityController::PlasticityController(JobRunner* runner, PlasticityPage* page, PlasticityPanel* panel,
                                           QObject* parent)
    : QObject(parent)
{
  page->setRequest(panel->request());
  connect(panel, &PlasticityPanel::edited, this, [page, panel] { page->setRequest(panel->request()); });
  connect(runner, &JobRunner::devicesFound, panel, &PlasticityPanel::setDevices);
  connect(runner, &JobRunner::started, this, [runner, page] {
    if (runner->isBenchmarking())
      page->pause();
  });
}

} // namespace hinesight::app
