#pragma once

#include "app/document/session_work.hpp"
#include "app/jobs/jobs.hpp"
#include "app/jobs/kept_results.hpp"
#include "app/shell/bars/question_bar.hpp"
#include "app/synapses/formation_outcome.hpp"
#include "app/synapses/formation_panel.hpp"
#include "io/runs/run_record.hpp"

#include <QObject>

#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace hinesight::selection {
struct NetworkTable;
}

namespace hinesight::app {

class FileSorter;
class FormationPage;

inline constexpr JobKind kSynapses{.name = "Synapses", .stage = "positions"};
inline constexpr JobKind kNetworkExport{.name = "Export of synapses", .stage = "export", .newestWins = false};

/// Joins the page of synapses, its parameters and the jobs: forms synapses when the page is first shown and when a
/// parameter changes.
class FormationController : public QObject
{
  Q_OBJECT

public:
  FormationController(Jobs* jobs, FormationPage* page, FormationPanel* panel, QObject* parent);

  /// To be called when the page comes into view.
  void pageShown();
  void run();
  /// What the fields say.
  study::FormationRequest request() const { return panel->request(); }
  /// The study of the session that forms the same; none where the neurons are of no circuit.
  std::optional<SessionWork> work() const;
  /// Who knows the name of the connection whose synapses are formed; empty: they are of none.
  void setNaming(std::function<std::string()> nameOfConnection) { naming = std::move(nameOfConnection); }
  /// What the page begins with when it is first seen: true where `show` follows, else it forms what the fields say.
  void setBeginning(std::function<bool()> begin) { beginning = std::move(begin); }
  /// The fields say this; synapses are formed by it now or when the page is seen.
  void show(const study::FormationRequest& wanted);
  /// The neurons stay what they are.
  void renamePopulation(const std::string& before, const std::string& now);
  /// Where the fields are not those of the network that is shown, and nothing is on its way to change that.
  Question question() const;
  /// The fields are again those of the network.
  void restoreFields();
  /// Shows the synapses of a file.
  void openNetwork(const NetworkFile& file) { panel->setNetwork(file); }
  /// Forms synapses between the neurons of a file.
  void openNeurons(const QString& path) { panel->setFile(path); }

  /// As FormationPage::networkShown, with the name of the connection.
  std::shared_ptr<const selection::NetworkTable> networkShown() const;

  /// What made the network that is shown; none: it was read.
  const std::optional<study::FormationRequest>& requestOfNetwork() const { return made; }

signals:
  /// There may be another question, or none.
  void questionChanged();
  void pageWanted();
  /// The page shows a network that was formed or read, now or before.
  void shown(const hinesight::app::FormationOutcome& outcome);
  /// A run came to its end, as PageHost::ran.
  void ran(const hinesight::io::RunRecord& run, const std::function<void()>& restore);
  /// The end of a job, in words.
  void told(const QString& result);
  void saved(const QString& path);
  void failed(const QString& sentence);
  /// A file of neurons or synapses cannot be read.
  void unreadable(const hinesight::Error& error);

private:
  std::string nameOfConnection() const;
  void showAgainOrRun();
  void takeEdit(bool settled);
  void takeOutcome(const FormationOutcome& outcome);
  void runAgain(const study::FormationRequest& request);
  void askWhatToImport();
  void import(const OpenableFiles& files);
  void askWhereToExport();
  void exportTo(const QString& path, const QString& filter);
  void exportNetwork(const QString& path, study::NetworkPart part);

  Jobs* jobs;
  FormationPage* page;
  FormationPanel* panel;
  FileSorter* sorter;                           ///< of what is imported
  bool wantsNetwork = false;                    ///< of it
  bool isToBeFormed = false;                    ///< by the fields, when the page is seen
  bool isDragging = false;                      ///< a slider whose network is formed when it is let go
  std::optional<study::FormationRequest> asked; ///< what the fields said when a network was last wanted
  std::function<std::string()> naming;
  std::function<bool()> beginning;
  std::optional<study::FormationRequest> made; ///< what they said of the network that is shown
  KeptResults<study::FormationRequest, FormationOutcome> earlier;
  struct Worker;
  std::shared_ptr<Worker> worker; ///< what jobs work with
};

} // namespace hinesight::app
