#pragma once

#include "widgets/scene.hpp"
#include "widgets/theme.hpp"

#include <QColor>
#include <QString>

#include <vector>

namespace hinesight::widgets {

/// What a legend shows: swatches for categories, a colour bar from `low` to `high` for a quantity.
struct Legend
{
  struct Entry
  {
    QColor color;
    QString label;
  };
  QString title; ///< with unit
  std::vector<Entry> entries;
  bool isQuantity = false;
  ColorMap map = ColorMap::Viridis;
  double low = 0;
  double high = 0;
};

/// Colours of a scene under one rule: the same branch has the same colour in every view.
class Coloring
{
public:
  Coloring() = default;
  Coloring(const Scene& scene, ColorBy colorBy);

  /// Of a branch (see BranchId).
  QColor ofBranch(BranchId id) const;
  /// Of a sample of the cell's morphology: per sample for type, radius and path distance, else its branch's.
  QColor ofSample(std::int32_t cell, std::int32_t sample) const;
  const Legend& legend() const { return legendOfScene; }
  ColorBy colorBy() const { return rule; }

private:
  ColorBy rule = ColorBy::Type;
  Legend legendOfScene;
  std::vector<std::vector<QColor>> branchColor;
  std::vector<std::vector<QColor>> sampleColor; ///< empty where the branch decides
  std::vector<std::vector<std::int32_t>> branchOfSample;
};

} // namespace hinesight::widgets
