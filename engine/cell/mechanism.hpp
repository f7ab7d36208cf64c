#pragma once

#include "cell/channels.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace hinesight::cell {

/// A channel, of which a mechanism may have several.
enum class ChannelKind : std::uint8_t
{
  HhSodium,
  HhPotassium,
  Im,
  ImV2,
  Ih,
  NaTs,
  NaTa,
  Nap,
  KP,
  KT,
  Kd,
  Kv2like,
  Kv3,
  SK,
  CaHva,
  CaLva,
  NaV,
};
inline constexpr std::size_t kChannelKinds = 17;

/// Calls `visit` with an object of the channel's struct (cell/channels.hpp).
template <typename Visit>
HINESIGHT_FORMULA auto visitChannel(ChannelKind kind, Visit&& visit)
{
  switch (kind) {
  case ChannelKind::HhSodium:
    return visit(channels::HhSodium());
  case ChannelKind::HhPotassium:
    return visit(channels::HhPotassium());
  case ChannelKind::Im:
    return visit(channels::Im());
  case ChannelKind::ImV2:
    return visit(channels::ImV2());
  case ChannelKind::Ih:
    return visit(channels::Ih());
  case ChannelKind::NaTs:
    return visit(channels::NaTs());
  case ChannelKind::NaTa:
    return visit(channels::NaTa());
  case ChannelKind::Nap:
    return visit(channels::Nap());
  case ChannelKind::KP:
    return visit(channels::KP());
  case ChannelKind::KT:
    return visit(channels::KT());
  case ChannelKind::Kd:
    return visit(channels::Kd());
  case ChannelKind::Kv2like:
    return visit(channels::Kv2like());
  case ChannelKind::Kv3:
    return visit(channels::Kv3());
  case ChannelKind::SK:
    return visit(channels::SK());
  case ChannelKind::CaHva:
    return visit(channels::CaHva());
  case ChannelKind::CaLva:
    return visit(channels::CaLva());
  case ChannelKind::NaV:
    break;
  }
  return visit(channels::NaV());
}

/// What carries the current of a channel, and so its reversal potential.
enum class Carrier : std::uint8_t
{
  Sodium,
  Potassium,
  Calcium, ///< by Nernst, from the calcium inside
  Mixed    ///< a reversal potential of its own
};

/// A channel as part of a mechanism.
struct ChannelUse
{
  ChannelKind kind;
  Carrier carrier;
  double reversal = 0; ///< of a mixed one, mV
};

struct MechanismParameter
{
  std::string_view name; ///< as in files, without the mechanism: "gbar"
  std::string_view unit;
  double usual;
  /// What values are possible.
  enum class Range : std::uint8_t
  {
    Any,
    NotNegative,
    Positive
  } range = Range::Any;
};

/// A density mechanism: what a file can put onto a region. Its parameters: the greatest conductance of each of its
/// channels in their order (S/cm2), then those of the channel.
struct Mechanism
{
  std::string_view name;  ///< as in files: "NaTs"
  std::string_view title; ///< "Transient sodium"
  std::vector<ChannelUse> channels;
  std::vector<MechanismParameter> parameters;
  std::string_view source; ///< author and year
};

/// All density mechanisms: pas, hh and the sixteen of the Allen Cell Types models.
std::span<const Mechanism> allMechanisms();
/// Its place among them; -1: there is none of that name.
std::int32_t mechanismNamed(std::string_view name);

/// Places of mechanisms that are no channels.
inline constexpr std::int32_t kPassive = 0;         ///< g (S/cm2), e (mV)
inline constexpr std::int32_t kHh = 1;              ///< gnabar, gkbar, gl (S/cm2), el (mV)
inline constexpr std::int32_t kCalciumDynamics = 2; ///< gamma, decay (ms), depth (um), minCai (mM)

} // namespace hinesight::cell
