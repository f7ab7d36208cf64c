#pragma once

#include "app/jobs/jobs.hpp"
#include "app/shell/bars/question_bar.hpp"
#include "model/project.hpp"
#include "study/simulation/simulation_request.hpp"

#include <QObject>
#include <QString>

#include <functional>
#include <memory>
#include <optional>
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
    /// Which document it is: the same for all its steps, another one for each that is opened.
    std::function<std::shared_ptr<const void>()> identity;
    std::function<bool()> isOfPerson; ///< who may look at it; else it is open for files to be made
  };

  SimulationController(Jobs* jobs, SimulationPage* page, SimulationPanel* panel, QObject* parent);

  void setDocument(Document ofWindow) { document = std::move(ofWindow); }
  /// That of the document, which is made anew.
  void openCircuit();
  /// Another document is open now. `isCircuitOpen`: its circuit was open in the session, and is to be again.
  void beginDocument(bool isCircuitOpen);
  /// The page came into view: a person sees the circuit of the document there, unless it has what a person chose.
  void pageShown();
  /// Whether the circuit of this document is open, or will be once the page is seen.
  bool hasCircuit() const;
  /// The document is another one now, or had a step. Populations that are called otherwise keep their run.
  void followCircuit();
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
  /// The circuit of the document cannot be simulated as it is: a person is to see how it is simulated. `sentence`: why,
  /// which `failed` has said.
  void circuitRefused(const QString& sentence, bool hasNoModel);
  /// What that sentence says is true no more.
  void refusalGone(const QString& sentence);
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
  bool openingHasNoModel() const;
  void forgetRefusal();
  void read(const study::SimulationRequest& wanted);
  void showCircuitOfDocument();
  bool isCircuitWanted() const;
  bool isCircuitDue() const;
  bool isCircuitChanged() const;
  bool isOfDocument() const;
  void showNames();

  Jobs* jobs;
  SimulationPage* page;
  SimulationPanel* panel;
  Document document;
  study::SimulationRequest opening;           ///< what is being read
  model::Project openingCircuit;              ///< its part of the document
  std::shared_ptr<const void> openingOf;      ///< the document; null: it is of a file
  model::Project circuit;                     ///< that part as the model has it
  std::shared_ptr<const void> ofDocument;     ///< whose circuit the model is
  std::optional<model::Project> beside;       ///< another one, beside which a person keeps the run
  model::Project newest;                      ///< that part by the last step
  std::shared_ptr<const void> wantedDocument; ///< whose circuit is to be opened once the page is seen
  QString refusal;                            ///< why the circuit could not be opened; empty: it could
  std::string obstacle;                       ///< that part of the document tells so by itself; empty: it does not
  bool keepsFields = false;                   ///< of what is being read: else they become what the files say
  bool runsOn = false;                        ///< when it is read
};

} // namespace hinesight::app
