#include "core/fixed/reciprocal.hpp"
#include "test_main.hpp"

#include <QTest>

#include <bit>
#include <cstdint>
#include <random>

using namespace hinesight;

/// What CUDA computes from the hardware's estimate is what a division gives, whatever the estimate.
class TestReciprocal : public QObject
{
  Q_OBJECT

private slots:
  void isADivisionForEveryFractionInSinglePrecision()
  {
    constexpr std::uint32_t kOne = 0x3F80'0000U;
    constexpr std::uint32_t kFractions = 1U << 23;
    for (std::uint32_t fraction = 0; fraction < kFractions; ++fraction) {
      const float x = std::bit_cast<float>(kOne | fraction);
      const float expected = 1.0F / x;
      for (std::int32_t units = -2; units <= 2; ++units) { // that the estimate is wrong by
        const auto bits = std::bit_cast<std::uint32_t>(expected) + static_cast<std::uint32_t>(units);
        const float found = detail::refinedInverse(x, std::bit_cast<float>(bits));
        if (found != expected)
          QFAIL(qPrintable(QStringLiteral("1 / %1 with an estimate off by %2").arg(x, 0, 'g', 9).arg(units)));
      }
    }
  }

  void isADivisionInDoublePrecision()
  {
    constexpr std::uint64_t kFraction = (std::uint64_t{1} << 52) - 1;
    constexpr std::uint64_t kOne = std::uint64_t{1023} << 52;
    std::mt19937_64 random(1);
    const auto check = [&](std::uint64_t fraction) {
      const auto x = std::bit_cast<double>(kOne | (fraction & kFraction));
      // The hardware's estimate: 20 bits, the lower half of the word 0.
      const double share = static_cast<double>(random() >> 11) * 0x1p-53 - 0.5;
      const auto bits = std::bit_cast<std::uint64_t>((1.0 / x) * (1 + share * 0x1p-19)) & ~0xFFFF'FFFFULL;
      const double found = detail::refinedInverse(x, std::bit_cast<double>(bits));
      if (found != 1.0 / x)
        QFAIL(qPrintable(QStringLiteral("1 / %1").arg(x, 0, 'g', 17)));
    };
    for (std::uint64_t k = 0; k < 2'000; ++k) {
      check(kFraction - k); // all ones first, which the last step alone would get wrong
      check(k);
    }
    for (int k = 0; k < 2'000'000; ++k) {
      check(random());
      check(random() | kFraction << 20);
    }
  }
};

HINESIGHT_TEST(TestReciprocal)
#include "test_reciprocal.moc"
