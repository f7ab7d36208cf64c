#pragma once

#include "core/measured.hpp"
#include "hines/branch/plan.hpp"
#include "hines/solvers/definition.hpp"

#include <QWidget>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

class QGridLayout;
class QLabel;
class QToolButton;
class QVBoxLayout;

namespace hinesight::widgets {

/// A measured solve of the scene with one way to cut.
struct StrategyTime
{
  std::string way; ///< name of the hines::CutWay
  Measured time;
};

/// What the ledger says of a schedule.
struct LedgerEntry
{
  QString name;                                  ///< heads the schedule's column
  hines::ScheduleFigures asRead;                 ///< of the plan of branches without balance and cut
  hines::ScheduleFigures uncut;                  ///< balanced
  std::optional<hines::ScheduleFigures> figures; ///< of the schedule; nullopt: not known
  std::vector<hines::CutWay> ways;               ///< to choose from
  std::optional<double> length;                  ///< compartments, at which the chosen way cuts
  QString whyNot;                                ///< the ways cannot be chosen, one sentence; empty: they can
  std::optional<Measured> solveTime = {};        ///< nullopt: not measured
  bool hasTimes = true;                          ///< the times of other ways are of the same solver
};

/// What the cut costs and buys: the figures of the batch as read, balanced but uncut, and as the drawn schedule has it,
/// with the change that the cut made in percent (of the time only where it can be told from noise), and the ways to cut
/// with their measured times to choose from.
class SplitLedger : public QWidget
{
  Q_OBJECT

public:
  explicit SplitLedger(QWidget* parent = nullptr);

  /// nullopt: no figures.
  void setEntry(std::optional<LedgerEntry> entry);
  void setStrategyTimes(std::vector<StrategyTime> times);

signals:
  void wayChosen(const QString& name);

protected:
  void changeEvent(QEvent* event) override;

private:
  struct Row
  {
    QLabel* name;
    QLabel* asRead;
    QLabel* uncut;
    QLabel* planned;
    QLabel* change;
    bool better = false;
    bool worse = false;
  };
  void addRow(QGridLayout& grid, const char* name, const QString& text, const QString& tip);
  /// The texts of a row, and its change; `show` gives the text of a value.
  template <typename Value, typename Show>
  void fill(std::size_t row, Value hines::ScheduleFigures::*value, const Show& show, bool lessIsBetter);
  void fillFigures();
  void fillTimes();
  void markChange(Row& row, double change, bool lessIsBetter);
  std::optional<Measured> timeOf(std::string_view way) const; ///< nullopt when not measured
  void makeButtons();
  void refreshWays();
  void refresh();

  std::vector<Row> rows;
  QLabel* choicesName;
  QVBoxLayout* choices;
  std::vector<QToolButton*> buttons; ///< of the entry's ways
  std::vector<StrategyTime> times;
  std::optional<LedgerEntry> entry;
};

} // namespace hinesight::widgets
