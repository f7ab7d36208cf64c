#pragma once

#include <Qt>

namespace hinesight::widgets {

/// What becomes of a selection when things are picked.
enum class PickMode
{
  Replace,
  Toggle, ///< each one is taken in or out
  Add
};

/// Of a click, with these keys held.
inline PickMode pickModeOf(Qt::KeyboardModifiers modifiers)
{
  return modifiers.testFlag(Qt::ControlModifier) ? PickMode::Toggle : PickMode::Replace;
}
/// Of a box or a loop.
inline PickMode areaModeOf(Qt::KeyboardModifiers modifiers)
{
  return modifiers.testFlag(Qt::ControlModifier) ? PickMode::Add : PickMode::Replace;
}

} // namespace hinesight::widgets
