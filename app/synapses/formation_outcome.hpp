#pragma once

#include "study/circuit/circuit_study.hpp"
#include "study/formation/formation_study.hpp"
#include "widgets/synapse/octree_content.hpp"
#include "widgets/synapse/synapse_figures.hpp"

#include <memory>
#include <string>
#include <vector>

namespace hinesight::app {

/// What was formed or read, with what the window shows of it.
struct FormationOutcome : study::FormationResult
{
  widgets::OctreeContent content;
  widgets::DistanceFigure distances;        ///< without the kernel's expectation
  bool isRandom = true;                     ///< neurons were placed at random, not read
  std::vector<study::PopulationJoin> joins; ///< of populations of the circuit
  std::string warning;                      ///< what of the file of neurons was not read, in words; empty: nothing
};

/// Makes what is shown. The picture of the neurons is kept as long as they are the same. Not thread-safe: one thread
/// uses it at a time.
class FormationPictures
{
public:
  /// `isOfCircuit`: the neurons are populations of one. Throws Error(Cancelled), Error(OutOfMemory).
  FormationOutcome of(study::FormationResult result, bool isOfCircuit, const RunControl& control);

private:
  std::shared_ptr<const synapse::NeuronPopulation> population; ///< of the cloud
  std::shared_ptr<const widgets::NeuronCloud> cloud;
};

} // namespace hinesight::app
