#pragma once

#include "app/manual/command_table.hpp"

#include <string>

namespace hinesight::manual {

/// The man page of a command of a program, in the macros of man(7).
std::string manualPage(const Command& command, const Command& program);

} // namespace hinesight::manual
