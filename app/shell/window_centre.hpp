#pragma once

class QMainWindow;
class QToolBar;
class QWidget;

namespace hinesight::app {

class CellListModel;
class KeptSessions;
class MessageBanner;
class MissingFiles;
class QuestionBar;
class UnitQuestion;
class ViewArea;

/// What stands in the middle of the window, between the docks: the tabs of pages above everything, then what is asked
/// and said, and the views.
struct WindowCentre
{
  /// Adds all of it to the window, which owns it.
  WindowCentre(QMainWindow* window, CellListModel* cells);

  /// A bar below the views, and below those that were added before.
  void addBelow(QWidget* bar);

  QWidget* column;       ///< parent of the bars
  QToolBar* pages;       ///< above the docks too, so that the tabs stay where they are
  QuestionBar* fields;   ///< where the fields are not those of the picture
  KeptSessions* kept;    ///< what is open, for the next window
  QuestionBar* recovery; ///< about what a window left that never ended
  MissingFiles* missing; ///< that a session names
  UnitQuestion* unit;    ///< of cells
  MessageBanner* banner;
  ViewArea* area;
};

} // namespace hinesight::app
