#include "cell/mechanism.hpp"

#include <algorithm>

namespace hinesight::cell {

namespace {

using Range = MechanismParameter::Range;

/// A mechanism of one channel.
Mechanism channelMechanism(const char* name, const char* title, ChannelUse channel, const char* source,
                           std::vector<MechanismParameter> rest = {})
{
  rest.insert(rest.begin(), {"gbar", "S/cm2", 0, Range::NotNegative});
  return {name, title, {std::move(channel)}, std::move(rest), source};
}

/// The same of the Blue Brain Project, where the conductance has the name of the mechanism.
Mechanism blueBrainMechanism(const std::string& name, const char* title, ChannelUse channel, const char* source,
                             std::vector<MechanismParameter> rest = {})
{
  Mechanism mechanism = channelMechanism(name.c_str(), title, std::move(channel), source, std::move(rest));
  mechanism.parameters[0].name = "g" + name + "bar";
  return mechanism;
}

std::vector<Mechanism> makeList()
{
  using enum ChannelKind;
  using enum Carrier;
  const char* const kHay = "Hay et al. 2011";
  const char* const kGouwens = "Gouwens et al. 2018";
  const char* const kMarkram = "Markram et al. 2015";
  const MechanismParameter shift{"vshift", "mV", 0};
  const std::vector<MechanismParameter> calcium = {{"gamma", "", 0.05, Range::NotNegative},
                                                   {"decay", "ms", 80, Range::Positive},
                                                   {"depth", "um", 0.1, Range::Positive},
                                                   {"minCai", "mM", 1e-4, Range::Positive}};
  std::vector<MechanismParameter> calciumWithStart = calcium;
  calciumWithStart.push_back({"initCai", "mM", 5e-5, Range::Positive});
  return {
      {"pas", "Passive leak", {}, {{"g", "S/cm2", 0.001, Range::NotNegative}, {"e", "mV", -70}}, "NEURON"},
      {"hh",
       "Squid axon",
       {{HhSodium, Sodium}, {HhPotassium, Potassium}},
       {{"gnabar", "S/cm2", 0.12, Range::NotNegative},
        {"gkbar", "S/cm2", 0.036, Range::NotNegative},
        {"gl", "S/cm2", 0.0003, Range::NotNegative},
        {"el", "mV", -54.3}},
       "Hodgkin and Huxley 1952"},
      {"CaDynamics", "Calcium inside", {}, calcium, "Destexhe et al. 1994"},
      channelMechanism("Im", "Muscarinic potassium", {Im, Potassium}, "Adams et al. 1982"),
      channelMechanism("Im_v2", "Muscarinic potassium", {ImV2, Potassium}, "Vervaeke et al. 2006"),
      channelMechanism("Ih", "Activated by hyperpolarization", {Ih, Mixed, -45}, "Kole et al. 2006"),
      channelMechanism("NaTs", "Transient sodium", {NaTs, Sodium}, "Colbert and Pan 2002"),
      channelMechanism("NaTa", "Transient sodium, axonal", {NaTa, Sodium}, "Colbert and Pan 2002"),
      channelMechanism("Nap", "Persistent sodium", {Nap, Sodium}, "Magistretti and Alonso 1999"),
      channelMechanism("K_P", "Slow potassium", {KP, Potassium}, "Korngreen and Sakmann 2000",
                       {shift, {"tauF", "", 1, Range::Positive}}),
      channelMechanism("K_T", "Transient potassium", {KT, Potassium}, "Korngreen and Sakmann 2000",
                       {shift, {"mTauF", "", 1, Range::NotNegative}, {"hTauF", "", 1, Range::NotNegative}}),
      channelMechanism("Kd", "Potassium, slow inactivation", {Kd, Potassium}, "Foust et al. 2011"),
      channelMechanism("Kv2like", "Delayed rectifier", {Kv2like, Potassium}, "Keren et al. 2005"),
      channelMechanism("Kv3_1", "Fast potassium", {Kv3, Potassium}, "Rettig et al. 1992", {shift}),
      channelMechanism("SK", "Potassium by calcium", {SK, Potassium}, "Koehler et al. 1996",
                       {{"zTau", "ms", 1, Range::Positive}}),
      channelMechanism("Ca_HVA", "High-voltage calcium", {CaHva, Calcium}, "Reuveni et al. 1993"),
      channelMechanism("Ca_LVA", "Low-voltage calcium", {CaLva, Calcium}, kHay),
      channelMechanism("NaV", "Sodium, twelve states", {NaV, Sodium}, kGouwens),
      {"CaDynamics_E2", "Calcium inside, with a start of its own", {}, calciumWithStart, "Destexhe et al. 1994"},
      blueBrainMechanism("NaTs2_t", "Transient sodium, 34 °C", {NaTs2t, Sodium}, kMarkram),
      blueBrainMechanism("NaTa_t", "Transient sodium, axonal, 34 °C", {NaTat, Sodium}, kMarkram),
      blueBrainMechanism("Nap_Et2", "Persistent sodium, 34 °C", {NapEt2, Sodium}, kMarkram),
      blueBrainMechanism("K_Pst", "Slow potassium, 34 °C", {KPst, Potassium}, kMarkram),
      blueBrainMechanism("K_Tst", "Transient potassium, 34 °C", {KTst, Potassium}, kMarkram),
      blueBrainMechanism("SKv3_1", "Fast potassium", {Kv3, Potassium}, "Rettig et al. 1992", {shift}),
      blueBrainMechanism("SK_E2", "Potassium by calcium", {SK, Potassium}, "Koehler et al. 1996",
                         {{"zTau", "ms", 1, Range::Positive}}),
      blueBrainMechanism("Ca_LVAst", "Low-voltage calcium, 34 °C", {CaLvast, Calcium}, kMarkram),
  };
}

} // namespace

std::span<const Mechanism> allMechanisms()
{
  static const std::vector<Mechanism> all = makeList();
  return all;
}

std::int32_t mechanismNamed(std::string_view name)
{
  const auto all = allMechanisms();
  const auto found = std::ranges::find(all, name, &Mechanism::name);
  return found == all.end() ? -1 : static_cast<std::int32_t>(found - all.begin());
}

std::optional<std::size_t> Mechanism::parameterNamed(std::string_view parameter) const
{
  const bool isConductance = channels.size() == 1 && (parameter == "gbar" || parameter == "g" + name + "bar");
  const auto found =
      isConductance ? parameters.begin() : std::ranges::find(parameters, parameter, &MechanismParameter::name);
  if (found == parameters.end())
    return std::nullopt;
  return static_cast<std::size_t>(found - parameters.begin());
}

const Mechanism& MechanismCatalogue::operator[](std::int32_t place) const
{
  const auto all = allMechanisms();
  const auto at = static_cast<std::size_t>(place);
  return at < all.size() ? all[at] : *tables[at - all.size()];
}

std::int32_t MechanismCatalogue::find(std::string_view name) const
{
  const auto found = std::ranges::find(tables, name, [](const auto& table) { return std::string_view(table->name); });
  if (found == tables.end())
    return mechanismNamed(name);
  return static_cast<std::int32_t>(allMechanisms().size() + static_cast<std::size_t>(found - tables.begin()));
}

std::span<const std::string_view> stateNames(ChannelKind kind)
{
  using enum ChannelKind;
  static constexpr std::string_view kGates[] = {"m", "h"};
  static constexpr std::string_view kThree[] = {"m", "h1", "h2"};
  static constexpr std::string_view kN[] = {"n"};
  static constexpr std::string_view kZ[] = {"z"};
  static constexpr std::string_view kScheme[] = {"C1", "C2", "C3", "C4", "C5", "O", "I1", "I2", "I3", "I4", "I5", "I6"};
  const std::span<const std::string_view> gates(kGates);
  switch (kind) {
  case HhPotassium:
    return kN;
  case Im:
  case ImV2:
  case Ih:
  case Kv3:
    return gates.first(1);
  case Nap:
    return gates.last(1);
  case SK:
    return kZ;
  case Kv2like:
    return kThree;
  case NaV:
    return kScheme;
  default:
    return gates;
  }
}

std::optional<StatePlace> findState(std::string_view mechanism, std::string_view state)
{
  const std::int32_t place = mechanismNamed(mechanism);
  if (place < 0)
    return std::nullopt;
  for (const ChannelUse& channel : allMechanisms()[static_cast<std::size_t>(place)].channels) {
    const auto names = stateNames(channel.kind);
    if (const auto found = std::ranges::find(names, state); found != names.end())
      return StatePlace{channel.kind, static_cast<std::uint8_t>(found - names.begin())};
  }
  return std::nullopt;
}

} // namespace hinesight::cell
