#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <span>

namespace hinesight::cable {

/// A straight piece of cable whose radius changes linearly along it; lengths and radii in um.
struct Frustum
{
  double length;
  double proximalRadius;
  double distalRadius;

  double radiusAt(double distance) const { return std::lerp(proximalRadius, distalRadius, distance / length); }

  /// What lies between two distances from the proximal end: again a frustum.
  Frustum part(double from, double to) const { return {to - from, radiusAt(from), radiusAt(to)}; }
};

/// um2, without the end faces.
inline double lateralArea(const Frustum& f)
{
  const double widening = f.proximalRadius - f.distalRadius;
  return std::numbers::pi * (f.proximalRadius + f.distalRadius) * std::sqrt(f.length * f.length + widening * widening);
}

/// MOhm from end to end at `axialResistivity` in ohm cm: the integral of R_a / (pi r^2). 1 ohm cm um / um2 is 1e4 ohm.
inline double axialResistance(const Frustum& f, double axialResistivity)
{
  return 1e-2 * axialResistivity * f.length / (std::numbers::pi * f.proximalRadius * f.distalRadius);
}

/// What is integrated over a stretch of cable.
struct CableIntegral
{
  double area = 0;       ///< um2
  double resistance = 0; ///< MOhm
};

/// Walks a chain of frusta from its proximal end and integrates exactly what lies between two positions. The chain has
/// at least one frustum.
class FrustumWalker
{
public:
  FrustumWalker(std::span<const Frustum> chainOfFrusta, double resistivity)
      : chain(chainOfFrusta), axialResistivity(resistivity)
  {}

  /// From where the last call stopped up to `position`, um from the proximal end of the chain, or to the distal end
  /// where that is nearer.
  CableIntegral advance(double position)
  {
    CableIntegral sum;
    while (current + 1 < chain.size() && currentBegin + chain[current].length < position) {
      add(chain[current].length, sum);
      currentBegin += chain[current].length;
      ++current;
      passed = 0;
    }
    add(std::min(position - currentBegin, chain[current].length), sum);
    return sum;
  }

private:
  void add(double to, CableIntegral& sum)
  {
    if (to <= passed)
      return;
    const Frustum part = chain[current].part(passed, to);
    sum.area += lateralArea(part);
    sum.resistance += axialResistance(part, axialResistivity);
    passed = to;
  }

  std::span<const Frustum> chain;
  double axialResistivity;
  std::size_t current = 0;
  double currentBegin = 0; ///< um from the proximal end of the chain
  double passed = 0;       ///< um of the current frustum
};

} // namespace hinesight::cable
