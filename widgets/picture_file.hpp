#pragma once

#include <QImage>
#include <QSizeF>
#include <QString>

#include <functional>

class QPainter;
class QWidget;

namespace hinesight::widgets {

/// Something that can be put into a file: as pixels, and where `paint` is given as lines and letters too.
struct Picture
{
  std::function<QImage()> pixels;
  std::function<void(QPainter&)> paint = {};
  QSizeF size = {};     ///< of what is painted, pixels of the screen
  int dotsPerInch = 96; ///< of the screen
};

/// A widget with all that is in it. It must outlive the picture.
Picture pixelsOf(QWidget& widget);
/// The same of one in which nothing is drawn by OpenGL: as lines and letters too.
Picture linesOf(QWidget& widget);

/// Throws Error(BadParameter) that names the endings for a name with another one: ".png", and ".svg" and ".pdf" of what
/// `isPainted`.
void requirePictureName(const QString& path, bool isPainted);

/// Paints a picture for a file, and returns what compresses and writes it, on any thread and whatever has become of
/// what was painted: what the ending of the name says, all or nothing. Throws as requirePictureName; what it returns
/// throws Error(WriteFailed) and Error(OutOfMemory).
std::function<void()> pictureWriter(const Picture& picture, const QString& path);
/// Both at once.
void writePicture(const Picture& picture, const QString& path);

} // namespace hinesight::widgets
