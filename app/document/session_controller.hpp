#pragma once

#include "app/document/aside.hpp"
#include "app/jobs/jobs.hpp"
#include "app/jobs/kept_results.hpp"
#include "app/pages/view_kind.hpp"
#include "app/projection/projection_controller.hpp"
#include "app/selection/branch_selection.hpp"
#include "io/runs/run_record.hpp"
#include "model/project.hpp"
#include "model/session_view.hpp"
#include "study/growth/growth_study.hpp"
#include "study/projection/population_choice.hpp"

#include <QObject>
#include <QPointer>
#include <QString>

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace hinesight::model {
struct ReadSession;
}
namespace hinesight::study {
struct ComparedSide;
struct MadeConnection;
} // namespace hinesight::study
namespace hinesight::synapse {
struct NeuronPopulation;
}

namespace hinesight::app {

class CellListModel;
class ConnectionPanel;
class DataPanel;
class FormationController;
struct FormationOutcome;
class ParameterPanel;
class PlasticityController;
class NetworkComparisonDialog;
class PopulationPanel;
class RunTableModel;
class SeenViews;
class SimulationController;

inline constexpr JobKind kSession{.name = "session", .stage = "session"};
/// Places the neurons of a connection that is formed.
inline constexpr JobKind kNeurons{.name = "neurons", .stage = "positions"};
inline constexpr JobKind kCircuit{.name = "circuit", .stage = "circuit"};
inline constexpr JobKind kComparison{.name = "comparison", .stage = "compare"};
inline constexpr JobKind kComparisonExport{.name = "comparison export", .stage = "export", .newestWins = false};

/// That these connections of the circuit take no part in its simulation, and where they get synapses; empty: of none.
QString leftOutInWords(const std::vector<std::string>& connections);

/// Joins what the window has open with session files. A session may hold more than the window shows, such as the
/// parameters of edges of another circuit: that is kept and written back. One projection is that of the page of
/// projections.
class SessionController : public QObject
{
  Q_OBJECT

public:
  struct Parts
  {
    CellListModel* cells;
    DataPanel* list;            ///< of the cells, in which some are chosen
    BranchSelection* selection; ///< whose sets are kept
    ParameterPanel* parameters; ///< of the cells
    PopulationPanel* populations;
    ConnectionPanel* connections;
    ProjectionController* projection;
    FormationController* formation;
    PlasticityController* growth;
    SimulationController* simulation;
    RunTableModel* runs;               ///< shows those of the document
    SeenViews* seen;                   ///< of the cells
    std::function<std::string()> page; ///< the name of the page that is shown
  };

  SessionController(Jobs* jobs, const Parts& parts, QObject* parent);

