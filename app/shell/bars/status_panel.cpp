#include "app/shell/bars/status_panel.hpp"

#include "app/shell/bars/job_list.hpp"
#include "core/device.hpp"
#include "widgets/elided_label.hpp"
#include "widgets/theme.hpp"

#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QStatusBar>
#include <QToolButton>

#include <array>
#include <utility>

namespace hinesight::app {

namespace {

constexpr int kProgressWidth = 140;   // pixels, and as many steps
constexpr int kStageWidth = 180;      // pixels; the bar stays in its place whatever the stage is called
constexpr int kMargin = 8;            // pixels beside a text
constexpr int kLeastHeight = 32;      // pixels, with and without a job: views above it stay as they are
constexpr int kMemoryInterval = 2000; // ms
constexpr int kElapsedInterval = 100; // ms
constexpr int kHoldFor = 10'000;      // ms
constexpr int kShowAfter = 150;       // ms; every change in the window costs a new picture of all of it

QString deviceInWords(const DeviceReport& report)
{
  if (!report.cudaDevices.empty()) {
    const DeviceInfo& gpu = report.cudaDevices.front();
    return report.cudaDevices.size() > 1 ? gpuInWords(gpu) : QString::fromStdString(gpu.model.name);
  }
  const QString threads =
      report.threads == 1 ? StatusPanel::tr("1 thread") : StatusPanel::tr("%1 threads").arg(report.threads);
  return QString::fromStdString(report.processor) + QStringLiteral(", ") + threads;
}

QString devicesInDetail(const DeviceReport& report)
{
  QString text =
      StatusPanel::tr("Processor: %1, %2 threads.").arg(QString::fromStdString(report.processor)).arg(report.threads);
  for (const DeviceInfo& cuda : report.cudaDevices) {
    const auto words = [](const std::string& sentence) { return QString::fromStdString(sentence); };
    text += StatusPanel::tr("\nCUDA device %1: %2, compute capability %3, %4, %5 multiprocessors.")
                .arg(cuda.index)
                .arg(words(cuda.model.name), words(capabilityText(cuda.model.capability)),
                     words(formatBytes(cuda.model.memoryBytes)))
                .arg(cuda.model.multiprocessors);
    text += StatusPanel::tr("\nIt has %1.").arg(words(sizesText(cuda.model)));
    if (cuda.codeCapability > 0)
      text += StatusPanel::tr("\nIt runs %1, with %2.").arg(words(codeText(cuda)), words(pathsText(cuda)));
  }
  if (!report.whyNoCuda.empty())
    text += StatusPanel::tr("\nNo CUDA: %1").arg(QString::fromStdString(report.whyNoCuda));
  return text;
}

/// Which yields to what stands beside it.
QLabel* makeLabel(const char* name, const QString& help, Qt::TextElideMode elide = Qt::ElideMiddle)
{
  auto* label = new widgets::ElidedLabel(nullptr, elide);
  label->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Preferred);
  label->setObjectName(QLatin1String(name));
  label->setToolTip(help);
  return label;
}

/// A label loses margins of its own where it is styled before it has a size.
QWidget* withMargins(QLabel* label, int left, int right)
{
  auto* around = new QWidget;
  auto* row = new QHBoxLayout(around);
  row->setContentsMargins(left, 0, right, 0);
  row->addWidget(label);
  return around;
}

/// A bar paints each value at once, and all of the window with it; this one waits for what else there is to paint.
void setWithoutPainting(QProgressBar& bar, int value)
{
  if (value == bar.value())
    return;
  bar.setUpdatesEnabled(false);
  bar.setValue(value);
  bar.setUpdatesEnabled(true);
}

} // namespace

