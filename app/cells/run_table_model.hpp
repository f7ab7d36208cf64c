#pragma once

#include "io/runs/run_record.hpp"

#include <QAbstractTableModel>
#include <QSortFilterProxyModel>

#include <functional>
#include <memory>
#include <optional>
#include <ranges>
#include <vector>

namespace hinesight::app {

struct RunHistory;

/// The runs of this session, of all pages, oldest first; one row a run.
class RunTableModel : public QAbstractTableModel
{
  Q_OBJECT

public:
  enum Column
  {
    Time,
    Kind,
    Source,
    Median,
    Plan,
    Solver,
    BackendColumn,
    Total,
    Cells,
    Compartments,
    Stages,
    Difference,
    kColumns
  };
  /// What a column is sorted by: the number behind the text.
  static constexpr int SortRole = Qt::UserRole;
  /// Brings the parameters of a run back into the fields, and the window back to where they are.
  using Restore = std::function<void()>;

  explicit RunTableModel(QObject* parent = nullptr);

  /// `restore` may be empty.
  void add(io::RunRecord record, Restore restore = {});
  void clear();
  /// The runs of another document in place of these, or what add and clear made of them by then.
  void setHistory(const std::shared_ptr<RunHistory>& ofDocument);
  const std::shared_ptr<RunHistory>& history() const { return shown; }
  /// A range of io::RunRecord.
  auto runs() const { return shared() | std::views::transform(recordOf); }
  const io::SharedRuns& shared() const;
  /// Without those that a session brought.
  std::vector<io::RunRecord> made() const;
  /// What restores runs that have nothing of their own for it, by their records.
  void setRestoring(std::function<void(const io::RunRecord&)> byRecord);
  bool canRestore(int row) const;
  /// Nothing happens where that cannot be.
  void restore(int row) const;

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
  static QVariant sortKeyOf(const io::RunRecord& run, int column); ///< but of Time
  static QVariant detailsOf(const io::RunRecord& run, int column);
  /// Of how many solves, and what disturbed them.
  static QString medianInWords(const io::RunRecord& run);
  static QVariant textOf(const io::RunRecord& run, int column);
  static const io::RunRecord& recordOf(const std::shared_ptr<const io::RunRecord>& run) { return *run; }

  std::shared_ptr<RunHistory> shown;
  std::function<void(const io::RunRecord&)> restoreByRecord;
};

/// The runs of a document. Whoever shows the document again shows them again, too: they are no part of its steps.
struct RunHistory
{
  io::SharedRuns records;                       ///< those that a session brought come first
  std::vector<RunTableModel::Restore> restores; ///< of each, as RunTableModel::add has it
  std::size_t kept = 0;                         ///< that a session brought
};

/// Of a session that is opened.
std::shared_ptr<RunHistory> historyOf(const io::SharedRuns& ofSession);

/// The runs of one kind, or all.
class RunFilter : public QSortFilterProxyModel
{
  Q_OBJECT

public:
  explicit RunFilter(RunTableModel* model, QObject* parent = nullptr);

  /// nullopt: all.
  void setKind(std::optional<io::RunKind> kind);
  /// The row of the model.
  int rowInModel(int row) const;
  const io::RunRecord& run(int row) const;

protected:
  bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

private:
  RunTableModel* runs;
  std::optional<io::RunKind> kind;
};

/// What two runs tell of their times, in a sentence: "Solve: B is 2.31 times as fast as A (...)". Of solves of unlike
/// batches it is about as many compartments; other unlike runs are not compared. Where nobody can tell whether times
/// differ, it says why. `first` and `second` are how the sentence calls them.
QString compareTimes(const io::RunRecord& a, const QString& first, const io::RunRecord& b, const QString& second);
/// What differs between the parameters of two runs of one kind, in a sentence; empty where compareTimes said that they
/// are the same.
QString changesInWords(const io::RunRecord& a, const io::RunRecord& b);

/// The same, and in further sentences what differs between the runs and what that did to the schedule.
QString compareRuns(const io::RunRecord& a, const QString& first, const io::RunRecord& b, const QString& second);

/// "1,000 cells, 1.4 M compartments, multicore, CPU: 0.31 ms"; with the share of the floor where it is known (>= 0),
/// and with the GPU's plan that the CPU carried out. A run that kept its solution has no time.
QString summarizeRun(const io::RunRecord& run, double floorFraction);

/// "Plan of a GPU: 0.021 ms predicted on NVIDIA H200"; empty where the CPU carried out no GPU's plan.
QString describeGpuPlan(const io::RunRecord& run);

/// 1,400,000 as "1.4 M", 12,345 as "12,345".
QString shortCount(std::size_t value);

} // namespace hinesight::app
