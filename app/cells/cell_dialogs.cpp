#include "app/cells/cell_dialogs.hpp"

#include "app/cells/cell_list_model.hpp"
#include "app/cells/place_dialog.hpp"
#include "app/cells/repair_dialog.hpp"
#include "app/cells/tags_dialog.hpp"

namespace hinesight::app {

CellDialogs::CellDialogs(CellListModel* ofWindow, QWidget* parent) : QObject(parent), cells(ofWindow), window(parent) {}

void CellDialogs::repair(int row)
{
  auto* open = window->findChild<RepairDialog*>();
  if (open && open->isVisible() && open->cell() == cells->cells()[static_cast<std::size_t>(row)].source.id)
    return open->raise();
  if (open)
    open->reject();
  if (auto* placing = window->findChild<PlaceDialog*>())
    placing->reject();
  auto* dialog = new RepairDialog(cells, row, window);
  connect(dialog, &RepairDialog::saved, this, &CellDialogs::repaired);
  connect(dialog, &RepairDialog::failed, this, &CellDialogs::failed);
  dialog->show();
}

void CellDialogs::place(const std::vector<int>& rows)
{
  for (QDialog* open : window->findChildren<QDialog*>()) // each shows other cells in place of these
    if (qobject_cast<RepairDialog*>(open) || qobject_cast<PlaceDialog*>(open))
      open->reject();
  auto* dialog = new PlaceDialog(cells, rows, window);
  connect(dialog, &PlaceDialog::kept, this, &CellDialogs::placed);
  connect(dialog, &PlaceDialog::saved, this, &CellDialogs::placedSaved);
  connect(dialog, &PlaceDialog::failed, this, &CellDialogs::failed);
  dialog->show();
}

void CellDialogs::tag(const std::vector<int>& rows)
{
  (new TagsDialog(cells, rows, window))->open();
}

} // namespace hinesight::app
