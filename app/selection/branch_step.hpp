#pragma once

#include "app/selection/branch_selection.hpp"

#include <QUndoCommand>

namespace hinesight::app {

/// A command that changed what is selected or hidden, as a step of the history. The views have it already.
class BranchStep : public QUndoCommand
{
public:
  BranchStep(BranchSelection* ofViews, KeptChoice before, KeptChoice after, const QString& name)
      : QUndoCommand(name), selection(ofViews), from(std::move(before)), to(std::move(after))
  {}

  void undo() override { selection->restore(from); }
  void redo() override
  {
    if (std::exchange(isDone, true))
      selection->restore(to);
  }

private:
  BranchSelection* selection;
  KeptChoice from;
  KeptChoice to;
  bool isDone = false;
};

} // namespace hinesight::app
