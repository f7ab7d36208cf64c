#pragma once

#include <QObject>
#include <QString>
#include <QStringList>

#include <vector>

class QWidget;

namespace hinesight::app {

class CellListModel;

/// The dialogs of open cells. Those that repair or place them show them otherwise until they are closed: one of these
/// is open at a time.
class CellDialogs : public QObject
{
  Q_OBJECT

public:
  CellDialogs(CellListModel* cells, QWidget* window);

  /// Of the cell in a row.
  void repair(int row);
  void place(const std::vector<int>& rows);
  void tag(const std::vector<int>& rows);

signals:
  void repaired(const QString& path); ///< and saved there
  void placed(int cells);
  void placedSaved(const QStringList& paths);
  void failed(const QString& sentence);

private:
  CellListModel* cells;
  QWidget* window;
};

} // namespace hinesight::app
