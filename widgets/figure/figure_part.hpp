#pragma once

#include "widgets/figure/figure.hpp"
#include "widgets/legend.hpp"

#include <QSizeF>
#include <QString>

#include <cstdint>
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

  /// Paints it from (0, 0) on in the colours of theme(), without what the figure has beside it: its legend. The area is
  /// as large as it is on the screen, unless it takes any size.
  virtual void paintPart(QPainter& painter, const FigureArea& area) = 0;
  /// What it is called where it can be a figure alone; empty: it cannot.
  virtual QString partName() const { return {}; }
  /// Whether it is laid out in the size of an area; else it is a picture of pixels that is scaled.
  virtual bool takesAnySize() const { return false; }
  /// In which it can be read where it is so wide, 1/96 inch; of one that takes any size.
  virtual QSizeF leastSize(double) const { return {}; }
  /// That the figure writes below all parts; without a title: none.
  virtual Legend partLegend() const { return {}; }
  /// Whether the figure's choice of a scale bar means anything to it.
  virtual bool hasScaleBar() const { return false; }
  /// Whether the figure's choice of a parallel projection does.
  virtual bool isPerspective() const { return false; }

  /// A person clicked on it.
  void noteClick();
  /// The number of that click, among those on any part; 0: there was none.
  std::uint64_t lastClick() const { return click; }

private:
  std::uint64_t click = 0;
};

/// Paints a widget as pixels, for what OpenGL draws, without some of the widgets in it; those come back hidden.
void paintAsPixels(QPainter& painter, const FigureArea& area, QWidget& widget, const std::vector<QWidget*>& without);

} // namespace hinesight::widgets
