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
  QString name;         ///< that no other one has: of its session, else of its file, with a number where that is taken
  bool isNamed = false; ///< otherwise than its file
  bool visible = true;
  std::shared_ptr<const morphology::Morphology> morphology; ///< null until it is read
  std::shared_ptr<const morphology::Morphology> unplaced;   ///< as study::CellReading has it
  morphology::MorphologyMetrics metrics;
  std::vector<morphology::TypeMeasures> types;
  bool canBeDrawn = true;
  std::optional<Error> error;              ///< why the file could not be read
  std::optional<std::size_t> compartments; ///< of the last discretization
  std::vector<std::string> tags;           ///< as model::Cell has them
  std::string modified;                    ///< of the file as it was read, as study::CellReading has it
  bool isOutdated = false;                 ///< the file was written anew since then
  std::uint64_t key = 0;                   ///< the same whatever it is read from, unlike the id of its source
  std::shared_ptr<const OpenCell> own;     ///< as it was before something else was shown in its place; null: it is that
};

/// What a person chose of a cell: its file, how it is read, where it lies, whether it is drawn, its tags and its name.
struct CellChoice
{
  std::string path;
  double scale = 1; ///< µm per unit of the file
  morphology::CellPlace place = {};
  bool visible = true;
  std::vector<std::string> tags = {};
  std::string name = {}; ///< where it is called otherwise than its file; empty: as its file

  bool operator==(const CellChoice&) const = default;
};

} // namespace hinesight::app
