#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace hinesight::cable {

/// The linear system of one cell: a symmetric matrix whose graph is a forest, compartments numbered root first.
/// Row i: d[i] x_i + u[i] x_parent(i) + sum over children c of u[c] x_c = b[i].
struct HinesSystem
{
  std::vector<std::int32_t> parent; ///< parent[i] < i; -1 at a root
  std::vector<double> d;            ///< diagonal
  std::vector<double> u;            ///< coupling with the parent, negative in physical systems; 0 at a root
  std::vector<double> b;            ///< right-hand side

  std::size_t size() const { return parent.size(); }
};

/// Throws Error(BadFormat) unless sizes agree, 0 <= parent[i] < i (or -1), and every number is finite.
void validate(const HinesSystem& system);

} // namespace hinesight::cable
