#pragma once

#include <QString>
#include <QWidget>

class QLabel;
class QMenu;
class QToolButton;

namespace hinesight::app {

class BranchSelection;
class ExpressionEdit;
class MistakeLabel;
class SelectionActions;
class SetBox;

/// A line below the views of cells, from when several branches are selected, one is hidden or an expression is to be
/// written, or a set was kept, until it is closed: the expression, how many branches of which cells are selected, what
/// can be done to them, and the sets that are kept, of branches and of cells.
class SelectionBar : public QWidget
{
  Q_OBJECT

public:
  SelectionBar(BranchSelection* selection, SelectionActions* actions, QWidget* parent = nullptr);

  /// Whether the page that is shown shows branches.
  void setUseful(bool useful);

private:
  void takeText(const QString& text);
  void openForText();
  void close();
  void askForName(const QString& title, void (BranchSelection::*save)(const QString& name));
  void refresh();
  void refreshCount();
  void refreshVisible();

  BranchSelection* selection;
  ExpressionEdit* where;
  QLabel* count;
  QToolButton* inChosen;
  SetBox* sets;
  MistakeLabel* mistake;
  QString shownExpression; ///< of the selection, when it was shown last
  bool isUseful = true;
  bool isOpen = false;
};

} // namespace hinesight::app
