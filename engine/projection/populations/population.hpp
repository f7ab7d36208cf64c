#pragma once

#include "core/run_control.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace hinesight::projection {

using Position = std::array<double, 3>; ///< x (phi), y (r), z

enum class PopulationKind
{
  Grid,   ///< neuron i at (i mod nx, i / nx mod ny, i / (nx ny)) times the spacing; ny = nz = 1 and so on allowed
  Box,    ///< uniformly random in a box
  Sphere, ///< uniformly random in a ball
  File,   ///< read from a text file (io/networks/neuron_files.hpp)
  Given   ///< positions that the program has, such as the somata of open neurons
};

/// "grid", "box", "sphere", "file", "given".
std::string_view populationKindName(PopulationKind kind);

/// How many neurons a population may have: what 32-bit indices hold, far above what is practical (10^7).
constexpr std::uint64_t kMaxNeurons = 4'000'000'000;

/// How a population is made. Lengths are in the user's unit, the same for everything in a projection.
struct PopulationParameters
{
  std::string name = "population"; ///< 1 to 200 characters, no control characters and no '/'
  PopulationKind kind = PopulationKind::Grid;
  std::array<std::uint32_t, 3> size = {150, 150, 1}; ///< Grid: neurons along x, y, z, each at least 1
  Position spacing = {1, 1, 1};                      ///< Grid: finite, above 0
  Position origin = {0, 0, 0};                       ///< Grid: neuron 0; Box: the lowest corner; Sphere: the centre
  std::uint64_t count = 10'000;                      ///< Box, Sphere: neurons, at least 1
  Position extent = {100, 100, 100}; ///< Box: sides, finite, at least 0 and one of them above 0 (0: a plane, a line)
  double radius = 50;                ///< Sphere: finite, above 0
  std::uint64_t seed = 1;            ///< Box, Sphere
  std::string file;                  ///< File

  bool operator==(const PopulationParameters&) const = default;
};

/// Throws Error(BadParameter) that names the parameter and its range.
void validate(const PopulationParameters& parameters);

/// The parameters with all that their kind does not use at its default.
PopulationParameters definitionOf(const PopulationParameters& parameters);

/// Neurons with a position each, numbered from 0. A grid's positions are made when asked for; all others are held, a
/// coordinate an array. Never empty, always finite.
class Population
{
public:
  const PopulationParameters& parameters() const { return made; }
  const std::string& name() const { return made.name; }
  std::uint64_t count() const { return neurons; }
  bool isGrid() const { return made.kind == PopulationKind::Grid; }

  Position position(std::uint64_t index) const;
  /// Coordinate `axis` of every neuron; empty for a grid.
  const std::vector<double>& coordinates(int axis) const { return held[static_cast<std::size_t>(axis)]; }
  /// The smallest box with all neurons: lowest and highest corner.
  std::array<Position, 2> bounds() const { return box; }
  /// The distance after which a torus closes, an axis: that of a grid is its neurons times their spacing, that of a box
  /// its side. 0 where an axis is flat or where the population has none.
  Position period() const;

private:
  friend std::shared_ptr<const Population> makePopulation(const PopulationParameters&, const RunControl&);
  friend std::shared_ptr<const Population> populationAt(PopulationParameters, std::array<std::vector<double>, 3>);
  Population() = default;
  void findBounds();

  PopulationParameters made;
  std::uint64_t neurons = 0;
  std::array<std::vector<double>, 3> held;
  std::array<Position, 2> box{};
};

/// Whether two populations are one and the same: one object, or equal in name, in what their kind is made from and in
/// every position.
bool isSamePopulation(const Population& a, const Population& b);

/// Makes a grid, a box or a sphere; random positions are a function of seed and index alone (Philox 4x32-10). Throws
/// Error(BadParameter), Error(OutOfMemory), Error(Cancelled).
std::shared_ptr<const Population> makePopulation(const PopulationParameters& parameters,
                                                 const RunControl& control = {});

/// Neurons at positions that are known, such as those of a file: x, y and z of equal length. Throws
/// Error(BadParameter) where there are none, where the lengths differ or where one is not finite.
std::shared_ptr<const Population> populationAt(PopulationParameters parameters,
                                               std::array<std::vector<double>, 3> positions);
/// The same of PopulationKind::Given, such as somata.
std::shared_ptr<const Population> populationAt(std::string name, std::array<std::vector<double>, 3> positions);

} // namespace hinesight::projection
