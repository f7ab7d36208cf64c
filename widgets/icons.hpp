#pragma once

#include <QIcon>

namespace hinesight::widgets {

enum class Icon
{
  Save,
  Maximize,
  Timings,
  Fit,
  Open,
  Clip,
  Spread,
  Parallel,
  Ruler
};

/// A line icon in the theme's text colour, sharp at every device pixel ratio. Ask again after QEvent::PaletteChange.
QIcon makeIcon(Icon icon);

} // namespace hinesight::widgets
