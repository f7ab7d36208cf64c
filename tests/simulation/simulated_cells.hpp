#pragma once

#include "simulation/samples/sample_networks.hpp"
#include "simulation/simulation.hpp"

namespace hinesight::test {

using simulation::samples::ball;
using simulation::samples::hh;

inline simulation::Network networkOf(std::shared_ptr<const cell::CellModel> model, std::size_t cells = 1,
                                     simulation::Detector detector = {0, 0})
{
  simulation::Network network = simulation::samples::copies(std::move(model), cells);
  network.detectors.assign(cells, detector);
  return network;
}

} // namespace hinesight::test
