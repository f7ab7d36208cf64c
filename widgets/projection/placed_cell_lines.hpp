#pragma once

#include "core/run_control.hpp"
#include "model/project.hpp"
#include "morphology/morphology.hpp"
#include "projection/populations/population.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace hinesight::widgets {

/// The neurons of a population as reconstructed cells, each turned at its place: lines from sample to sample, a few
/// samples each where nothing branches.
struct PlacedCellLines
{
  std::vector<float> ends;           ///< six a line: x, y and z of both ends, µm
  std::vector<std::uint32_t> neuron; ///< of each line; those of a neuron follow one another
  std::uint64_t drawn = 0;           ///< neurons that have lines
  std::uint64_t neurons = 0;
  projection::Position low{}, high{}; ///< the box around all of them and the neurons

  std::size_t lines() const { return neuron.size(); }
};

/// What a software renderer draws in a frame's time.
constexpr std::size_t kMostCellLines = 100'000;

/// Of all neurons, or of every so manieth where these have more lines than `most`. `pool`: the morphologies of
/// Population::cells, µm. On any thread. Throws as study::PlacedCells, Error(Cancelled).
PlacedCellLines placedCellLines(const model::Population& population, const projection::Population& neurons,
                                const std::vector<std::shared_ptr<const morphology::Morphology>>& pool,
                                std::size_t most = kMostCellLines, const RunControl& control = {});

} // namespace hinesight::widgets
