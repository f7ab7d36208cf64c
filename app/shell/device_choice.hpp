#pragma once

#include "app/jobs/device_report.hpp"
#include "core/stage_timings.hpp"
#include "study/cells/parameters.hpp"

#include <QObject>

namespace hinesight::app {

class Document;
class FormationController;
class Jobs;
class MainMenus;
class PageHost;
class ProjectionController;
class SimulationController;
class StatusPanel;
class WindowTabs;

/// Where everything is computed that can be on either device: the GPUs of this machine, the one of them that a person
/// chose, and the backend of all pages.
class DeviceChoice : public QObject
{
  Q_OBJECT

public:
  struct Parts
  {
    Jobs* jobs;
    PageHost* host;
    const WindowTabs* tabs;
    const Document* document;
    const ProjectionController* tables;
    const FormationController* formations;
    const SimulationController* simulations;
    StatusPanel* status;
    MainMenus* menus;
  };

  DeviceChoice(const Parts& parts, QObject* parent);

  /// By a job; the host tells what there is.
  void findDevices();
  /// Of all pages.
  void setBackend(Backend backend);

signals:
  /// The cells are to be solved there.
  void parametersWanted(const hinesight::study::CellParameters& parameters);

private:
  void chooseBackend(Backend backend);
  void showBackend();

  Parts parts;
};

} // namespace hinesight::app
