#pragma once

#include "app/benchmark/benchmark_request.hpp"
#include "app/jobs/device_report.hpp"
#include "core/fields.hpp"

#include <QString>
#include <QStringList>
#include <QVariant>
#include <QWidget>

#include <functional>
#include <vector>

class QLabel;
class QProgressBar;
class QPushButton;
class QSpinBox;
class QVBoxLayout;

namespace hinesight::widgets {
class BenchmarkChart;
class ChoiceBox;
class ElidedLabel;
} // namespace hinesight::widgets

namespace hinesight::app {

/// What every benchmark of the page has: options to the left, which scroll, with Run, Cancel and progress below them,
/// the chart of what was measured, a baseline for the speedups, and plot and table as files. The panel asks for a run
/// and is told what was measured; it measures nothing itself.
///
/// The objects are named by a prefix: "benchmarkRun", "projectionBenchmarkRun".
class BenchmarkPanel : public QWidget
{
  Q_OBJECT

public:
  /// Headline, baseline and buttons, which the page shows above the panel.
  QWidget* header() const { return headerRow; }

  /// Asks for a run with what is chosen; says by `failed` what is wrong with it.
  void run();
  void takeStarted();
  void takeProgress(const QString& stage, double fraction);
  /// The run came to its end, or was stopped: what was measured stays.
  void takeEnd();
  /// While something else runs, measuring has to wait.
  void setBusy(bool busy);
  bool canRun() const;
  /// Whether what the chart shows was measured by other settings than the fields show.
  bool isOfOtherSettings() const;
  /// The fields show what was measured by.
  void restoreSettings();
  /// Brings what the fields show now back into them, as long as the panel lives.
  std::function<void()> restorer();

  void askWhereToSavePlot();
  /// A PNG or SVG picture or a PDF page, by the extension. Throws as widgets::writePicture.
  void savePlot(const QString& path) const;
  /// All that was measured as CSV or JSON, by the extension. Throws as io::requireTimingsExtension, Error(WriteFailed).
  virtual void saveTable(const QString& path) const = 0;

signals:
  void settingsChanged(); ///< or what was measured by
  void cancelRequested();
  void saved(const QString& path);
  void failed(const QString& sentence);

protected:
  BenchmarkPanel(const QString& prefix, widgets::BenchmarkChart* chart, QWidget* parent);

  /// What is still to be chosen before a run; empty: nothing.
  virtual QString missing() const = 0;
  /// Forgets what was measured and asks for the run. Throws Error(BadParameter).
  virtual void requestRun() = 0;
  /// After every change of what can be chosen or is measured.
  virtual void refreshState();

  QString named(const char* name) const;
  /// A field that says what is measured: its user property. `hides`: unticked, it only hides what was measured.
  void addSetting(QWidget* field, bool hides = false);
  void addOption(const QString& text, QWidget* widget);
  /// The same with the label and the help of a field.
  void addOption(const BoundField& field, QWidget* widget);
  /// The range of a whole number, the word of its least, and its value.
  static void showNumber(QSpinBox* spin, const BoundField& field);
  /// What a field does, with its range.
  static QString tipOf(const BoundField& field);
  /// Two side by side.
  void addOptionPair(const QString& left, QWidget* leftWidget, const QString& right, QWidget* rightWidget);
  /// The lines that the chart has can be the baseline; one that was chosen before is chosen again.
  void refreshBaselines();
  void showHeadline(const QString& text);
  /// Whole numbers in the range of the field with blanks between them, ascending. Throws Error(BadParameter) that names
  /// `what`, such as "number of cells".
  static std::vector<std::int64_t> numbersOf(const QString& text, const BoundField& field, const std::string& what,
                                             const std::string& example);

  QVBoxLayout* options; ///< above the buttons
  QVBoxLayout* footer;  ///< below the progress

private:
  struct Setting
  {
    QWidget* field;
    bool hides;
    QVariant measured; ///< what it said when what the chart shows was asked for

    QVariant shown() const;
    void show(const QVariant& value) const;
  };

  QWidget* makeHeader();
  QWidget* makeControls();
  void askForFile(const QString& name, const QString& title, const QString& proposal, const QStringList& filters,
                  const std::function<void(const QString&)>& save);

  QString prefix;
  widgets::BenchmarkChart* chart;
  QString wantedBaseline; ///< the user's choice
  std::vector<Setting> settings;
  bool running = false;
  bool busy = false;

  QWidget* headerRow = nullptr;
  widgets::ElidedLabel* headline = nullptr;
  widgets::ChoiceBox* baseline = nullptr;
  QPushButton* plotButton = nullptr;
  QPushButton* tableButton = nullptr;
  QPushButton* runButton = nullptr;
  QPushButton* cancelButton = nullptr;
  QLabel* hint = nullptr;
  QLabel* stage = nullptr;
  QProgressBar* progress = nullptr;
};

} // namespace hinesight::app
