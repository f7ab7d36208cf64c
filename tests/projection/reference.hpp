#pragma once

#include "projection/parameters.hpp"
#include "projection/populations/population.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <numbers>
#include <set>
#include <utility>
#include <vector>

namespace hinesight::tests {

using projection::ConnectionRule;
using projection::KernelKind;
using projection::Population;
using projection::PopulationParameters;
using projection::Position;
using projection::ProjectionParameters;

inline std::shared_ptr<const Population> grid(std::uint32_t nx, std::uint32_t ny, std::uint32_t nz = 1,
                                              double spacing = 1, Position origin = {0, 0, 0})
{
  PopulationParameters parameters;
  parameters.size = {nx, ny, nz};
  parameters.spacing = {spacing, spacing, spacing};
  parameters.origin = origin;
  return projection::makePopulation(parameters);
}

inline std::shared_ptr<const Population> randomBox(std::uint64_t count, Position extent, std::uint64_t seed)
{
  PopulationParameters parameters;
  parameters.kind = projection::PopulationKind::Box;
  parameters.count = count;
  parameters.extent = extent;
  parameters.seed = seed;
  return projection::makePopulation(parameters);
}

/// The projection of James 2021, figure 1A.
inline ProjectionParameters jamesParameters()
{
  ProjectionParameters p;
  p.kernel = KernelKind::WideningGaussian;
  p.sigmaM = 100;
  p.e2 = 2.5;
  p.sigma0 = 3;
  p.fshift = 4;
  p.cut = 0.008;
  p.offsetX = 25;
  return p;
}

struct ReferenceRow
{
  std::uint32_t source, destination;
  double weight, delay;
};

/// Every pair, one after the other, in double precision with the library's functions: no code of the engine's.
class BruteForce
{
public:
  BruteForce(const Population& from, const Population& to, const ProjectionParameters& parameters)
      : source(from), destination(to), p(parameters), period(to.period())
  {}

  std::vector<ReferenceRow> rows() const
  {
    std::vector<ReferenceRow> rows;
    std::vector<Position> targets;
    for (std::uint64_t t = 0; t < destination.count(); ++t)
      targets.push_back(destination.position(t));
    for (std::uint64_t s = 0; s < source.count(); ++s) {
      const Position a = source.position(s);
      const std::set<std::uint64_t> nearest =
          p.kernel == KernelKind::Nearest ? neighbours(s, a, targets) : std::set<std::uint64_t>();
      for (std::uint64_t t = 0; t < destination.count(); ++t) {
        if (p.kernel == KernelKind::Nearest && !nearest.contains(t))
          continue;
        double weight = 0;
        const Position& b = targets[t];
        if (keeps(s, t, a, b, weight))
          rows.push_back({static_cast<std::uint32_t>(s), static_cast<std::uint32_t>(t), weight, delay(a, b)});
      }
    }
    return rows;
  }

private:
  double shortest(double d, std::size_t axis) const
  {
    return p.wrap && period[axis] > 0 ? std::remainder(d, period[axis]) : d;
  }

  /// All destinations put in order by distance, then index; the first of them.
  std::set<std::uint64_t> neighbours(std::uint64_t s, const Position& a, const std::vector<Position>& targets) const
  {
    std::vector<std::pair<double, std::uint64_t>> order;
    for (std::uint64_t t = 0; t < targets.size(); ++t) {
      const double dx = shortest(targets[t][0] - (a[0] + p.offsetX), 0);
      const double dy = shortest(targets[t][1] - (a[1] + p.offsetY), 1);
      const double dz = shortest(targets[t][2] - (a[2] + p.offsetZ), 2);
      if (p.selfConnections || s != t)
        order.emplace_back(dx * dx + (dy * dy + dz * dz), t);
    }
    std::sort(order.begin(), order.end());
    order.resize(std::min(order.size(), static_cast<std::size_t>(p.neighbours)));
    std::set<std::uint64_t> first;
    for (const auto& neighbour : order)
      first.insert(neighbour.second);
    return first;
  }

