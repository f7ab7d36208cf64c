#pragma once

#include "fuzzing.hpp"
#include "io/tables/projection_export.hpp"

#include <algorithm>
#include <cmath>

// What weight tables are that a reader gave.

namespace hinesight::fuzz {

inline void requireSound(const io::ImportedTable& imported)
{
  const projection::WeightTable& table = imported.table;
  require(!table.offsets.empty() && table.offsets.front() == 0 && table.offsets.back() == table.rows() &&
              std::ranges::is_sorted(table.offsets),
          "offsets that are none");
  require(table.weight.size() == table.rows() && (table.delay.empty() || table.delay.size() == table.rows()),
          "columns of other sizes");
  for (std::uint64_t source = 0; source < table.sources(); ++source)
    for (std::uint64_t row = table.offsets[source]; row < table.offsets[source + 1]; ++row) {
      require(table.destination[row] < imported.destinations, "a destination that is not there");
      require(row == table.offsets[source] || table.destination[row] > table.destination[row - 1],
              "destinations in another order");
      require(std::isfinite(table.weight[row]) && std::isfinite(table.delayOf(row)) && table.delayOf(row) >= 0,
              "a weight or a delay that is none");
    }
  const projection::Projection& projection = table.projection;
  require(!projection.source || projection.source->count() == table.sources(), "a source of another size");
  require(!projection.destination || projection.destination->count() == imported.destinations,
          "a destination of another size");
}

/// What is written to that file is the same when it is read again.
inline void requireSameAgain(const io::ImportedTable& imported, const std::filesystem::path& file)
{
  const projection::WeightTable& table = imported.table;
  if (!table.projection.source || !table.projection.destination)
    return; // cannot be written: nobody knows where its neurons are
  const auto again = whenAccepted([&] {
    io::exportTable(table, file);
    return io::importTable(file);
  });
  require(again->table.offsets == table.offsets && std::ranges::equal(again->table.destination, table.destination) &&
              std::ranges::equal(again->table.weight, table.weight),
          "other rows when written and read again");
  for (std::uint64_t row = 0; row < table.rows(); ++row)
    require(again->table.delayOf(row) == table.delayOf(row), "other delays when written and read again");
}

} // namespace hinesight::fuzz
