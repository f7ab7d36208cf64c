#pragma once

#include "app/jobs/jobs.hpp"
#include "model/project.hpp"

#include <QObject>
#include <QString>

#include <string>
#include <vector>

namespace hinesight::app {

class CellListModel;
class ParameterPanel;
class PopulationPanel;
class ProjectionController;

inline constexpr JobKind kSession{.name = "session", .stage = "session"};

/// Joins what the window has open with session files. A session may hold more than the window shows, such as several
/// connections: that is kept and written back. The first projection is the one of the page of projections.
class SessionController : public QObject
{
  Q_OBJECT

public:
  struct Parts
  {
    CellListModel* cells;
    ParameterPanel* parameters; ///< of the cells
    PopulationPanel* populations;
    ProjectionController* projection;
  };

  SessionController(Jobs* jobs, const Parts& parts, QObject* parent);

  /// What the window has open, in place of that part of the session that was opened.
  model::Project project() const;
  /// Shows a session in place of all that is open, and then opens more cells.
  void open(const QString& path, const std::vector<std::string>& moreCells = {});
  void save(const QString& path);

signals:
  /// The parameters that solve cells, to be taken.
  void parametersWanted(const hinesight::study::CellParameters& parameters);
  void warned(const QString& sentence);
  /// The end of a job, in words.
  void told(const QString& result);
  void saved(const QString& path);

private:
  void show(const model::Project& read);
  std::vector<model::Cell> openCells() const;
  std::vector<model::Population> populationsOf(const std::vector<model::Cell>& cells) const;

  Jobs* jobs;
  Parts parts;
  model::Project kept; ///< the session that was opened
};

} // namespace hinesight::app
