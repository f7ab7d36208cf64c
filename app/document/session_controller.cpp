#include "app/document/session_controller.hpp"

#include "app/cells/cell_list_model.hpp"
#include "app/cells/data_panel.hpp"
#include "app/cells/run_table_model.hpp"
#include "app/document/document.hpp"
#include "app/document/named_sets.hpp"
#include "app/document/seen_views.hpp"
#include "app/projection/connection_panel.hpp"
#include "app/projection/projection_controller.hpp"
#include "app/selection/branch_selection.hpp"
#include "app/selection/neuron_selection.hpp"
#include "app/simulation/simulation_controller.hpp"
#include "core/error.hpp"
#include "core/time_text.hpp"
#include "model/moved_files.hpp"
#include "model/session_file.hpp"
#include "selection/number_ranges.hpp"
#include "study/circuit/sonata_import.hpp"

#include <QFileInfo>

#include <cstdint>
#include <limits>
#include <map>
#include <set>
#include <utility>

namespace hinesight::app {

namespace {

constexpr std::size_t kMostHiddenNeurons = 10'000'000; ///< that a session hides: it may be a stranger's

HiddenByFile hiddenIn(const model::Project& project, const model::SessionView& seen)
{
  const std::map<std::string, std::string> files = filesIn(project);
  HiddenByFile hiddenOnes;
  for (const model::HiddenBranches& each : seen.hidden)
    if (const auto named = files.find(each.cell); named != files.end())
      hiddenOnes.emplace(named->second, each.branches);
  return hiddenOnes;
}

/// The list of cells has a file once.
QStringList cellsLeftOut(const model::Project& project)
{
  QStringList sentences;
  std::map<std::string, std::string> shown; // by files
  for (const model::Cell& cell : project.cells)
    if (const auto [first, isNew] = shown.emplace(cell.file, cell.name); !isNew)
      sentences << SessionController::tr(
                       "The cell %1 is left out, also of populations and of what is saved: it is of the same file as "
                       "%2, and the window has a file once. To have both, give it a copy of the file.")
                       .arg(QString::fromStdString(cell.name), QString::fromStdString(first->second));
  return sentences;
}

struct SessionOfFile
{
  model::ReadSession read;
  NeuronSet hidden; ///< neurons
};

/// Of a population that would make them too many, none.
NeuronSet hiddenNeuronsIn(const model::SessionView& seen)
{
  NeuronSet hidden;
  std::size_t room = kMostHiddenNeurons;
  for (const model::HiddenNeurons& each : seen.hiddenNeurons) {
    const auto ranges = selection::rangesOf(each.neurons, 0, std::numeric_limits<std::uint32_t>::max());
    std::size_t count = 0;
    for (const selection::NumberRange& range : ranges)
      count += range.last - range.first + 1;
    if (count > room)
      continue;
    room -= count;
    NeuronSet::Numbers neurons;
    neurons.reserve(count);
    for (const selection::NumberRange& range : ranges)
      for (std::size_t neuron = range.first; neuron <= range.last; ++neuron)
        neurons.push_back(static_cast<std::uint32_t>(neuron));
    hidden.add(each.population, neurons);
  }
  return hidden;
}

} // namespace

SessionController::SessionController(const DocumentParts& ofWindow, Document* ofThat,
                                     std::function<std::string()> pageNow, QObject* parent)
    : QObject(parent), parts(ofWindow), document(ofThat), page(std::move(pageNow))
{}

void SessionController::open(const QString& path, const std::vector<std::string>& moreCells)
{
  read(path, false, moreCells);
}

void SessionController::openKept(const QString& path)
{
  read(path, true, {});
}

/// `isKept`: it is no file of a person, and says itself which one it was saved to.
void SessionController::read(const QString& path, bool isKept, const std::vector<std::string>& moreCells)
{
  parts.jobs->submit(
      {kSession, path, tr("Session to open")},
      [from = path.toStdString()](const JobContext& context) {
        model::ReadSession session = model::readSession(from);
        const std::vector<std::string> changed = model::changedCells(session.project, context.control());
        session.warnings.insert(session.warnings.end(), changed.begin(), changed.end());
        NeuronSet hidden = hiddenNeuronsIn(session.view);
        return SessionOfFile{std::move(session), std::move(hidden)};
      },
      [this, path, isKept, moreCells](const SessionOfFile& session) {
        file = isKept ? QString::fromStdString(session.read.view.savedAs) : path;
        take(QFileInfo(file.isEmpty() ? path : file).fileName(), session.read, session.hidden, moreCells);
        if (isKept)
          emit openedKept(path);
      });
}

void SessionController::importCircuit(const QString& configuration)
{
  parts.jobs->submit(
      {kSession, configuration, tr("Circuit to open")},
      [from = configuration.toStdString()](const JobContext& context) {
        return study::importSonata(from, context.control());
      },
      [this, configuration](const study::ImportedSonata& imported) {
        file.clear();
        take(QFileInfo(configuration).fileName(), {imported.project, {}, imported.warnings, {}, {}}, {}, {});
      },
      {{}, [this] { emit told(tr("Cancelled; no circuit was opened.")); }});
}

void SessionController::take(const QString& name, const model::ReadSession& session, const NeuronSet& hidden,
                             const std::vector<std::string>& moreCells)
{
  const model::Project& read = session.project;
  document->setOfSession();
  parts.cells->forgetRemoved(); // the session is opened as its files are now
  beginAnew(hidden);
  QStringList warnings = cellsLeftOut(read);
  for (const std::string& warning : session.warnings)
    warnings << QString::fromStdString(warning);
  for (const QString& warning : warnings)
    emit warned(QStringLiteral("%1: %2").arg(name, warning));
  document->show(read, {hiddenIn(read, session.view), {}, session.view.paths, historyOf(session.runs)});
  parts.cells->add(moreCells);
  showSeen(read, session.view);
  sayWhatIsMissing(session.missing);
  emit opened(tr("Open %1").arg(name));
  const auto counted = [](std::size_t count, const QString& one, const QString& many) {
    return QStringLiteral("%1 %2").arg(count).arg(count == 1 ? one : many);
  };
  emit told(tr("Opened %1: %2, %3, %4.")
                .arg(name, counted(read.cells.size(), tr("cell"), tr("cells")),
                     counted(read.populations.size(), tr("population"), tr("populations")),
                     counted(read.connections.size(), tr("connection"), tr("connections"))));
}

void SessionController::restore(const model::Project& wanted, const model::SessionView& seen,
                                const io::SharedRuns& runs)
{
  file = QString::fromStdString(seen.savedAs);
  document->setOfSession();
  beginAnew(hiddenNeuronsIn(seen));
  document->show(wanted, {hiddenIn(wanted, seen), {}, seen.paths, historyOf(runs)});
  showSeen(wanted, seen);
  sayWhatIsMissing(model::missingFiles(wanted));
}

/// What was selected and hidden is of what was open.
void SessionController::beginAnew(const NeuronSet& hidden)
{
  emit opening();
  parts.selection->forget();
  parts.neurons->forget(hidden); // the step drops those of populations that there are not
}

void SessionController::sayWhatIsMissing(const std::vector<std::string>& files)
{
  QStringList names;
  for (const std::string& each : files)
    names << QString::fromStdString(each);
  emit filesMissing(names);
}

void SessionController::locate(const QString& folder)
{
  model::Project wanted = document->project();
  std::map<std::string, model::Cell> known = document->savedCells();
  for (model::Cell& cell : wanted.cells)
    cell.hash = known[cell.file].hash;
  parts.jobs->submit(
      {kSession, folder, tr("Search of missing files")},
      [wanted = std::move(wanted), from = folder.toStdString()](const JobContext& context) {
        return model::findMovedFiles(wanted, from, model::Search::FoldersToo, context.control());
      },
      [this, folder](const std::vector<model::MovedFile>& moved) {
        model::Project found = document->project();
        model::moveFiles(found, moved);
        document->change(found);
        const std::vector<std::string> missing = model::missingFiles(found);
        sayWhatIsMissing(missing);
        emit told(missing.empty() ? tr("All missing files are found.")
                                  : tr("%1 of %2 missing files were found in %3.")
                                        .arg(moved.size())
                                        .arg(moved.size() + missing.size())
                                        .arg(folder));
      },
      {{}, [this] { emit told(tr("Cancelled; no file was looked for any more.")); }});
}

void SessionController::save(const QString& path)
{
  parts.jobs->submit(
      {kSession, path, tr("Session to save")},
      [wanted = document->projectToRun(), seen = seen(), runs = parts.runs->shared(), saved = document->savedCells(),
       to = path.toStdString()](const JobContext& context) {
        std::map<std::string, model::Cell> known = saved;
        model::Project project = wanted;
        for (model::Cell& cell : project.cells) {
          context.control().checkpoint();
          if (model::isSample(cell.file))
            continue;
          cell.modified = modificationTime(cell.file); // not of what is written meanwhile
          try {
            cell.hash = model::contentHash(cell.file);
          } catch (const Error&) { // a file that is not there any more is no reason to lose the rest
            cell.hash = known[cell.file].hash;
            cell.modified = known[cell.file].modified;
          }
        }
        model::writeSession(project, to, seen.whole(), runs);
        return project;
      },
      [this, path](const model::Project& written) {
        document->takeSaved(written);
        file = path;
        emit saved(path);
        document->sayWhatIsNotGrown(written);
      },
      {{}, [this] { emit told(tr("Cancelled; no session was written.")); }});
}

void SessionController::copy()
{
  parts.jobs->submit(
      kSessionCopy,
      [wanted = document->projectToRun(), seen = seen()](const JobContext&) {
        return QString::fromStdString(model::sessionTextForAnyFolder(wanted, seen.whole()));
      },
      [this](const QString& session) { emit copied(session); },
      {{}, [this] { emit told(tr("Cancelled; no session was copied.")); }});
}

// ---- what a person sees ----

SeenSession SessionController::seen() const
{
  model::SessionView seen;
  seen.page = page();
  const std::string& ofFile = parts.projection->fileShown();
  seen.connection = ofFile.empty() ? parts.connections->shown() : ofFile;
  const Aside aside = document->aside();
  seen.formed = aside.formed;
  seen.isCircuitOpen = parts.simulation->hasCircuit();
  const std::vector<model::Cell> open = document->openCells();
  for (const model::Cell& cell : open)
    if (const auto found = aside.hidden.find(cell.file); found != aside.hidden.end())
      seen.hidden.push_back({cell.name, found->second});
  seen.isTogether = parts.projection->isTogether();
  seen.inChosenCells = parts.selection->isInChosenCells();
  for (const int row : parts.list->chosenRows())
    seen.chosenCells.push_back(open[static_cast<std::size_t>(row)].name);
  parts.seen->addTo(seen, open);
  return {std::move(seen), parts.neurons->selected()};
}

/// As far as it is there.
void SessionController::showSeen(const model::Project& wanted, const model::SessionView& seen)
{
  document->showSeen(wanted, seen.connection, seen.formed);
  const std::set<std::string> names(seen.chosenCells.begin(), seen.chosenCells.end());
  std::vector<int> chosen;
  for (std::size_t row = 0; row < wanted.cells.size(); ++row)
    if (names.contains(wanted.cells[row].name))
      chosen.push_back(static_cast<int>(row));
  if (chosen.empty() && parts.list->chosenRows().empty())
    chosen.push_back(0); // as where files are opened
  if (!chosen.empty())
    parts.list->chooseCells(chosen);
  parts.selection->setInChosenCells(seen.inChosenCells);
  parts.projection->setTogether(seen.isTogether);
  parts.seen->show(seen, wanted.cells);
  if (!seen.page.empty())
    emit pageNamed(seen.page);
  parts.simulation->beginDocument(seen.isCircuitOpen);
}

} // namespace hinesight::app
