#pragma once

#include <cstddef>
#include <span>
#include <vector>

// Tests of hypotheses for the verification of what is random. All give p-values: the probability of a result at least
// as far from what is expected, were the hypothesis true.

namespace hinesight::synapse {

/// P(X >= x) of a chi-square distribution: the regularised incomplete gamma function Q(freedom / 2, x / 2).
double chiSquareTail(double x, double freedom);

/// P(|X| >= |z|) of a standard normal distribution.
double normalTails(double z);

/// P(K >= lambda) of Kolmogorov's distribution.
double kolmogorovTail(double lambda);

/// A sum of chi-square statistics with its degrees of freedom.
struct ChiSquare
{
  double statistic = 0;
  double freedom = 0;
  bool isImpossible = false; ///< something happened that has no probability

  /// Pearson's statistic of counts against probabilities that add up to 1. Neighbours are pooled until at least 5 are
  /// expected of each cell (Cochran 1954).
  void add(std::span<const double> counts, std::span<const double> probabilities);
  double pValue() const;
};

/// One-sample Kolmogorov-Smirnov: the greatest difference of two cumulated distributions over common bins, of
/// `observed` counts and of `expected` probabilities that add up to 1. Bins make the p-value larger, never smaller.
struct KolmogorovSmirnov
{
  double distance = 0;
  double pValue = 1;
};
KolmogorovSmirnov compareWithDistribution(std::span<const double> observed, std::span<const double> expected);

/// Two-sample Kolmogorov-Smirnov.
KolmogorovSmirnov compareSamples(std::vector<double> a, std::vector<double> b);

/// Mean and variance of a sample, and how far the means of two are apart in standard errors (Welch 1947).
struct Moments
{
  double mean = 0;
  double variance = 0; ///< of one value
  std::size_t count = 0;
};
Moments momentsOf(std::span<const double> values);
double standardErrorsApart(const Moments& a, const Moments& b);

/// Pearson's correlation.
double correlation(std::span<const double> a, std::span<const double> b);

} // namespace hinesight::synapse