  /// What the window has open, in place of that part of the session that was opened.
  model::Project project() const;
  /// The same with what a run of it does: whether synapses are formed, and how far the network has grown. So it is
  /// written to files.
  model::Project projectToRun() const;
  /// What a person sees of it.
  model::SessionView view() const;
  Aside aside() const;
  /// The window has this open, in place of all that was. What is equal stays as it is, and is not computed anew.
  /// `selected`: in that; nothing is said of it by default.
  void show(const model::Project& wanted, const Aside& aside, const Selected& selected = {});
  /// The same, by a person.
  void change(const model::Project& wanted);
  /// In place of the connection that has its name now, made there; by a person. Where its populations are gone, that is
  /// said.
  void bringBack(const model::Connection& connection, std::optional<Backend> backend = {});
  /// How the circuit is simulated.
  void setSimulation(const simulation::SimulationParameters& parameters);
  /// What a window that never ended had open, with the file that it was saved to.
  void restore(const model::Project& project, const model::SessionView& view, const io::SharedRuns& runs);
  /// Of the session file that was opened or saved last; empty: none.
  const QString& path() const { return file; }
  /// Shows a session in place of all that is open, and then opens more cells.
  void open(const QString& path, const std::vector<std::string>& moreCells = {});
  /// The list of connections is that of the project.
  void listConnections(const model::Project& project);
  /// The same of a session that has no file of its own yet.
  void openAsNew(const QString& path);
  void save(const QString& path);
  /// Shows a circuit of a SONATA configuration in the same way; it has no file of its own yet.
  void importCircuit(const QString& configuration);
  /// Looks for the files that are missing in a folder and in the folders in it, and opens those that are found.
  void locate(const QString& folder);
  /// Makes the circuit and writes it as SONATA into a folder.
  void exportCircuit(const QString& folder);

signals:
  /// A connection was made beside its page, as PageHost::ran.
  void ran(const hinesight::io::RunRecord& run, const std::function<void()>& restore);
  /// The parameters that solve cells, to be taken.
  void parametersWanted(const hinesight::study::CellParameters& parameters);
  void warned(const QString& sentence);
  /// More went than a person removed; true until that is undone.
  void wentWith(const QString& sentence);
  /// These files of what was opened are not there; none: all are.
  void filesMissing(const QStringList& files);
  /// The end of a job, in words.
  void told(const QString& result);
  void failed(const QString& sentence);
  /// The page that a session was saved on, by its name.
  void pageNamed(const std::string& page);
  /// A page shows another connection, and is to be seen.
  void pageWanted(hinesight::app::ViewKind page);
  /// The page Synapses shows another connection, or none.
  void formedShown();
  /// A person changed something of the connections.
  void changed();
  /// A session was opened: `step` says so, as a step of a person's work.
  void opened(const QString& step);
  void saved(const QString& path);
  void exported(const QString& folder);

private:
  void sayWhatIsMissing(const std::vector<std::string>& files);
  void take(const QString& name, const model::ReadSession& session, const std::vector<std::string>& moreCells);
  void showSeen(const model::Project& project, const model::SessionView& view);
  HiddenByFile hidden() const;
  std::string formedOnPage() const;
  HiddenByFile hiddenIn(const model::Project& project, const model::SessionView& view) const;
  void read(const QString& path, const QString& own, const std::vector<std::string>& moreCells);
  std::vector<model::Cell> openCells() const;
  void chooseCells(const std::vector<std::string>& files);
  std::vector<model::Population> populationsOf(const std::vector<model::Cell>& cells) const;
  study::PopulationChoice choiceOf(const model::Population& population) const;
  std::string shownIn(const model::Project& project) const;
  void showConnections(const model::Project& wanted, const std::string& shown);
  void renamePopulation(const std::string& before, const std::string& now);
  void choose(const model::Connection& connection);
  void drawCells(const model::Project& project);
  void takeTable();
  void takeNetwork(const FormationOutcome& outcome);
  using Neurons = std::shared_ptr<const synapse::NeuronPopulation>;
  void place(const JobKind& kind, const model::Project& project, const std::vector<std::string>& populations,
             std::function<void(const Neurons&)> take, JobEnds ends = {});
  void placeGrown(const model::Project& project);
  std::string nameOfBegun(model::Project& project) const;
  bool isAsBegun(model::Project& project) const;
  void showGrowth(const model::Project& wanted);
  void takeStart(const std::shared_ptr<const study::GrowthStart>& start);
  void growWhatIsThere();
  void showOwnForm(const model::Project& wanted);
  std::vector<std::string> ownPopulations() const;
  bool formWhatIsThere();
  void sayWhatIsNotGrown(const model::Project& written);
  void askWhoGrows();
  void sayWhatIsLost(const std::string& population);
  void addConnection();
  void addFormed(model::Connection added);
  std::optional<ProjectionController::FileTable> addOpened(const std::vector<ProjectionController::ReadTable>& tables);
  void followFormed(const model::Project& now, const model::Project& wanted);
  void showFormed(const model::Project& project, const std::string& name, bool isWanted);
  void makeConnections();
  study::ProjectionRequest requestOf(const model::Project& project, const model::Connection& connection) const;
  void compare(const std::string& first, const std::string& second);
  void compareIn(NetworkComparisonDialog* dialog);
  void compareSides(NetworkComparisonDialog* dialog, const study::ComparedSide& first,
                    const study::ComparedSide& second);
  void drawCircuit(const model::Project& project);
  void makeWhatIsSmall();
  void takeFigures(const model::Project& project, const std::vector<study::MadeConnection>& made);

  Jobs* jobs;
  Parts parts;
  model::Project kept; ///< the session that was opened
  QString file;
  bool hasSession = false; ///< one was opened, restored or saved
  /// The synapses that the page Synapses forms, where it forms a connection of the circuit.
  struct FormedConnection
  {
    std::string name;
    model::Project part; ///< that its neurons depend on
  };
  FormedConnection formed;
  std::optional<FormedConnection> coming; ///< once its neurons are placed
  /// By their names, and what of the project they depend on.
  KeptResults<std::pair<std::vector<std::string>, model::Project>, Neurons> placed;
  model::Project grown; ///< what the neurons that grow depend on, where they are populations of the circuit
  /// The formed connection that the network of the page Plasticity begins with, as it was then.
  struct BegunConnection
  {
    std::shared_ptr<const study::GrowthStart> start; ///< null: none, or on its way
    std::string connection;
    synapse::FormationParameters formation;
    model::Project part;
  };
  BegunConnection begun;
  bool isBeginning = false; ///< its synapses are being formed
  // What the window begins with.
  std::vector<study::PopulationChoice> untouched;
  study::GrowthRequest standardGrowth;
  // Populations that these pages began with unasked; they do so once.
  std::vector<std::string> formedFor, grownFor;
  std::string grownAs; ///< how the comparison calls the network of the page Plasticity; empty: there is none
  QPointer<NetworkComparisonDialog> comparison;           ///< one at a time
  mutable std::optional<study::FormationRequest> ownForm; ///< of that page, where it forms no connection
  std::optional<study::FormationRequest> comingForm;      ///< the same, once its neurons are placed
  /// By their names: populations whose neurons an opened table holds.
  mutable std::map<std::string, study::PopulationChoice> ofTables;
};

} // namespace hinesight::app
