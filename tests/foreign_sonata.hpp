#pragma once

#include "io/hdf5/hdf5_file.hpp"
#include "io/row_file.hpp"

#include <array>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace hinesight::tests {

/// SONATA edges as other programs write them, with none of our attributes: (source, target), each of weight 1, from
/// nodes of one population to those of another. With `nodes` in each population, these are in the file too, and delays
/// of 1 ms.
inline void writeForeignEdges(const std::string& path, const std::string& sourceNodes, const std::string& targetNodes,
                              const std::vector<std::array<std::uint64_t, 2>>& pairs, std::uint64_t nodes = 0)
{
  const std::string edges = "/edges/" + sourceNodes + "_to_" + targetNodes;
  std::array<std::uint64_t, 2> columns{};
  {
    io::Hdf5Layout file(path, path);
    file.addGroup(edges);
    columns[0] = file.addColumn(edges + "/source_node_id", io::StoredNumber::UInt64, pairs.size());
    file.addAttribute(edges + "/source_node_id", "node_population", sourceNodes, io::StoredText::Variable);
    columns[1] = file.addColumn(edges + "/target_node_id", io::StoredNumber::UInt64, pairs.size());
    file.addAttribute(edges + "/target_node_id", "node_population", targetNodes, io::StoredText::Variable);
    file.addConstantColumn(edges + "/0/syn_weight", io::StoredNumber::Float64, pairs.size(), 1);
    if (nodes > 0) {
      file.addConstantColumn(edges + "/0/delay", io::StoredNumber::Float64, pairs.size(), 1);
      for (const std::string& population : std::set{sourceNodes, targetNodes}) {
        file.addGroup("/nodes/" + population);
        file.addConstantColumn("/nodes/" + population + "/node_id", io::StoredNumber::UInt64, nodes, 0);
      }
    }
    file.close();
  }
  const io::RowFile rows(path, path);
  for (std::size_t end = 0; end < 2; ++end)
    for (std::size_t i = 0; i < pairs.size(); ++i)
      rows.write(columns[end] + i * sizeof(std::uint64_t), &pairs[i][end], sizeof(std::uint64_t));
}

} // namespace hinesight::tests
