#pragma once

#include <QAbstractTableModel>
#include <QString>
#include <QVariant>

#include <functional>
#include <vector>

namespace hinesight::app {

/// A table of measures: what columns say of each row. It is sorted by SortRole.
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
  };

  using QAbstractTableModel::QAbstractTableModel;

  void setRows(std::size_t rows, std::vector<Column> columns);

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
  QVariant data(const QModelIndex& index, int role) const override;

private:
  std::vector<Column> columns;
  int rows = 0;
};

} // namespace hinesight::app
