#pragma once

#include "app/document/aside.hpp"
#include "app/document/connection_ids.hpp"
#include "app/document/document_parts.hpp"
#include "app/pages/view_kind.hpp"
#include "app/selection/branch_selection.hpp"
#include "core/device.hpp"
#include "io/runs/run_record.hpp"
#include "model/project.hpp"
#include "study/cells/parameters.hpp"

#include <QObject>
#include <QString>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace hinesight::app {

class CircuitConnections;
class CircuitFormation;
class CircuitGrowth;
class CircuitMaker;
class CircuitPopulations;
class PlacedNeurons;

/// That these connections of the circuit take no part in its simulation, and where they get synapses; empty: of none.
QString leftOutInWords(const std::vector<std::string>& connections);

/// What the window has open, as a project. It may hold more than the window shows, such as the parameters of edges of
/// another circuit: that is kept. One projection is that of the page of projections.
class Document : public QObject
{
  Q_OBJECT

public:
  Document(const DocumentParts& parts, QObject* parent);
  ~Document() override;

  /// What the window has open, in place of that part of the project that was shown last.
  model::Project project() const;
  /// The same with what a run of it does: whether synapses are formed, and how far the network has grown. So it is
  /// written to files.
  model::Project projectToRun() const { return toRun(project()); }
  /// A project of the window so, as of now.
  model::Project toRun(model::Project project) const;
  /// The same for a session whose network is kept beside it: how far it has grown is said only where a run of the
  /// session grows that one.
  model::Project toKeep(model::Project project) const;
  Aside aside() const;
  /// Of the connections that there are.
  const ConnectionIds& connectionIds() const;
  /// The cells that are open, as the project has them.
  std::vector<model::Cell> openCells() const;
  /// The cells by their files as the project had them when it was shown or saved last: what was in these, and since
  /// when, is known of them.
  std::map<std::string, model::Cell> savedCells() const;

  /// The window has this open, in place of all that was. What is equal stays as it is, and is not computed anew.
  /// `selected`: in that; nothing is said of it by default.
  void show(const model::Project& wanted, const Aside& aside, const Selected& selected = {});
  /// The same, by a person.
  void change(const model::Project& wanted);
  /// Pages show these connections of the project, as far as they are there.
  void showSeen(const model::Project& wanted, const std::string& connection, const std::string& formed);
  /// It is that of a session: one was opened, restored or saved.
  void setOfSession();
  /// It was written so.
  void takeSaved(const model::Project& written);
  /// Warns where a run of what was written grows another network than the window has.
  void sayWhatIsNotGrown(const model::Project& written);
  /// A step was made: what lists the circuit has that of the project.
  void list(const model::Project& project);
  /// In place of the connection that has its name now, made there, and as `compute` says; by a person. Where its
  /// populations are gone, that is said.
  void bringBack(const model::Connection& connection, std::optional<projection::ComputeParameters> compute = {});
  /// The same of one that is gone and had that number, under a name that is free: that is said. Returns its name.
  std::string bringBackAsNew(model::Connection connection, ConnectionIds::Id id,
                             std::optional<projection::ComputeParameters> compute = {});
  /// How the circuit is simulated.
  void setSimulation(const simulation::SimulationParameters& parameters);
  /// Of what no page shows, such as another formed connection; pages follow by themselves. Without a signal.
  void setBackend(Backend backend);
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
  /// The end of a job, in words.
  void told(const QString& result);
  void failed(const QString& sentence);
  /// A page shows another connection, and is to be seen.
  void pageWanted(hinesight::app::ViewKind page);
  /// The page Synapses shows another connection, or none.
  void formedShown();
  /// A person changed something of the circuit.
  void changed();
  /// A page that was seen began with something of the circuit, which nobody asked for: it is no change of what is open.
  /// `into` says the same in a project that says nothing of it.
  void tookOver(const std::function<void(hinesight::model::Project&)>& into);
  void exported(const QString& folder);

private:
  void joinParts();
  HiddenByFile hidden() const;
  void chooseCells(const std::vector<std::string>& files);
  void showCells(const model::Project& wanted, const model::Project& now, const Aside& aside, const Selected& selected);
  void renamePopulation(const std::string& before, const std::string& now);
  void restoreMade(const model::Connection& made, ConnectionIds::Id id);

  DocumentParts parts;
  model::Project kept; ///< that was shown last
  std::unique_ptr<CircuitPopulations> populations;
  std::unique_ptr<PlacedNeurons> neurons;
  CircuitFormation* formation;
  CircuitConnections* connections;
  CircuitGrowth* growth;
  CircuitMaker* maker;
  mutable ConnectionIds ids; ///< as of when they were last asked for
};

} // namespace hinesight::app
