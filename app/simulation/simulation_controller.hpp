#pragma once

#include "app/jobs/jobs.hpp"
#include "app/shell/bars/question_bar.hpp"
#include "model/project.hpp"
#include "study/simulation/simulation_request.hpp"

#include <QObject>
#include <QString>

#include <functional>
#include <string>
#include <utility>

namespace hinesight {
class Error;
}

namespace hinesight::app {

class SimulationPage;
class SimulationPanel;

/// Joins the page of simulations, its parameters and its files. The model stands still while something is measured.
class SimulationController : public QObject
{
  Q_OBJECT

public:
  /// What the window has open.
  struct Document
  {
    std::function<model::Project()> project;
    std::function<QString()> file; ///< of the session; empty: it has none
  };

  SimulationController(Jobs* jobs, SimulationPage* page, SimulationPanel* panel, QObject* parent);

  void setDocument(Document ofWindow) { document = std::move(ofWindow); }
  /// That of the document, which is made anew.
  void openCircuit();
  /// A fit, a configuration, or a model that comes with the program. `morphology`: of a fit; empty: the SWC file beside
  /// it.
  void open(const QString& file, const QString& morphology = {});
  /// What the fields say.
  study::SimulationRequest request() const;
  /// What the run is by, whatever the fields say since; a model is open.
  study::SimulationRequest requestOfRun() const;
  /// The fields say this, and its model is open.
  void show(const study::SimulationRequest& wanted);
  /// Everything is to be computed there.
  void setBackend(Backend backend);
  /// Where the fields say what only a new run can have.
  Question question() const;
  /// Begins anew by the fields.
  void startAnew();
  /// The fields are again those of the run.
  void keepRun();
  /// "hinesight-cli simulate ...". Throws Error(BadParameter) with why there is none.
  std::string command() const;

signals:
  void questionChanged();
  void saved(const QString& path);
  void failed(const QString& sentence);
  void told(const QString& result);
  /// A person gave the circuit of the document other parameters.
  void circuitEdited(const hinesight::simulation::SimulationParameters& parameters);
  /// The circuit of the document cannot be simulated as it is: a person is to see how it is simulated.
  void circuitRefused();
  /// A file that cannot be read.
  void unreadable(const hinesight::Error& error);

private:
  void askWhatToOpen();
  void askForMorphology(const study::SimulationRequest& request);
  void askWhereToExport();
  void exportTo(const QString& path, const QString& filter);
  void askWhereToFilm();
  void film(const QString& folder);
  void takeEdit();
  void takeOpened();
  void takeRefusal(const Error& error);
  void read(const study::SimulationRequest& wanted);
  bool isCircuitChanged() const;

  Jobs* jobs;
  SimulationPage* page;
  SimulationPanel* panel;
  Document document;
  study::SimulationRequest opening; ///< what is being read
  model::Project openingCircuit;    ///< its part of the document
  model::Project circuit;           ///< that part as the model has it, or as a person keeps the run beside it
  bool keepsFields = false;         ///< of what is being read: else they become what the files say
  bool runsOn = false;              ///< when it is read
};

} // namespace hinesight::app
