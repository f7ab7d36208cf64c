#pragma once

#include <QDialog>
#include <QString>

class QMainWindow;

namespace hinesight::app {

struct HelpText;

/// Says what a part of the window is and how to use it, with a link to the user guide. A click beside it, or Escape,
/// closes it.
class ContextHelp : public QDialog
{
  Q_OBJECT

public:
  ContextHelp(QMainWindow* window, const HelpText& help);

protected:
  void paintEvent(QPaintEvent* event) override;
};

/// Of what is at a place of the screen; of the window where there is nothing of it.
void showHelp(QMainWindow* window, const QPoint& place);

/// The user guide at a section, or from its beginning where the name is empty.
void showGuide(QMainWindow* window, const QString& section);

} // namespace hinesight::app
