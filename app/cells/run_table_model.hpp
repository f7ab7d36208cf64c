#pragma once

#include "io/runs/run_record.hpp"

#include <QAbstractTableModel>

#include <vector>

namespace hinesight::app {

/// The runs of this session, oldest first; one row a run.
class RunTableModel : public QAbstractTableModel
{
  Q_OBJECT

public:
  enum Column
  {
    Time,
    Source,
    Cells,
    Compartments,
    Solver,
    BackendColumn,
    Total,
    Stages,
    Plan,
    Difference,
    kColumns
  };
  /// What a column is sorted by: the number behind the text.
  static constexpr int SortRole = Qt::UserRole;

  explicit RunTableModel(QObject* parent = nullptr) : QAbstractTableModel(parent) {}

  void add(io::RunRecord record);
  void clear();
  const std::vector<io::RunRecord>& runs() const { return records; }

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
  static QVariant sortKeyOf(const io::RunRecord& run, int column); ///< but of Time
  static QVariant detailsOf(const io::RunRecord& run, int column);
  static QVariant textOf(const io::RunRecord& run, int column);

  std::vector<io::RunRecord> records;
};

/// What differs between two runs and what that did to the time, in sentences: "B is 2.31 times as fast as A: ...".
/// `first` and `second` are how the sentences call them.
QString compareRuns(const io::RunRecord& a, const QString& first, const io::RunRecord& b, const QString& second);

/// "1,000 cells, 1.4 M compartments, multicore, CPU: 0.31 ms"; with the share of the floor where it is known (>= 0). A
/// run that kept its solution has no time.
QString summarizeRun(const io::RunRecord& run, double floorFraction);

/// 1,400,000 as "1.4 M", 12,345 as "12,345".
QString shortCount(std::size_t value);

} // namespace hinesight::app
