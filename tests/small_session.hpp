#pragma once

namespace hinesight::tests {

/// Four cells with hh in a row along x, two passive ones above them, three neurons outside, and a point neuron.
inline constexpr const char* kSmallSession = R"({
  "session": 1,
  "cells": [{"name": "tree", "file": "tree.swc"}],
  "populations": [
    {"name": "E", "kind": "grid", "size": [4, 1, 1], "spacing": [100, 100, 100], "cells": ["tree"], "models": ["hh"]},
    {"name": "I", "kind": "grid", "size": [2, 1, 1], "spacing": [100, 100, 100], "origin": [0, 300, 0],
     "role": "inhibitory", "cells": ["tree"], "models": ["passive"]},
    {"name": "outside", "role": "relay", "kind": "grid", "size": [3, 1, 1], "spacing": [100, 1, 1],
     "origin": [60, 0, 0]},
    {"name": "P", "kind": "grid", "size": [1, 1, 1], "models": ["point"]}
  ],
  "connections": [
    {"name": "in", "source": "outside", "target": "E", "kernel": "gaussian", "sigma": 1000, "cut": 0.0001,
     "delay": 2, "synapse-place": "nearest", "synapse-weight": 0.002, "synapse-tau1": 0.5, "synapse-tau2": 3},
    {"name": "inhibition", "source": "I", "target": "E", "kernel": "gaussian", "sigma": 1000, "gain": 1,
     "synapse-place": "soma", "synapse-weight": 0.01, "synapse-delays": "distance", "synapse-delay": 0.5,
     "synapse-velocity": 200, "synapse-inhibitory-reversal": -80},
    {"name": "local", "kind": "formed", "between": ["E", "I"], "formed-axons": 6, "formed-dendrites": 6,
     "synapse-place": "sections", "synapse-on": "dend", "synapse-nearest": 50, "synapse-weight": 0.001,
     "synapse-delays": "fixed", "synapse-delay": 1.5},
    {"name": "point", "source": "I", "target": "P", "kernel": "gaussian", "sigma": 1000, "synapse-place": "soma",
     "synapse-weight": 0.5}
  ],
  "models": [
    {"name": "hh", "membrane": [{"mechanism": "hh"}, {"on": "soma", "mechanism": "hh", "parameter": "gnabar",
      "value": 0.15}, {"parameter": "Ra", "value": 150}, {"on": "dend", "parameter": "cm", "value": 2}]},
    {"name": "passive", "v-init": -70, "membrane": [{"mechanism": "pas", "parameter": "g", "value": 0.0001}]},
    {"name": "point", "kind": "point", "tau": 20, "refractory": 3}
  ],
  "stimuli": [
    {"name": "step", "population": "E", "neurons": [1, 0], "amplitude": 0.5, "delay": 5, "duration": 50},
    {"name": "swing", "kind": "sinusoid", "population": "I", "amplitude": 0.1, "frequency": 40},
    {"name": "noise", "kind": "noise", "population": "I", "on": "dend", "section": 1, "position": 0.9, "seed": 4},
    {"name": "hold", "kind": "voltage-clamp", "population": "E", "neurons": [3], "potentials": [-70, -20],
     "durations": [10, 20]},
    {"name": "trains", "kind": "poisson", "population": "outside", "neurons": [0, 2], "rate": 50, "delay": 10},
    {"name": "listed", "kind": "spikes", "population": "outside", "neurons": [1], "times": [30, 20]}
  ],
  "probes": [
    {"name": "v", "population": "E", "places": "sections", "on": "dend"},
    {"name": "soma", "population": "I", "neurons": [1]},
    {"name": "held", "population": "E", "neurons": [3], "quantity": "i_clamp"}
  ],
  "simulate": {"tstop": 60, "threshold": -20, "longest-segment": 20}
})";

/// A soma of radius 6, a stem to 60 um and two branches of 50.
inline constexpr const char* kSmallTree =
    "1 1 0 0 0 6 -1\n2 3 6 0 0 1 1\n3 3 60 0 0 0.8 2\n4 3 100 30 0 0.6 3\n5 3 100 -30 0 0.6 3\n";

} // namespace hinesight::tests
