#include "app/figures/turntable.hpp"

#include "core/error.hpp"

#include <QDir>

namespace hinesight::app {

Turntable::Turntable(const QString& folder, int frames) : target(folder), count(frames)
{
  if (frames < 2 || frames > kMostFrames)
    throw Error(ErrorCode::BadParameter, "A turn needs 2 to " + std::to_string(kMostFrames) + " pictures, not " +
                                             std::to_string(frames) + "; choose another number.");
  if (!QDir().mkpath(folder))
    throw Error(ErrorCode::WriteFailed, "the folder cannot be made; choose one that you may write to",
                folder.toStdString());
}

QString Turntable::pathOf(int frame) const
{
  const auto digits = static_cast<int>(QString::number(count).size());
  return QDir(target).filePath(QStringLiteral("frame-%1.png").arg(frame + 1, digits, 10, QLatin1Char('0')));
}

void Turntable::write(int frame, const widgets::Figure& figure, const widgets::FigureOptions& options,
                      const RunControl& control) const
{
  widgets::writePicture(widgets::pictureOf(figure, options, control), pathOf(frame));
}

} // namespace hinesight::app
