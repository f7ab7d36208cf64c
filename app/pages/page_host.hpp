#pragma once

#include "app/jobs/device_report.hpp"
#include "app/jobs/jobs.hpp"
#include "app/pages/view_kind.hpp"
#include "io/runs/run_record.hpp"
#include "study/cells/parameters.hpp"
#include "widgets/cells/scene.hpp"

#include <QMainWindow>
#include <QObject>
#include <QString>
#include <QWidget>

#include <functional>
#include <memory>

namespace hinesight::app {

class CellListModel;

/// The window as pages know it: what they may use of it, what it tells them, and what they tell it.
class PageHost : public QObject
{
  Q_OBJECT

public:
  struct Parts
  {
    QMainWindow* window;
    QWidget* area;   ///< parent of the pages
    QWidget* panels; ///< parent of their parameters' panels
    Jobs* jobs;
    CellListModel* cells;
    QWidget* cellParameters; ///< the panel of the cells' parameters, for pages that have none of their own
    std::function<const study::CellParameters&()> parameters;     ///< of the cells, as the fields say
    std::function<std::shared_ptr<const widgets::Scene>()> scene; ///< of the cells, as the views show them
    std::function<bool(ViewKind)> isShown;
    std::function<void()> runCells; ///< again
  };

  PageHost(Parts ofWindow, QObject* parent) : QObject(parent), parts(std::move(ofWindow)) {}

  const Parts parts;

  /// What another page made; null where there is none (yet).
  template <typename Made>
  Made* find() const
  {
    return parts.window->findChild<Made*>();
  }

  /// Passes on what the controller of a page tells.
  template <typename Controller>
  void listenTo(const Controller* controller)
  {
    connect(controller, &Controller::told, this, &PageHost::told);
    connect(controller, &Controller::failed, this, &PageHost::failed);
    connect(controller, &Controller::saved, this, &PageHost::saved);
    connect(controller, &Controller::questionChanged, this, &PageHost::questionChanged);
  }

signals:
  // Of the window.

  /// The devices of this machine are known.
  void devicesFound(const hinesight::app::DeviceReport& report);
  /// Other cells are open, or more is known of them.
  void cellsChanged();
  /// The views of the cells show something else, or the fields of their parameters say something else.
  void sceneChanged();
  /// Everything is to be computed there.
  void backendChosen(hinesight::Backend backend);
  void timingsToggled(bool areShown);

  // Of pages.

  /// The neurons or synapses that a page shows are others (Tab::network).
  void networkChanged();
  /// The area that a page awaited was drawn, or none is to be any more (Tab::awaitArea).
  void areaEnded();
  /// A run came to its end; `restore` brings its parameters back into the fields (RunTableModel::Restore).
  void ran(const hinesight::io::RunRecord& run, const std::function<void()>& restore);
  /// What came of something, in words; nobody needs to know of it on another page.
  void told(const QString& result);
  void failed(const QString& sentence);
  /// A file was written.
  void saved(const QString& path);
  /// A file that was opened cannot be read.
  void unreadable(const hinesight::Error& error);
  /// There may be another question (Tab::mismatch), or none.
  void questionChanged();
  void pageWanted(hinesight::app::ViewKind page);
  /// The current page is to be saved as a picture.
  void pictureWanted();
  /// The cells are to be solved with these parameters.
  void parametersWanted(const hinesight::study::CellParameters& parameters);
};

} // namespace hinesight::app