QString stageInWords(const QString& stage)
{
  static const std::array<std::pair<const char*, const char*>, 31> kWords = {{
      {"session", QT_TRANSLATE_NOOP("StatusPanel", "Reading or writing the session")},
      {"circuit", QT_TRANSLATE_NOOP("StatusPanel", "Making connections")},
      {"search", QT_TRANSLATE_NOOP("StatusPanel", "Searching")}, // folders, or partners of axons
      {"read", QT_TRANSLATE_NOOP("StatusPanel", "Reading files")},
      {"scale", QT_TRANSLATE_NOOP("StatusPanel", "Scaling to micrometres")},
      {"discretize", QT_TRANSLATE_NOOP("StatusPanel", "Discretizing into compartments")},
      {"random trees", QT_TRANSLATE_NOOP("StatusPanel", "Growing random trees")},
      {"batch", QT_TRANSLATE_NOOP("StatusPanel", "Assembling the batch")},
      {"plan", QT_TRANSLATE_NOOP("StatusPanel", "Planning")},
      {"fit solver costs", QT_TRANSLATE_NOOP("StatusPanel", "Measuring once what solvers cost on this device")},
      {"solve", QT_TRANSLATE_NOOP("StatusPanel", "Solving")},
      {"benchmark", QT_TRANSLATE_NOOP("StatusPanel", "Measuring")},
      {"positions", QT_TRANSLATE_NOOP("StatusPanel", "Placing neurons")},
      {"bin", QT_TRANSLATE_NOOP("StatusPanel", "Sorting neurons into cells")},
      {"count", QT_TRANSLATE_NOOP("StatusPanel", "Counting rows")},
      {"scan", QT_TRANSLATE_NOOP("StatusPanel", "Adding up rows")},
      {"compact", QT_TRANSLATE_NOOP("StatusPanel", "Writing rows")},
      {"summary", QT_TRANSLATE_NOOP("StatusPanel", "Summing up the table")},
      {"codes", QT_TRANSLATE_NOOP("StatusPanel", "Ordering neurons")},
      {"sort", QT_TRANSLATE_NOOP("StatusPanel", "Ordering neurons")},
      {"nodes", QT_TRANSLATE_NOOP("StatusPanel", "Building the octree")},
      {"tree", QT_TRANSLATE_NOOP("StatusPanel", "Building the octree")},
      {"vacant", QT_TRANSLATE_NOOP("StatusPanel", "Adding up vacant elements")},
      {"synapses", QT_TRANSLATE_NOOP("StatusPanel", "Placing synapses")},
      {"resolve", QT_TRANSLATE_NOOP("StatusPanel", "Resolving conflicts")},
      {"edges", QT_TRANSLATE_NOOP("StatusPanel", "Adding synapses")},
      {"picture", QT_TRANSLATE_NOOP("StatusPanel", "Preparing the picture")},
      {"compare", QT_TRANSLATE_NOOP("StatusPanel", "Comparing networks")},
      {"export", QT_TRANSLATE_NOOP("StatusPanel", "Writing the file")},
      {"write", QT_TRANSLATE_NOOP("StatusPanel", "Writing the file")},
      {"check", QT_TRANSLATE_NOOP("StatusPanel", "Checking against the serial sweep")},
  }};
  for (const auto& [name, words] : kWords)
    if (stage == QLatin1String(name))
      return StatusPanel::tr(words);
  return stage;
}

StatusPanel::StatusPanel(QStatusBar* bar, Jobs* ofWindow) : QObject(bar), jobs(ofWindow)
{
  result =
      makeLabel("resultLabel", tr("The last result: the time of the solve, cells, compartments, solver and backend"),
                Qt::ElideRight);
  result->setTextInteractionFlags(Qt::TextSelectableByMouse);
  result->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);

  stageName = makeLabel("stageLabel", tr("What the running job does now"));
  stageName->setFixedWidth(kStageWidth);
  stageName->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
  elapsed = makeLabel("elapsedLabel", tr("Time since the running job was started"));
  elapsed->setMinimumWidth(elapsed->fontMetrics().horizontalAdvance(QStringLiteral("000.0 s")));
  elapsed->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
  progress = new QProgressBar;
  progress->setObjectName(QStringLiteral("jobProgress"));
  progress->setToolTip(tr("Share of this stage that is done"));
  progress->setRange(0, kProgressWidth);
  progress->setTextVisible(false);
  progress->setFixedWidth(kProgressWidth);
  cancelButton = new QToolButton;
  cancelButton->setObjectName(QStringLiteral("cancelButton"));
  cancelButton->setText(tr("Cancel"));
  cancelButton->setToolTip(tr("Stop the running job; what is shown stays (Esc)"));
  waitingButton = new QToolButton;
  waitingButton->setObjectName(QStringLiteral("waitingButton"));
  waitingButton->setToolTip(tr("List the running job and those that wait for it, to cancel any of them (Ctrl+J)"));
  job = new QWidget;
  job->setObjectName(QStringLiteral("jobPanel"));
  auto* row = new QHBoxLayout(job);
  row->setContentsMargins(0, 0, 12, 0);
  row->setSpacing(8);
  for (QWidget* widget :
       {static_cast<QWidget*>(waitingButton), static_cast<QWidget*>(stageName), static_cast<QWidget*>(progress),
        static_cast<QWidget*>(elapsed), static_cast<QWidget*>(cancelButton)})
    row->addWidget(widget);
  job->hide();

  device = makeLabel("deviceLabel", tr("Looking for devices"));
  memory = makeLabel("memoryLabel", tr("Main memory that can still be used"));
  memory->setMinimumWidth(memory->fontMetrics().horizontalAdvance(tr("%1 free").arg(QStringLiteral("00.0 GB"))));
  bar->setSizeGripEnabled(false);
  bar->setMinimumHeight(kLeastHeight);
  bar->addWidget(withMargins(result, kMargin, 0), 1);
  bar->addPermanentWidget(job);
  bar->addPermanentWidget(withMargins(device, kMargin, kMargin));
  bar->addPermanentWidget(withMargins(memory, kMargin, kMargin));

  connect(cancelButton, &QToolButton::clicked, jobs, [this] { jobs->cancel(); });
  connect(waitingButton, &QToolButton::clicked, this, &StatusPanel::openJobs);
  connect(jobs, &Jobs::submitted, this, &StatusPanel::showJobs);
  connect(jobs, &Jobs::ended, this, &StatusPanel::showJobs);
  connect(jobs, &Jobs::progressed, this, &StatusPanel::showJobs);
  connect(&memoryTimer, &QTimer::timeout, this, &StatusPanel::showMemory);
  memoryTimer.start(kMemoryInterval);
  connect(&elapsedTimer, &QTimer::timeout, this, &StatusPanel::showJobs);
  elapsedTimer.setInterval(kElapsedInterval);
  holdTimer.setObjectName(QStringLiteral("noticeHold"));
  holdTimer.setSingleShot(true);
  holdTimer.setInterval(kHoldFor);
  connect(&holdTimer, &QTimer::timeout, this, &StatusPanel::dropNotice);
  showTimer.setSingleShot(true);
  showTimer.setInterval(kShowAfter);
  connect(&showTimer, &QTimer::timeout, job, &QWidget::show);
  showMemory();
}

