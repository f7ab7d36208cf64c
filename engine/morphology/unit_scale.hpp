#pragma once

#include "core/fields.hpp"
#include "core/run_control.hpp"
#include "morphology/morphology.hpp"

#include <array>
#include <memory>
#include <optional>
#include <string_view>

namespace hinesight::morphology {

/// A unit that files of cells are written in.
struct FileUnit
{
  std::string_view name; ///< "nm"
  double scale = 1;      ///< µm per unit
};

inline constexpr FileUnit kMicrometres{"µm", 1};
inline constexpr FileUnit kNanometres{"nm", 0.001};
inline constexpr FileUnit kVoxelsOf8Nanometres{"8 nm voxels", 0.008}; ///< of electron microscopy
inline constexpr std::array<FileUnit, 3> kFileUnits = {kMicrometres, kNanometres, kVoxelsOf8Nanometres};

/// µm per unit of a file.
inline constexpr Range kUnitScaleRange = from(1e-6, 1e6);

/// The cell of a file whose unit is `unitScale` µm: coordinates and radii times that, an unknown radius of last resort
/// in µm, and the warning about the size that the cell has then. `asRead` has scale 1, and is returned for a scale
/// of 1. Throws Error(BadParameter) for a scale that is out of kUnitScaleRange, Error(Cancelled).
std::shared_ptr<const Morphology> inMicrometres(const std::shared_ptr<const Morphology>& asRead, double unitScale,
                                                const RunControl& control = {});

/// The warning of a complete morphology that is larger than any neuron: its unit is probably another one. It suggests
/// nanometres, or voxels of 8 nm where the soma would be too small in nanometres.
std::optional<Warning> sizeWarning(const Morphology& morphology);

} // namespace hinesight::morphology
