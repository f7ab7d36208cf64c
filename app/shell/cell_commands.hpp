#pragma once

#include <QObject>
#include <QString>

class QWidget;

namespace hinesight::app {

class CellDialogs;
class CellListModel;
class CellViews;
class DataPanel;
class History;
class Messages;
class RecentFiles;
class StatusPanel;
class WindowTabs;

/// What a person does with cells in their list: they are chosen, found in the views, repaired, placed and removed.
class CellCommands : public QObject
{
  Q_OBJECT

public:
  struct Parts
  {
    CellListModel* cells;
    DataPanel* list;
    CellViews* views;
    WindowTabs* tabs;
    History* steps;
    RecentFiles* recent;
    StatusPanel* status;
    Messages* messages;
  };

  CellCommands(const Parts& parts, QWidget* window);

private:
  void connectViews();
  void connectDialogs(const CellDialogs* dialogs);

  Parts parts;
};

} // namespace hinesight::app
