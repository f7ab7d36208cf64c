#pragma once

#include "app/selection/expression_bar.hpp"

class QToolButton;

namespace hinesight::app {

class SelectionActions;

/// The bar of branches, below the views of cells: from when several are selected, one is hidden or an expression is to
/// be written, or a set was kept. It counts the selected branches and their cells, has what can be done to them, and
/// the sets that are kept of branches and of cells.
class SelectionBar : public ExpressionBar
{
  Q_OBJECT

public:
  SelectionBar(BranchSelection* selection, SelectionActions* actions, QWidget* parent = nullptr);

  /// Whether the page that is shown shows branches.
  void setUseful(bool useful);

private:
  void takeText() override;
  void reset() override;
  bool isUseful() const override;
  void refreshCount() override;
  void refresh();
  void refreshOpen();

  BranchSelection* selection;
  QToolButton* inChosen;
  bool showsBranches = true;
};

} // namespace hinesight::app
