#include "widgets/picture_file.hpp"

#include "core/error.hpp"
#include "core/files.hpp"

#include <QBuffer>
#include <QFileInfo>
#include <QPageSize>
#include <QPainter>
#include <QPdfWriter>
#include <QPixmap>
#include <QSvgGenerator>
#include <QWidget>

#include <utility>

namespace hinesight::widgets {

namespace {

const QString kTitle = QStringLiteral("Hinesight");

QString endingOf(const QString& path)
{
  return QFileInfo(path).suffix().toLower();
}

void writePng(QIODevice& file, const QImage& pixels)
{
  if (!pixels.save(&file, "PNG"))
    throw Error(ErrorCode::OutOfMemory, "The picture needs more memory than is free; make it smaller.");
}

void paintSvg(QIODevice& file, const Picture& picture)
{
  QSvgGenerator generator;
  generator.setOutputDevice(&file);
  generator.setTitle(kTitle);
  generator.setResolution(picture.dotsPerInch); // one unit is a pixel of the screen
  generator.setSize(picture.size.toSize());
  generator.setViewBox(QRectF(QPointF(0, 0), picture.size));
  QPainter painter(&generator);
  picture.paint(painter);
}

/// Its generator knows whole pixels only.
void writeExactSize(QByteArray& svg, const QSizeF& millimetres)
{
  const auto write = [&](const QByteArray& name, double size) {
    const qsizetype begin = svg.indexOf(name + "=\"") + name.size() + 2;
    const qsizetype end = svg.indexOf("mm\"", begin);
    if (begin > name.size() + 1 && end > begin)
      svg.replace(begin, end - begin, QByteArray::number(size, 'g', 9));
  };
  write("width", millimetres.width());
  write("height", millimetres.height());
}

void writeSvg(QIODevice& file, const Picture& picture)
{
  QByteArray svg;
  QBuffer buffer(&svg);
  buffer.open(QIODevice::WriteOnly);
  paintSvg(buffer, picture);
  buffer.close();
  constexpr double kMillimetresPerInch = 25.4;
  writeExactSize(svg, picture.size * kMillimetresPerInch / picture.dotsPerInch);
  file.write(svg);
}

/// Pages of the writer are whole points. The size of the page is put in place of as many letters, so that all places of
/// the file stay as they are; where that cannot be, it is off by less than half a point.
void writeExactPage(QByteArray& pdf, const QSize& whole, const QSizeF& points)
{
  constexpr int kDecimals = 6;
  const auto textOf = [](const QSizeF& size) {
    return "/MediaBox [0 0 " + QByteArray::number(size.width(), 'f', kDecimals) + ' ' +
           QByteArray::number(size.height(), 'f', kDecimals) + ']';
  };
  const QByteArray exact = textOf(points);
  const QByteArray rounded = textOf(whole);
  if (exact.size() == rounded.size())
    pdf.replace(rounded, exact);
}

void writePdf(QIODevice& file, const Picture& picture)
{
  constexpr double kPointsPerInch = 72;
  const QSizeF points = picture.size * kPointsPerInch / picture.dotsPerInch;
  QByteArray pdf;
  QBuffer buffer(&pdf);
  buffer.open(QIODevice::WriteOnly);
  QSize whole;
  {
    QPdfWriter writer(&buffer);
    writer.setTitle(kTitle);
    writer.setResolution(picture.dotsPerInch); // one unit is a pixel of the screen
    writer.setPageSize(QPageSize(points, QPageSize::Point));
    writer.setPageMargins({});
    whole = writer.pageLayout().fullRectPoints().size();
    QPainter painter(&writer);
    painter.translate(0,
                      (whole.height() - points.height()) * picture.dotsPerInch / kPointsPerInch); // pages begin below
    picture.paint(painter);
  }
  buffer.close();
  writeExactPage(pdf, whole, points);
  file.write(pdf);
}

} // namespace

Picture pixelsOf(QWidget& widget)
{
  return {[&widget] { return widget.grab().toImage(); }};
}

Picture linesOf(QWidget& widget)
{
  Picture picture = pixelsOf(widget);
  picture.paint = [&widget](QPainter& painter) { widget.render(&painter); };
  picture.size = widget.size();
  picture.dotsPerInch = widget.logicalDpiX();
  return picture;
}

void requirePictureName(const QString& path, bool isPainted)
{
  const QString ending = endingOf(path);
  if (ending == QLatin1String("png") ||
      (isPainted && (ending == QLatin1String("svg") || ending == QLatin1String("pdf"))))
    return;
  throw Error(ErrorCode::BadParameter,
              isPainted ? "this picture is written as .png, .svg or .pdf; give the file a name that ends so"
                        : "this picture is written as .png; give the file a name that ends so",
              path.toStdString());
}

std::function<void()> pictureWriter(const Picture& picture, const QString& path)
{
  requirePictureName(path, picture.paint != nullptr);
  const QString ending = endingOf(path);
  std::function<void(QIODevice&)> write;
  if (ending == QLatin1String("png")) {
    write = [pixels = picture.pixels()](QIODevice& file) { writePng(file, pixels); };
  } else {
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    if (ending == QLatin1String("svg"))
      writeSvg(buffer, picture);
    else
      writePdf(buffer, picture);
    write = [bytes](QIODevice& file) { file.write(bytes); };
  }
  return [write = std::move(write), path] {
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    write(buffer);
    const QByteArray& bytes = buffer.data();
    writeFileAtomically(path.toStdString(),
                        [&](std::ostream& stream) { stream.write(bytes.constData(), bytes.size()); });
  };
}

void writePicture(const Picture& picture, const QString& path)
{
  pictureWriter(picture, path)();
}

} // namespace hinesight::widgets
