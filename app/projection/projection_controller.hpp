#pragma once

#include "app/cells/cell_list_model.hpp"
#include "app/document/session_work.hpp"
#include "app/jobs/jobs.hpp"
#include "app/jobs/kept_results.hpp"
#include "app/projection/projection_outcome.hpp"
#include "app/shell/bars/question_bar.hpp"
#include "io/runs/run_record.hpp"
#include "model/project.hpp"
#include "widgets/projection/circuit_map.hpp"

#include <QObject>
#include <QString>
#include <QStringList>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace hinesight::app {

class PopulationPanel;
class ProjectionPage;
class ProjectionPanel;

inline constexpr JobKind kTable{.name = "Weight table", .stage = "positions"};
inline constexpr JobKind kTableExport{.name = "Export of a weight table", .stage = "export", .newestWins = false};

/// Joins the page of projections, the panels of its populations and parameters, and the jobs: makes a table when the
/// page is shown and when something that it depends on changes, opens tables from files and writes them.
class ProjectionController : public QObject
{
  Q_OBJECT

public:
  struct Parts
  {
    ProjectionPage* page;
    ProjectionPanel* parameters;
    PopulationPanel* populations;
  };

  /// `isPageShown`: whether a person sees the page now.
  ProjectionController(Jobs* jobs, const Parts& parts, std::function<bool()> isPageShown, QObject* parent);

