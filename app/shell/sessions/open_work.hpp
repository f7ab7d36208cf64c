#pragma once

#include "app/document/document_parts.hpp"
#include "app/pages/view_kind.hpp"
#include "study/cells/parameters.hpp"

#include <QObject>

namespace hinesight::app {

class CellController;
class CellViews;
struct DockedPanels;
class Document;
class History;
class KeptSessions;
class MessageBanner;
class Messages;
class MissingFiles;
struct OpenSession;
class PageHost;
class SessionController;
class SessionKeeper;
class SessionStart;
class ViewArea;
class WindowHistory;
class WindowTabs;

/// What the window has open: the document, which joins the lists, panels and pages that hold its parts; its session
/// file; its history; and what is kept of it for the next window.
class OpenWork : public QObject
{
  Q_OBJECT

public:
  struct Parts
  {
    Jobs* jobs;
    CellListModel* cells;
    CellController* cellRuns;
    CellViews* views;
    RunTableModel* runs;
    const DockedPanels* panels;
    ViewArea* area;
    const WindowTabs* tabs;
    PageHost* host;
    KeptSessions* kept;
    MissingFiles* missing;
    MessageBanner* banner;
    Messages* messages;
  };

  OpenWork(const Parts& parts, QObject* parent);

  Document* document() const { return ofPerson; }
  SessionController* sessions() const { return files; }
  SessionStart* start() const { return began; }
  SessionKeeper* keeper() const { return keepsOpen; }
  const WindowHistory* history() const { return recorded; }
  History& steps() const;

signals:
  /// Cells are to be solved by these parameters.
  void parametersWanted(const hinesight::study::CellParameters& parameters);
  void pageWanted(hinesight::app::ViewKind page);
  /// Something of what is open changes.
  void changing();
  /// The lists of the circuit have what the newest step has.
  void listed();

private:
  void addDocument();
  void addSessions();
  void addKeepers();
  void addHistory();
  void connectSimulation();
  void addRestorer();
  void listCircuit();
  void keepStep();
  OpenSession whatIsOpen() const;

  Parts parts;
  DocumentParts documentParts;
  Document* ofPerson = nullptr;
  SessionController* files = nullptr;
  SessionStart* began = nullptr;
  SessionKeeper* keepsOpen = nullptr;
  WindowHistory* recorded = nullptr;
};

} // namespace hinesight::app
