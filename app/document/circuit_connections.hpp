#pragma once

#include "app/document/document_parts.hpp"
#include "app/pages/view_kind.hpp"
#include "app/projection/projection_controller.hpp"
#include "model/project.hpp"

#include <QObject>
#include <QString>

#include <optional>
#include <string>
#include <vector>

namespace hinesight::app {

class CircuitFormation;
class CircuitPopulations;

/// Leaves the connections, stimuli and probes whose populations are there.
void dropLost(model::Project& project);

/// Joins the list of connections with the page of projections, which shows one of them.
class CircuitConnections : public QObject
{
  Q_OBJECT

public:
  CircuitConnections(const DocumentParts& parts, const CircuitPopulations* populations, CircuitFormation* formation,
                     ProjectNow project, QObject* parent);

  /// The connections, with what the fields of the page of projections say, to a project that has the populations.
  void addTo(model::Project& project) const;
  /// The list and the page have those of the project.
  void show(const model::Project& wanted) { show(wanted, shownIn(wanted)); }
  /// A session was seen so: with this connection on the page of projections.
  void showSeen(const model::Project& wanted, const std::string& connection);
  /// The project is another one now: the list is that of it.
  void follow(const model::Project& project);
  /// By a person: it is shown on its page.
  void choose(const model::Connection& connection);
  /// What names it follows.
  void renamePopulation(const std::string& before, const std::string& now);
  /// A session was opened or saved: the only projection of the page is of it.
  void setOfSession() { isOfSession = true; }

signals:
  /// A person changed something of the connections.
  void changed();
  void pageWanted(hinesight::app::ViewKind page);
  void warned(const QString& sentence);
  /// More went than a person removed.
  void wentWith(const QString& sentence);

private:
  void show(const model::Project& wanted, const std::string& shown);
  std::string shownIn(const model::Project& project) const;
  void pick(const QString& name);
  void takeTable();
  void drawCells(const model::Project& project);
  void sayWhatIsLost(const std::string& population);
  void add();
  void addFormed(model::Connection added);
  std::optional<ProjectionController::Added> addOpened(const std::vector<ProjectionController::ReadTable>& tables);

  DocumentParts parts;
  const CircuitPopulations* populations;
  CircuitFormation* formation;
  ProjectNow project;
  bool isOfSession = false;
};

} // namespace hinesight::app
