#include "app/workspace/page_panels.hpp"

#include <QCoreApplication>

#include <algorithm>

namespace hinesight::app {

std::vector<Panel> panelsOf(const std::vector<const PageDefinition*>& pages)
{
  std::vector<Panel> all;
  std::size_t most = 0;
  for (const PageDefinition* page : pages)
    most = std::max(most, page->panels.size());
  for (std::size_t rank = 0; rank < most; ++rank)
    for (const PageDefinition* page : pages)
      if (rank < page->panels.size() && std::ranges::find(all, page->panels[rank]) == all.end())
        all.push_back(page->panels[rank]);
  return all;
}

QString titleOf(Panel panel)
{
  static constexpr const char* kTitles[] = {
      QT_TRANSLATE_NOOP("DockedPanels", "Data"), QT_TRANSLATE_NOOP("DockedPanels", "Circuit"),
      QT_TRANSLATE_NOOP("DockedPanels", "Parameters"), QT_TRANSLATE_NOOP("DockedPanels", "Timings"),
      QT_TRANSLATE_NOOP("DockedPanels", "History")};
  return QCoreApplication::translate("DockedPanels", kTitles[static_cast<int>(panel)]);
}

} // namespace hinesight::app