void StatusPanel::setWords(const JobKind& kind, Words words)
{
  wordsOf[kind.name] = std::move(words);
}

void StatusPanel::showResult(const QString& text)
{
  if (saysDeed && text.isEmpty())
    return;
  saysDeed = false;
  showText(text);
}

void StatusPanel::withdrawResult(const QString& text)
{
  if (saysDeed || said != text)
    return;
  said.clear();
  refreshText();
}

void StatusPanel::showDeed(const QString& text)
{
  saysDeed = true;
  holdTimer.stop();
  showText(text);
}

void StatusPanel::showNotice(const QString& text)
{
  holdTimer.stop();
  notice = text;
  refreshText();
}

void StatusPanel::holdNotice(const QString& text)
{
  showNotice(text);
  holdTimer.start();
}

void StatusPanel::dropNotice()
{
  holdTimer.stop();
  if (!std::exchange(notice, {}).isEmpty())
    refreshText();
}

void StatusPanel::withdrawNotice(const QString& text)
{
  if (notice == text)
    dropNotice();
}

void StatusPanel::showText(const QString& text)
{
  said = text;
  if (!holdTimer.isActive())
    notice.clear();
  refreshText();
}

void StatusPanel::refreshText()
{
  const bool isNotice = !notice.isEmpty();
  result->setText(isNotice ? notice : said);
  result->setToolTip(isNotice ? notice : tr("The last result:\n%1").arg(said));
}

void StatusPanel::showDevices(const DeviceReport& report)
{
  devices = report;
  showChosenGpu();
}

void StatusPanel::showChosenGpu()
{
  devices.cudaDevices = chosenFirst(std::move(devices.cudaDevices));
  device->setText(deviceInWords(devices));
  device->setToolTip(devicesInDetail(devices));
}

void StatusPanel::showMemory()
{
  memory->setText(tr("%1 free").arg(QString::fromStdString(formatBytes(availableMemoryBytes()))));
}

QString StatusPanel::inWords(const JobState& of) const
{
  const auto own = wordsOf.find(of.kind.name);
  return own == wordsOf.end() ? stageInWords(of.stage) : own->second(of.stage, of.fraction);
}

void StatusPanel::openJobs()
{
  auto* bar = static_cast<QStatusBar*>(parent());
  (new JobList(bar, jobs, [this](const JobState& of) { return inWords(of); }))->show();
}

void StatusPanel::showJobs()
{
  const auto shown = jobs->current();
  if (!shown) {
    showTimer.stop();
    elapsedTimer.stop();
    job->hide();
    return;
  }
  if (job->isHidden() && !showTimer.isActive()) {
    showTimer.start();
    elapsedTimer.start();
  }
  stageName->setText(inWords(*shown));
  stageName->setToolTip(tr("What the running job does now:\n%1").arg(shown->wholeName));
  setWithoutPainting(*progress, static_cast<int>(shown->fraction * kProgressWidth));
  elapsed->setText(elapsedInWords(*shown));
  const int waiting = jobs->waiting();
  waitingButton->setText(tr("%1 waiting").arg(waiting));
  waitingButton->setVisible(waiting > 0);
}

} // namespace hinesight::app
