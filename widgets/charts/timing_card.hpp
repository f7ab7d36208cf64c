#pragma once

#include "core/measured.hpp"
#include "core/stage_timings.hpp"

#include <QColor>
#include <QWidget>

#include <optional>
#include <string>
#include <vector>

namespace hinesight::widgets {

/// The fixed colour of a stage: the same in every card, chart and table.
QColor stageColor(const std::string& name);

/// What a card is told of a run beside its stages.
struct RunFacts
{
  /// What was asked for, and how large it was. A run of something else begins a history: it cannot be compared.
  std::string of = {};
  std::optional<Measured> time = {}; ///< of the history's stage; nullopt: measured once, by the stages
  double floorFraction = -1;         ///< floor over solve time, 0 to 1; negative: unknown, not shown
  /// What it was done by. Two runs by the same parameters do not differ, whatever their times are. Empty: not known.
  std::string parameters = {};
};

/// The live timing overlay: backend and device; total in large type; one stacked bar of stages with names and ms, of
/// the history's stage with half its 95 % confidence interval in percent of the median; where several devices shared
/// the run, a bar of each at the same scale, which ends with how long it waited for the others; a sparkline of the last
/// 50 solves with the best of all, marked where it is one of these; change of the solve against the previous one of the
/// same batch (totals do not compare where a run redoes only what changed, and a run that solved nothing has no part in
/// either), in the colour of a verdict only where it is one (core/measured.hpp); share of the floor. While a run is
/// under way it shows its progress and keeps the old figures grey.
class TimingCard : public QWidget
{
  Q_OBJECT

public:
  explicit TimingCard(QWidget* parent = nullptr);

  /// One that came to its end.
  void addRun(const StageTimings& timings, const RunFacts& facts = {});
  /// An earlier one is what is seen again. It is compared with none; the next one is compared with it.
  void showAgain(const StageTimings& timings, const RunFacts& facts = {});
  void setProgress(const QString& stage, double fraction); ///< fraction < 0: idle
  /// The stage whose times make the history and the change; empty: all of a run. By default "solve".
  void setHistoryOf(const std::string& stage);
  /// What it is told of are parts of a run that goes on, of which each does other work: no history, nothing compared.
  void showParts();
  /// A line on what the run made, below its device: "22,208,750 rows, 178 MB"; empty: none. `alsoFolded`: it is shown
  /// below the line of a folded card, too.
  void setNote(const QString& text, bool alsoFolded = false);
  QString note() const { return noteText; }
  void clear();

  const StageTimings& timings() const { return current; }
  int runs() const { return runCount; } ///< of the history, up to 50
  /// The least of all runs of the same batch, ms, also of those that left the history; none where none had that stage.
  std::optional<double> best() const;
  /// The newest run against the one before, as changeText says it; empty where there is none to compare with.
  QString change() const;
  /// Unknown where there is none.
  Verdict verdict() const;
  bool isRunning() const;
  /// Pixels; where there are fewer than it needs, it leaves out the history, then the bars of devices, then the names
  /// of the stages.
  void setHeightLimit(int pixels);
  /// On a canvas of which the whole card would take much, it is a line until it is clicked, and again after the next
  /// click. Returns whether the canvas has room for it.
  bool fitInto(const QSize& canvas);
  bool isFolded() const { return foldable && !unfolded; }
  static int wholeWidth(); ///< pixels, where it is not folded
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return sizeHint(); }
  /// Where the stacked bar of stages is painted, in widget coordinates.
  QRect stageBarRect() const;
  /// Where the bar of each device is painted: of the first eight.
  std::vector<QRect> deviceBarRects() const;

signals:
  /// It has something new to show and may have changed its size.
  void contentChanged();

protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;

private:
  QSize unfoldedSize() const;
  void setFoldable(bool canFold);
  void relayout();
  void startHistory();
  Measured timeIn(const StageTimings& timings, const RunFacts& facts) const;
  const Measured* previous() const; ///< null: there is none to compare with
  QString timeText(const Stage& stage) const;
  int heightWith(bool names, bool devices, bool history) const;
  bool showsNames() const;
  bool showsDevices() const;
  bool showsHistory() const;
  bool hasHistoryStage() const;
  /// Those of the total, and behind them what devices alone have, the most of any.
  std::vector<Stage> namedStages(bool withDevices) const;
  int stageRows(bool withDevices) const;
  int devicesHeight() const;
  int deviceNameWidth() const;
  int lineHeight() const; ///< of the folded card without a note
  int foldedWidth() const;
  QString historyText() const;
  int noteHeight() const;
  QString historyName() const;
  void paintTotal(QPainter& painter) const;
  void paintBar(QPainter& painter, const QRectF& bar, const std::vector<Stage>& stages) const;
  int paintDevices(QPainter& painter, int top) const;    ///< returns the y below
  int paintStageNames(QPainter& painter, int top) const; ///< returns the y below
  int paintFloor(QPainter& painter, int top) const;      ///< returns the y below
  void paintSparkline(QPainter& painter, int top) const;
  void paintProgress(QPainter& painter) const;
  void paintLine(QPainter& painter) const;

  StageTimings current;
  std::string historyStage = "solve";
  QString noteText;
  bool isNoteFolded = false; ///< it stays where the card is folded
  int runCount = 0;
  std::string parameters;       ///< of the last run
  bool isRepeated = false;      ///< it was by those of the one before
  bool isEarlier = false;       ///< it is seen again
  std::string historyOf;        ///< RunFacts::of of its runs
  std::vector<Measured> solves; ///< that stage of the last 50 runs that had it, ms
  std::optional<double> least;  ///< of them, and of those before
  bool isOfParts = false;       ///< they have no history
  double floorShare = -1;
  int heightLimit = QWIDGETSIZE_MAX;
  bool foldable = false;
  bool unfolded = false; ///< by a click, where it can be folded
  QString runningStage;
  double runningFraction = -1;
};

} // namespace hinesight::widgets
