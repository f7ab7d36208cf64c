#include "app/shell/cell_commands.hpp"

#include "app/cells/cell_dialogs.hpp"
#include "app/cells/cell_views.hpp"
#include "app/cells/data_panel.hpp"
#include "app/cells/file_times.hpp"
#include "app/document/history.hpp"
#include "app/files/recent_files.hpp"
#include "app/shell/bars/messages.hpp"
#include "app/shell/bars/status_panel.hpp"
#include "app/shell/frame/window_tabs.hpp"

#include <QDir>
#include <QFileInfo>
#include <QWidget>

#include <cstdint>

namespace hinesight::app {

CellCommands::CellCommands(const Parts& ofWindow, QWidget* window) : QObject(window), parts(ofWindow)
{
  connect(parts.list, &DataPanel::allRemoved, this, [this](int cells) {
    parts.status->showDeed(cells == 1 ? tr("Removed 1 cell. Undo brings it back.")
                                      : tr("Removed %1 cells. Undo brings them back.").arg(cells));
  });
  connectViews();
  connectDialogs(new CellDialogs(parts.cells, window));
  new FileTimes(parts.cells, window);
}

void CellCommands::connectViews()
{
  connect(parts.list, &DataPanel::cellsChosen, parts.views, &CellViews::takeChosenCells);
  connect(parts.list, &DataPanel::fitRequested, this, [this](int row) {
    parts.tabs->showCells();
    parts.views->fitToCell(row);
  });
  connect(parts.list, &DataPanel::findingChosen, this, [this](int row, std::int64_t line) {
    parts.tabs->showCells();
    parts.views->showLine(row, line);
  });
  connect(parts.views, &CellViews::cellPicked, parts.list, &DataPanel::chooseCell);
  connect(parts.views, &CellViews::selectionChanged, parts.list,
          [this] { parts.list->showBranch(parts.views->describeSelection()); });
}

void CellCommands::connectDialogs(const CellDialogs* dialogs)
{
  connect(parts.list, &DataPanel::repairRequested, dialogs, &CellDialogs::repair);
  connect(parts.list, &DataPanel::placeRequested, dialogs, &CellDialogs::place);
  connect(parts.list, &DataPanel::tagsRequested, dialogs, &CellDialogs::tag);
  connect(dialogs, &CellDialogs::repaired, this, [this](const QString& path) {
    parts.steps->take(tr("Save the repaired cell as %1").arg(QFileInfo(path).fileName()));
    parts.recent->add({path});
    parts.status->holdNotice(
        tr("Saved to %1, which is the file of the cell from now on.").arg(QDir::toNativeSeparators(path)));
  });
  connect(dialogs, &CellDialogs::placed, this, [this](int cells) {
    parts.status->showDeed(cells == 1 ? tr("Placed 1 cell. Undo brings it back to where it was.")
                                      : tr("Placed %1 cells. Undo brings them back to where they were.").arg(cells));
  });
  connect(dialogs, &CellDialogs::placedSaved, this, [this](const QStringList& paths) {
    parts.messages->showNotice(tr("%1 placed cells were saved.").arg(paths.size()));
  });
  connect(dialogs, &CellDialogs::failed, parts.messages, &Messages::showError);
}

} // namespace hinesight::app
