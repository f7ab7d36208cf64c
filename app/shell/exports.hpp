#pragma once

#include <QObject>
#include <QString>

#include <functional>

class QWidget;

namespace hinesight::app {

class DataPanel;
class Document;
class Messages;
class RunTableModel;

/// Asks where to write what is open beside sessions and figures, and writes it: the timings of runs, the list of cells,
/// the circuit.
class Exports : public QObject
{
  Q_OBJECT

public:
  struct Parts
  {
    const RunTableModel* runs;
    const DataPanel* list; ///< of the cells
    Document* document;
    Messages* messages;
  };

  Exports(const Parts& parts, QWidget* window);

  void askForTimings();
  void askForCells();
  void askForCircuit();

private:
  void save(const QString& path, const std::function<void()>& write);

  Parts parts;
  QWidget* window;
};

} // namespace hinesight::app
