#pragma once

#include <QFontMetricsF>
#include <QImage>
#include <QLineF>
#include <QPaintDevice>
#include <QPaintEngine>
#include <QPainter>
#include <QPixmap>
#include <QRectF>
#include <QString>
#include <QTransform>
#include <QWidget>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace hinesight::test {

/// A device that takes down which texts and lines a widget paints, and where: in logical pixels, whatever its ratio.
class PaintedTexts : public QPaintDevice
{
public:
  struct Text
  {
    QString text;
    QRectF place;       ///< of its ink
    bool isCut = false; ///< by a clip of its painter
  };

  /// What a person cannot read of a text.
  struct Fault
  {
    QString what;
    QString where;
  };

  /// `pixelRatio`: pixels of the device a logical one.
  PaintedTexts(QWidget& widget, int pixelRatio) : shown(widget), ratio(pixelRatio), engine(*this)
  {
    QPainter painter(this);
    widget.render(&painter, {}, {}, {});
  }

  const std::vector<Text>& texts() const { return painted; }
  /// Those along an axis that are longer than a mark of a legend.
  const std::vector<QRectF>& lines() const { return longLines; }
  /// Around these lines.
  QRectF plot() const
  {
    if (longLines.empty())
      return {};
    QRectF all = longLines.front();
    for (const QRectF& line : longLines)
      all = QRectF(QPointF(std::min(all.left(), line.left()), std::min(all.top(), line.top())),
                   QPointF(std::max(all.right(), line.right()), std::max(all.bottom(), line.bottom())));
    return all;
  }
  /// The first that begins so; null: there is none.
  const Text* find(const QString& beginning) const
  {
    const auto found = std::ranges::find_if(painted, [&](const Text& each) { return each.text.startsWith(beginning); });
    return found == painted.end() ? nullptr : &*found;
  }

  /// Texts that are cut, or cross the border of the widget, and pairs of which one lies over the other.
  std::vector<Fault> faults() const
  {
    std::vector<Fault> found;
    for (std::size_t i = 0; i < painted.size(); ++i) {
      const Text& text = painted[i];
      if (text.place.isEmpty()) // spaces
        continue;
      if (text.isCut || !grown(shown.rect()).contains(text.place))
        found.push_back({QStringLiteral("\"%1\" is cut").arg(text.text),
                         QStringLiteral("%1 of %2").arg(inWords(text.place), inWords(shown.rect()))});
      for (std::size_t k = i + 1; k < painted.size(); ++k)
        if (lieOverEachOther(text.place, painted[k].place))
          found.push_back({QStringLiteral("\"%1\" lies over \"%2\"").arg(painted[k].text, text.text),
                           QStringLiteral("%1 and %2").arg(inWords(painted[k].place), inWords(text.place))});
    }
    return found;
  }

  /// By more than fractions of pixels and what letters lean over.
  static bool lieOverEachOther(const QRectF& a, const QRectF& b)
  {
    constexpr double kTouch = 2; // pixels
    const QRectF common = a & b;
    return common.width() > kTouch && common.height() > kTouch;
  }

  /// "80 x 12 at (5, 20)".
  static QString inWords(const QRectF& place)
  {
    return QStringLiteral("%1 x %2 at (%3, %4)")
        .arg(place.width(), 0, 'f', 1)
        .arg(place.height(), 0, 'f', 1)
        .arg(place.left(), 0, 'f', 1)
        .arg(place.top(), 0, 'f', 1);
  }

  QPaintEngine* paintEngine() const override { return &engine; }

protected:
  int metric(PaintDeviceMetric which) const override
  {
    switch (which) {
    case PdmWidth:
      return ratio * shown.width();
    case PdmHeight:
      return ratio * shown.height();
    case PdmWidthMM:
      return shown.widthMM();
    case PdmHeightMM:
      return shown.heightMM();
    case PdmDpiX:
      return shown.logicalDpiX();
    case PdmDpiY:
      return shown.logicalDpiY();
    case PdmPhysicalDpiX:
      return shown.physicalDpiX();
    case PdmPhysicalDpiY:
      return shown.physicalDpiY();
    case PdmDepth:
      return shown.depth();
    case PdmNumColors:
      return shown.colorCount();
    case PdmDevicePixelRatio:
      return ratio;
    case PdmDevicePixelRatioScaled:
      return static_cast<int>(ratio * devicePixelRatioFScale());
    default:
      return QPaintDevice::metric(which);
    }
  }

private:
  /// By what may be rounded away.
  static QRectF grown(const QRectF& place) { return place.adjusted(-1, -1, 1, 1); }

  class Engine : public QPaintEngine
  {
  public:
    explicit Engine(PaintedTexts& owner) : QPaintEngine(AllFeatures), device(owner) {}

    Type type() const override { return User; }
    bool begin(QPaintDevice*) override { return true; }
    bool end() override { return true; }
    void updateState(const QPaintEngineState&) override {}
    void drawPixmap(const QRectF&, const QPixmap&, const QRectF&) override {}
    void drawTiledPixmap(const QRectF&, const QPixmap&, const QPointF&) override {}
    void drawImage(const QRectF&, const QImage&, const QRectF&, Qt::ImageConversionFlags) override {}
    void drawPath(const QPainterPath&) override {}
    void drawPolygon(const QPointF*, int, PolygonDrawMode) override {}
    void drawLines(const QLineF* lines, int count) override
    {
      constexpr double kLong = 20;
      for (int k = 0; k < count; ++k) {
        const QLineF line = toLogical().map(lines[k]);
        if (line.length() > kLong && (line.dx() == 0 || line.dy() == 0))
          device.longLines.push_back(QRectF(line.p1(), line.p2()).normalized());
      }
    }
    void drawTextItem(const QPointF& from, const QTextItem& item) override
    {
      const QRectF ink = QFontMetricsF(item.font(), &device).tightBoundingRect(item.text()).translated(from);
      const bool isCut = painter()->hasClipping() && !grown(painter()->clipBoundingRect()).contains(ink);
      device.painted.push_back({item.text(), toLogical().mapRect(ink), isCut});
    }

  private:
    QTransform toLogical() const
    {
      const double logical = 1.0 / device.ratio;
      return state->transform() * QTransform::fromScale(logical, logical);
    }

    PaintedTexts& device;
  };

  QWidget& shown;
  int ratio;
  std::vector<Text> painted;
  std::vector<QRectF> longLines;
  mutable Engine engine;
};

} // namespace hinesight::test
