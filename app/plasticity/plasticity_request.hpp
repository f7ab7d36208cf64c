#pragma once

#include "app/synapses/formation_pipeline.hpp"
#include "synapse/plasticity/plasticity.hpp"

#include <QStringList>

#include <cstdint>
#include <memory>
#include <string>

namespace hinesight::app {

/// What a model begins with: a network, or all that a checkpoint holds.
struct PlasticityStart
{
  std::string name;                                    ///< in words, or of its file
  std::shared_ptr<const synapse::Formation> formation; ///< its neurons, and its synapses where none were read
  std::shared_ptr<const io::StoredNetwork> stored;     ///< what a file held; may be null
  std::string checkpoint;                              ///< path of it; empty: a network
  std::uint32_t step = 0;                              ///< of the checkpoint
  std::size_t neurons = 0;                             ///< of the checkpoint

  bool isCheckpoint() const { return !checkpoint.empty(); }
};

/// Neurons, and how they and their synapses grow.
struct PlasticityRequest
{
  NeuronSource source;
  synapse::PlasticityParameters model;
  std::shared_ptr<const PlasticityStart> start; ///< in place of neurons without synapses; may be null

  bool operator==(const PlasticityRequest&) const = default;
};

// A run has some of its parameters from its beginning; all others can be changed while it goes on.

/// Names of the parameters that only a new run can have as `fields` say.
QStringList beginningsThatDiffer(const PlasticityRequest& run, const PlasticityRequest& fields);

/// What a run that goes on has when the fields say this: all but what it has from its beginning.
PlasticityRequest goingOn(const PlasticityRequest& run, const PlasticityRequest& fields);

/// The same of parameters alone.
synapse::PlasticityParameters goingOn(const synapse::PlasticityParameters& run,
                                      const synapse::PlasticityParameters& fields);

} // namespace hinesight::app
