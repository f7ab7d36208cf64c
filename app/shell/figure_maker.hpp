#pragma once

#include "widgets/figure/figure.hpp"

#include <QObject>
#include <QPointer>

class QWidget;

namespace hinesight::app {

class CellViews;
class FigureDialog;
struct FigureSubject;
class Jobs;
class Messages;
class ViewArea;
class WindowTabs;

/// Makes figures of what is seen, in a dialog that follows it.
class FigureMaker : public QObject
{
  Q_OBJECT

public:
  struct Parts
  {
    ViewArea* area;
    const WindowTabs* tabs;
    CellViews* views;
    const Jobs* jobs;
    Messages* messages;
  };

  FigureMaker(const Parts& parts, QWidget* window);

  /// Of the page that is in front.
  void open();
  /// Saves what is seen as its page does; else opens the dialog.
  void askWhereToSave();

private:
  FigureSubject subject() const;

  Parts parts;
  QWidget* window;
  QPointer<FigureDialog> dialog; ///< the last one
};

} // namespace hinesight::app
