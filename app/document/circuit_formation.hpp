#pragma once

#include "app/document/document_parts.hpp"
#include "app/jobs/jobs.hpp"
#include "app/pages/view_kind.hpp"
#include "model/project.hpp"
#include "study/formation/formation_study.hpp"

#include <QObject>

#include <optional>
#include <string>
#include <vector>

namespace hinesight::app {

class CircuitPopulations;
struct FormationOutcome;
class PlacedNeurons;

/// Places the neurons of a connection that is formed.
inline constexpr JobKind kNeurons{.name = "Neurons", .stage = "positions"};

/// Joins the page Synapses with the circuit: it forms a connection of it, or synapses of its own, which may be between
/// populations of the circuit, too.
class CircuitFormation : public QObject
{
  Q_OBJECT

public:
  CircuitFormation(const DocumentParts& parts, const CircuitPopulations* populations, PlacedNeurons* neurons,
                   ProjectNow project, QObject* parent);

  /// A connection that the page forms; without a name it forms synapses of its own.
  struct Formed
  {
    std::string name;
    model::Project part; ///< that its neurons depend on
  };
  const Formed& formed() const { return ofPage; }
  /// The connection whose synapses the page shows, now or soon; empty: it shows those of its own.
  std::string nameOnPage() const;
  /// What the fields of the page say, to a project that has the connections of the circuit.
  void addTo(model::Project& project) const;
  /// Of the synapses of the page itself, while it shows a connection.
  void setBackend(Backend backend);
  /// Whether a run forms the synapses of the page.
  static void addRunTo(model::Project& project);
  /// The page shows what the project says, in place of `now`. `formed`: the connection, where it shows none.
  void show(const model::Project& wanted, const model::Project& now, const std::string& formed);
  /// A session was seen so. Where it says nothing, its first formed connection is shown in place of the neurons that
  /// the page begins with.
  void showSeen(const model::Project& wanted, const std::string& formed);
  /// Forms this connection of the project; `isWanted`: then the page is to be seen.
  void showConnection(const model::Project& wanted, const std::string& name, bool isWanted);
  /// The project is another one now: synapses that are shown follow their populations.
  void follow(const model::Project& project);
  void renamePopulation(const std::string& before, const std::string& now);
  /// Under the name that it has in `wanted`: a renaming that is undone leaves the connection where it was.
  void followName(const model::Project& now, const model::Project& wanted);

signals:
  /// The page shows another connection, or none.
  void shown();
  void pageWanted(hinesight::app::ViewKind page);
  /// As Document::tookOver.
  void tookOver(const std::function<void(hinesight::model::Project&)>& into);

private:
  void rename(const std::string& before, const std::string& now);
  void takeNetwork(const FormationOutcome& outcome);
  void showOwn(const model::Project& project);
  bool beginWithCircuit();

  DocumentParts parts;
  const CircuitPopulations* populations;
  PlacedNeurons* neurons;
  ProjectNow project;
  Formed ofPage;
  std::optional<Formed> coming;                           ///< once its neurons are placed
  mutable std::optional<study::FormationRequest> ownForm; ///< of the page, where it forms no connection
  std::optional<study::FormationRequest> comingForm;      ///< the same, once its neurons are placed
  std::vector<std::string> begunWith;                     ///< populations, unasked; the page does so once
};

} // namespace hinesight::app
