#pragma once

#include "core/error.hpp"

#include <QObject>
#include <QString>
#include <QStringList>

#include <functional>
#include <optional>

class QWidget;

namespace hinesight::app {

class CellListModel;
class FileSorter;
class FormationController;
class Jobs;
class Messages;
class ProjectionController;
class RecentFiles;
class SessionController;
class SessionStart;
class SimulationController;
class WindowTabs;
struct NetworkFile;
struct OpenableFiles;

/// Opens files: those that are dropped onto the window, chosen in dialogs and menus, or given at the start. Each goes
/// to the page that is for it; neurons are added to the open cells.
class FileOpener : public QObject
{
  Q_OBJECT

public:
  struct Parts
  {
    Jobs* jobs;
    CellListModel* cells;
    SessionController* sessions;
    SimulationController* simulations;
    ProjectionController* tables;
    FormationController* formations;
    WindowTabs* tabs;
    SessionStart* start;
    RecentFiles* recent;
    Messages* messages;
  };

  FileOpener(const Parts& parts, QWidget* window);

  void open(const QStringList& paths);
  void openSamples();
  void askForFiles();
  void askForFolder();
  /// Whether it is still to be found out what files are that were to be opened.
  bool isBusy() const;
  /// Why the first of the files and folders that nothing could be made of was not opened.
  const std::optional<Error>& problem() const { return firstProblem; }

private:
  void openSorted(const OpenableFiles& files);
  void openBeside(const OpenableFiles& files);
  void later(const std::function<void()>& act);
  void openEither(const NetworkFile& file);

  Parts parts;
  QWidget* window;
  FileSorter* sorter;
  std::optional<Error> firstProblem;
};

} // namespace hinesight::app
