#pragma once

#include "cable/discretization.hpp"
#include "hines/batch.hpp"
#include "hines/branch/plan.hpp"
#include "morphology/branches.hpp"
#include "morphology/morphology.hpp"
#include "widgets/cells/scene.hpp"

#include <memory>
#include <string>
#include <vector>

namespace hinesight::test {

/// One row of an SWC file; `parent` is the index of a row before, -1 at a root.
struct Row
{
  std::int32_t type;
  double x, y, z;
  double radius;
  std::int32_t parent;
};

inline std::shared_ptr<const morphology::Morphology> makeMorphology(const std::string& name,
                                                                    const std::vector<Row>& rows)
{
  auto cell = std::make_shared<morphology::Morphology>();
  cell->name = name;
  for (const Row& row : rows) {
    cell->id.push_back(static_cast<std::int64_t>(cell->id.size()) + 1);
    cell->type.push_back(row.type);
    cell->x.push_back(row.x);
    cell->y.push_back(row.y);
    cell->z.push_back(row.z);
    cell->radius.push_back(row.radius);
    cell->parent.push_back(row.parent);
    cell->line.push_back(static_cast<std::int64_t>(cell->line.size()) + 1);
  }
  morphology::completeMorphology(*cell);
  return cell;
}

/// A cell of a scene, one compartment a sample.
inline widgets::SceneCell makeSceneCell(std::shared_ptr<const morphology::Morphology> morphology)
{
  auto branches = std::make_shared<morphology::BranchTree>(morphology::findBranches(*morphology));
  widgets::SceneCell cell;
  cell.name = morphology->name;
  cell.metrics = morphology::measure(*morphology, *branches);
  cell.discretization = cable::discretize(std::move(morphology), std::move(branches), {});
  return cell;
}

/// The scene that the program makes of such cells.
inline std::shared_ptr<widgets::Scene>
makeScene(const std::vector<std::shared_ptr<const morphology::Morphology>>& cells,
          const hines::PlanParameters& parameters = {})
{
  auto scene = std::make_shared<widgets::Scene>();
  std::vector<std::shared_ptr<const cable::HinesSystem>> systems;
  for (const auto& cell : cells) {
    scene->cells.push_back(makeSceneCell(cell));
    systems.push_back(scene->cells.back().discretization->system);
  }
  scene->plan = hines::makePlan(hines::makeBatch(systems, 1), parameters);
  scene->branchOfCompartment = hines::BranchMap(*scene->plan, scene->cells.size());
  return scene;
}

/// A soma at the origin, a basal stem down, an apical stem up that bifurcates into a left and a right branch:
///
///     5       7        samples by index; 1 and 2 are the basal stem, 3 the apical one
///      4     6
///         3
///         0
///         1
///         2
inline std::vector<Row> forkedCell()
{
  return {{1, 0, 0, 0, 10, -1},  {3, 0, -40, 0, 3, 0},   {3, 0, -90, 0, 2, 1}, {4, 0, 50, 0, 4, 0},
          {4, -40, 80, 0, 2, 3}, {4, -70, 100, 0, 1, 4}, {4, 40, 80, 0, 2, 3}, {4, 70, 100, 0, 1, 6}};
}

/// The branch of the as-read tree that a sample lies on.
inline widgets::BranchId branchOfSample(const widgets::Scene& scene, std::int32_t cell, std::int32_t sample)
{
  const auto c = static_cast<std::size_t>(cell);
  const auto compartment = scene.cells[c].discretization->ofSample[static_cast<std::size_t>(sample)];
  return {cell, scene.branchOfCompartment[c][static_cast<std::size_t>(compartment)]};
}

} // namespace hinesight::test
