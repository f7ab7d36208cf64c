#pragma once

#include "cable/hines_system.hpp"
#include "core/run_control.hpp"
#include "morphology/branches.hpp"
#include "morphology/morphology.hpp"

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace hinesight::cable {

/// How a morphology is cut into compartments.
enum class DiscretizationPolicy
{
  Sample,        ///< one compartment per SWC sample edge (vooturi 2019, table I)
  FixedNumber,   ///< a fixed number per branch
  MaximumLength, ///< the least number per branch that keeps compartments at most `maximumLength` long
  DLambda,       ///< at most `dLambda` of the AC length constant at 100 Hz (NEURON's rule, Hines and Carnevale 2001)
};

/// "sample", "fixed", "length", "d-lambda".
std::string_view policyName(DiscretizationPolicy policy);

struct DiscretizationParameters
{
  DiscretizationPolicy policy = DiscretizationPolicy::Sample;
  std::int32_t compartmentsPerBranch = 4; ///< FixedNumber; 1 to 100,000
  double maximumLength = 20;              ///< MaximumLength, um; 1e-3 to 1e9
  double dLambda = 0.1;                   ///< DLambda; 1e-4 to 10
  std::int32_t resolution = 1;            ///< P: each compartment is split in P (vooturi 2019, IV-D3); 1 to 1000

  double membraneCapacitance = 1;       ///< uF/cm2; above 0, at most 1e3
  double axialResistivity = 100;        ///< ohm cm; above 0, at most 1e6
  double leakConductance = 1.0 / 30000; ///< S/cm2; 0 to 1e3
  double leakReversal = -65;            ///< mV; -1000 to 1000
  double timeStep = 0.025;              ///< ms; above 0, at most 1e6
  double somaCurrent = 0.1;             ///< nA into the root compartment of each tree; -1e6 to 1e6

  bool operator==(const DiscretizationParameters&) const = default;
};

/// Throws Error(BadParameter) that names the parameter, its value and its range.
void validate(const DiscretizationParameters& parameters);

/// A cell cut into compartments, numbered root first: parent[i] < i.
struct Discretization
{
  std::shared_ptr<const morphology::Morphology> morphology;
  std::shared_ptr<const morphology::BranchTree> branches;
  DiscretizationParameters parameters;

  std::vector<std::int32_t> parent;     ///< per compartment; -1 at the root of each tree
  std::vector<std::int32_t> branch;     ///< per compartment: morphology branch; -1: sphere or node at a root
  std::vector<double> area;             ///< um2, lateral
  std::vector<double> length;           ///< um
  std::vector<double> axialConductance; ///< uS to the parent: 1 / (sum of the two half resistances); 0 at roots
  std::vector<std::int32_t> ofSample;   ///< per sample: the compartment that holds it (its distal end)

  /// Backward Euler matrix and right-hand side at rest plus the soma current (huber 2018, section 1).
  /// d, u in uS; right-hand side in nA; the solution is a voltage in mV.
  std::shared_ptr<const HinesSystem> system;

  std::size_t compartments() const { return parent.size(); }
};

/// Cuts a cell by finite volumes: areas and axial resistances are integrated exactly over the part of each frustum that
/// a compartment covers, and two compartments are coupled by the resistance between their middles. Branches are those
/// of BranchTree; except under `Sample`, the compartments of one branch have equal lengths. The rules:
/// - A soma that is a sphere is one compartment for all its samples (area 4 pi r^2, half resistance R_a / (pi r)), also
///   when it was written as a ring of lone roots. A soma of one sample below a neurite is a sphere too, and the cable
///   above and below it is cut separately.
/// - Every other root is the first compartment of the only branch that hangs on it, or a node without area and
/// resistance
///   that joins several branches; a root on which no cable hangs is a sphere.
/// - The edge from a soma sample to the first of a neurite starts at the soma sample and has the neurite's radius all
///   along, instead of widening to the soma's (NEURON's import does the same); so does an edge to a sphere.
/// - Edges shorter than 1e-9 of the diagonal of the cell's bounding box add no area and no resistance; a branch of such
///   edges has no compartment, and its samples share the one that it hangs on.
/// - `DLambda` follows NEURON: n = 2 floor((L / (d_lambda lambda) + 0.9) / 2) + 1 with L / lambda summed over the
///   branch's frusta, each at its mean diameter: lambda = 1e5 um sqrt(d / (4 pi 100 Hz R_a c_m)).
/// Each root's tree is a tree of its own in the system. Throws Error(BadParameter), also where radii or coordinates
/// leave the range of doubles; Error(OutOfMemory) before allocating more than 2^31 - 1 compartments or more than the
/// free memory.
std::shared_ptr<const Discretization> discretize(std::shared_ptr<const morphology::Morphology> morphology,
                                                 std::shared_ptr<const morphology::BranchTree> branches,
                                                 const DiscretizationParameters& parameters,
                                                 const RunControl& control = {});

} // namespace hinesight::cable
