#pragma once

#include "core/run_control.hpp"
#include "projection/populations/population.hpp"

#include <memory>
#include <string>
#include <utility>

namespace hinesight::study {

/// A population that a study is offered: one that its parameters make, or one whose neurons are known.
struct PopulationChoice
{
  PopulationChoice() = default;
  PopulationChoice(projection::PopulationParameters made) : parameters(std::move(made)) {} // NOLINT: meant to convert

  projection::PopulationParameters parameters;
  /// Of PopulationKind::File where the file is a SONATA file: its population; empty: the only one.
  std::string nodes;
  /// Of PopulationKind::Given: the neurons; null where nobody knows them (no neuron is open; a table whose file holds
  /// no positions).
  std::shared_ptr<const projection::Population> given;
  bool isSomata = false; ///< of PopulationKind::Given: the somata of the open neurons, whichever they are

  bool operator==(const PopulationChoice&) const = default;
};

/// Whether both stand for the same neurons by the same name: equal in what their kind makes use of.
bool makeTheSame(const PopulationChoice& a, const PopulationChoice& b);

/// Throws as io::makePopulation; Error(BadParameter) where the neurons of a given
/// population are not known.
std::shared_ptr<const projection::Population> makePopulation(const PopulationChoice& choice, const RunControl& control);

} // namespace hinesight::study
