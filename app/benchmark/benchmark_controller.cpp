#include "app/benchmark/benchmark_controller.hpp"

#include "app/benchmark/hines_benchmark_panel.hpp"
#include "app/benchmark/projection_benchmark_panel.hpp"
#include "app/document/command_texts.hpp"
#include "app/pages/page_host.hpp"
#include "app/pages/pages.hpp"
#include "app/shell/bars/status_panel.hpp"
#include "hines/choice/cost_cache.hpp"
#include "io/runs/history_records.hpp"
#include "model/study_parameters.hpp"

#include <utility>

namespace hinesight::app {

namespace {

/// As settings of a session. `changed`: those that are not at their defaults alone.
std::vector<Setting> sessionSettings(const std::string& part, std::span<const BoundField> fields, bool changed = false)
{
  std::vector<Setting> settings;
  for (const BoundField& field : fields)
    if (field.kind != FieldKind::List && !(changed && field.isDefault()))
      settings.push_back({part + "." + field.name, field.text()});
  return settings;
}

} // namespace

BenchmarkController::BenchmarkController(Jobs* ofWindow, BenchmarkPage* shownPage,
                                         std::function<study::CellParameters()> windowParameters, QObject* parent)
    : QObject(parent), jobs(ofWindow), page(shownPage), parameters(std::move(windowParameters))
{
  connect(page, &BenchmarkPage::runRequested, this, [this](const BenchmarkRequest& request) { run(request); });
  connect(page, &BenchmarkPage::projectionRunRequested, this,
          [this](const ProjectionBenchmarkRequest& request) { run(request); });
  connect(page, &BenchmarkPage::cancelRequested, jobs, [this] { jobs->cancel(kBenchmark); });
  connect(jobs, &Jobs::submitted, this, &BenchmarkController::refresh);
  connect(jobs, &Jobs::ended, this, &BenchmarkController::refresh);
  connect(jobs, &Jobs::progressed, this, [this](const JobKind& kind, const QString& stage, double fraction) {
    if (kind == kBenchmark)
      page->takeProgress(measuresProjections ? stageInWords(stage) : stage, fraction);
  });
}

void BenchmarkController::run(const BenchmarkRequest& request)
{
  measuresProjections = false;
  const std::function<void()> restore = [this, fields = page->hines().restorer(), cells = parameters()] {
    emit parametersWanted(cells);
    show(BenchmarkPage::Kind::Hines);
    fields();
  };
  std::vector<Setting> asked = sessionSettings("bench-hines", fieldsOf(page->hines().chosen()));
  addMissing(asked, sessionSettings("solve", fieldsOf(parameters()), true));
  const auto measure = [this, request, restore, asked](const JobContext& context) {
    for (const hines::BenchmarkCase& one : request.cases)
      hines::fitCostsForAuto(one.solve, context.control());
    const auto tell = [&](const hines::BenchmarkRow& row) {
      context.post([this, row, restore, asked] {
        page->hines().takeRow(row);
        if (row.failed())
          return;
        io::RunRecord run = io::recordOf(row);
        run.asked = asked;
        emit ran(run, restore);
      });
    };
    hines::runBenchmark(request.cases, request.parameters, tell, context.control(),
                        [&] { return context.letOthersRun(); });
  };
  submit(tr("Hines solvers"), measure, tr("The benchmark is finished; click a point to load its plan into the views."));
}

void BenchmarkController::run(const ProjectionBenchmarkRequest& request)
{
  measuresProjections = true;
  const std::function<void()> restore = [this, fields = page->projections().restorer()] {
    show(BenchmarkPage::Kind::Projections);
    fields();
  };
  const std::vector<Setting> asked = sessionSettings("bench-projections", fieldsOf(request.parameters));
  const auto measure = [this, request, restore, asked](const JobContext& context) {
    const auto tell = [&](const projection::BenchmarkPoint& point) {
      context.post([this, point, restore, asked] {
        page->projections().takePoint(point);
        for (io::RunRecord& run : io::recordsOf(point)) {
          run.asked = asked;
          emit ran(run, restore);
        }
      });
      context.letOthersRun();
    };
    projection::runBenchmark(request.parameters, tell, context.control());
  };
  submit(tr("Projections"), measure, tr("The benchmark of projections is finished."));
}

/// To bring the settings of a run back.
void BenchmarkController::show(BenchmarkPage::Kind kind)
{
  emit pageWanted(ViewKind::Benchmark);
  page->showKind(kind);
}

template <typename Measure>
void BenchmarkController::submit(const QString& study, const Measure& measure, const QString& finished)
{
  JobEnds ends;
  ends.cancelled = [this] { emit told(tr("The benchmark was cancelled; what was measured stays.")); };
  jobs->submit(
      {kBenchmark, study}, measure, [this, finished] { emit told(finished); }, std::move(ends));
  page->takeStarted();
}

void BenchmarkController::refresh()
{
  const bool isMeasuring = jobs->isActive(kBenchmark);
  if (!isMeasuring)
    page->takeEnd();
  page->setBusy(jobs->isActive() && !isMeasuring);
  page->hines().setParameters(parameters());
}

// ---- as a page ----

namespace {

Tab makeTab(PageHost& host)
{
  auto* page = new BenchmarkPage(host.parts.area);
  auto* controller = new BenchmarkController(host.parts.jobs, page, host.parts.parameters, &host);
  QObject::connect(controller, &BenchmarkController::told, &host, &PageHost::told);
  QObject::connect(controller, &BenchmarkController::ran, &host, &PageHost::ran);
  QObject::connect(controller, &BenchmarkController::pageWanted, &host, &PageHost::pageWanted);
  QObject::connect(controller, &BenchmarkController::parametersWanted, &host, &PageHost::parametersWanted);
  QObject::connect(page, &BenchmarkPage::failed, &host, &PageHost::failed);
  QObject::connect(page, &BenchmarkPage::saved, &host, &PageHost::saved);
  QObject::connect(page, &BenchmarkPage::settingsChanged, &host, &PageHost::questionChanged);
  QObject::connect(&page->hines(), &HinesBenchmarkPanel::parametersChosen, &host,
                   [&host](const study::CellParameters& parameters, const QString& what) {
                     emit host.parametersWanted(parameters);
                     emit host.told(BenchmarkController::tr("Loaded into the views: %1.").arg(what));
                   });
  QObject::connect(&host, &PageHost::devicesFound, page, &BenchmarkPage::setDevices);
  QObject::connect(&host, &PageHost::backendChosen, &page->hines(), &HinesBenchmarkPanel::setBackend);
  QObject::connect(&host, &PageHost::sceneChanged, page, [page, &host] {
    page->hines().setParameters(host.parts.parameters());
    page->hines().setScene(host.parts.scene());
  });
  Tab tab;
  tab.runs = io::RunKind::Benchmark;
  tab.page = page;
  tab.parameters = host.parts.cellParameters;
  tab.runAgain = host.parts.runCells;
  tab.mismatch = [page] {
    const BenchmarkPanel& panel = page->current();
    Question question = panel.isOfOtherSettings() ? pictureQuestion() : Question();
    question.canAgree = panel.canRun();
    return question;
  };
  tab.takeFields = [page] { page->current().run(); };
  tab.restoreFields = [page] { page->current().restoreSettings(); };
  tab.askWhereToSave = [page] { page->askWhereToSavePlot(); };
  tab.command = [page] { return benchProjectionsCommand(page->projections().chosen()); };
  tab.work = [page]() -> std::optional<SessionWork> {
    if (&page->current() != &page->hines())
      return std::nullopt;
    return page->hines().work();
  };
  return tab;
}

} // namespace

PageDefinition benchmarkPage()
{
  return {"benchmark",
          QT_TRANSLATE_NOOP("Pages", "Benchmark"),
          QT_TRANSLATE_NOOP("Pages", "Which solver should I use?"),
          QT_TRANSLATE_NOOP("Pages", "click a point to load its plan into the views"),
          "The benchmark page",
          makeTab};
}

} // namespace hinesight::app
