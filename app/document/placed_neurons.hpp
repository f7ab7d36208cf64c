#pragma once

#include "app/jobs/jobs.hpp"
#include "app/jobs/kept_results.hpp"
#include "model/project.hpp"

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace hinesight::synapse {
struct NeuronPopulation;
}

namespace hinesight::app {

using Neurons = std::shared_ptr<const synapse::NeuronPopulation>;

/// The neurons of populations of the circuit, which pages begin with.
class PlacedNeurons
{
public:
  explicit PlacedNeurons(Jobs* ofWindow) : jobs(ofWindow) {}

  /// Those of these populations come to `take`: at once where they are there still, else by a job of that kind.
  void place(const JobKind& kind, const model::Project& project, const std::vector<std::string>& populations,
             std::function<void(const Neurons&)> take, JobEnds ends = {});

private:
  Jobs* jobs;
  /// By their names, and what of the project they depend on.
  KeptResults<std::pair<std::vector<std::string>, model::Project>, Neurons> placed;
};

} // namespace hinesight::app
