#pragma once

#include "morphology/branches.hpp"
#include "morphology/morphology.hpp"

#include <cstdint>
#include <memory>
#include <vector>

/// A cell for tests, sample by sample.
class CellBuilder
{
public:
  using Morphology = hinesight::morphology::Morphology;
  using BranchTree = hinesight::morphology::BranchTree;

  /// Appends a sample and returns its index. `parent` is an index, -1 for a root.
  std::int32_t add(std::int32_t type, double x, double y, double z, double radius, std::int32_t parent)
  {
    cell.id.push_back(static_cast<std::int64_t>(cell.id.size()) + 1);
    cell.type.push_back(type);
    cell.x.push_back(x);
    cell.y.push_back(y);
    cell.z.push_back(z);
    cell.radius.push_back(radius);
    cell.parent.push_back(parent);
    cell.line.push_back(0);
    return static_cast<std::int32_t>(cell.id.size()) - 1;
  }

  std::int32_t dendrite(double x, double y, double radius, std::int32_t parent)
  {
    return add(hinesight::morphology::kBasalDendrite, x, y, 0, radius, parent);
  }

  std::int32_t soma(double x, double y, double radius, std::int32_t parent = -1)
  {
    return add(hinesight::morphology::kSoma, x, y, 0, radius, parent);
  }

  std::shared_ptr<const Morphology> morphology() const
  {
    auto complete = std::make_shared<Morphology>(cell);
    hinesight::morphology::completeMorphology(*complete);
    return complete;
  }

private:
  Morphology cell;
};

/// Solves by the serial sweep (algorithms of Hines 1984), the reference of these tests.
inline std::vector<double> solveSerially(const std::vector<std::int32_t>& parent, std::vector<double> d,
                                         const std::vector<double>& u, std::vector<double> x)
{
  for (std::size_t i = parent.size(); i-- > 0;) {
    if (parent[i] < 0)
      continue;
    const auto p = static_cast<std::size_t>(parent[i]);
    const double f = u[i] / d[i];
    d[p] -= f * u[i];
    x[p] -= f * x[i];
  }
  for (std::size_t i = 0; i < parent.size(); ++i)
    x[i] = (parent[i] < 0 ? x[i] : x[i] - u[i] * x[static_cast<std::size_t>(parent[i])]) / d[i];
  return x;
}
