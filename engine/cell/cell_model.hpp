#pragma once

#include "cell/mechanism.hpp"
#include "cell/sections.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace hinesight::cell {

/// What holds for all sections of an SWC type.
struct Region
{
  double capacitance = 1;     ///< uF/cm2
  double resistivity = 100;   ///< ohm cm
  double sodiumReversal = 50; ///< mV
  double potassiumReversal = -77;

  bool operator==(const Region&) const = default;
};

/// One of them.
using RegionMember = double Region::*;

/// A part of a node's membrane.
struct NodeShare
{
  std::int32_t node;
  double share; ///< of its area, above 0 to 1

  bool operator==(const NodeShare&) const = default;
};

/// Not of an SWC type, but at places of its own.
inline constexpr std::int32_t kPlaced = -1;

/// A mechanism on all sections of an SWC type, or at places.
struct Density
{
  std::int32_t mechanism;             ///< of the catalogue
  std::int32_t type;                  ///< or kPlaced
  std::vector<double> parameters;     ///< of the mechanism, in its order
  std::vector<NodeShare> places = {}; ///< where the type is kPlaced

  bool operator==(const Density&) const = default;
};

/// A value of regions at places of its own.
struct PaintedValue
{
  RegionMember what;
  double value;
  std::vector<NodeShare> places;

  bool operator==(const PaintedValue&) const = default;
};

/// What a cell is made of, but for its form.
struct Biophysics
{
  double celsius = 6.3;
  double startPotential = -65;            ///< mV
  double junctionPotential = 0;           ///< mV: a recorded potential is less by it than that of the model
  std::map<std::int32_t, Region> regions; ///< by SWC type; one that is not there has the usual values
  std::vector<Density> densities;
  std::vector<PaintedValue> painted; ///< over the regions
  MechanismCatalogue mechanisms;     ///< that densities are of

  const Region& regionOf(std::int32_t type) const;
};

/// What of it is out of range, as a sentence: a number that is not finite, a conductance below 0, a capacitance, a
/// resistivity or a time constant that is not above 0. None: all is in range.
std::optional<std::string> problemOf(const Biophysics& biophysics);

/// A cell that can be simulated.
struct CellModel
{
  std::string name;
  CutCell cut;
  Biophysics biophysics;
};

/// The same of a cell: as well a density at a node that there is not, or on more than a whole node.
std::optional<std::string> problemOf(const CellModel& model);

/// What holds at each node. Values that are painted on a part of it count by their shares; the end of a section, which
/// has no membrane, is like the segment before it.
std::vector<Region> regionsOfNodes(const CellModel& model);

/// Calls `body` with every node that has a membrane of the density, and with the share of its area that has it.
template <typename Body>
void forEachPart(const CellModel& model, const Density& density, const Body& body)
{
  if (density.type == kPlaced) {
    for (const NodeShare& place : density.places)
      if (model.cut.area[static_cast<std::size_t>(place.node)] > 0)
        body(static_cast<std::size_t>(place.node), place.share);
    return;
  }
  for (std::size_t node = 0; node < model.cut.nodes(); ++node)
    if (model.cut.area[node] > 0 &&
        model.cut.sections[static_cast<std::size_t>(model.cut.section[node])].type == density.type)
      body(node, 1.0);
}

} // namespace hinesight::cell