  /// To be called when the page comes into view.
  void pageShown();
  /// Makes a table by the panels, or reads the one that is to be opened.
  void run();
  /// Where the fields are not those of the table that is shown, and nothing is on its way to change that.
  Question question() const;
  /// The fields are again those of the table.
  void restoreFields();
  /// The table that is shown.
  const ProjectionOutcome& outcome() const;
  /// What the panels say.
  study::ProjectionRequest request() const;
  /// The study of the session that makes it; none: a command of its own can say where its neurons are.
  std::optional<SessionWork> work() const;
  /// What made the table that is shown; none: a file holds it.
  const std::optional<study::ProjectionRequest>& requestOfTable() const { return made; }
  /// A connection of the project that is read from a file; without a name there is none.
  struct FileTable
  {
    std::string connection;
    model::Project project;
  };
  /// Takes populations and parameters in place of all that there are; the table is made now or when it is seen. Where
  /// there are fewer than two, those of before fill up. `file`: what is shown in place of a table that is made.
  void show(std::vector<study::PopulationChoice> choices, const study::ProjectionRequest& wanted,
            const FileTable& file = {});
  /// Shows the page and reads the tables of these files, each for a connection of its own (setAdding). The last one is
  /// shown.
  void open(const QStringList& paths);
  /// A table that was read, as a connection that is read from its file needs it.
  struct ReadTable
  {
    struct End
    {
      study::PopulationChoice choice; ///< places its neurons whenever the circuit is made
      std::uint64_t count = 0;
      std::uint64_t ofNamesake = 0; ///< neurons of the panel's population of that name, where a file places it; else 0
      bool isInvented = false;      ///< nobody knows the positions: they are on a grid
    };
    std::string file;
    End source, destination;
  };
  struct Added
  {
    FileTable shown;
    QStringList known; ///< names of the connections that were there already
  };
  using Adding = std::function<std::optional<Added>(const std::vector<ReadTable>&)>;
  /// Who adds connections of tables that were opened, and says which is shown. None: the table takes the place of the
  /// fields.
  void setAdding(Adding ofCircuit) { adding = std::move(ofCircuit); }
  /// Memory for tables that are kept, bytes.
  static std::uint64_t mostKept();
  /// A table that was made beside the page: who asks for it is shown it at once. The newest ones are kept, up to
  /// mostKept.
  void keep(const study::ProjectionRequest& request, const ProjectionOutcome& outcome);
  /// More populations that can be chosen; the chosen ones stay.
  void addPopulations(const std::vector<study::PopulationChoice>& more);
  /// Shows the connection of that name, which is read from a file, between the populations of the project. No fields
  /// are shown beside it.
  void showFile(const model::Project& project, const std::string& connection);
  /// The same, once the page is seen.
  void showFileOnPage(const model::Project& project, const std::string& connection);
  /// That connection; empty: the page shows none.
  const std::string& fileShown() const { return ofFile.connection; }
  /// Who knows the name of the connection that the fields are of; empty: none.
  void setNaming(std::function<std::string()> nameOfConnection) { naming = std::move(nameOfConnection); }
  /// The project is another one now: that connection is read anew where its populations are others, and given up where
  /// it is gone.
  void followFile(const model::Project& project);
  /// Shows the table of the fields again.
  void showFields();
  /// What the connection is called whose table the page shows; empty: it is none of the circuit.
  void nameConnection(const std::string& name);
  /// All connections of the circuit, for the page to show them together.
  void drawCircuit(widgets::CircuitPicture picture);
  /// Whether the page shows them together, and not one of them.
  bool isTogether() const;
  /// The connection of that name is seen alone, and is the chosen one of the list.
  void pick(const std::string& name) { emit connectionPicked(QString::fromStdString(name)); }
  void setTogether(bool isTogether);
  /// As ProjectionPage::setCells, of the populations of the project that the table joins; `morphologyOf` has those of
  /// open cells by their files, null where a file is not read.
  void drawCells(const model::Project& project,
                 const std::function<std::shared_ptr<const morphology::Morphology>(const std::string&)>& morphologyOf);
  /// It has another name now.
  void renameFile(const std::string& name);
  /// A projection between the somata of these cells is made anew, now or when it is seen.
  void setSomata(const std::vector<OpenCell>& cells);

signals:
  /// As ProjectionPage has them.
  void togetherShown();
  void makeAllWanted();
  void connectionPicked(const QString& name);
  /// By a person: the fields say something else, of which nothing is made yet.
  void edited();
  /// There may be another question, or none.
  void questionChanged();
  void pageWanted();
  /// A table of before is shown once more.
  void shownAgain();
  /// A run came to its end, as PageHost::ran.
  void ran(const hinesight::io::RunRecord& run, const std::function<void()>& restore);
  /// The end of a job, in words.
  void told(const QString& result);
  void failed(const QString& sentence);
  /// A table cannot be read.
  void unreadable(const hinesight::Error& error);
  /// That is so, since it is of this circuit: to be opened in its place.
  void circuitNeeded(const hinesight::Error& error, const QString& circuit);
  void saved(const QString& path);

private:
  std::string nameOfConnection() const;
  void connectPanels();
  void make();
  void read();
  void showAgainOrRun();
  void takeEdit(bool settled);
  void takeFieldSize();
  void takePopulations();
  bool isUpToDate() const;
  void setFile(const FileTable& file);
  void readConnection(const QStringList& known = {});
  void renamePopulation(const std::string& before, const std::string& now);
  void adoptGiven();
  void takeSomata();
  void takeAgreement(std::uint64_t rows);
  void showPopulations(const study::PopulationChoice& source, const study::PopulationChoice& destination);
  void showRequest(const study::ProjectionRequest& request);
  void runAgain(const study::ProjectionRequest& request);
  void takeProgress(const QString& stage, double fraction);
  void takeTable(const ProjectionOutcome& outcome);
  void makeReady(const std::shared_ptr<const projection::WeightTable>& last);
  void takeQuestion(const study::SizeQuestion& question);
  struct Opened
  {
    ProjectionOutcome outcome; ///< of the last table
    study::PopulationChoice source;
    study::PopulationChoice destination;
    std::vector<ReadTable> tables;
    std::vector<Error> failures; ///< of other files
  };
  void takeOpened(const Opened& opened);
  JobEnds endsOf(const QString& cancelled);
  void askWhereToExport();
  void exportTable(const QString& path);

  Jobs* jobs;
  ProjectionPage* page;
  ProjectionPanel* panel;
  PopulationPanel* populations;
  std::function<bool()> isPageShown;
  std::shared_ptr<study::ProjectionStudy> study; ///< of the worker
  FileTable ofFile;                              ///< that the page shows
  QStringList tablesToOpen;                      ///< until they are open; then, and else, tables are made
  std::function<std::string()> naming;
  Adding adding;
  std::uint64_t rowsAllowed = 0;                 ///< of tables that are asked about, by a person
  QString ofFieldSize;                           ///< that the kernel was given one, until that is told
  bool isDragging = false;                       ///< a slider whose table is made when it is let go
  std::optional<study::ProjectionRequest> asked; ///< what the panels said when a table was last wanted
  std::optional<study::ProjectionRequest> made;  ///< what they said of the table that is shown
  struct MakeTheSame
  {
    bool operator()(const study::ProjectionRequest& a, const study::ProjectionRequest& b) const;
  };
  static constexpr std::size_t kMostTables = 64; ///< as many as a circuit may have connections
  using Earlier = KeptResults<study::ProjectionRequest, ProjectionOutcome, MakeTheSame>;
  Earlier earlier{kMostTables};
};

} // namespace hinesight::app
