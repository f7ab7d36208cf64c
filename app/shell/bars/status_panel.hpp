#pragma once

#include "app/jobs/device_report.hpp"
#include "app/jobs/jobs.hpp"

#include <QString>
#include <QTimer>
#include <QWidget>

#include <functional>
#include <map>
#include <string_view>

class QLabel;
class QProgressBar;
class QStatusBar;
class QToolButton;

namespace hinesight::app {

/// What the status bar says: the last result in words, the running job with its progress, elapsed time and a button to
/// cancel it, how many wait, the device and the free memory.
class StatusPanel : public QObject
{
  Q_OBJECT

public:
  /// Puts its widgets into `bar` and listens to `jobs`.
  StatusPanel(QStatusBar* bar, Jobs* jobs);

  using Words = std::function<QString(const QString& stage, double fraction)>;
  /// What is said of the stages of a kind of jobs; else it is stageInWords.
  void setWords(const JobKind& kind, Words words);
  /// The last result in words; empty: there is none, which leaves a deed.
  void showResult(const QString& text);
  /// The result that is shown is true no more.
  void withdrawResult(const QString& text);
  /// What a person did, and how to take it back, until there is a result to tell.
  void showDeed(const QString& text);
  /// What was done just now, or is to be done next, until there is something else to tell or dropNotice is called.
  void showNotice(const QString& text);
  /// The same of what a run follows at once: it stays some seconds, also when there is a result to tell.
  void holdNotice(const QString& text);
  /// What a notice stood in place of is shown again.
  void dropNotice();
  /// The same where that is the notice.
  void withdrawNotice(const QString& text);
  void showDevices(const DeviceReport& report);
  /// Another GPU of them was chosen.
  void showChosenGpu();
  /// The list of jobs, to see all of them and to cancel any.
  void openJobs();

private:
  void showText(const QString& text);
  void refreshText();
  void showMemory();
  void showJobs();
  QString inWords(const JobState& job) const;

  Jobs* jobs;
  std::map<std::string_view, Words> wordsOf; ///< by the names of kinds
  QLabel* result;
  QString said; ///< by it, where there is no notice
  QString notice;
  QTimer holdTimer{this}; ///< while it runs, the notice stays
  bool saysDeed = false;
  QWidget* job;
  QLabel* stageName;
  QProgressBar* progress;
  QLabel* elapsed;
  QToolButton* cancelButton;
  QToolButton* waitingButton; ///< how many jobs wait; where there are any
  QLabel* device;
  DeviceReport devices;
  QLabel* memory;
  QTimer memoryTimer;
  QTimer showTimer; ///< a short job is over before it is worth a word
  QTimer elapsedTimer;
};

/// "read" as a person says it: "Reading files".
QString stageInWords(const QString& stage);

} // namespace hinesight::app
