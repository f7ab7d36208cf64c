#include "app/formation_controller.hpp"

#include "app/formation_page.hpp"
#include "app/status_panel.hpp"
#include "widgets/theme.hpp"

#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QSettings>
#include <QStandardPaths>

#include <utility>

namespace hinesight::app {

namespace {

/// While a slider is dragged, networks that take no longer are formed anew.
constexpr double kLive = 50; // ms

/// Where a dialog starts: the folder that it was left in last.
QString settingFolder(const char* key)
{
  const QString home = QStandardPaths::writableLocation(QStandardPaths::HomeLocation);
  return QSettings().value(QLatin1String(key), home).toString();
}

} // namespace

FormationController::FormationController(JobRunner* jobs, FormationPage* shownPage, FormationPanel* shownPanel,
                                         std::function<bool()> whetherShown, QObject* parent)
    : QObject(parent), runner(jobs), page(shownPage), panel(shownPanel), isPageShown(std::move(whetherShown))
{
  page->setLook(panel->look());
  connect(page, &FormationPage::formRequested, this, &FormationController::run);
  connect(page, &FormationPage::importRequested, this, &FormationController::askForNeurons);
  connect(page, &FormationPage::exportRequested, this, &FormationController::askWhereToExport);
  connect(panel, &FormationPanel::edited, this, &FormationController::takeEdit);
  connect(panel, &FormationPanel::lookChanged, this, [this] { page->setLook(panel->look()); });
  connect(jobs, &JobRunner::devicesFound, panel, &FormationPanel::setDevices);
  connect(jobs, &JobRunner::started, this, [this] {
    waits = waits || (runs && !runner->isForming());
    runs = runner->isForming();
  });
  connect(jobs, &JobRunner::progressed, this, [this](const QString& stage, double fraction) {
    if (runner->isForming())
      page->takeProgress(stageInWords(stage), fraction);
  });
  connect(jobs, &JobRunner::formationFinished, this, &FormationController::takeOutcome);
  for (const auto ended : {&JobRunner::benchmarkFinished, &JobRunner::cancelled})
    connect(jobs, ended, this, &FormationController::takeEndOfJob);
  connect(jobs, &JobRunner::failed, this, &FormationController::takeEndOfJob);
  connect(jobs, &JobRunner::finished, this, &FormationController::takeEndOfJob);
  connect(jobs, &JobRunner::projectionFinished, this, &FormationController::takeEndOfJob);
  connect(jobs, &JobRunner::projectionAsked, this, &FormationController::takeEndOfJob);
  connect(jobs, &JobRunner::tableOpened, this, &FormationController::takeEndOfJob);
  connect(jobs, &JobRunner::tableExported, this, &FormationController::takeEndOfJob);
}

void FormationController::pageShown()
{
  if (!page->outcome().formation())
    run();
}

void FormationController::run()
{
  waits = runner->isRunning() && !runner->isForming();
  if (!waits)
    runner->request(panel->request());
}

/// A slow network is formed when the slider is let go, a fast one at every step.
void FormationController::takeEdit(bool settled)
{
  page->setTheta(panel->request().formation.search.theta);
  if (settled || page->lastMilliseconds() < kLive)
    run();
}

void FormationController::takeOutcome(const FormationOutcome& outcome)
{
  runs = false;
  page->takeEnd();
  page->setOutcome(outcome);
  const synapse::Formation& formation = *outcome.formation();
  emit formed(tr("%1, %2: %3")
                  .arg(describeNetwork(outcome), formation.timings.backend == Backend::Cuda ? tr("CUDA") : tr("CPU"),
                       widgets::formatMilliseconds(formation.timings.total())));
}

void FormationController::askForNeurons()
{
  auto* dialog = new QFileDialog(page, tr("Read neurons"), settingFolder("neuronFolder"),
                                 tr("Neurons and positions (*.txt *.csv *.h5);;All files (*)"));
  dialog->setObjectName(QStringLiteral("importNeuronsDialog"));
  dialog->setFileMode(QFileDialog::ExistingFile);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& path) {
    QSettings().setValue(QStringLiteral("neuronFolder"), QFileInfo(path).absolutePath());
    panel->setFile(path);
  });
  dialog->open();
}

void FormationController::askWhereToExport()
{
  const QStringList filters = {tr("Synapses, CSV (*.csv)"), tr("Synapses and neurons, SONATA (*.h5)"),
                               tr("Synapses, RELeARN (*.txt)"), tr("Neurons, CSV (*.csv)"),
                               tr("Neurons, RELeARN (*.txt)")};
  constexpr qsizetype kFirstOfNeurons = 3;
  auto* dialog =
      new QFileDialog(page, tr("Export network"), settingFolder("exportFolder"), filters.join(QStringLiteral(";;")));
  dialog->setObjectName(QStringLiteral("exportNetworkDialog"));
  dialog->setAcceptMode(QFileDialog::AcceptSave);
  dialog->setDefaultSuffix(QStringLiteral("csv"));
  dialog->selectFile(QStringLiteral("network.csv"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &QFileDialog::filterSelected, dialog, [dialog](const QString& filter) {
    dialog->setDefaultSuffix(filter.section(QStringLiteral("(*."), 1).section(QLatin1Char(')'), 0, 0));
  });
  connect(dialog, &QFileDialog::fileSelected, this, [this, dialog, filters](const QString& path) {
    QSettings().setValue(QStringLiteral("exportFolder"), QFileInfo(path).absolutePath());
    const bool neuronsOnly = filters.indexOf(dialog->selectedNameFilter()) >= kFirstOfNeurons;
    runner->request(NetworkExportRequest{page->outcome().content.formation, path.toStdString(), neuronsOnly});
  });
  dialog->open();
}

void FormationController::takeEndOfJob()
{
  runs = false;
  page->takeEnd();
  if (waits && isPageShown())
    run();
}

} // namespace hinesight::app