  double delay(const Position& a, const Position& b) const
  {
    if (p.velocity == 0)
      return p.delay;
    return p.delay +
           std::hypot(shortest(b[0] - a[0], 0), shortest(b[1] - a[1], 1), shortest(b[2] - a[2], 2)) / p.velocity;
  }

  bool keeps(std::uint64_t s, std::uint64_t t, const Position& a, const Position& b, double& weight) const
  {
    if ((!p.selfConnections && s == t) || (p.kernel == KernelKind::OneToOne && s != t))
      return false;
    const double dx = shortest(b[0] - a[0] - p.offsetX, 0);
    const double dy = shortest(b[1] - a[1] - p.offsetY, 1);
    const double dz = shortest(b[2] - a[2] - p.offsetZ, 2);
    const double q = dx * dx + dy * dy + dz * dz;
    std::array<double, 3> box{};
    const auto gauss = [&](double sigma) { return std::exp(-q / (2 * sigma * sigma)); };
    double across[3] = {dx, dy, dz};
    switch (p.kernel) {
    case KernelKind::Gaussian: {
      const double radians = p.angle * std::numbers::pi / 180;
      const double sigma[3] = {p.sigma, p.sigmaY > 0 ? p.sigmaY : p.sigma, p.sigmaZ > 0 ? p.sigmaZ : p.sigma};
      across[0] = std::cos(radians) * dx + std::sin(radians) * dy;
      across[1] = std::cos(radians) * dy - std::sin(radians) * dx;
      double exponent = 0;
      for (int i = 0; i < 3; ++i)
        exponent -= across[i] * across[i] / (2 * sigma[i] * sigma[i]);
      weight = p.gain * std::exp(exponent);
      box = {sigma[0], sigma[1], sigma[2]};
      break;
    }
    case KernelKind::WideningGaussian: {
      const double field = p.fieldSize > 0 ? p.fieldSize : source.parameters().size[1];
      const auto m = [&](double shifted) { return field / (p.e2 * std::log(shifted / (2 * p.e2) + 1)); };
      const double shifted = 1 + a[1] < p.fshift ? p.fshift : 1 + a[1];
      const double sigma = p.sigmaM / m(shifted) - p.sigmaM / m(p.fshift) + p.sigma0;
      weight = gauss(sigma);
      box = {sigma, sigma, sigma};
      break;
    }
    case KernelKind::Gabor: {
      const double along =
          std::sqrt(dx * dx + dy * dy) * std::cos(std::atan2(dy, dx) - p.direction * std::numbers::pi / 180);
      weight = p.sineGain * std::sin(2 * std::numbers::pi * along / p.wavelength) * p.gain * gauss(p.sigma);
      box = {p.sigma, p.sigma, p.sigma};
      if (p.region > 0 && (std::abs(dx) > p.region || std::abs(dy) > p.region || std::abs(dz) > p.region))
        return false;
      break;
    }
    case KernelKind::DifferenceOfGaussians: {
      weight = p.gain * gauss(p.sigma) - p.surroundGain * gauss(p.surroundSigma);
      const double wider = std::max(p.sigma, p.surroundSigma);
      box = {wider, wider, wider};
      break;
    }
    case KernelKind::Exponential:
      weight = p.gain * std::exp(-std::sqrt(q) / p.decay);
      box = {p.decay, p.decay, p.decay};
      break;
    case KernelKind::OneToOne:
      weight = p.gain;
      break;
    case KernelKind::Nearest:
    case KernelKind::AllToAll:
      weight = p.gain;
      break;
    case KernelKind::Expression:
      return false;
    }
    if (p.boxCut > 0)
      for (std::size_t i = 0; i < 3; ++i)
        if (!(std::abs(across[i]) < p.boxCut * box[i]))
          return false;
    return std::abs(weight) > p.cut;
  }

  const Population& source;
  const Population& destination;
  const ProjectionParameters& p;
  Position period;
};

} // namespace hinesight::tests
