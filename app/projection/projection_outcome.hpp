#pragma once

#include "study/projection/projection_study.hpp"
#include "widgets/projection/projection_charts.hpp"
#include "widgets/projection/projection_types.hpp"

namespace hinesight::app {

/// A table with what the window shows of it.
struct ProjectionOutcome : study::ProjectionResult
{
  widgets::FanPicture fanOut;
  widgets::FanPicture fanIn;
};

/// Throws Error(Cancelled).
ProjectionOutcome withPictures(study::ProjectionResult result, const RunControl& control);

} // namespace hinesight::app
