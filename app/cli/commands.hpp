#pragma once

#include "app/cli/session.hpp"

#include <CLI/CLI.hpp>

namespace hinesight::cli {

// One function and one source file a command: adds the command with its options to the program. When the command line
// chooses it, it puts what is to be done into Session::command.

void addInfoCommand(CLI::App& program, Session& session);
void addPlanCommand(CLI::App& program, Session& session);
void addSolveCommand(CLI::App& program, Session& session);
void addMeasureCommand(CLI::App& program, Session& session);
void addRepairCommand(CLI::App& program, Session& session);
void addSelectCommand(CLI::App& program, Session& session);
void addGenerateCommand(CLI::App& program, Session& session);
void addParametersCommand(CLI::App& program, Session& session);
void addDevicesCommand(CLI::App& program, Session& session);
void addVerifyCommand(CLI::App& program, Session& session);
/// Below the verify command.
void addVerifySynapsesCommand(CLI::App& verify, Session& session);
void addVerifySimulationCommand(CLI::App& verify, Session& session);
void addFitCommand(CLI::App& program, Session& session);
void addBenchCommand(CLI::App& program, Session& session);
/// Below the bench command.
void addBenchProjectionsCommand(CLI::App& bench, Session& session);
void addBenchSynapsesCommand(CLI::App& bench, Session& session);
void addBenchSimulationCommand(CLI::App& bench, Session& session);
void addBenchScalingCommand(CLI::App& bench, Session& session);
void addProjectCommand(CLI::App& program, Session& session);
void addFormCommand(CLI::App& program, Session& session);
void addGrowCommand(CLI::App& program, Session& session);
void addRunCommand(CLI::App& program, Session& session);
void addExportCommand(CLI::App& program, Session& session);
void addImportCommand(CLI::App& program, Session& session);
void addCompareCommand(CLI::App& program, Session& session);
void addSimulateCommand(CLI::App& program, Session& session);

} // namespace hinesight::cli
