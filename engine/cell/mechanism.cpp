#include "cell/mechanism.hpp"

#include <algorithm>

namespace hinesight::cell {

namespace {

using Range = MechanismParameter::Range;

constexpr MechanismParameter kGbar{"gbar", "S/cm2", 0, Range::NotNegative};

/// A mechanism of one channel.
Mechanism channelMechanism(std::string_view name, std::string_view title, ChannelUse channel, std::string_view source,
                           std::vector<MechanismParameter> rest = {})
{
  rest.insert(rest.begin(), kGbar);
  return {name, title, {channel}, std::move(rest), source};
}

std::vector<Mechanism> makeList()
{
  using enum ChannelKind;
  using enum Carrier;
  constexpr std::string_view kHay = "Hay et al. 2011";
  constexpr std::string_view kGouwens = "Gouwens et al. 2018";
  constexpr MechanismParameter kShift{"vshift", "mV", 0};
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
      {"CaDynamics",
       "Calcium inside",
       {},
       {{"gamma", "", 0.05, Range::NotNegative},
        {"decay", "ms", 80, Range::Positive},
        {"depth", "um", 0.1, Range::Positive},
        {"minCai", "mM", 1e-4, Range::Positive}},
       "Destexhe et al. 1994"},
      channelMechanism("Im", "Muscarinic potassium", {Im, Potassium}, "Adams et al. 1982"),
      channelMechanism("Im_v2", "Muscarinic potassium", {ImV2, Potassium}, "Vervaeke et al. 2006"),
      channelMechanism("Ih", "Activated by hyperpolarization", {Ih, Mixed, -45}, "Kole et al. 2006"),
      channelMechanism("NaTs", "Transient sodium", {NaTs, Sodium}, "Colbert and Pan 2002"),
      channelMechanism("NaTa", "Transient sodium, axonal", {NaTa, Sodium}, "Colbert and Pan 2002"),
      channelMechanism("Nap", "Persistent sodium", {Nap, Sodium}, "Magistretti and Alonso 1999"),
      channelMechanism("K_P", "Slow potassium", {KP, Potassium}, "Korngreen and Sakmann 2000",
                       {kShift, {"tauF", "", 1, Range::Positive}}),
      channelMechanism("K_T", "Transient potassium", {KT, Potassium}, "Korngreen and Sakmann 2000",
                       {kShift, {"mTauF", "", 1, Range::NotNegative}, {"hTauF", "", 1, Range::NotNegative}}),
      channelMechanism("Kd", "Potassium, slow inactivation", {Kd, Potassium}, "Foust et al. 2011"),
      channelMechanism("Kv2like", "Delayed rectifier", {Kv2like, Potassium}, "Keren et al. 2005"),
      channelMechanism("Kv3_1", "Fast potassium", {Kv3, Potassium}, "Rettig et al. 1992", {kShift}),
      channelMechanism("SK", "Potassium by calcium", {SK, Potassium}, "Koehler et al. 1996",
                       {{"zTau", "ms", 1, Range::Positive}}),
      channelMechanism("Ca_HVA", "High-voltage calcium", {CaHva, Calcium}, "Reuveni et al. 1993"),
      channelMechanism("Ca_LVA", "Low-voltage calcium", {CaLva, Calcium}, kHay),
      channelMechanism("NaV", "Sodium, twelve states", {NaV, Sodium}, kGouwens),
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

} // namespace hinesight::cell
