#pragma once

#include "widgets/figure/figure.hpp"
#include "widgets/legend.hpp"

#include <vector>

class QPainter;
class QWidget;

namespace hinesight::widgets {

/// A widget that belongs into the figure of its page, as charts, tables and pictures do; what is none of these, such as
/// buttons and fields, does not.
class FigurePart
{
public:
  virtual ~FigurePart() = default;

  /// Paints it from (0, 0) on, in its size on the screen and the colours of theme(), without what the figure has beside
  /// it: its legend.
  virtual void paintPart(QPainter& painter, const FigureArea& area) = 0;
  /// That the figure writes below all parts; without a title: none.
  virtual Legend partLegend() const { return {}; }
  /// Whether the figure's choice of a scale bar means anything to it.
  virtual bool hasScaleBar() const { return false; }
};

/// Paints a widget as pixels, for what OpenGL draws, without some of the widgets in it; those come back hidden.
void paintAsPixels(QPainter& painter, const FigureArea& area, QWidget& widget, const std::vector<QWidget*>& without);

} // namespace hinesight::widgets
