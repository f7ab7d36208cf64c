#pragma once

#include "app/benchmark/benchmark_request.hpp"
#include "app/jobs/device_report.hpp"
#include "widgets/cells/scene.hpp"

#include <QWidget>

#include <array>
#include <memory>

class QStackedWidget;
class QTabBar;

namespace hinesight::app {

class BenchmarkPanel;
class HinesBenchmarkPanel;
class ProjectionBenchmarkPanel;

/// The benchmarks side by side: of the solvers of Hines systems, and of projections. One is shown, and one runs at a
/// time; what is told of a run goes to the panel that asked for it.
class BenchmarkPage : public QWidget
{
  Q_OBJECT

public:
  /// In the order of the tabs.
  enum class Kind
  {
    Hines,
    Projections
  };

  explicit BenchmarkPage(QWidget* parent = nullptr);

  static QString title();
  void showKind(Kind kind);
  /// The panel that is shown.
  BenchmarkPanel& current() const;
  HinesBenchmarkPanel& hines() const { return *hinesPanel; }
  ProjectionBenchmarkPanel& projections() const { return *projectionPanel; }
  void setDevices(const DeviceReport& report);

  void takeStarted();
  void takeProgress(const QString& stage, double fraction);
  /// The run came to its end, or was stopped: what was measured stays.
  void takeEnd();
  /// While something else than a benchmark runs, measuring has to wait.
  void setBusy(bool busy);

  /// Of the panel that is shown.
  void askWhereToSavePlot();
  /// Of the panel that is shown. Throws as BenchmarkPanel::savePlot.
  void savePlot(const QString& path) const;

signals:
  /// Of the panel that is shown, or another one is.
  void settingsChanged();
  void runRequested(const hinesight::app::BenchmarkRequest& request);
  void projectionRunRequested(const hinesight::app::ProjectionBenchmarkRequest& request);
  void cancelRequested();
  void saved(const QString& path);
  void failed(const QString& sentence);

protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

private:
  void fitHeader();
  void addPanel(BenchmarkPanel* panel, const QString& name, const QString& help);

  QTabBar* kinds;
  QWidget* header = nullptr; ///< with the kinds and the header of the panel that is shown
  QStackedWidget* headers;
  QStackedWidget* panels;
  HinesBenchmarkPanel* hinesPanel;
  ProjectionBenchmarkPanel* projectionPanel;
  BenchmarkPanel* measuring; ///< whose run it is, or was last
};

} // namespace hinesight::app
