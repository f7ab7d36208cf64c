#pragma once

#include "app/forms/help_text.hpp"

#include <QFrame>
#include <QPointer>

#include <vector>

class QLabel;
class QMainWindow;
class QPushButton;

namespace hinesight::app {

/// A card that goes from part to part of the window, with a frame around the part that it speaks of. The window can be
/// used meanwhile. Keys of the card: Right, Left, Enter for the button with the focus, Escape. Enter and Space are for
/// Next also where the focus is beside the card, except in a field or list. A person who has ended it is not offered it
/// again.
class Tour : public QFrame
{
  Q_OBJECT

public:
  struct Stop
  {
    QPointer<QWidget> part;
    HelpText help;
  };

  explicit Tour(QMainWindow* window);

  /// Whether this person has come to its end or skipped it.
  static bool isOver();

protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

private:
  bool takeKey(QPushButton* button, int key);
  void next();
  void back();
  void end();
  void show(std::size_t stop);
  void place();

  QMainWindow* window;
  std::vector<Stop> stops; ///< at parts that are seen
  std::size_t current = 0;
  QFrame* frame; ///< around the part
  QLabel* text;
  QPushButton* skipButton;
  QPushButton* backButton;
  QPushButton* nextButton;
};

} // namespace hinesight::app
