#pragma once

#include "cell/mechanism.hpp"
#include "simulation/simulation.hpp"

#include <memory>
#include <vector>

namespace hinesight::test {

/// One compartment of 1,000 um2 and 1 uF/cm2 with mechanisms, which starts at -65 mV.
inline std::shared_ptr<cell::CellModel> ball(std::vector<cell::Density> densities, double area = 1000)
{
  auto model = std::make_shared<cell::CellModel>();
  model->name = "ball";
  model->cut.sections.push_back({.type = morphology::kSoma});
  model->cut.parent = {-1};
  model->cut.area = {area};
  model->cut.resistance = {0};
  model->cut.section = {0};
  model->biophysics.densities = std::move(densities);
  return model;
}

inline cell::Density hh()
{
  return {cell::kHh, morphology::kSoma, {0.12, 0.036, 0.0003, -54.3}};
}

inline simulation::Network networkOf(std::shared_ptr<const cell::CellModel> model, std::size_t cells = 1,
                                     simulation::Detector detector = {0, 0})
{
  simulation::Network network;
  network.models = {std::move(model)};
  network.modelOf.assign(cells, 0);
  network.detectors.assign(cells, detector);
  return network;
}

} // namespace hinesight::test
