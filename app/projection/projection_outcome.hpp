#pragma once

#include "study/projection/projection_study.hpp"
#include "widgets/projection/projection_charts.hpp"
#include "widgets/projection/projection_types.hpp"

#include <string>

namespace hinesight::app {

/// A table with what the window shows of it.
struct ProjectionOutcome : study::ProjectionResult
{
  widgets::FanPicture fanOut;
  widgets::FanPicture fanIn;
  double weight = 0;    ///< sum over all rows
  double magnitude = 0; ///< the same without signs
};

/// Throws Error(Cancelled).
ProjectionOutcome withPictures(study::ProjectionResult result, const RunControl& control);
/// The same table where a population has another name: a copy, which takes its memory once more. Throws as
/// projection::populationAt, Error(OutOfMemory), Error(Cancelled).
ProjectionOutcome withPopulationRenamed(const ProjectionOutcome& outcome, const std::string& before,
                                        const std::string& now, const RunControl& control);

} // namespace hinesight::app
