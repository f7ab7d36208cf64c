#pragma once

#include <QObject>

class QShortcut;
class QWidget;

namespace hinesight::app {

class CellViews;
class Jobs;

/// What Escape does: it ends an area that is to be drawn; where none is, it ends what runs; where nothing runs, it
/// clears the selection. The first it does itself.
class EscapeKey : public QObject
{
  Q_OBJECT

public:
  EscapeKey(CellViews* views, const Jobs* jobs, QWidget* window);

  /// An area is to be drawn now.
  void refresh();

signals:
  void changed(bool endsRun, bool clearsSelection);

private:
  CellViews* views;
  const Jobs* jobs;
  QShortcut* areaEscape;
};

} // namespace hinesight::app
