#pragma once

#include "core/kept_ranks.hpp"
#include "core/run_control.hpp"
#include "core/stage_timings.hpp"
#include "study/formation/formation_study.hpp"
#include "synapse/plasticity/plasticity.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace hinesight::study {

/// What a model begins with: a network, or all that a checkpoint holds.
struct GrowthStart
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
struct GrowthRequest
{
  NeuronSource source; ///< with the synapses of its network from the beginning, where it has one
  synapse::PlasticityParameters model;
  std::shared_ptr<const GrowthStart> start; ///< in place of the source; may be null

  bool operator==(const GrowthRequest&) const = default;
};

/// What it starts with is not among them.
template <typename Visitor>
void visitFields(GrowthRequest& r, Visitor&& visit)
{
  visit(FieldGroup{"source", "Neurons", "", "Who grows."}, r.source);
  visit(FieldGroup{"model", "Model", "", "When neurons fire, and how their elements grow."}, r.model);
}

// A run has some of its parameters from its beginning; all others can be changed while it goes on.

/// Names of the parameters that only a new run can have as `fields` say: "neurons", "initial calcium".
std::vector<std::string> beginningsThatDiffer(const GrowthRequest& run, const GrowthRequest& fields);

/// What a run that goes on has when the fields say this: all but what it has from its beginning.
GrowthRequest goingOn(const GrowthRequest& run, const GrowthRequest& fields);

/// The same of parameters alone.
synapse::PlasticityParameters goingOn(const synapse::PlasticityParameters& run,
                                      const synapse::PlasticityParameters& fields);

/// What a stretch of steps left.
struct GrowthStretch
{
  std::vector<synapse::StepRecord> records; ///< one a step, or fewer where that was asked for
  std::uint32_t step = 0;                   ///< steps done
  std::size_t neurons = 0;
  StageTimings timings; ///< of these steps
};

/// Writes the network as the model has it, with the parameters that it depends on, by the ending of the path. Throws as
/// io::writeNetwork.
void exportNetwork(const synapse::PlasticityModel& model, const std::string& path, const RunControl& control);

/// A model that grows, and can be watched: its steps are done in stretches. Not thread-safe: one thread uses it at a
/// time.
class GrowthStudy
{
public:
  /// Null before `begin` or `open`.
  const synapse::PlasticityModel* model() const { return grown ? grown->model.get() : nullptr; }
  /// Makes the model anew. Throws as makeNeurons, io::readNetwork, ranksFor, synapse::makePlasticityModel,
  /// io::startFromNetwork and synapse::readCheckpoint; then there is none.
  void begin(const GrowthRequest& request, const RunControl& control);
  /// Reads a checkpoint, onto what `machine` names; `unknown` and what it throws are as of synapse::readCheckpoint, and
  /// as ranksFor. Then there is none.
  void open(const std::string& checkpoint, const synapse::PlasticityParameters& machine,
            std::vector<std::string>* unknown = nullptr, const RunControl& control = {});
  /// The model goes on from where it stands with other parameters. Neurons without a calcium target of their own have
  /// the new one from now on. Throws as ranksFor and
  /// synapse::continuePlasticityModel; then nothing has changed.
  void change(const synapse::PlasticityParameters& parameters, const RunControl& control = {});
  /// Steps that should take some tens of milliseconds, as far as those before tell.
  std::uint32_t steps() const { return stretch; }
  /// Does steps, with a record of each that is a multiple of `recordEvery`. What was done of them is in `done` also
  /// where it throws Error(Cancelled).
  void advance(std::uint32_t steps, GrowthStretch& done, const RunControl& control, std::uint32_t recordEvery = 1);

private:
  struct Grown
  {
    std::shared_ptr<KeptRanks> gpus; ///< that the model is on, which goes first; null: one, or the CPU
    std::unique_ptr<synapse::PlasticityModel> model;
  };

  std::shared_ptr<KeptRanks> forget();
  void read(const std::string& checkpoint, const synapse::PlasticityParameters& machine,
            std::vector<std::string>* unknown, std::shared_ptr<KeptRanks> kept, const RunControl& control);

  std::unique_ptr<Grown> grown;
  std::uint32_t stretch = 1;
};

} // namespace hinesight::study
