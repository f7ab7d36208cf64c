#pragma once

#include "core/run_control.hpp"

#include <string>

namespace hinesight::cli {

/// Does what a command line asks for, and prints results and errors. `name` is that of the program in messages. Returns
/// the exit status: 0 done, 1 failed, 2 wrong usage.
int runProgram(const char* name, int argc, char** argv);

/// SIGINT and SIGTERM cancel what `control` is a copy of; a second one ends the program. To be called once.
void cancelOnInterrupt(const RunControl& control);

/// Where memory is short in a place that no exception leaves, the program of that name says so and ends with status 1.
/// Part of runProgram.
void endWhereMemoryDoes(const char* name);

} // namespace hinesight::cli
