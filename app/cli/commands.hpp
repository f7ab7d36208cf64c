#pragma once

#include "app/cli/command.hpp"
#include "app/cli/session.hpp"

namespace hinesight::cli {

// One function and one source file a command: adds the command with its options to the program. When the command line
// chooses it, it puts what is to be done into Session::command.

void addInfoCommand(Command& program, Session& session);
void addPlanCommand(Command& program, Session& session);
void addSolveCommand(Command& program, Session& session);
void addMeasureCommand(Command& program, Session& session);
void addRepairCommand(Command& program, Session& session);
void addSelectCommand(Command& program, Session& session);
void addGenerateCommand(Command& program, Session& session);
void addParametersCommand(Command& program, Session& session);
void addDevicesCommand(Command& program, Session& session);
void addVerifyCommand(Command& program, Session& session);
/// Below the verify command.
void addVerifySynapsesCommand(Command& verify, Session& session);
void addVerifySimulationCommand(Command& verify, Session& session);
void addFitCommand(Command& program, Session& session);
void addBenchCommand(Command& program, Session& session);
/// Below the bench command.
void addBenchProjectionsCommand(Command& bench, Session& session);
void addBenchSynapsesCommand(Command& bench, Session& session);
void addBenchSimulationCommand(Command& bench, Session& session);
void addBenchScalingCommand(Command& bench, Session& session);
void addProjectCommand(Command& program, Session& session);
void addFormCommand(Command& program, Session& session);
void addGrowCommand(Command& program, Session& session);
void addRunCommand(Command& program, Session& session);
void addExportCommand(Command& program, Session& session);
void addImportCommand(Command& program, Session& session);
void addCompareCommand(Command& program, Session& session);
void addSimulateCommand(Command& program, Session& session);

} // namespace hinesight::cli
