#pragma once

#include "core/run_control.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace hinesight::morphology {

/// SWC types with a name (INCF SWC specification); other values are kept as they are.
enum SwcType : std::int32_t
{
  kUndefined = 0,
  kSoma = 1,
  kAxon = 2,
  kBasalDendrite = 3,
  kApicalDendrite = 4,
  kCustom = 5,
  kUnspecifiedNeurite = 6,
  kGlia = 7,
};

/// "soma", "axon", "basal dendrite", ...; "type 17" where there is no name.
std::string typeName(std::int32_t type);

/// Something about a file that its reader noticed and went on. Grouped: one for all lines of the same kind.
struct Warning
{
  std::int64_t line = 0; ///< first line concerned, 1-based; 0: the whole file
  std::string message;
  double suggestedScale = 0; ///< the Morphology::unitScale with which it would go, probably; 0: it is not about that
};

/// How the soma samples of a file describe the soma (NeuroMorpho.Org soma format; see the SWC rules in the docs).
enum class SomaKind
{
  None,       ///< no sample of type 1
  Sphere,     ///< one sample
  ThreePoint, ///< NeuroMorpho's three samples for a sphere
  Contour,    ///< a closed ring of samples with tiny radii: stands for a sphere
  Frusta,     ///< two or more samples, read as a neurite
};

/// A reconstructed neuron: samples in file order, as structure of arrays, and their tree. Coordinates and radii are
/// those of the file times `unitScale`, µm where that is right. Immutable once made; a forest where the file has
/// several roots.
struct Morphology
{
  std::string name;                  ///< file name without folder and ".swc"
  std::string path;                  ///< as opened; empty for synthetic cells
  std::vector<std::string> comments; ///< comment lines of the file without '#', in order
  double unitScale = 1;              ///< µm per unit of the file

  std::vector<std::int64_t> id; ///< as in the file, unique
  std::vector<std::int32_t> type;
  std::vector<double> x, y, z;
  std::vector<double> radius;       ///< 0 where the file does not say it (0, negative or NA)
  std::vector<std::int32_t> parent; ///< index of the parent sample, -1 at a root
  std::vector<std::int64_t> line;   ///< line in the file, 1-based; 0 for synthetic cells

  /// Every sample once, parents before children: depth first, children in file order.
  std::vector<std::int32_t> order;
  /// Children in file order: those of sample i are child[childBegin[i]] ... child[childBegin[i + 1] - 1].
  std::vector<std::int32_t> childBegin; ///< size samples + 1
  std::vector<std::int32_t> child;
  std::vector<std::int32_t> roots; ///< samples without parent, in file order

  /// Known radii everywhere: an unknown radius takes the nearest known one along the tree, else 0.5 µm.
  std::vector<double> solvedRadius;

  SomaKind somaKind = SomaKind::None;
  /// Centre and radius of the sphere that stands for the soma (Sphere, ThreePoint, Contour); of the soma's first sample
  /// for Frusta. Where a file has several somata, these describe the one that comes first in the file.
  std::array<double, 3> somaCentre{};
  double somaRadius = 0;

  std::vector<Warning> warnings;

  std::size_t samples() const { return id.size(); }
  std::int32_t childCount(std::int32_t sample) const { return childBegin[sample + 1] - childBegin[sample]; }
};

/// Completes a morphology of which name, path, comments, id, type, x, y, z, radius, parent and line are set: order,
/// children, roots, solvedRadius, soma. Linear in the number of samples, no recursion. Throws Error(BadFormat) with the
/// first line concerned where the parents form a cycle, Error(Cancelled) on request. Warnings are left as they are.
void completeMorphology(Morphology& morphology, const RunControl& control = {});

/// Distance between the centres of two samples, µm.
double sampleDistance(const Morphology& morphology, std::int32_t a, std::int32_t b);

} // namespace hinesight::morphology
