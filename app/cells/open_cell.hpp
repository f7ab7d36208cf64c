#pragma once

#include "core/error.hpp"
#include "morphology/cell_place.hpp"
#include "morphology/morphology.hpp"
#include "morphology/morphometry.hpp"
#include "study/cells/cell_study.hpp"

#include <QString>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace hinesight::app {

/// A cell that the window has open.
struct OpenCell
{
  study::CellSource source;
  QString name; ///< of the file until it is read, then of the morphology
  bool visible = true;
  std::shared_ptr<const morphology::Morphology> morphology; ///< null until it is read
  std::shared_ptr<const morphology::Morphology> unplaced;   ///< as study::CellReading has it
  morphology::MorphologyMetrics metrics;
  std::vector<morphology::TypeMeasures> types;
  bool canBeDrawn = true;
  std::optional<Error> error;              ///< why the file could not be read
  std::optional<std::size_t> compartments; ///< of the last discretization
  std::uint64_t key = 0;                   ///< the same whatever it is read from, unlike the id of its source
  std::shared_ptr<const OpenCell> own;     ///< as it was before something else was shown in its place; null: it is that
};

/// What a person chose of a cell: its file, how it is read, where it lies, and whether it is drawn.
struct CellChoice
{
  std::string path;
  double scale = 1; ///< µm per unit of the file
  morphology::CellPlace place = {};
  bool visible = true;

  bool operator==(const CellChoice&) const = default;
};

} // namespace hinesight::app
