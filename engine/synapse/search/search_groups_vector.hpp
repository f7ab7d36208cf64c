#pragma once

#include "synapse/search/search_groups_kernel.hpp"

// Lanes of the search (search_groups_kernel.hpp) in vector registers. Registers is what differs between sets of
// instructions: how many lanes there are, the mask of a comparison, and the operations that have no operator in the
// compiler's vector types:
//   kCount, Mask                    lanes, and one truth value each, with the operators & and ~
//   above, notBelow (reals), notAfter (whole numbers)   comparisons; false where one of them is no number
//   any(mask), keep(mask, reals)    whether any is set; 0 outside the mask
//   choose(mask, a, b)              whole numbers: a inside the mask, b outside
//   lowerDoubles, upperDoubles (reals), lowerLongs, upperLongs (whole numbers)   half of the lanes, wider
//   fusedMultiplyAdd, squareRoot, smaller, larger   as in core/fixed/fixed_single.hpp; larger of whole numbers too
// Included by what is compiled with the registers' instructions only; everything is inlined (core/host_device.hpp).

namespace hinesight::synapse::detail {

namespace {

template <typename Value, int kCount>
struct VectorOf
{
  using Type __attribute__((vector_size(sizeof(Value) * kCount))) = Value;
};

template <typename Value, int kCount>
using Vector = typename VectorOf<Value, kCount>::Type;

template <int kCount>
using Reals = Vector<float, kCount>;

template <int kCount>
using Wholes = Vector<std::int32_t, kCount>;

template <int kCount>
using Longs = Vector<long long, kCount>;

/// In memory that is aligned as its numbers are, or less. (GCC 12 keeps what is copied by memcpy in memory all the
/// time.)
template <typename V>
struct InMemory
{
  using Type __attribute__((may_alias, aligned(4))) = V;
};

template <typename V>
HINESIGHT_FORMULA V loadVector(const void* from)
{
  return *static_cast<const typename InMemory<V>::Type*>(from);
}

template <typename V>
HINESIGHT_FORMULA void storeVector(void* to, V value)
{
  *static_cast<typename InMemory<V>::Type*>(to) = value;
}

/// Whole numbers side by side.
template <typename Registers>
struct VectorWhole
{
  using Value = Wholes<Registers::kCount>;
  Value v;

  VectorWhole() = default;
  HINESIGHT_FORMULA explicit VectorWhole(Value value) : v(value) {}
  HINESIGHT_FORMULA explicit VectorWhole(std::int32_t value) : v(Value{} + value) {}

  HINESIGHT_FORMULA friend VectorWhole operator+(VectorWhole a, VectorWhole b)
  {
    return wrapped(modular(a) + modular(b));
  }
  HINESIGHT_FORMULA friend VectorWhole operator-(VectorWhole a, VectorWhole b)
  {
    return wrapped(modular(a) - modular(b));
  }
  HINESIGHT_FORMULA friend VectorWhole operator<<(VectorWhole a, int bits) { return VectorWhole(a.v << bits); }
  HINESIGHT_FORMULA friend VectorWhole operator>>(VectorWhole a, int bits) { return VectorWhole(a.v >> bits); }

private:
  using Modular = Vector<std::uint32_t, Registers::kCount>;

  /// Lanes that nobody asks about may overflow.
  HINESIGHT_FORMULA static Modular modular(VectorWhole a) { return reinterpret_cast<Modular>(a.v); }
  HINESIGHT_FORMULA static VectorWhole wrapped(Modular a) { return VectorWhole(reinterpret_cast<Value>(a)); }
};

/// Numbers in single precision side by side, with the functions that core/fixed/fixed_single.hpp asks for.
template <typename Registers>
struct VectorReal
{
  using Whole = VectorWhole<Registers>;
  using Value = Reals<Registers::kCount>;
  Value v;

  VectorReal() = default;
  HINESIGHT_FORMULA explicit VectorReal(Value value) : v(value) {}
  HINESIGHT_FORMULA explicit VectorReal(float value) : v(value - Value{}) {} // not Value{} + value: that loses -0

  HINESIGHT_FORMULA friend VectorReal operator+(VectorReal a, VectorReal b) { return VectorReal(a.v + b.v); }
  HINESIGHT_FORMULA friend VectorReal operator-(VectorReal a, VectorReal b) { return VectorReal(a.v - b.v); }
  HINESIGHT_FORMULA friend VectorReal operator-(VectorReal a) { return VectorReal(-a.v); }
  HINESIGHT_FORMULA friend VectorReal operator*(VectorReal a, VectorReal b) { return VectorReal(a.v * b.v); }
  HINESIGHT_FORMULA friend VectorReal operator/(VectorReal a, VectorReal b) { return VectorReal(a.v / b.v); }

