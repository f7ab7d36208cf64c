#pragma once

#include <QImage>

#include <algorithm>

namespace hinesight::tests {

/// How alike two pictures of one size look, 1 where they are the same: the mean of the structural similarity (Wang,
/// Bovik, Sheikh and Simoncelli 2004, equation 13) of the lightness in windows of 8 by 8 pixels, four apart. 0 for
/// pictures of different sizes.
inline double structuralSimilarity(const QImage& one, const QImage& other)
{
  constexpr int kWindow = 8;
  constexpr int kStep = 4;
  constexpr double kLuminance = 0.01 * 255 * 0.01 * 255;
  constexpr double kContrast = 0.03 * 255 * 0.03 * 255;
  if (one.size() != other.size() || one.width() < kWindow || one.height() < kWindow)
    return 0;
  const QImage a = one.convertToFormat(QImage::Format_Grayscale8);
  const QImage b = other.convertToFormat(QImage::Format_Grayscale8);
  double sum = 0;
  int windows = 0;
  for (int top = 0; top + kWindow <= a.height(); top += kStep)
    for (int left = 0; left + kWindow <= a.width(); left += kStep) {
      double sumA = 0, sumB = 0, sumAA = 0, sumBB = 0, sumAB = 0;
      for (int y = top; y < top + kWindow; ++y)
        for (int x = left; x < left + kWindow; ++x) {
          const double p = a.constScanLine(y)[x];
          const double q = b.constScanLine(y)[x];
          sumA += p;
          sumB += q;
          sumAA += p * p;
          sumBB += q * q;
          sumAB += p * q;
        }
      constexpr double n = kWindow * kWindow;
      const double meanA = sumA / n;
      const double meanB = sumB / n;
      const double varianceA = std::max(sumAA / n - meanA * meanA, 0.0);
      const double varianceB = std::max(sumBB / n - meanB * meanB, 0.0);
      const double covariance = sumAB / n - meanA * meanB;
      sum += (2 * meanA * meanB + kLuminance) * (2 * covariance + kContrast) /
             ((meanA * meanA + meanB * meanB + kLuminance) * (varianceA + varianceB + kContrast));
      ++windows;
    }
  return sum / windows;
}

} // namespace hinesight::tests
