#pragma once

#include "widgets/figure/figure_part.hpp"

#include <QBuffer>
#include <QPainter>
#include <QSizeF>
#include <QString>
#include <QSvgGenerator>

namespace hinesight::test {

/// What a figure has of a part in an area of that size, as SVG.
inline QString drawingOf(widgets::FigurePart& part, const QSizeF& size)
{
  widgets::FigureArea area;
  area.size = size;
  QBuffer drawing;
  QSvgGenerator generator;
  generator.setOutputDevice(&drawing);
  generator.setSize(size.toSize());
  generator.setResolution(96);
  QPainter painter(&generator);
  part.paintPart(painter, area);
  painter.end();
  return QString::fromUtf8(drawing.data());
}

} // namespace hinesight::test
