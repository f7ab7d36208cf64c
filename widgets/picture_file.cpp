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

void writeSvg(QIODevice& file, const Picture& picture)
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

void writePdf(QIODevice& file, const Picture& picture)
{
  QPdfWriter writer(&file);
  writer.setTitle(kTitle);
  writer.setResolution(picture.dotsPerInch); // one unit is a pixel of the screen
  writer.setPageSize(QPageSize(picture.size * 72.0 / picture.dotsPerInch, QPageSize::Point));
  writer.setPageMargins({});
  QPainter painter(&writer);
  picture.paint(painter);
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
