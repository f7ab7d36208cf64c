#pragma once

#include "cell/sections.hpp"

#include <cstdint>
#include <set>
#include <vector>

namespace hinesight::study {

/// A place on a cell.
struct SectionPlace
{
  std::int32_t section = 0;
  double position = 0.5; ///< on it, 0 to 1
};

/// The middle of a segment.
SectionPlace middleOf(const cell::CutCell& cell, std::int32_t section, std::int32_t segment);

/// Parts of a cell from which places are drawn: each segment as likely as the part of it that counts is long.
class SegmentDraw
{
public:
  /// Segments of sections of these SWC types (none: of all) whose way from the start of the soma is from `nearest` to
  /// `farthest`, µm.
  SegmentDraw(const cell::CutCell& cell, const std::set<std::int32_t>& types, double nearest, double farthest);

  bool isEmpty() const { return upTo.empty(); }
  /// `uniform`: from 0 to 1.
  SectionPlace at(double uniform) const;

private:
  std::vector<SectionPlace> places;
  std::vector<double> upTo; ///< µm of all up to this one
};

} // namespace hinesight::study
