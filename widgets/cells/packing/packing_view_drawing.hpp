#pragma once

#include "hines/schedule.hpp"
#include "widgets/canvas/planar_canvas.hpp"

#include <QStringList>

namespace hinesight::widgets {

/// The visual language of packing: lanes across with a hairline every warp, steps downward, a band between two
/// barriers, one bar for what a lane does without a break. The same for every plan.
class PackingDrawing
{
public:
  PackingDrawing(std::int32_t lanes, std::int64_t steps);

  /// Lanes that idle while their warp runs are shaded wherever no bar covers them.
  void addWarp(const hines::LaneWarp& warp);
  /// A computation that is nobody's.
  void addPadding(const hines::LaneBar& bar);
  /// `item`: as PlanarRect::item.
  void addBar(const hines::LaneBar& bar, QRgb color, std::int32_t item);
  /// What the left margin says of steps [step, step + steps), longest first.
  void addBand(const QStringList& texts, std::int64_t step, std::int64_t steps);
  /// A line before a step: of all `count` ones alike, few are drawn where they would be a haze.
  void addBarrier(std::int64_t step, std::size_t count);
  /// A fainter line: what is above it ends, but nobody waits.
  void addSeam(std::int64_t step);

  /// The whole, with its axes. `heading` and `footnote`: longest first.
  PlanarDrawing finish(const QStringList& heading, const QStringList& footnote);

private:
  PlanarDrawing drawing;
  std::vector<PlanarLabel> bands;
};

/// "1 step", "24 steps".
QString counted(double count, const QString& one, const QString& many);
/// "71 %".
QString inPercent(double fraction);

} // namespace hinesight::widgets
