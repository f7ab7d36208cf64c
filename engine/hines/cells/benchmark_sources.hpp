#pragma once

#include "cable/random_tree.hpp"
#include "core/fields.hpp"
#include "core/run_control.hpp"
#include "hines/batch.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

// The cells that benchmarks measure, and the measurements that costs are fitted to.

namespace hinesight::hines {

/// Where the cells of a batch come from. Cases that share a source share what it makes.
struct BenchmarkSource
{
  using Systems = std::vector<std::shared_ptr<const HinesSystem>>;
  std::string what; ///< such as "copies of a CA1-sized cell"
  std::function<Systems(const RunControl& control)> make;
  std::vector<Setting> settings = {}; ///< how the cells are discretized or drawn, as far as `what` does not say it
};

/// `source`, made when it is first asked for and kept.
std::shared_ptr<const BenchmarkSource> makeOnce(BenchmarkSource source);
/// The first system of a source.
std::shared_ptr<const BenchmarkSource> firstOf(const std::shared_ptr<const BenchmarkSource>& source);
/// Of a source's systems, the one whose size is nearest to their mean.
std::shared_ptr<const BenchmarkSource> meanSizedOf(const std::shared_ptr<const BenchmarkSource>& source);
/// Synthetic pyramidal cell of about 1,400 compartments, the size of the CA1 cell of DHS (Zhang 2023, figure 4).
std::shared_ptr<const BenchmarkSource> ca1SizedCell();
/// The same cell with each of its compartments cut in so many that there are about `compartments`.
std::shared_ptr<const BenchmarkSource> finelyCutCell(std::int32_t compartments);
/// 16 synthetic cells of four kinds, from some 1,000 to 11,000 compartments.
std::shared_ptr<const BenchmarkSource> mixedSyntheticCells();
/// The same, a source each, every compartment cut in `resolution`.
std::vector<std::shared_ptr<const BenchmarkSource>> syntheticCells(std::int32_t resolution = 1);
/// Random trees, all different, as many as `mostCells` but at most 1,024 (Huber 2018, section 7).
std::shared_ptr<const BenchmarkSource> ringNetwork(const cable::RandomTreeParameters& tree, std::int64_t mostCells);
/// A passive chain of `compartments`.
std::shared_ptr<const BenchmarkSource> chainOf(std::int32_t compartments);

} // namespace hinesight::hines
