#pragma once

#include "simulation/network.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace hinesight::simulation {

/// The stimuli of a cell while it runs.
class StimulusStates
{
public:
  void add(const CurrentStep& step) { steps.push_back(step); }
  void add(const SinusoidCurrent& sinusoid) { sinusoids.push_back(sinusoid); }
  /// `number`: among all noises of the network, which its random numbers belong to.
  void add(const NoiseCurrent& noise, std::uint32_t number);
  void add(const VoltageClamp& clamp) { clamps.push_back({clamp}); }

  /// Adds what they inject in step `number`, from `begin` on and dt ms long, to the rows of their nodes: currents by
  /// their mean over the step, or, `atMiddle`, by their value in its middle (NEURON).
  void addTo(std::int64_t number, double begin, double dt, bool atMiddle, std::vector<double>& sum,
             std::vector<double>& right);

  /// The current of the first clamp on a node, nA, with the level of the last step; `v`: the node's potential.
  double clampCurrentAt(std::int32_t node, double v) const;

private:
  struct NoiseState
  {
    NoiseCurrent noise;
    std::uint32_t number;
    double value; ///< nA
  };
  struct ClampState
  {
    VoltageClamp clamp;
    double level = 0; ///< mV, of the last step
    bool isOn = false;
  };

  std::vector<CurrentStep> steps;
  std::vector<SinusoidCurrent> sinusoids;
  std::vector<NoiseState> noises;
  std::vector<ClampState> clamps;
};

} // namespace hinesight::simulation
