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
  /// `parent`: the window of the part, so that it works while that one is modal.
  ContextHelp(QMainWindow* window, const HelpText& help, QWidget* parent);

protected:
  void paintEvent(QPaintEvent* event) override;
};

/// Of what is at a place of the screen, also in another window that belongs to this one; of this one where there is
/// nothing.
void showHelp(QMainWindow* window, const QPoint& place);

/// The user guide at a section, or from its beginning where the name is empty.
void showGuide(QMainWindow* window, const QString& section);

} // namespace hinesight::app
