#pragma once

#include "app/shell/bars/question_bar.hpp"
#include "app/synapses/formation_panel.hpp"

#include <QObject>

#include <functional>
#include <optional>

namespace hinesight::app {

class FileSorter;
class FormationPage;

/// Joins the page of synapses, its parameters and the job runner: forms synapses when the page is first shown and when
/// a parameter changes, after what runs already, and again where another job took the place of that.
class FormationController : public QObject
{
  Q_OBJECT

public:
  /// `isPageShown`: whether a person sees the page now.
  FormationController(JobRunner* runner, FormationPage* page, FormationPanel* panel, std::function<bool()> isPageShown,
                      QObject* parent);

  /// To be called when the page comes into view.
  void pageShown();
  void run();
  /// Where the fields are not those of the network that is shown, and nothing is on its way to change that.
  Question question() const;
  /// The fields are again those of the network.
  void restoreFields();
  /// Shows the synapses of a file.
  void openNetwork(const NetworkFile& file) { panel->setNetwork(file); }
  /// Forms synapses between the neurons of a file.
  void openNeurons(const QString& path) { panel->setFile(path); }

signals:
  /// There may be another question, or none.
  void questionChanged();
  /// A network is there, in words.
  void formed(const QString& result);
  /// A file was written that no job writes.
  void saved(const QString& path);
  void failed(const QString& sentence);

private:
  void takeEdit(bool settled);
  void takeOutcome(const FormationOutcome& outcome);
  void takeEndOfJob();
  void askWhatToImport();
  void import(const OpenableFiles& files);
  void askWhereToExport();
  void exportTo(const QString& path, const QString& filter);

  JobRunner* runner;
  FormationPage* page;
  FormationPanel* panel;
  std::function<bool()> isPageShown;
  FileSorter* sorter;        ///< of what is imported
  bool wantsNetwork = false; ///< of it
  bool runs = false;
  bool waits = false;                    ///< a network is wanted as soon as nothing else runs
  bool isDragging = false;               ///< a slider whose network is formed when it is let go
  std::optional<FormationRequest> asked; ///< what the fields said when a network was last wanted
  std::optional<FormationRequest> made;  ///< what they said of the network that is shown
};

} // namespace hinesight::app
