#pragma once

#include "widgets/figure/figure.hpp"

#include <QString>

namespace hinesight::app {

/// The pictures of a full turn: "frame-01.png" and so on in a folder that is made where there is none.
class Turntable
{
public:
  static constexpr int kMostFrames = 3'600;

  /// Throws Error(BadParameter) for a number of frames outside 2 to kMostFrames, Error(WriteFailed) for a folder that
  /// cannot be made.
  Turntable(const QString& folder, int frames);

  /// How far a picture is turned, from 0 to before 1.
  double turns(int frame) const { return static_cast<double>(frame) / count; }
  QString pathOf(int frame) const;
  /// Throws as widgets::writePicture.
  void write(int frame, const widgets::Figure& figure, const widgets::FigureOptions& options,
             const RunControl& control = {}) const;

private:
  QString target;
  int count;
};

} // namespace hinesight::app
