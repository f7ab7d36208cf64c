#include "hines/solvers/edd/edd_trsv_step.hpp"

namespace hinesight::hines {

EddTrsvTables::EddTrsvTables(const EddPlan& plan)
{
  std::vector<std::size_t> pieceOfBegin;
  for (const EddShape& shape : plan.shapes) {
    pieceOfBegin.push_back(pieceOf.size());
    const EddLevel& chains = shape.levels.front();
    for (std::int32_t p = 0; p < chains.pieceCount(); ++p)
      pieceOf.insert(pieceOf.end(), static_cast<std::size_t>(chains.pieces[static_cast<std::size_t>(p)].length), p);
    // The pieces of all recursions follow one another in the tables; only the first one's have a place.
    pieceBegin.insert(pieceBegin.end(), chains.pieceBegin.begin(), chains.pieceBegin.end());
    for (std::size_t level = 1; level < shape.levels.size(); ++level)
      pieceBegin.resize(pieceBegin.size() + shape.levels[level].pieces.size(), 0);
  }
  for (std::uint32_t k = 0; k < plan.units.size(); ++k) {
    const EddLevel& chains = plan.shapes[plan.units[k].shape].levels.front();
    for (std::int32_t p = 0; p < chains.pieceCount(); ++p)
      pieces.push_back({k, p});
    cells.push_back({k, pieceOfBegin[plan.units[k].shape]});
    mostRows = std::max(mostRows, chains.rows);
  }
}

} // namespace hinesight::hines
