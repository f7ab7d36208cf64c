#pragma once

#include "simulation/compiled_cell.hpp"
#include "simulation/network.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace hinesight::simulation {

/// Cells or point neurons [begin, end).
struct ShareRange
{
  std::uint32_t begin = 0, end = 0;

  std::size_t size() const { return end - begin; }
  bool holds(std::size_t item) const { return item >= begin && item < end; }
};

/// Who runs which cells and which point neurons of a network: a GPU or a rank has a range of each. What a cell gives
/// does not depend on the share that it is in.
class Shares
{
public:
  /// Ranges of about as much work each: the most of any is the least that there is (cutIntoShares). The last are empty
  /// where there are fewer cells. `models`: of the network.
  Shares(const Network& network, std::span<const CompiledCell> models, std::size_t shares)
      : Shares(network, models, shares, shares)
  {}
  /// The same of the first `withCells`; those behind have point neurons alone.
  Shares(const Network& network, std::span<const CompiledCell> models, std::size_t shares, std::size_t withCells);

  std::size_t count() const { return cellBegins.size() - 1; }
  ShareRange cells(std::size_t share) const { return {cellBegins[share], cellBegins[share + 1]}; }
  ShareRange pointNeurons(std::size_t share) const { return {pointBegins[share], pointBegins[share + 1]}; }
  std::size_t ofCell(std::uint32_t cell) const { return shareOf(cellBegins, cell); }
  std::size_t ofPointNeuron(std::uint32_t neuron) const { return shareOf(pointBegins, neuron); }
  bool areApart(const GapJunction& junction) const { return ofCell(junction.a.cell) != ofCell(junction.b.cell); }

private:
  static std::size_t shareOf(const std::vector<std::uint32_t>& begins, std::uint32_t item);

  std::vector<std::uint32_t> cellBegins, pointBegins; ///< of each share, and the end
};

} // namespace hinesight::simulation
