#pragma once

#include "app/manual/command_table.hpp"

#include <string>

namespace hinesight::manual {

// What a shell reads to complete the command line of a program: its commands, their options, and the values of options
// that are names or files.

std::string bashCompletion(const Command& program);
std::string zshCompletion(const Command& program);
std::string fishCompletion(const Command& program);

} // namespace hinesight::manual
