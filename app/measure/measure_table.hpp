#pragma once

#include <QAbstractTableModel>
#include <QString>
#include <QVariant>

#include <functional>
#include <vector>

namespace hinesight::app {

/// A table of measures: what columns say of each row. It is sorted by SortRole; what has no value comes last.
class MeasureTable : public QAbstractTableModel
{
  Q_OBJECT

public:
  static constexpr int SortRole = Qt::UserRole;

  struct Column
  {
    QString title;
    QString help; ///< with its unit
    /// A number or a text; none where it is invalid.
    std::function<QVariant(std::size_t row)> value;
    /// Its texts may be cut where there is little room; of a column of numbers, its title.
    bool givesWay = false;
  };

  /// What is said of a row where the mouse rests.
  using Describe = std::function<QString(std::size_t row)>;

  using QAbstractTableModel::QAbstractTableModel;

  void setRows(std::size_t rows, std::vector<Column> columns, Describe describe);
  const std::vector<Column>& columns() const { return shown; }
  bool isText(std::size_t column) const;
  /// What stands at a place of the sorted table, as setRows counts rows.
  std::size_t rowAt(int place) const { return order[static_cast<std::size_t>(place)]; }

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  void sort(int column, Qt::SortOrder direction) override;

private:
  void arrange();
  template <typename Value>
  void arrangeBy(const std::vector<Value>& values);

  std::vector<Column> shown;
  Describe describe;
  std::vector<std::size_t> order; ///< rows, as they stand in the table
  int sortedBy = -1;              ///< column; -1: as setRows has them
  Qt::SortOrder sortedIn = Qt::AscendingOrder;
};

} // namespace hinesight::app
