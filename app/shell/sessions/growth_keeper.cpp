#include "app/shell/sessions/growth_keeper.hpp"

#include "app/jobs/jobs.hpp"
#include "app/plasticity/plasticity_page.hpp"
#include "app/shell/sessions/kept_sessions.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>

namespace hinesight::app {

namespace {

constexpr int kPause = 30'000;      // ms
constexpr double kShareOfTime = 20; ///< of the time that writing takes, until it is written again

} // namespace

GrowthKeeper::GrowthKeeper(KeptSessions* ofWindow, Jobs* ofJobs, PlasticityPage* ofNetwork,
                           std::function<void()> keepOpen, QObject* parent)
    : QObject(parent), kept(ofWindow), jobs(ofJobs), page(ofNetwork), keepSession(std::move(keepOpen)), pause(kPause)
{
  timer.setSingleShot(true);
  connect(&timer, &QTimer::timeout, this, &GrowthKeeper::write);
  connect(page, &PlasticityPage::changed, this, &GrowthKeeper::follow);
  connect(page, &PlasticityPage::opened, this, [this] { begin(0); });
  connect(page, &PlasticityPage::resumed, this, &GrowthKeeper::begin);
}

void GrowthKeeper::follow()
{
  if (!kept->hasBegun())
    return;
  if (!page->hasNetwork()) {
    if (keptStep > 0 || isWriting)
      begin(0);
    return;
  }
  if (isWriting)
    return;
  if (page->step() == keptStep && page->request().model == keptModel)
    return timer.stop();
  if (!sinceWritten.isValid())
    sinceWritten.start();
  const double wait = std::max(page->isRunning() ? pause : 0.0, kShareOfTime * cost);
  const double left = std::ceil(wait - static_cast<double>(sinceWritten.elapsed()));
  timer.start(std::max(0, static_cast<int>(left)));
}

/// Another run, whose network at this step is kept as it was taken. What is kept of the one before goes, on the thread
/// that writes it.
void GrowthKeeper::begin(std::uint32_t step)
{
  constexpr JobKind kDropped{.name = "kept network", .newestWins = false, .isQuiet = true};
  if (!kept->hasBegun())
    return;
  timer.stop();
  sinceWritten.invalidate();
  isWriting = false;
  ++runs;
  keptStep = step;
  keptModel.reset();
  if (step > 0 && !page->isChangedMidway())
    keptModel = page->request().model;
  const auto& start = page->request().start;
  const std::string taken = kept->takenNetworkFile().toStdString();
  const bool needsTaken = step > 0 || (start && start->checkpoint == taken);
  jobs->submit(
      kDropped,
      [own = kept->networkFile().toStdString(), other = needsTaken ? std::string() : taken](const JobContext&) {
        std::error_code ignored;
        std::filesystem::remove(own, ignored);
        if (!other.empty())
          std::filesystem::remove(other, ignored);
      },
      [] {});
  keepSession();
  if (page->hasNetwork())
    follow();
}

void GrowthKeeper::write()
{
  if (!kept->hasBegun() || !page->hasNetwork())
    return;
  isWriting = true;
  keptModel = page->request().model; // which the model has as soon as it can be written
  page->keepNetwork(kept->networkFile(), [this, run = runs](const KeptNetwork& written) {
    if (run == runs)
      take(written);
  });
}

void GrowthKeeper::take(const KeptNetwork& written)
{
  isWriting = false;
  keptStep = written.step;
  cost = written.milliseconds;
  sinceWritten.start();
  if (!written.problem.isEmpty() && !std::exchange(hasFailed, true))
    emit failed(tr("The network of Plasticity cannot be kept for the case that the program is killed: %1")
                    .arg(written.problem));
  keepSession();
  follow();
}

} // namespace hinesight::app
