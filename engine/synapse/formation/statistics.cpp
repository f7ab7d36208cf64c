#include "synapse/formation/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace hinesight::synapse {

namespace {

constexpr int kMostTerms = 1'000'000;
constexpr double kSmall = 1e-15;

/// x^a exp(-x) / Gamma(a): the factor that series and fraction share.
double gammaFactor(double a, double x)
{
  return std::exp(a * std::log(x) - x - std::lgamma(a));
}

/// P(a, x) by its series; converges fast where x < a + 1 (Abramowitz and Stegun, 6.5.29).
double lowerGamma(double a, double x)
{
  double term = 1 / a;
  double sum = term;
  for (int n = 1; n < kMostTerms && term > sum * kSmall; ++n) {
    term *= x / (a + n);
    sum += term;
  }
  return sum * gammaFactor(a, x);
}

/// Q(a, x) by its continued fraction (Abramowitz and Stegun, 6.5.31), from the front (Lentz 1976).
double upperGamma(double a, double x)
{
  constexpr double kTiny = 1e-300;
  double b = x + 1 - a;
  double c = 1 / kTiny;
  double d = 1 / b;
  double fraction = d;
  for (int n = 1; n < kMostTerms; ++n) {
    const double numerator = n * (a - n);
    b += 2;
    const double below = numerator * d + b;
    d = 1 / (below == 0 ? kTiny : below);
    c = b + numerator / c;
    c = c == 0 ? kTiny : c;
    fraction *= c * d;
    if (std::abs(c * d - 1) < kSmall)
      break;
  }
  return fraction * gammaFactor(a, x);
}

/// Of the distance of two cumulated distributions of `effective` values (Stephens 1970).
double kolmogorovSmirnovP(double distance, double effective)
{
  const double root = std::sqrt(effective);
  return kolmogorovTail((root + 0.12 + 0.11 / root) * distance);
}

} // namespace

double chiSquareTail(double x, double freedom)
{
  if (freedom <= 0 || x <= 0)
    return 1;
  const double a = freedom / 2;
  const double half = x / 2;
  return std::clamp(half < a + 1 ? 1 - lowerGamma(a, half) : upperGamma(a, half), 0.0, 1.0);
}

double normalTails(double z)
{
  return std::erfc(std::abs(z) / std::sqrt(2.0));
}

double kolmogorovTail(double lambda)
{
  // Below, the tail is 1 to the last digit, and the series converges slowly.
  if (lambda < 0.2)
    return 1;
  double sum = 0;
  for (int n = 1; n <= 100; ++n) {
    const double term = std::exp(-2.0 * n * n * lambda * lambda);
    sum += n % 2 == 1 ? term : -term;
    if (term < kSmall)
      break;
  }
  return std::clamp(2 * sum, 0.0, 1.0);
}

void ChiSquare::add(std::span<const double> counts, std::span<const double> probabilities)
{
  constexpr double kLeastExpected = 5;
  const double total = std::accumulate(counts.begin(), counts.end(), 0.0);
  std::vector<double> observed, expected;
  bool isOpen = false; // whether the last cell still wants more
  for (std::size_t i = 0; i < counts.size(); ++i) {
    isImpossible = isImpossible || (counts[i] > 0 && !(probabilities[i] > 0));
    if (!isOpen) {
      observed.push_back(0);
      expected.push_back(0);
    }
    observed.back() += counts[i];
    expected.back() += total * probabilities[i];
    isOpen = expected.back() < kLeastExpected;
  }
  if (isOpen && observed.size() > 1) {
    observed[observed.size() - 2] += observed.back();
    expected[expected.size() - 2] += expected.back();
    observed.pop_back();
    expected.pop_back();
  }
  if (observed.size() < 2)
    return;
  for (std::size_t cell = 0; cell < observed.size(); ++cell)
    statistic += (observed[cell] - expected[cell]) * (observed[cell] - expected[cell]) / expected[cell];
  freedom += static_cast<double>(observed.size() - 1);
}

double ChiSquare::pValue() const
{
  return isImpossible ? 0 : chiSquareTail(statistic, freedom);
}

KolmogorovSmirnov compareWithDistribution(std::span<const double> observed, std::span<const double> expected)
{
  const double total = std::accumulate(observed.begin(), observed.end(), 0.0);
  KolmogorovSmirnov result;
  if (total == 0)
    return result;
  double ofObserved = 0, ofExpected = 0;
  for (std::size_t bin = 0; bin < observed.size(); ++bin) {
    ofObserved += observed[bin] / total;
    ofExpected += expected[bin];
    result.distance = std::max(result.distance, std::abs(ofObserved - ofExpected));
  }
  result.pValue = kolmogorovSmirnovP(result.distance, total);
  return result;
}

KolmogorovSmirnov compareSamples(std::vector<double> a, std::vector<double> b)
{
  KolmogorovSmirnov result;
  if (a.empty() || b.empty())
    return result;
  std::ranges::sort(a);
  std::ranges::sort(b);
  const auto na = static_cast<double>(a.size());
  const auto nb = static_cast<double>(b.size());
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    const double value = std::min(a[i], b[j]);
    while (i < a.size() && a[i] == value)
      ++i;
    while (j < b.size() && b[j] == value)
      ++j;
    result.distance = std::max(result.distance, std::abs(static_cast<double>(i) / na - static_cast<double>(j) / nb));
  }
  result.pValue = kolmogorovSmirnovP(result.distance, na * nb / (na + nb));
  return result;
}

Moments momentsOf(std::span<const double> values)
{
  Moments moments;
  moments.count = values.size();
  if (values.empty())
    return moments;
  const auto count = static_cast<double>(values.size());
  moments.mean = std::accumulate(values.begin(), values.end(), 0.0) / count;
  for (const double value : values)
    moments.variance += (value - moments.mean) * (value - moments.mean);
  moments.variance /= std::max(1.0, count - 1);
  return moments;
}

double standardErrorsApart(const Moments& a, const Moments& b)
{
  const double squared = a.variance / static_cast<double>(a.count) + b.variance / static_cast<double>(b.count);
  const double difference = a.mean - b.mean;
  return difference == 0 ? 0 : difference / std::sqrt(squared);
}

double correlation(std::span<const double> a, std::span<const double> b)
{
  const double meanA = momentsOf(a).mean;
  const double meanB = momentsOf(b).mean;
  double both = 0, ofA = 0, ofB = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    both += (a[i] - meanA) * (b[i] - meanB);
    ofA += (a[i] - meanA) * (a[i] - meanA);
    ofB += (b[i] - meanB) * (b[i] - meanB);
  }
  return ofA > 0 && ofB > 0 ? both / std::sqrt(ofA * ofB) : 0;
}

} // namespace hinesight::synapse
