#pragma once

#include "cell/channel_parts.hpp"
#include "core/expression/program.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

// Channels of a user's own: gates whose rates are expressions (io/models/mechanism_tables.hpp reads them).

namespace hinesight::cell {

/// A gate by two expressions.
struct TableGate
{
  enum class Form : std::uint8_t
  {
    Rates,  ///< opening and closing, 1/ms (alpha, beta)
    Target, ///< at rest, and the time constant, ms (inf, tau)
    AtOnce  ///< at rest alone: it has no state
  };

  expression::Program first, second;
  Form form = Form::Rates;
  std::int32_t power = 1;
};

/// What expressions may name: v (mV), cai (mM), celsius, then the parameters after gbar.
inline constexpr std::size_t kTableVariables = 3;
inline constexpr std::size_t kMostTableParameters = 16;
inline constexpr std::size_t kMostTableGates = 8;

/// A gate's value at rest and its time constant, ms.
struct TableTarget
{
  double inf;
  double tau;
};

/// A channel of gates where they lie, on the CPU or on CUDA. Its functions are those of the structs of channels.hpp,
/// but of an object.
struct TableChannel
{
  static constexpr bool kOpensAtOnce = true; // for some tables it is so

  const TableGate* gates;
  std::int32_t count;
  std::int32_t parameters; ///< after gbar
  std::size_t kStates;     ///< gates that have a state

  HINESIGHT_FORMULA TableTarget target(const TableGate& gate, double v, const Local& local, const Temperature& t,
                                       Parameters p) const
  {
    double variables[kTableVariables + kMostTableParameters];
    variables[0] = v;
    variables[1] = local.cai;
    variables[2] = t.celsius;
    for (std::int32_t k = 0; k < parameters; ++k)
      variables[kTableVariables + static_cast<std::size_t>(k)] = p[static_cast<std::size_t>(k)];
    const double first = expression::runProgram(gate.first, variables);
    if (gate.form == TableGate::Form::AtOnce)
      return {first, 0};
    const double second = expression::runProgram(gate.second, variables);
    if (gate.form == TableGate::Form::Target)
      return {first, second};
    const Rates rates{first, second};
    return {rates.opening / (rates.opening + rates.closing), 1 / rates.rate()};
  }

  HINESIGHT_FORMULA void start(double v, const Local& local, const Temperature& t, Parameters p, States s) const
  {
    std::size_t state = 0;
    for (std::int32_t k = 0; k < count; ++k)
      if (gates[k].form != TableGate::Form::AtOnce)
        s[state++] = target(gates[k], v, local, t, p).inf;
  }

  HINESIGHT_FORMULA void advance(double v, double dt, const Local& local, const Temperature& t, Parameters p,
                                 States s) const
  {
    std::size_t state = 0;
    for (std::int32_t k = 0; k < count; ++k) {
      if (gates[k].form == TableGate::Form::AtOnce)
        continue;
      const TableTarget to = target(gates[k], v, local, t, p);
      s[state] = relaxed(s[state], to.inf, to.tau, dt);
      ++state;
    }
  }

  HINESIGHT_FORMULA double open(double v, const Local& local, const Temperature& t, Parameters p, States s) const
  {
    double product = 1;
    std::size_t state = 0;
    for (std::int32_t k = 0; k < count; ++k) {
      const double gate = gates[k].form == TableGate::Form::AtOnce ? target(gates[k], v, local, t, p).inf : s[state++];
      for (std::int32_t i = 0; i < gates[k].power; ++i)
        product *= gate;
    }
    return product;
  }
};

/// A table in the memory of the CPU.
struct ChannelTable
{
  std::vector<TableGate> gates;
  std::vector<std::string> names; ///< of the gates
  std::int32_t parameters = 0;    ///< after gbar
  bool usesCalcium = false;       ///< some expression names cai

  TableChannel channel() const;
  /// How many gates have a state.
  std::size_t states() const;
};

} // namespace hinesight::cell
