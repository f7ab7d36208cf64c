#pragma once

#include "app/pages/arrangement.hpp"

#include <QString>

#include <span>

namespace hinesight::app {

/// An arrangement of pages for a kind of work. Which docks are open follows from its pages.
struct Preset
{
  const char* name; ///< its action is called so
  const char* title;
  PaneTree panes;
};

std::span<const Preset> allPresets();

QString titleOf(const Preset& preset);
/// "Dependency tree, Packing; with Parameters, Data".
QString helpOf(const Preset& preset);

} // namespace hinesight::app
