#pragma once

#include "app/document/session_work.hpp"
#include "app/jobs/jobs.hpp"
#include "app/shell/bars/question_bar.hpp"
#include "app/synapses/formation_outcome.hpp"
#include "study/circuit/network_comparison.hpp"
#include "study/growth/growth_study.hpp"

#include <QObject>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace hinesight::app {

class PlasticityPage;
class PlasticityPanel;

/// Joins the page of plasticity, its parameters and its files. The model stands still while something is
/// measured.
class PlasticityController : public QObject
{
  Q_OBJECT

public:
  PlasticityController(Jobs* jobs, PlasticityPage* page, PlasticityPanel* panel, QObject* parent);

  /// The fields say that a run begins with a network that was formed or read, and with its search. A run that has begun
  /// stays until a person decides. Returns the name of that network.
  QString growFrom(const FormationOutcome& outcome);
  /// What the fields say.
  study::GrowthRequest request() const;
  /// The fields say this, but what a run starts with stays.
  void show(study::GrowthRequest wanted);
  /// A run begins with the neurons of these populations, without synapses; none: with neurons at random. `neurons`:
  /// null as long as they are not placed.
  void setNeurons(const std::vector<std::string>& populations,
                  std::shared_ptr<const synapse::NeuronPopulation> neurons);
  /// A run begins with this network, whose search and calcium the fields have already; null: with neurons at random or
  /// of populations.
  void begin(std::shared_ptr<const study::GrowthStart> start);
  /// Who knows the name of the connection that a run begins with, as the circuit has it; empty: there is none.
  void setNaming(std::function<std::string()> nameOfConnection) { naming = std::move(nameOfConnection); }
  /// Steps that the run has done with the parameters in the fields, from its beginning; 0: none, or it went on from a
  /// checkpoint.
  std::uint32_t stepsGrown() const;
  /// Whether the run had other parameters in some of its steps.
  bool isChangedMidway() const;
  /// Whether a network has grown.
  bool hasNetwork() const;
  /// The network as it is now comes to `take`, by a job; nothing comes where there is none.
  void borrowNetwork(std::function<void(study::ComparedNetwork)> take);
  /// The study of the session that grows the same; none where a command or nothing can say it.
  std::optional<SessionWork> work() const;
  /// The run goes on from a checkpoint that was kept of it. `isOfFields`: they grow the same again; else it begins with
  /// the checkpoint.
  void resume(const QString& checkpoint, bool isOfFields);
  /// Where the fields say what only a new run can have, or a checkpoint waits that would end the run.
  Question question() const;
  /// Begins anew by the fields, or opens the checkpoint that waits.
  void startAnew();
  /// The fields are again those of the run.
  void keepRun();

signals:
  /// The page came into view.
  void seen();
  /// A run begins with this network, which was formed or read.
  void startTaken(const std::shared_ptr<const hinesight::study::GrowthStart>& start);
  /// A person asks which populations of the circuit grow.
  void populationsWanted();
  /// There may be another question, or none.
  void questionChanged();
  void saved(const QString& path);
  void failed(const QString& sentence);
  /// What was opened, or will be grown, in words.
  void told(const QString& result);

private:
  void askWhatToOpen();
  void askWhereToExport();
  void exportTo(const QString& path, const QString& filter);
  void open(const QString& path);
  void takeChange();
  QString whatToStartWith() const;

  Jobs* jobs;
  PlasticityPage* page;
  PlasticityPanel* panel;
  std::function<std::string()> naming;
  QString checkpointToOpen; ///< as soon as a person agrees that the run ends; empty: none
};

} // namespace hinesight::app