  HINESIGHT_FORMULA friend VectorReal fusedMultiplyAdd(VectorReal a, VectorReal b, VectorReal c)
  {
    return VectorReal(Registers::fusedMultiplyAdd(a.v, b.v, c.v));
  }
  HINESIGHT_FORMULA friend VectorReal squareRoot(VectorReal x) { return VectorReal(Registers::squareRoot(x.v)); }
  HINESIGHT_FORMULA friend VectorReal smaller(VectorReal a, VectorReal b)
  {
    return VectorReal(Registers::smaller(a.v, b.v));
  }
  HINESIGHT_FORMULA friend VectorReal larger(VectorReal a, VectorReal b)
  {
    return VectorReal(Registers::larger(a.v, b.v));
  }
  HINESIGHT_FORMULA friend VectorReal magnitude(VectorReal x)
  {
    constexpr std::int32_t kAllButSign = 0x7FFFFFFF;
    return singleFromBits(Whole(bitsOf(x).v & kAllButSign));
  }
  HINESIGHT_FORMULA friend VectorReal keepFrom(VectorReal limit, VectorReal at, VectorReal x)
  {
    return VectorReal(Registers::keep(Registers::notBelow(at.v, limit.v), x.v));
  }
  HINESIGHT_FORMULA friend Whole bitsOf(VectorReal x) { return Whole(reinterpret_cast<typename Whole::Value>(x.v)); }
};

template <typename Registers>
HINESIGHT_FORMULA VectorReal<Registers> singleFromBits(VectorWhole<Registers> bits)
{
  using Real = VectorReal<Registers>;
  return Real(reinterpret_cast<typename Real::Value>(bits.v));
}

template <typename Registers>
HINESIGHT_FORMULA VectorReal<Registers> toSingle(VectorWhole<Registers> n)
{
  using Real = VectorReal<Registers>;
  return Real(__builtin_convertvector(n.v, typename Real::Value));
}

/// Sums of the lanes in double precision, in two registers: the lower and the upper half of the lanes.
template <typename Registers>
class VectorSums
{
public:
  /// Lanes outside the mask add 0.
  HINESIGHT_FORMULA void add(typename Registers::Mask mask, const Scaled<VectorReal<Registers>>& weight)
  {
    const auto mantissa = Registers::keep(mask, weight.mantissa.v);
    const auto exponent = weight.exponent.v;
    low += Registers::lowerDoubles(mantissa) * powerOfTwo(Registers::lowerLongs(exponent));
    high += Registers::upperDoubles(mantissa) * powerOfTwo(Registers::upperLongs(exponent));
  }

  HINESIGHT_FORMULA void store(double* to) const
  {
    storeVector(to, low);
    storeVector(to + kHalf, high);
  }

private:
  static constexpr int kHalf = Registers::kCount / 2;
  using Doubles = Vector<double, kHalf>;

  /// Of exponents whose power is a normal number.
  HINESIGHT_FORMULA static Doubles powerOfTwo(Longs<kHalf> exponent)
  {
    return reinterpret_cast<Doubles>((exponent + 1023) << 52);
  }

  Doubles low = {};
  Doubles high = {};
};

/// Seekers beside each other, one a lane.
template <typename Registers>
struct VectorLanes
{
  static constexpr int kCount = Registers::kCount;
  using Real = VectorReal<Registers>;
  using Whole = VectorWhole<Registers>;
  using Mask = typename Registers::Mask;
  using Sums = VectorSums<Registers>;

  HINESIGHT_FORMULA static Real load(const float* from) { return Real(loadVector<typename Real::Value>(from)); }
  HINESIGHT_FORMULA static void store(std::uint32_t* to, Whole value) { storeVector(to, value.v); }
  HINESIGHT_FORMULA static Whole later(Whole resume, std::uint32_t node)
  {
    return Whole(Registers::larger(resume.v, wholes(node)));
  }
  HINESIGHT_FORMULA static Mask notAfter(Whole resume, std::uint32_t node)
  {
    return Registers::notAfter(resume.v, wholes(node));
  }
  HINESIGHT_FORMULA static Mask above(Real value, float limit) { return Registers::above(value.v, Real(limit).v); }
  HINESIGHT_FORMULA static Mask both(Mask a, Mask b) { return static_cast<Mask>(a & b); }
  HINESIGHT_FORMULA static Mask without(Mask a, Mask b) { return static_cast<Mask>(a & ~b); }
  HINESIGHT_FORMULA static bool any(Mask mask) { return Registers::any(mask); }
  HINESIGHT_FORMULA static Whole choose(Mask mask, std::uint32_t value, Whole other)
  {
    return Whole(Registers::choose(mask, wholes(value), other.v));
  }

private:
  HINESIGHT_FORMULA static typename Whole::Value wholes(std::uint32_t value)
  {
    return Whole(static_cast<std::int32_t>(value)).v;
  }
};

} // namespace

} // namespace hinesight::synapse::detail
