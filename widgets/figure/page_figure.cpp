#include "widgets/figure/figure_part.hpp"
#include "widgets/theme_scope.hpp"

#include <QImage>
#include <QPainter>
#include <QWidget>

#include <algorithm>
#include <utility>
#include <vector>

namespace hinesight::widgets {

namespace {

/// A part of a page, and where it stands there.
struct PlacedPart
{
  FigurePart* part;
  QRect place;
};

/// Those that can be seen, without what is inside of others.
void collectParts(const QWidget& page, const QWidget& within, std::vector<PlacedPart>& parts)
{
  for (QObject* child : within.children()) {
    auto* widget = qobject_cast<QWidget*>(child);
    if (!widget || widget->isWindow() || !widget->isVisibleTo(&page))
      continue;
    if (auto* part = dynamic_cast<FigurePart*>(widget))
      parts.push_back({part, QRect(widget->mapTo(&page, QPoint()), widget->size())});
    else
      collectParts(page, *widget, parts);
  }
}

std::vector<PlacedPart> partsOf(const QWidget& page)
{
  std::vector<PlacedPart> parts;
  collectParts(page, page, parts);
  std::erase_if(parts, [](const PlacedPart& part) { return part.place.isEmpty(); });
  return parts;
}

void paintEmpty(QPainter& painter, const FigureArea& area)
{
  painter.setFont(area.font);
  painter.setPen(theme().secondaryText);
  painter.drawText(QRectF({}, area.size), Qt::AlignCenter | Qt::TextWordWrap, QObject::tr("There is no chart yet."));
}

/// The room around all parts fills the figure.
void paintParts(QPainter& painter, const std::vector<PlacedPart>& parts, const FigureArea& area)
{
  QRect around;
  for (const PlacedPart& each : parts)
    around |= each.place;
  const double scale = std::min(area.size.width() / around.width(), area.size.height() / around.height());
  painter.save();
  painter.translate((area.size.width() - scale * around.width()) / 2,
                    (area.size.height() - scale * around.height()) / 2);
  painter.scale(scale, scale);
  for (const PlacedPart& each : parts) {
    painter.save();
    painter.translate(each.place.topLeft() - around.topLeft());
    FigureArea own = area;
    own.size = each.place.size();
    own.ratio = scale * area.ratio;
    each.part->paintPart(painter, own);
    painter.restore();
  }
  painter.restore();
}

} // namespace

void paintAsPixels(QPainter& painter, const FigureArea& area, QWidget& widget, const std::vector<QWidget*>& without)
{
  for (QWidget* each : without)
    each->hide();
  QImage pixels((area.size * area.ratio).toSize().expandedTo({1, 1}), QImage::Format_RGB32);
  pixels.fill(theme().canvas);
  QPainter onPixels(&pixels);
  onPixels.scale(pixels.width() / area.size.width(), pixels.height() / area.size.height());
  widget.render(&onPixels, {}, {}, QWidget::DrawChildren);
  onPixels.end();
  painter.drawImage(QRectF({}, area.size), pixels);
}

Figure figureOf(QWidget& page, std::function<void()> prepare)
{
  const std::vector<PlacedPart> parts = partsOf(page);
  Figure figure;
  figure.title = page.windowTitle();
  figure.hasScaleBar = std::ranges::any_of(parts, [](const PlacedPart& each) { return each.part->hasScaleBar(); });
  if (std::ranges::any_of(parts, [](const PlacedPart& each) { return !each.part->partLegend().title.isEmpty(); }))
    figure.legend = [&page] {
      for (const PlacedPart& each : partsOf(page))
        if (Legend legend = each.part->partLegend(); !legend.title.isEmpty())
          return legend;
      return Legend();
    };
  figure.paint = [&page, prepare = std::move(prepare)](QPainter& painter, const FigureArea& area) {
    const WidgetThemeScope scope(page);
    if (prepare)
      prepare();
    const std::vector<PlacedPart> shown = partsOf(page);
    shown.empty() ? paintEmpty(painter, area) : paintParts(painter, shown, area);
  };
  return figure;
}

} // namespace hinesight::widgets
