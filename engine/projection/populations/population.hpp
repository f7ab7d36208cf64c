#pragma once

#include "core/fields.hpp"
#include "core/run_control.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <span>
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

inline constexpr Choice kPopulationKinds[] = {
    {"grid", "Grid", "On a grid that begins at the origin, the spacing apart."},
    {"box", "Random in a box", "At random in a box, the same for the same seed."},
    {"sphere", "Random in a sphere", "At random in a ball, the same for the same seed."},
    {"file", "From a file", "At the positions that a file holds."},
    {"given", "Given positions", "At given positions, such as the somata of the open neurons."},
};
inline std::span<const Choice> tableOf(PopulationKind)
{
  return kPopulationKinds;
}
inline std::string_view populationKindName(PopulationKind kind)
{
  return choiceName(kind);
}

/// How many neurons a population may have: what 32-bit indices hold, far above what is practical (10^7).
constexpr std::uint64_t kMaxNeurons = 4'000'000'000;

/// How a population is made. Lengths are in the user's unit, the same for everything in a projection; visitFields has
/// names and ranges.
struct PopulationParameters
{
  std::string name = "population"; ///< 1 to 200 characters, no control characters and no '/'
  PopulationKind kind = PopulationKind::Grid;
  std::array<std::uint32_t, 3> size = {150, 150, 1}; ///< Grid: neurons along x, y, z
  Position spacing = {1, 1, 1};                      ///< Grid
  Position origin = {0, 0, 0};                       ///< Grid: neuron 0; Box: the lowest corner; Sphere: the centre
  std::uint64_t count = 10'000;                      ///< Box, Sphere: neurons
  Position extent = {100, 100, 100};                 ///< Box: sides, one of them above 0 (0: a plane, a line)
  double radius = 50;                                ///< Sphere
  std::uint64_t seed = 1;                            ///< Box, Sphere
  std::string file;                                  ///< File

  bool operator==(const PopulationParameters&) const = default;
};

template <typename Visitor>
void visitFields(PopulationParameters& p, Visitor&& visit)
{
  constexpr double kMostLength = 1e12;
  const bool isGrid = p.kind == PopulationKind::Grid;
  const bool isBox = p.kind == PopulationKind::Box;
  const bool isSphere = p.kind == PopulationKind::Sphere;
  visit(Field{.name = "name", .label = "Name", .help = "What the population is called, in views and files."}, p.name);
  visit(Field{.name = "kind", .label = "Kind", .help = "How the neurons lie in space."}, p.kind);
  visit(Field{.name = "size",
              .label = "Neurons along x, y, z",
              .range = from(1, static_cast<double>(kMaxNeurons)),
              .slider = {1, 1000, true},
              .help = "Neurons of a grid along x, y and z."}
            .onlyWhen(isGrid),
        p.size);
  visit(Field{.name = "spacing",
              .label = "Spacing",
              .range = above(0, kMostLength),
              .slider = {0.1, 100, true},
              .help = "Distance of neighbours of a grid along x, y and z.",
              .detail = "In the unit of length of the projection."}
            .onlyWhen(isGrid),
        p.spacing);
  visit(Field{.name = "origin",
              .label = "Origin",
              .range = from(-kMostLength, kMostLength),
              .slider = {-100, 100},
              .help = "x, y and z of the first neuron of a grid, the lowest corner of a box, the centre of a sphere.",
              .detail = "In the unit of length of the projection."}
            .onlyWhen(isGrid || isBox || isSphere),
        p.origin);
  visit(Field{.name = "count",
              .label = "Neurons",
              .range = from(1, static_cast<double>(kMaxNeurons)),
              .slider = {100, 1e6, true},
              .help = "Number of neurons."}
            .onlyWhen(isBox || isSphere),
        p.count);
  visit(Field{.name = "extent",
              .label = "Sides",
              .range = from(0, kMostLength),
              .slider = {0, 1000},
              .help = "Sides of the box along x, y and z.",
              .detail = "In the unit of length of the projection. A side of 0 makes a plane, two a line."}
            .onlyWhen(isBox),
        p.extent);
  visit(Field{.name = "radius",
              .label = "Radius",
              .range = above(0, kMostLength),
              .slider = {1, 1000, true},
              .help = "Radius of the sphere.",
              .detail = "In the unit of length of the projection."}
            .onlyWhen(isSphere),
        p.radius);
  visit(Field{.name = "seed",
              .label = "Seed",
              .range = from(0, kBoundless),
              .slider = {0, 100},
              .help = "Seed of the random positions.",
              .detail = "The same seed gives the same positions on every machine."}
            .onlyWhen(isBox || isSphere),
        p.seed);
  visit(Field{.name = "file", .label = "File", .help = "The file that holds the positions."}.onlyWhen(
            p.kind == PopulationKind::File),
        p.file);
}

/// Throws Error(BadParameter) that names the population, the parameter and its range.
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
