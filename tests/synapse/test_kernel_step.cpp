#include "core/error.hpp"
#include "core/philox.hpp"
#include "synapse/search/kernel_step.hpp"
#include "test_main.hpp"

#include <QTest>

#include <cmath>
#include <limits>

using namespace hinesight;
using namespace hinesight::synapse;

namespace {

/// Uniform in [least, most), the n-th of a sequence.
double draw(std::uint32_t n, double least, double most)
{
  return least + (most - least) * randomUniform(7, 0, 0, n);
}

/// How far a float is from the true value, in units of its last place.
double ulps(float value, double truth)
{
  const auto nearest = static_cast<float>(truth);
  const float above = std::nextafter(std::abs(nearest), std::numeric_limits<float>::infinity());
  return std::abs(value - truth) / (static_cast<double>(above) - std::abs(nearest));
}

std::vector<KernelParameters> sampleKernels()
{
  std::vector<KernelParameters> kernels;
  KernelParameters p;
  kernels.push_back(p);
  p.mu = 300;
  kernels.push_back(p);
  p.mu = -50;
  kernels.push_back(p);
  p = {};
  p.kind = AttractionKind::Linear;
  kernels.push_back(p);
  p.cutoff = 700;
  kernels.push_back(p);
  p = {};
  p.kind = AttractionKind::Gamma;
  p.gammaTheta = 100;
  for (const double k : {1.0, 0.4, 2.0, 6.5}) {
    p.gammaK = k;
    kernels.push_back(p);
  }
  p = {};
  p.kind = AttractionKind::Weibull;
  for (const double k : {1.0, 0.5, 1.7, 3.0}) {
    p.weibullK = k;
    p.weibullB = std::pow(300.0, -k);
    kernels.push_back(p);
  }
  return kernels;
}

double valueAt(const KernelForm& form, float squared)
{
  return withFalloff(form.falloff, [&]<Falloff kFalloff>() { return valueOf(attraction<kFalloff>(form, squared)); });
}

double boundBetween(const KernelForm& form, float nearestSquared, float farthestSquared)
{
  return withFalloff(form.falloff, [&]<Falloff kFalloff>() {
    return valueOf(attractionBound<kFalloff>(form, nearestSquared, farthestSquared));
  });
}

} // namespace

class TestKernelStep : public QObject
{
  Q_OBJECT

private slots:
  void exponentialIsTrueToTwoUlp()
  {
    for (std::uint32_t n = 0; n < 200'000; ++n) {
      const auto x = static_cast<float>(draw(n, -708, 650));
      const double value = valueOf(scaledExp(x));
      // The error is that of the mantissa, whatever the exponent.
      QVERIFY2(std::abs(value / std::exp(static_cast<double>(x)) - 1) < 2 * 0x1p-23, qPrintable(QString::number(x)));
    }
    for (std::uint32_t n = 0; n < 50'000; ++n) {
      const auto x = static_cast<float>(draw(n, -86, 88));
      QVERIFY2(ulps(singleExp(x), std::exp(static_cast<double>(x))) <= 2, qPrintable(QString::number(x)));
    }
    QCOMPARE(valueOf(scaledExp(0.0F)), 1.0);
    QCOMPARE(valueOf(boundedExp(-708.5F)), 0.0);
    QVERIFY(valueOf(boundedExp(-707.0F)) > 0);
    QCOMPARE(valueOf(boundedExp(-std::numeric_limits<float>::infinity())), 0.0);
    QVERIFY(std::isfinite(valueOf(boundedExp(std::numeric_limits<float>::infinity()))));
  }

  void logarithmIsTrueToTwoUlp()
  {
    for (std::uint32_t n = 0; n < 200'000; ++n) {
      const auto x = static_cast<float>(std::exp(draw(n, -80, 80)));
      QVERIFY2(ulps(singleLog(x), std::log(static_cast<double>(x))) <= 2, qPrintable(QString::number(x)));
      const auto near1 = static_cast<float>(draw(n, 0.5, 2));
      QVERIFY2(ulps(singleLog(near1), std::log(static_cast<double>(near1))) <= 2, qPrintable(QString::number(near1)));
    }
    QCOMPARE(singleLog(1.0F), 0.0F);
  }

  void kernelsHaveTheirFormulas()
  {
    for (const KernelParameters& p : sampleKernels()) {
      const KernelForm form = kernelForm(p);
      for (std::uint32_t n = 0; n < 20'000; ++n) {
        const auto squared = static_cast<float>(std::exp(draw(n, -2, 15)));
        const double d = std::sqrt(static_cast<double>(squared));
        const double truth = kernelValue(p, d);
        const double value = valueAt(form, squared);
        // Rounding the exponent, of some hundreds at most where the value is no zero, costs this.
        const double tolerance = 1e-6 * (10 + std::abs(std::log(std::max(truth, 1e-300))) + std::abs(form.logNorm));
        QVERIFY2(std::abs(value - truth) <= tolerance * truth + 1e-7 * (p.kind == AttractionKind::Linear) + 1e-300,
                 qPrintable(QString("%1 at %2: %3, not %4")
                                .arg(kernelName(p.kind).data())
                                .arg(d)
                                .arg(value, 0, 'g', 12)
                                .arg(truth, 0, 'g', 12)));
      }
    }
  }

