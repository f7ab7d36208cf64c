#pragma once

#include "morphology/morphology.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

// Cells cut as NEURON cuts them, which published models need: unbranched sections with equal segments, whose middles
// are nodes, and a node without area at the end of each. After Import3d, treeset.cpp (NEURON) and the templates of the
// Allen Cell Types models; checked against their published output.

namespace hinesight::cell {

/// What happens to the axon of a reconstruction.
enum class AxonPolicy
{
  Kept,
  Stub,        ///< two sections of 30 µm, diameter 1 µm, at the middle of the soma
  StubAsThick, ///< the same at the end of the soma, as thick as the first and the last section of the axon (BMTK)
  Truncated,   ///< as thick as the middles of the first section and of the first beyond 60 µm (AllenSDK)
};

/// A point of a section: coordinates and diameter in µm, in single precision as NEURON holds them.
struct SectionPoint
{
  float x = 0, y = 0, z = 0, diameter = 0;
};

/// An unbranched cable.
struct Section
{
  std::int32_t type = 0;     ///< of SWC
  std::int32_t parent = -1;  ///< a section; -1: the soma, which is the root
  double parentPosition = 1; ///< where on it, 0 to 1
  std::vector<SectionPoint> points = {};
  double length = 0;          ///< µm
  std::int32_t segments = 1;  ///< of equal length
  std::int32_t firstNode = 0; ///< of the first segment; the end of the section is node firstNode + segments
};

struct CuttingPolicy
{
  double longestSegment = 40; ///< µm: a section of length L has 1 + 2 floor(L / longestSegment) segments
  AxonPolicy axon = AxonPolicy::Kept;
};

/// The nodes of a cell: its potentials stand there. Parents come before children; node 0 is the start of the soma.
struct CutCell
{
  std::vector<Section> sections; ///< soma, axon, basal, apical, each in the order of the file; a stub last
  std::vector<std::int32_t> parent;
  std::vector<double> area;          ///< µm²; 0 at the ends of sections
  std::vector<double> resistance;    ///< to the parent, over the resistivity: 1/µm; 0 of node 0
  std::vector<std::int32_t> section; ///< per node
  double longestSegment = 40;        ///< µm: as it was asked for

  std::size_t nodes() const { return parent.size(); }
  std::size_t segments() const;
  /// The node of a place on a section; `position` from 0 to 1. Throws Error(BadParameter) where there is none.
  std::int32_t nodeAt(std::int32_t section, double position) const;
};

/// How far each section begins from the start of the soma along the tree, µm.
std::vector<double> distancesOfSections(const CutCell& cell);

/// Throws Error(BadFormat) for what is no single tree with a soma of one sample or of frusta at its root.
CutCell cutIntoSections(const morphology::Morphology& morphology, const CuttingPolicy& policy);

/// The same of sections that are there: their points, types and parents. The first is the root. `name`: of the cell,
/// for messages. Throws Error(BadFormat) for a section without length, and for one that hangs nowhere.
CutCell cutSections(std::vector<Section> sections, double longestSegment, const std::string& name);

} // namespace hinesight::cell
