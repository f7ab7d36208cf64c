#include "app/plasticity/plasticity_controller.hpp"

#include "app/files/file_dialogs.hpp"
#include "app/plasticity/plasticity_page.hpp"
#include "app/plasticity/plasticity_panel.hpp"
#include "app/synapses/formation_page.hpp"
#include "core/error.hpp"
#include "widgets/theme.hpp"

#include <QFileInfo>

namespace hinesight::app {

namespace {

/// What the page writes: the words of the dialog, and their endings.
struct ExportFilters
{
  QString records = PlasticityController::tr("Records of the charts, CSV (*.csv)");
  QStringList charts = {PlasticityController::tr("Charts, SVG (*.svg)"),
                        PlasticityController::tr("Charts, PNG (*.png)"),
                        PlasticityController::tr("Charts, PDF (*.pdf)")};
  QStringList networks = {PlasticityController::tr("Network at this step, SONATA (*.h5)"),
                          PlasticityController::tr("Network at this step, CSV (*.csv)"),
                          PlasticityController::tr("Network at this step, RELeARN (*.txt)")};
  QString checkpoint = PlasticityController::tr("Checkpoint, to go on from (*.checkpoint)");
};

} // namespace

PlasticityController::PlasticityController(JobRunner* runner, PlasticityPage* shownPage, PlasticityPanel* shownPanel,
                                           QObject* parent)
    : QObject(parent), page(shownPage), panel(shownPanel)
{
  page->setRequest(panel->request());
  connect(panel, &PlasticityPanel::edited, this, [this] { page->setRequest(panel->request()); });
  connect(panel, &PlasticityPanel::dragged, page, &PlasticityPage::dropCheckpoint);
  connect(runner, &JobRunner::devicesFound, panel, &PlasticityPanel::setDevices);
  connect(runner, &JobRunner::started, this, [this, runner] {
    if (runner->isBenchmarking())
      page->pause();
  });
  connect(page, &PlasticityPage::openRequested, this, &PlasticityController::askWhatToOpen);
  connect(page, &PlasticityPage::exportRequested, this, &PlasticityController::askWhereToExport);
  connect(page, &PlasticityPage::saved, this, &PlasticityController::saved);
  connect(page, &PlasticityPage::failed, this, &PlasticityController::failed);
  connect(page, &PlasticityPage::opened, this, [this](const OpenedPlasticity& checkpoint) {
    panel->showCheckpoint(checkpoint);
    page->takeParameters(panel->request());
    emit opened(tr("Opened %1: step %2")
                    .arg(QFileInfo(QString::fromStdString(checkpoint.path)).fileName(),
                         widgets::formatNumber(checkpoint.step)));
  });
}

void PlasticityController::growFrom(const FormationOutcome& outcome)
{
  auto start = std::make_shared<PlasticityStart>();
  start->name = outcome.file.empty() ? describeNetwork(outcome).toStdString()
                                     : QFileInfo(QString::fromStdString(outcome.file)).fileName().toStdString();
  start->formation = outcome.content.formation;
  start->stored = outcome.stored;
  panel->setStart(std::move(start));
}

void PlasticityController::askWhatToOpen()
{
  const FileQuestion question{QStringLiteral("openCheckpointDialog"),
                              tr("Open a checkpoint"),
                              QStringLiteral("exportFolder"),
                              {tr("Checkpoints (*.checkpoint)"), tr("All files (*)")},
                              {}};
  app::askWhatToOpen(page, question, [this](const QStringList& paths) { page->openCheckpoint(paths.back()); });
}

void PlasticityController::askWhereToExport()
{
  const ExportFilters filters;
  FileQuestion question{QStringLiteral("exportPlasticityDialog"),
                        tr("Export"),
                        QStringLiteral("exportFolder"),
                        {filters.records},
                        QStringLiteral("growth.csv")};
  question.filters << filters.charts << filters.networks << filters.checkpoint;
  askWhereToSaveAs(page, question, [this](const QString& path, const QString& filter) { exportTo(path, filter); });
}

void PlasticityController::exportTo(const QString& path, const QString& filter)
{
  const ExportFilters filters;
  if (filters.networks.contains(filter))
    return page->saveNetwork(path);
  if (filter == filters.checkpoint)
    return page->saveCheckpoint(path);
  if (filter == filters.records)
    return page->saveRecords(path);
  try {
    page->saveCharts(path);
    emit saved(path);
  } catch (const Error& error) {
    emit failed(QString::fromUtf8(error.what()));
  }
}

} // namespace hinesight::app
