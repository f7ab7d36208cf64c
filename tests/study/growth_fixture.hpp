#pragma once

#include "study/growth/growth_study.hpp"

#include <cstddef>

namespace hinesight::tests {

/// A growth in which synapses form at the first updates.
inline study::GrowthRequest growing(std::size_t neurons = 300)
{
  study::GrowthRequest request;
  request.source.placement.neurons = neurons;
  request.source.placement.excitatory = 0.8;
  request.model.updatePeriod = 20;
  for (auto* pool : {&request.model.axon, &request.model.excitatoryDendrite, &request.model.inhibitoryDendrite}) {
    pool->initialLeast = 1;
    pool->initialMost = 4;
  }
  request.model.threads = 1;
  return request;
}

} // namespace hinesight::tests
