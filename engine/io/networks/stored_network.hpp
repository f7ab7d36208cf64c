#pragma once

#include "core/fields.hpp"
#include "synapse/formation/network.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace hinesight::io {

/// The synapses that a network file holds.
struct StoredNetwork
{
  synapse::Network plastic;
  std::vector<synapse::StaticSynapse> fixed; ///< ordered as those of a Network
  std::uint32_t step = 0;                    ///< of the simulation that left it
  std::vector<Setting> settings = {};        ///< parameters that it was made with; empty: not known

  std::size_t neurons() const { return plastic.neurons; }
};

namespace detail {

/// Takes the rows of a network file in any order and says what is wrong with them.
class NetworkBuilder
{
public:
  /// `neurons`: 0 where the file does not say; then as many as the rows name.
  NetworkBuilder(std::string file, std::uint64_t neurons);

  /// Indices from 0. Rows of one pair, kind and sign are added up, in their order. The weights of plastic synapses are
  /// whole numbers other than 0, those of static ones any. `line` is 0 where the file has none. Throws
  /// Error(BadFormat).
  void add(std::uint64_t source, std::uint64_t target, double weight, bool isPlastic, std::int64_t line = 0);
  /// How many rows were added.
  std::uint64_t rows() const { return plastic.size() + fixed.size(); }
  /// Throws Error(BadFormat) where weights of a pair add up to more than a number holds.
  StoredNetwork finish(std::uint32_t step);

private:
  [[noreturn]] void fail(const std::string& what, std::int64_t line) const;
  template <typename Synapses>
  void order(Synapses& synapses) const;

  std::string path;
  std::uint64_t neurons;
  std::uint64_t named = 0; ///< one more than the greatest index
  std::vector<synapse::Synapse> plastic;
  std::vector<synapse::StaticSynapse> fixed;
};

} // namespace detail

} // namespace hinesight::io
