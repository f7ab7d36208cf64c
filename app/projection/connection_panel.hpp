#pragma once

#include "model/project.hpp"
#include "study/circuit/circuit_study.hpp"
#include "study/projection/population_choice.hpp"

#include <QWidget>

#include <map>
#include <string>
#include <utility>
#include <vector>

class QListWidget;
class QListWidgetItem;
class QPushButton;

namespace hinesight::app {

/// What a connection came to when it was made last.
struct ConnectionFigures
{
  std::uint64_t rows = 0;
  double milliseconds = 0;
  std::uint64_t synapses = 0;                    ///< of the pairs that the rows are; 0: of a table
  std::vector<study::PopulationJoin> joins = {}; ///< from population to population
};

/// The connections of the circuit: name, what each joins and how, rows and time. The chosen projection is the one that
/// the page of projections shows.
class ConnectionPanel : public QWidget
{
  Q_OBJECT

public:
  explicit ConnectionPanel(QWidget* parent = nullptr);

  const std::vector<model::Connection>& connections() const { return all; }
  /// Of the projection that is shown; empty: none is.
  const std::string& shown() const { return shownName; }
  /// Of the chosen one of the list; empty: none is.
  const std::string& chosenName() const { return selected; }
  /// Without a signal. `shown`: the name of a projection.
  void setConnections(std::vector<model::Connection> connections, const std::string& shown);
  /// By a person: the projection of that name joins these populations. Where it was named by those of before, it is
  /// named by these (`renamed`).
  void setEnds(const std::string& name, const std::string& source, const std::string& target);
  /// The same connections, where a population has another name; their figures stay. Projections that are named by it
  /// are renamed with it (`renamed`).
  void renamePopulation(std::vector<model::Connection> connections, const std::string& before, const std::string& now);
  /// Projections from populations that are no grids have a field size where their kernel takes one (giveFieldSize).
  /// Without a signal.
  void giveFieldSizes(const std::vector<study::PopulationChoice>& populations);
  /// Where formed connections are formed. Without a signal.
  void setBackend(Backend backend);
  /// The connection of that name is the chosen one of the list. Without a signal.
  void select(const std::string& name);
  /// Names of those that can be joined.
  void setPopulations(std::vector<std::string> names) { populations = std::move(names); }
  /// The connection whose table the page of projections shows, where that is no projection; empty: it is the one that
  /// is shown.
  void setOnPage(const std::string& name);
  /// Of the connection of that name; null: it was not made as it is in the list.
  const ConnectionFigures* figuresOf(const std::string& name) const;
  /// What this connection came to. The list may have it otherwise still: it shows them once it has it so.
  void setFigures(const model::Connection& made, const ConnectionFigures& figures);

signals:
  void figuresChanged();
  /// By a person: this one is to be shown.
  void chosen(const hinesight::model::Connection& connection);
  /// By a person: one more like the chosen one.
  void addRequested();
  /// By a person: synapses formed between these populations.
  void formRequested(const std::vector<std::string>& between);
  /// By a person, before it is part of a step.
  void renamed(const std::string& before, const std::string& now);
  /// Why a name that a person gave is not taken.
  void refused(const QString& sentence);
  /// By a person: one was removed, or has another name.
  void changed();
  /// All of them, by a person.
  void makeRequested();
  /// By a person: these two, side by side.
  void compareRequested(const std::string& first, const std::string& second);

private:
  void refresh();
  void choose(int row);
  void rename(QListWidgetItem* item);
  bool canRemove(int row) const;
  void remove();
  void askBetween();
  void compare();
  void giveName(model::Connection& connection, const std::string& name);
  void nameByItsEnds(model::Connection& connection);
  void renameMade(const std::string& before, const std::string& now);
  QString describe(const model::Connection& connection) const;

  std::vector<model::Connection> all;
  std::string shownName;
  std::string onPage; ///< as setOnPage
  std::vector<std::string> populations;
  struct Made
  {
    model::Connection connection;
    ConnectionFigures figures;
  };
  std::map<std::string, Made> allMade; ///< by name; also of connections that are gone: undo brings them back
  std::string selected;                ///< its name; empty: none is
  std::string followed;                ///< what was on the page when the list last followed it
  QListWidget* list;
  QPushButton* compareButton;
  QPushButton* removeButton;
  bool isRefreshing = false;
};

} // namespace hinesight::app