  /// Against numbers worked out by hand, so that kernelValue itself is checked.
  void kernelsHaveTheirValues()
  {
    KernelParameters p;
    QCOMPARE(kernelValue(p, 750), std::exp(-1.0));
    p.mu = 100;
    QCOMPARE(kernelValue(p, 100), 1.0);
    p = {};
    p.kind = AttractionKind::Linear;
    QCOMPARE(kernelValue(p, 1e6), 1.0);
    p.cutoff = 400;
    QCOMPARE(kernelValue(p, 100), 0.75);
    QCOMPARE(kernelValue(p, 500), 0.0);
    p.kind = AttractionKind::Gamma;
    p.gammaK = 3;
    p.gammaTheta = 2;
    QVERIFY(std::abs(kernelValue(p, 4) - std::exp(-2.0)) < 1e-15); // 16 exp(-2) / (2 * 8)
    p.kind = AttractionKind::Weibull;
    p.weibullK = 2;
    p.weibullB = 0.25;
    QVERIFY(std::abs(kernelValue(p, 2) - std::exp(-1.0)) < 1e-15); // 0.25 * 2 * 2 exp(-0.25 * 4)
  }

  void farGaussiansAreNoZeros()
  {
    const KernelForm form = kernelForm({});
    const double d = 26 * 750.0;
    QVERIFY(valueAt(form, static_cast<float>(d * d)) > 0);
    QVERIFY(std::abs(std::log(valueAt(form, static_cast<float>(d * d))) + 676) < 1e-3);
    QCOMPARE(valueAt(form, 1e12F), 0.0);
  }

  void boundsHold()
  {
    for (const KernelParameters& p : sampleKernels()) {
      const KernelForm form = kernelForm(p);
      for (std::uint32_t n = 0; n < 4'000; ++n) {
        const double nearest = std::exp(draw(3 * n, 0, 8));
        const double farthest = nearest * (1 + std::exp(draw(3 * n + 1, -18, 1)));
        const auto low = static_cast<float>(nearest * nearest);
        const auto high = std::max(low, static_cast<float>(farthest * farthest));
        const double bound = boundBetween(form, low, high);
        double most = 0;
        for (int k = 0; k <= 20; ++k) {
          const double d = nearest + (farthest - nearest) * (k < 20 ? draw(3 * n + 2, 0, 1) * k / 20 : 1);
          const float squared = std::clamp(static_cast<float>(d * d), low, high);
          const double value = valueAt(form, squared);
          most = std::max(most, value);
          QVERIFY2(value <= bound, qPrintable(QString("%1 at %2 of %3 to %4: %5 above %6")
                                                  .arg(kernelName(p.kind).data())
                                                  .arg(d)
                                                  .arg(nearest)
                                                  .arg(farthest)
                                                  .arg(value, 0, 'g', 12)
                                                  .arg(bound, 0, 'g', 12)));
        }
        // Where the interval is a point, hardly more than the value there.
        QVERIFY(boundBetween(form, low, low) <= valueAt(form, low) * 1.05 + 1e-290);
      }
    }
  }

  void boundsSeeAMaximumInside()
  {
    KernelParameters p;
    p.mu = 300;
    QVERIFY(boundBetween(kernelForm(p), 200 * 200, 500 * 500) >= 1);
    p = {};
    p.kind = AttractionKind::Gamma;
    p.gammaK = 4;
    p.gammaTheta = 50;
    QVERIFY(boundBetween(kernelForm(p), 10 * 10, 900 * 900) >= kernelValue(p, 150));
    p = {};
    p.kind = AttractionKind::Weibull;
    p.weibullK = 3;
    p.weibullB = 1e-6;
    const double mode = std::cbrt(2 / 3e-6);
    QVERIFY(boundBetween(kernelForm(p), 10 * 10, 900 * 900) >= kernelValue(p, mode));
    QVERIFY(boundBetween(kernelForm(p), 10 * 10, 900 * 900) <= 1.001 * kernelValue(p, mode));
  }

  void refusesParametersOutOfRange()
  {
    const auto refused = [](auto change, const char* word) {
      KernelParameters p;
      change(p);
      try {
        validate(p);
      } catch (const Error& error) {
        return error.code() == ErrorCode::BadParameter && error.message().find(word) != std::string::npos;
      }
      return false;
    };
    QVERIFY(refused([](auto& p) { p.sigma = 0; }, "Sigma is 0 µm; choose above 0 µm"));
    QVERIFY(refused([](auto& p) { p.sigma = std::nan(""); }, "Sigma is nan"));
    QVERIFY(refused([](auto& p) { p.mu = INFINITY; }, "Mu is inf"));
    QVERIFY(refused([](auto& p) { p.kind = AttractionKind::Linear, p.cutoff = -1; },
                    "Cutoff is -1 µm; choose above 0 µm, inf for none"));
    QVERIFY(refused([](auto& p) { p.kind = AttractionKind::Gamma, p.gammaK = 0; }, "Gamma shape k is 0"));
    QVERIFY(refused([](auto& p) { p.kind = AttractionKind::Gamma, p.gammaTheta = -3; }, "Gamma scale theta is -3"));
    QVERIFY(refused([](auto& p) { p.kind = AttractionKind::Weibull, p.weibullK = -3; }, "Weibull shape k is -3"));
    QVERIFY(refused([](auto& p) { p.kind = AttractionKind::Weibull, p.weibullB = INFINITY; }, "Weibull rate b is inf"));
    // What another kernel takes is not looked at.
    KernelParameters p;
    p.gammaK = -1;
    validate(p);
  }
};

HINESIGHT_TEST(TestKernelStep)
#include "test_kernel_step.moc"
