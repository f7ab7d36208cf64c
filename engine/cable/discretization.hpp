#pragma once

#include "cable/hines_system.hpp"
#include "core/fields.hpp"
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

inline constexpr Choice kDiscretizationPolicies[] = {
    {"sample", "Sample", "One compartment for every sample of the file."},
    {"fixed", "Fixed number", "The same number in every branch."},
    {"length", "Maximum length", "The fewest that keep every compartment below a length."},
    {"d-lambda", "d-lambda", "The fewest that keep every compartment below a fraction of the AC length constant."},
};
inline std::span<const Choice> tableOf(DiscretizationPolicy)
{
  return kDiscretizationPolicies;
}

/// visitFields says what each is, in which unit and range.
struct DiscretizationParameters
{
  DiscretizationPolicy policy = DiscretizationPolicy::Sample;
  std::int32_t compartmentsPerBranch = 4;
  double maximumLength = 20; ///< um
  double dLambda = 0.1;
  std::int32_t resolution = 1;

  double membraneCapacitance = 1;       ///< uF/cm2
  double axialResistivity = 100;        ///< ohm cm
  double leakConductance = 1.0 / 30000; ///< S/cm2
  double leakReversal = -65;            ///< mV
  double timeStep = 0.025;              ///< ms
  double somaCurrent = 0.1;             ///< nA

  bool operator==(const DiscretizationParameters&) const = default;
};

/// How cells are discretized.
template <typename Visitor>
void visitCompartmentFields(DiscretizationParameters& p, Visitor&& visit)
{
  using Policy = DiscretizationPolicy;
  visit(Field{.name = "discretize",
              .label = "Discretize by",
              .help = "How a branch becomes compartments.",
              .detail = "One per sample makes a compartment of every line of the file; the tables of Vooturi 2019 "
                        "count them so. A fixed number or a maximum length makes the compartments of a branch equal. "
                        "The d-lambda rule keeps each of them short compared with the length that a 100 Hz signal "
                        "travels (Hines and Carnevale 2001).",
              .section = {"Compartments", "How cells become compartments."}},
        p.policy);
  visit(Field{.name = "compartments-per-branch",
              .label = "Compartments per branch",
              .range = from(1, 100'000),
              .slider = {1, 64},
              .help = "Compartments of every branch, long or short.",
              .detail = "This is the batch of equal branches that many papers measure.",
              .former = "compartments"}
            .when(p.policy == Policy::FixedNumber),
        p.compartmentsPerBranch);
  visit(Field{.name = "max-length",
              .label = "Maximum compartment length",
              .unit = "µm",
              .range = from(1e-3, 1e9),
              .slider = {1, 1000, true},
              .help = "No compartment is longer than this.",
              .detail = "A branch has the fewest equal compartments that stay below this length. A smaller length is "
                        "more exact and more work."}
            .when(p.policy == Policy::MaximumLength),
        p.maximumLength);
  visit(Field{.name = "d-lambda",
              .label = "d-lambda",
              .range = from(1e-4, 10),
              .slider = {0.01, 1, true},
              .help = "Maximum compartment length as a fraction of the AC length constant at 100 Hz.",
              .detail = "0.1 is the rule of thumb of NEURON: the error of the discretization stays below a few percent "
                        "for signals up to 100 Hz (Hines and Carnevale 2001)."}
            .when(p.policy == Policy::DLambda),
        p.dLambda);
  visit(Field{.name = "resolution",
              .label = "Resolution",
              .range = from(1, 1000),
              .slider = {1, 100, true},
              .help = "Every compartment is divided into this many.",
              .detail = "It is a factor on the work that keeps the shape of the tree: P in Vooturi 2019, section "
                        "IV-D3."},
        p.resolution);
}

/// The numbers in the equations.
template <typename Visitor>
void visitMembraneFields(DiscretizationParameters& p, Visitor&& visit)
{
  constexpr std::string_view kMatrix = "It enters the matrix: another value makes another system of the same shape.";
  visit(Field{.name = "membrane-capacitance",
              .label = "Membrane capacitance",
              .unit = "µF/cm²",
              .range = above(0, 1e3),
              .slider = {0.1, 10, true},
              .help = "Capacitance of a square centimetre of membrane.",
              .detail = kMatrix,
              .former = "capacitance",
              .section = {"Membrane and time step", "The numbers in the equations.", true}},
        p.membraneCapacitance);
  visit(Field{.name = "axial-resistivity",
              .label = "Axial resistivity",
              .unit = "Ω cm",
              .range = above(0, 1e6),
              .slider = {10, 1000, true},
              .help = "Resistivity of the cytoplasm.",
              .detail = kMatrix},
        p.axialResistivity);
  visit(Field{.name = "leak-conductance",
              .label = "Leak conductance",
              .unit = "S/cm²",
              .range = from(0, 1e3),
              .slider = {1e-6, 1e-2, true},
              .help = "Leak of a square centimetre of membrane.",
              .detail = kMatrix},
        p.leakConductance);
  visit(Field{.name = "leak-reversal",
              .label = "Leak reversal",
              .unit = "mV",
              .range = from(-1000, 1000),
              .slider = {-100, 0},
              .help = "Potential to which the leak draws the membrane.",
              .detail = "It enters the right-hand side only."},
        p.leakReversal);
  visit(Field{.name = "time-step",
              .label = "Time step",
              .unit = "ms",
              .range = above(0, 1e6),
              .slider = {1e-3, 10, true},
              .help = "Step of the backward Euler method.",
              .detail = "One solve advances the voltages by this much. A longer step makes the matrix less dominated "
                        "by its diagonal."},
        p.timeStep);
  visit(Field{.name = "soma-current",
              .label = "Soma current",
              .unit = "nA",
              .range = from(-1e6, 1e6),
              .slider = {-1, 1},
              .help = "Current into the root compartment of each tree.",
              .detail = "It enters the right-hand side only. Without it nothing happens in a cell at rest."},
        p.somaCurrent);
}

template <typename Visitor>
void visitFields(DiscretizationParameters& p, Visitor&& visit)
{
  visitCompartmentFields(p, visit);
  visitMembraneFields(p, visit);
}

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
