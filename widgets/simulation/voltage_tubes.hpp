#pragma once

#include "study/simulation/simulation_model.hpp"
#include "widgets/cells/morphology/tube_geometry.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace hinesight::widgets {

/// The cells of a model as they are simulated: the sections with their points as tubes, and the node whose potential
/// each end of a tube shows. The soma is a sphere where it stands for one.
struct VoltageTubes
{
  TubeGeometry geometry;                  ///< sampleA and sampleB are nodes of the cell
  std::vector<std::size_t> firstPlace{0}; ///< of each cell's nodes among those of all, and the number of all
  std::vector<std::size_t> firstTube{0};  ///< of each cell, and the number of all
  std::vector<bool> goesOn;               ///< of each tube: whether it goes on from the one before it, in its section
  bool isSpread = false;                  ///< side by side, since the files do not say where the cells stand

  std::int32_t placeOf(std::size_t cell, std::int32_t node) const
  {
    return static_cast<std::int32_t>(firstPlace[cell]) + node;
  }
  /// Two a tube: TubeDrawing::places.
  std::vector<std::int32_t> places() const;
  /// In fewer and fewer lines: TubeDrawing::lines.
  std::vector<std::vector<std::uint32_t>> lines() const;
};

/// On any thread.
VoltageTubes buildVoltageTubes(const study::SimulationModel& model);

/// Where the middle of a node is drawn; nothing where no tube shows it.
std::optional<Vec3> drawnPlaceOf(const VoltageTubes& tubes, std::size_t cell, std::int32_t node);

} // namespace hinesight::widgets
