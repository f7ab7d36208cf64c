#pragma once

#include "cell/sections.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace hinesight::io {

/// A frustum of a cable cell with its tag; parents come before children. A segment may begin elsewhere than its parent
/// ends: nothing lies between them.
struct CableSegment
{
  std::int32_t parent = -1; ///< a segment; -1: it begins at the root
  std::int32_t tag = 0;
  cell::SectionPoint from, to;

  // Where it lies; set by CableTree.
  double length = 0; ///< µm
  std::int32_t branch = 0;
  double begin = 0; ///< µm from the start of its branch
  std::int32_t section = 0;
  double sectionBegin = 0; ///< µm from the start of its section
};

/// Segments without forks. They are numbered as Arbor does: by their first segments.
struct CableBranch
{
  std::int32_t parent = -1;
  std::vector<std::int32_t> segments, children;
  double length = 0;   ///< µm
  double distance = 0; ///< µm from the root to its start
};

/// A place: a branch, and where on it from 0 to 1.
struct CableLocation
{
  std::int32_t branch;
  double position;

  auto operator<=>(const CableLocation&) const = default;
};

/// The form of a cable cell, as branches and as sections.
class CableTree
{
public:
  CableTree() = default;
  /// `starts`: segments that begin a section where nothing else would say so.
  explicit CableTree(std::vector<CableSegment> given, const std::vector<std::int32_t>& starts = {});
  /// Of a cell that is cut.
  explicit CableTree(const cell::CutCell& cut);

  const std::vector<CableSegment>& segments() const { return all; }
  const std::vector<CableBranch>& branches() const { return tree; }
  const std::vector<std::int32_t>& rootBranches() const { return roots; }
  /// Segments that begin a section where nothing else says so: what the constructor needs to find them again.
  const std::vector<std::int32_t>& unmarkedStarts() const { return unmarked; }

  /// Sections: they end at forks, where the tag changes and where a segment begins elsewhere than its parent ends. The
  /// soma, which is what of tag 1 begins at the root, is one, whatever hangs on its middle.
  std::vector<cell::Section> sections() const;

  /// The segment at a place and how far it is from its start, µm.
  std::pair<std::int32_t, double> segmentAt(const CableLocation& location) const;
  /// The node of a place.
  std::int32_t nodeAt(const cell::CutCell& cut, const CableLocation& location) const;
  double radiusAt(const CableLocation& location) const;

private:
  void findBranches();
  void findSections(const std::vector<std::int32_t>& starts);
  bool continuesSection(std::size_t segment, const std::vector<std::int32_t>& starts) const;

  std::vector<CableSegment> all;
  std::vector<CableBranch> tree;
  std::vector<std::int32_t> roots, unmarked;
  std::vector<std::vector<std::int32_t>> children; ///< of each segment
};

/// The membrane of a section between two places, µm from its start: µm².
double areaBetween(const cell::Section& section, double from, double to);

} // namespace hinesight::io
