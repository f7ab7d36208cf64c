#include "app/cells/file_times.hpp"

#include "app/cells/cell_list_model.hpp"
#include "core/time_text.hpp"

#include <QEvent>
#include <QWidget>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace hinesight::app {

FileTimes::FileTimes(CellListModel* ofWindow, QWidget* window) : QObject(window), cells(ofWindow)
{
  window->installEventFilter(this);
}

bool FileTimes::eventFilter(QObject* watched, QEvent* event)
{
  if (event->type() == QEvent::WindowActivate)
    look();
  return QObject::eventFilter(watched, event);
}

void FileTimes::look()
{
  using Texts = std::vector<std::pair<std::uint64_t, std::string>>; // by keys of cells
  Texts files;
  for (const OpenCell& cell : cells->cells())
    if (!cell.modified.empty())
      files.emplace_back(cell.key, cell.source.path);
  if (files.empty())
    return;
  looking.restart([this, files = std::move(files)](const RunControl& control) -> widgets::BackgroundWork::Deliver {
    Texts times;
    for (const auto& [key, path] : files) {
      control.checkpoint();
      times.emplace_back(key, modificationTime(path));
    }
    return [this, times = std::move(times)] { cells->takeFileTimes(times); };
  });
}

} // namespace hinesight::app
