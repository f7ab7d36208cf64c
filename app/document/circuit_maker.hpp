#pragma once

#include "app/document/connection_ids.hpp"
#include "app/document/document_parts.hpp"
#include "app/jobs/jobs.hpp"
#include "io/runs/run_record.hpp"
#include "model/project.hpp"
#include "study/projection/projection_study.hpp"

#include <QObject>
#include <QString>

#include <functional>
#include <vector>

namespace hinesight::study {
struct MadeConnection;
}

namespace hinesight::app {

class CircuitPopulations;

inline constexpr JobKind kCircuit{.name = "Circuit", .stage = "circuit"};

/// Makes all connections of the circuit: for their figures, for the page of projections to show them, and for files.
class CircuitMaker : public QObject
{
  Q_OBJECT

public:
  /// `ids`: of the connections that there are now.
  CircuitMaker(const DocumentParts& parts, const CircuitPopulations* populations, ProjectNow project,
               std::function<ConnectionIds::Map()> ids, QObject* parent);

  /// What the page of projections shows of all connections together.
  void draw(const model::Project& project);
  /// As SONATA into a folder.
  void exportTo(const QString& folder);

signals:
  /// This connection was made, which has that number.
  void made(const hinesight::io::RunRecord& run, const hinesight::model::Connection& connection,
            hinesight::app::ConnectionIds::Id id);
  /// The end of a job, in words.
  void told(const QString& result);
  void warned(const QString& sentence);
  void exported(const QString& folder);

private:
  /// What connections are made of.
  struct Source
  {
    model::Project project;
    ConnectionIds::Map ids;
  };
  Source source() const { return {project(), ids()}; }
  void make();
  void makeWhatIsSmall();
  void takeFigures(const Source& of, const std::vector<study::MadeConnection>& all);
  study::ProjectionRequest requestOf(const model::Project& project, const model::Connection& connection) const;

  DocumentParts parts;
  const CircuitPopulations* populations;
  ProjectNow project;
  std::function<ConnectionIds::Map()> ids;
};

} // namespace hinesight::app
