#include "app/workspace/presets.hpp"

#include "app/pages/pages.hpp"
#include "app/workspace/page_panels.hpp"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>
#include <vector>

namespace hinesight::app {

std::span<const Preset> allPresets()
{
  static const std::vector<Preset> presets = {
      {"explore", QT_TRANSLATE_NOOP("Presets", "&Explore"), {.page = "morphology"}},
      {"schedule", QT_TRANSLATE_NOOP("Presets", "&Schedule"), {.parts = {{.page = "tree"}, {.page = "packing"}}}},
      {"solve", QT_TRANSLATE_NOOP("Presets", "So&lve"), {.page = "splitting"}},
      {"connect", QT_TRANSLATE_NOOP("Presets", "&Connect"), {.page = "projection"}},
      {"grow", QT_TRANSLATE_NOOP("Presets", "&Grow"), {.page = "plasticity"}},
      {"simulate", QT_TRANSLATE_NOOP("Presets", "S&imulate"), {.page = "simulation"}},
      {"benchmark", QT_TRANSLATE_NOOP("Presets", "&Benchmark"), {.page = "benchmark"}}};
  return presets;
}

QString titleOf(const Preset& preset)
{
  return QCoreApplication::translate("Presets", preset.title);
}

QString helpOf(const Preset& preset)
{
  QStringList pages;
  std::vector<const PageDefinition*> shown;
  for (const std::string& name : pagesOf(preset.panes)) {
    shown.push_back(&*std::ranges::find(allPages(), name, &PageDefinition::name));
    pages << titleOf(*shown.back());
  }
  QStringList docks;
  for (const Panel panel : panelsOf(shown))
    docks << titleOf(panel);
  return QCoreApplication::translate("Presets", "%1; with %2")
      .arg(pages.join(QStringLiteral(", ")), docks.join(QStringLiteral(", ")));
}

} // namespace hinesight::app
