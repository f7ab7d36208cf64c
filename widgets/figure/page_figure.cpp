#include "widgets/figure/figure_part.hpp"
#include "widgets/theme_scope.hpp"

#include <QImage>
#include <QPainter>
#include <QPointer>
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
  QWidget* widget; ///< the same
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
      parts.push_back({part, widget, QRect(widget->mapTo(&page, QPoint()), widget->size())});
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

/// Where parts stand, in the units of a figure.
struct PartLayout
{
  QRect around;     ///< all parts, pixels
  double scale = 1; ///< units that parts are painted in
  QSizeF room;      ///< of all parts

  /// All parts fill the figure.
  PartLayout(const std::vector<PlacedPart>& parts, const QSizeF& size)
  {
    for (const PlacedPart& each : parts)
      around |= each.place;
    room = size;
    if (std::ranges::all_of(parts, [](const PlacedPart& each) { return each.part->takesAnySize(); })) {
      makeReadable(parts);
    } else {
      scale = std::min(size.width() / around.width(), size.height() / around.height());
      room = scale * QSizeF(around.size());
    }
  }

  QPointF placeOf(const PlacedPart& part) const
  {
    const QPoint at = part.place.topLeft() - around.topLeft();
    return {room.width() * shareOf(at.x(), around.width()), room.height() * shareOf(at.y(), around.height())};
  }
  QSizeF sizeOf(const PlacedPart& part) const
  {
    return {room.width() * shareOf(part.place.width(), around.width()),
            room.height() * shareOf(part.place.height(), around.height())};
  }

private:
  /// Exact where a part is all there is: its drawing does not depend on its size on the screen.
  static double shareOf(int pixels, int ofAll) { return static_cast<double>(pixels) / ofAll; }

  /// Letters are as large as in a figure of one part, or smaller where a part has too little room.
  void makeReadable(const std::vector<PlacedPart>& parts)
  {
    for (const PlacedPart& each : parts) {
      const QSizeF own = sizeOf(each);
      if (const QSizeF least = each.part->leastSize(own.width()); !least.isEmpty())
        scale = std::min({scale, own.width() / least.width(), own.height() / least.height()});
    }
  }
};

void paintParts(QPainter& painter, const std::vector<PlacedPart>& parts, const FigureArea& area)
{
  const PartLayout layout(parts, area.size);
  painter.save();
  painter.translate((area.size.width() - layout.room.width()) / 2, (area.size.height() - layout.room.height()) / 2);
  for (const PlacedPart& each : parts) {
    painter.save();
    painter.translate(layout.placeOf(each));
    painter.scale(layout.scale, layout.scale);
    FigureArea own = area;
    own.size = layout.sizeOf(each) / layout.scale;
    own.ratio = layout.scale * area.ratio;
    each.part->paintPart(painter, own);
    painter.restore();
  }
  painter.restore();
}

/// What a figure of these parts is, without how it is painted.
Figure describe(const QWidget& page, const std::vector<PlacedPart>& parts)
{
  const auto any = [&parts](auto isSo) {
    return std::ranges::any_of(parts, [&](const PlacedPart& each) { return isSo(*each.part); });
  };
  Figure figure;
  figure.title = page.windowTitle();
  figure.hasScaleBar = any([](const FigurePart& part) { return part.hasScaleBar(); });
  figure.isPerspective = any([](const FigurePart& part) { return part.isPerspective(); });
  figure.hasPixels = any([](const FigurePart& part) { return !part.takesAnySize(); });
  return figure;
}

/// The first that there is.
Legend legendOf(const std::vector<PlacedPart>& parts)
{
  for (const PlacedPart& each : parts)
    if (Legend legend = each.part->partLegend(); !legend.title.isEmpty())
      return legend;
  return {};
}

Figure figureOfPart(QWidget& page, const PlacedPart& part, const std::function<void()>& prepare)
{
  Figure figure = describe(page, {part});
  figure.name = part.part->partName();
  const auto now = [part, widget = QPointer(part.widget)]() -> std::vector<PlacedPart> {
    if (!widget || widget->size().isEmpty())
      return {};
    return {{part.part, widget, QRect(QPoint(), widget->size())}};
  };
  if (!legendOf({part}).title.isEmpty())
    figure.legend = [now] { return legendOf(now()); };
  figure.paint = [&page, now, prepare](QPainter& painter, const FigureArea& area) {
    const WidgetThemeScope scope(page);
    if (prepare)
      prepare();
    const std::vector<PlacedPart> shown = now();
    shown.empty() ? paintEmpty(painter, area) : paintParts(painter, shown, area);
  };
  return figure;
}

} // namespace

void FigurePart::noteClick()
{
  static std::uint64_t clicks = 0;
  click = ++clicks;
}

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

void addParts(Figure& figure, QWidget& page, const std::function<void()>& prepare)
{
  std::uint64_t last = 0;
  for (const PlacedPart& each : partsOf(page)) {
    if (each.part->lastClick() > last) {
      last = each.part->lastClick();
      figure.clickedPart.reset();
      if (!each.part->partName().isEmpty())
        figure.clickedPart = figure.parts.size();
    }
    if (!each.part->partName().isEmpty())
      figure.parts.push_back(figureOfPart(page, each, prepare));
  }
}

Figure figureOf(QWidget& page, std::function<void()> prepare)
{
  const std::vector<PlacedPart> parts = partsOf(page);
  Figure figure = describe(page, parts);
  figure.name = QObject::tr("Whole page");
  if (parts.size() > 1)
    addParts(figure, page, prepare);
  if (!legendOf(parts).title.isEmpty())
    figure.legend = [&page] { return legendOf(partsOf(page)); };
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
