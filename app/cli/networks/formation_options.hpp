#pragma once

#include "app/cli/options.hpp"
#include "study/formation/formation_study.hpp"

namespace hinesight::cli {

/// The neurons of a command, at random or from a file; their seed is that of what is done with them.
void addNeuronOptions(Command& command, study::NeuronSource& source);

} // namespace hinesight::cli
