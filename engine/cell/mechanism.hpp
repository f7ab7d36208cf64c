#pragma once

#include "cell/channel_table.hpp"
#include "cell/channels.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
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
  NaTs2t,
  NaTat,
  NapEt2,
  KPst,
  KTst,
  CaLvast,
};
inline constexpr std::size_t kChannelKinds = 23;

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
    return visit(channels::NaV());
  case ChannelKind::NaTs2t:
    return visit(channels::NaTs2t());
  case ChannelKind::NaTat:
    return visit(channels::NaTat());
  case ChannelKind::NapEt2:
    return visit(channels::NapEt2());
  case ChannelKind::KPst:
    return visit(channels::KPst());
  case ChannelKind::KTst:
    return visit(channels::KTst());
  case ChannelKind::CaLvast:
    break;
  }
  return visit(channels::CaLvast());
}

/// The names of a channel's states, in their order, as NEURON's files have them.
std::span<const std::string_view> stateNames(ChannelKind kind);

/// What carries the current of a channel, and so its reversal potential.
enum class Carrier : std::uint8_t
{
  Sodium,
  Potassium,
  Calcium, ///< by Nernst, from the calcium inside
  Mixed    ///< a reversal potential of its own
};

/// A channel as part of a mechanism: one of the kinds, or a table of a user's own.
struct ChannelUse
{
  ChannelKind kind;
  Carrier carrier;
  double reversal = 0;                            ///< of a mixed one, mV
  std::shared_ptr<const ChannelTable> table = {}; ///< then the kind means nothing
};

/// The same with an object for a table too, whose functions have those of the structs as their like.
template <typename Visit>
auto visitChannel(ChannelKind kind, const ChannelTable* table, Visit&& visit)
{
  return table ? visit(table->channel()) : visitChannel(kind, visit);
}

struct MechanismParameter
{
  std::string name; ///< as in files, without the mechanism: "gbar"
  std::string unit;
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
  std::string name;  ///< as in files: "NaTs"
  std::string title; ///< "Transient sodium"
  std::vector<ChannelUse> channels;
  std::vector<MechanismParameter> parameters;
  std::string source; ///< author and year

  /// The place of a parameter by its name in files: "gbar", or "gNaTsbar" as models of the Blue Brain Project have it.
  std::optional<std::size_t> parameterNamed(std::string_view parameter) const;
};

/// All density mechanisms of the program: pas, hh, the sixteen of the Allen Cell Types models, those of the models of
/// the Blue Brain Project.
std::span<const Mechanism> allMechanisms();
/// Its place among them; -1: there is none of that name.
std::int32_t mechanismNamed(std::string_view name);

/// Mechanisms of a user's own.
using MechanismTables = std::vector<std::shared_ptr<const Mechanism>>;

/// All mechanisms, then tables. A place in it is that of a density. Where names are the same, the table's is meant.
class MechanismCatalogue
{
public:
  // NOLINTNEXTLINE(google-explicit-constructor): tables are the part of it that varies
  MechanismCatalogue(MechanismTables own = {}) : tables(std::move(own)) {}

  std::size_t size() const { return allMechanisms().size() + tables.size(); }
  const Mechanism& operator[](std::int32_t place) const;
  /// -1: there is none of that name.
  std::int32_t find(std::string_view name) const;
  const MechanismTables& own() const { return tables; }

private:
  MechanismTables tables;
};

/// A state of a channel.
struct StatePlace
{
  ChannelKind channel;
  std::uint8_t state; ///< in the order of stateNames
};

/// The state of that name of a mechanism; none where there is no such mechanism or state.
std::optional<StatePlace> findState(std::string_view mechanism, std::string_view state);

/// Places of mechanisms that are no channels.
inline constexpr std::int32_t kPassive = 0;            ///< g (S/cm2), e (mV)
inline constexpr std::int32_t kHh = 1;                 ///< gnabar, gkbar, gl (S/cm2), el (mV)
inline constexpr std::int32_t kCalciumDynamics = 2;    ///< gamma, decay (ms), depth (um), minCai (mM)
inline constexpr std::int32_t kCalciumDynamicsE2 = 18; ///< the same, then initCai (mM)

/// Whether a mechanism is calcium inside, and what that starts at, mM.
inline bool isCalciumDynamics(std::int32_t mechanism)
{
  return mechanism == kCalciumDynamics || mechanism == kCalciumDynamicsE2;
}
inline double calciumAtStart(std::int32_t mechanism, std::span<const double> parameters)
{
  return parameters[mechanism == kCalciumDynamicsE2 ? 4 : 3];
}

} // namespace hinesight::cell
