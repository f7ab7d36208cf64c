#pragma once

#include <QObject>

#include <functional>

class QShortcut;
class QWidget;

namespace hinesight::app {

class Jobs;

/// What Escape does: it ends an area that is to be drawn; where none is, it ends what runs; where nothing runs, it
/// clears the selection. The first it does itself.
class EscapeKey : public QObject
{
  Q_OBJECT

public:
  EscapeKey(const Jobs* jobs, QWidget* window);

  /// An area is to be drawn now; `end` makes an end of that.
  void awaitArea(std::function<void()> end);
  /// Where one is to be drawn, it is no more.
  void endArea();
  /// It was drawn, or ended by another.
  void dropArea();

signals:
  void changed(bool endsRun, bool clearsSelection);

private:
  void refresh();

  const Jobs* jobs;
  QShortcut* areaEscape;
  std::function<void()> endAwaited; ///< empty: none is to be drawn
};

} // namespace hinesight::app
