#pragma once

#include "app/selection/set_box.hpp"

#include <QString>
#include <QWidget>

#include <functional>
#include <initializer_list>
#include <string>

class QLabel;
class QToolButton;

namespace hinesight::selection {
class ExpressionError;
}

namespace hinesight::app {

class BranchSelection;
class ExpressionEdit;
class MistakeLabel;

/// A line below the pages that selects by an expression, from when there is reason for it until it is closed: the
/// expression, what a derived bar has beside it, and the sets that are kept; below it how many are selected, and what
/// is wrong with the expression. A derived bar calls `layOut` once.
class ExpressionBar : public QWidget
{
  Q_OBJECT

public:
  /// Shows it where there is anything to select, for an expression to be written.
  void openForText();

signals:
  /// By its dialog; the bar has it in its list.
  void setKept(const QString& name);

protected:
  struct Part
  {
    const char* name; ///< of the object
    QString help = {};
  };
  struct Parts
  {
    Part where, count, mistake, sets, done;
  };
  /// `keeper`: of the sets. `lists`: which of them.
  ExpressionBar(BranchSelection* keeper, SetBox::Filter lists, const Parts& parts, QWidget* parent);
  /// Besides the field and its sets.
  void layOut(std::initializer_list<QWidget*> before, std::initializer_list<QWidget*> after);

  /// The text was written, or is to select once more.
  virtual void takeText() = 0;
  /// Selects nothing, and shows what is hidden.
  virtual void reset() = 0;
  /// Whether it may be seen where it is open.
  virtual bool isUseful() const = 0;
  virtual void refreshCount() = 0;

  void open();
  void refreshVisible();
  /// What selected what is selected. A selection that was not made by the text takes the text away, and so does the end
  /// of one that was; what is being written and selects nothing yet stays. Returns whether the text is another one now.
  bool showExpression(const std::string& expression, bool isAnySelected);
  /// What selected is written otherwise now: so is the text, unless it was edited since.
  void followExpression(const std::string& expression);
  void askForName(const QString& title, const std::function<void(const QString&)>& keep);

  ExpressionEdit* const where;
  MistakeLabel* const mistake;
  QLabel* const count;
  SetBox* const sets;

private:
  void close();

  BranchSelection* keeper;
  QToolButton* done;
  std::string shownExpression; ///< of the selection, when it was shown last
  bool isOpen = false;
};

} // namespace hinesight::app
