#pragma once

#include "core/error.hpp"
#include "core/run_control.hpp"
#include "projection/populations/population.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

// The edges of an exported circuit: SONATA has their nodes in other files.

namespace hinesight::study {

/// The only edges of a SONATA file, at least one of whose populations of nodes is not in it.
struct EdgesWithoutNodes
{
  std::string file;
  std::string name; ///< of the population of edges
  std::string source, target;
};

/// None where the file is of another kind, holds its nodes, or has several populations of edges.
std::optional<EdgesWithoutNodes> edgesWithoutNodes(const std::filesystem::path& file);

/// The neurons of one end.
struct EdgeEnd
{
  std::uint64_t count = 0;
  std::shared_ptr<const projection::Population> neurons; ///< null: nobody knows where they are
};

struct EdgeEnds
{
  EdgeEnd source, target;
  std::string edgeTypes; ///< the file of the table of types of the edges; empty: none
};

/// The circuit_config.json that names the edges, in their folder or the one above; empty: none does, or it cannot be
/// read.
std::filesystem::path circuitNaming(const EdgesWithoutNodes& edges, const RunControl& control = {});

/// Why a weight table cannot be made of the edges alone, and what to open instead: that circuit, where there is one.
Error needOfNodes(const EdgesWithoutNodes& edges, const std::filesystem::path& circuit);

/// Looks for the nodes in `given`, files as io::parseNeuronFile takes them: in the SONATA file that has nodes of the
/// population's name, else in the first one for the source and in the last one for the target. Where none is given, in
/// the circuit_config.json that names the edges, in their folder or the one above, then in the SONATA files of their
/// folder. Throws Error(BadFormat) that says what to give where there are none, and as importSonata and
/// io::readPositions.
EdgeEnds findNodes(const EdgesWithoutNodes& edges, const std::vector<std::string>& given,
                   const RunControl& control = {});

} // namespace hinesight::study
