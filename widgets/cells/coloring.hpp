#pragma once

#include "widgets/cells/scene.hpp"
#include "widgets/legend.hpp"
#include "widgets/theme.hpp"

#include <QColor>
#include <QString>

#include <cstdint>
#include <set>
#include <vector>

namespace hinesight::widgets {

/// Whose types a legend lists.
enum class LegendOf
{
  AllCells,
  VisibleCells
};

/// What a colouring can tell the colours of. Those of samples take time and memory that grow with all of them.
enum class ColorsOf
{
  Branches,
  BranchesAndSamples
};

/// Colours of a scene under one rule: the same branch has the same colour in every view. What the rule does not apply
/// to (levels before there is a plan, radii of a random tree) has `unknownColor`.
class Coloring
{
public:
  Coloring() = default;
  Coloring(const Scene& scene, ColorBy colorBy, LegendOf cells = LegendOf::AllCells,
           ColorsOf colors = ColorsOf::BranchesAndSamples);

  /// Of a branch (see BranchId): for what varies along it, that of its samples' mean, or of their most frequent type.
  QColor ofBranch(BranchId id) const;
  /// Of a sample of the cell's morphology: per sample for type, order, radius and path distance, else its branch's.
  /// Unknown where colours are of branches alone.
  QColor ofSample(std::int32_t cell, std::int32_t sample) const;
  const Legend& legend() const { return legendOfScene; }
  ColorBy colorBy() const { return rule; }

  static QColor unknownColor();

private:
  /// `value` of a sample of a cell.
  template <typename Value>
  void colorQuantity(const Scene& scene, Value value);
  void colorTypes(const Scene& scene, LegendOf cells);
  std::set<std::int32_t> colorTypesOf(const Scene& scene, std::size_t cell);
  void colorBranches(const Scene& scene);
  void colorLevels(const Scene& scene);
  void colorBlocks(const Scene& scene);
  void linkSamples(const Scene& scene);

  bool hasSamples() const { return colorsOf == ColorsOf::BranchesAndSamples; }

  ColorBy rule = ColorBy::Type;
  ColorsOf colorsOf = ColorsOf::BranchesAndSamples;
  Legend legendOfScene;
  std::vector<std::vector<QColor>> branchColor;
  std::vector<std::vector<QColor>> sampleColor;          ///< empty where the branch decides
  std::vector<std::vector<std::int32_t>> branchOfSample; ///< -1: unknown; empty where samples have no colours
};

} // namespace hinesight::widgets
