#include "app/cli/program.hpp"

#include "app/cli/commands.hpp"
#include "app/cli/gpu_option.hpp"
#include "app/cli/ranks.hpp"
#include "app/cli/session.hpp"
#include "app/manual/manual_option.hpp"
#include "app/manual/version.hpp"
#include "core/device.hpp"
#include "core/rank_tasks.hpp"

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <iostream>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>
#include <unistd.h>

namespace hinesight::cli {

namespace {

constexpr const char* kOutOfMemory = "Not enough memory; choose fewer cells, compartments, neurons or threads.";

constexpr int kFailed = 1;
constexpr int kWrongUsage = 2;

/// What an interrupt cancels, kept to the very end: signals come until then. RunControl::cancel only sets an atomic
/// flag, so a signal handler may call it.
const RunControl* interrupted = nullptr;

/// What takes one GPU runs on the one of that number.
void chooseDevice(const std::string& number)
{
  if (currentRanks())
    throw UsageError("--device", "each rank has a GPU of its own; leave it out");
  const std::vector<DeviceInfo> devices = cudaDevices();
  std::string numbers;
  for (const DeviceInfo& device : devices) {
    const std::string own = std::to_string(device.index);
    if (own == number)
      return setMainCudaDevice(device.index);
    numbers += (numbers.empty() ? ": " : ", ") + own;
  }
  const std::string count = devices.empty()       ? "no GPU that can be used"
                            : devices.size() == 1 ? "1 GPU"
                                                  : std::to_string(devices.size()) + " GPUs";
  throw UsageError("--device", "'" + number + "' is no GPU of this machine, which has " + count + numbers);
}

void addCommands(Command& program, Session& session)
{
  program.requireCommand();
  addGpuOption(
      program, "--limit-gpu", [](Gpu gpu) { limitDevices(knownDevice(gpu).model); },
      "For developers and tests, before the command: treat every CUDA device as one with no more than this model has");
  program
      .addOption(
          "--device", chooseDevice,
          "Before the command: the GPU that runs what takes one, by its number in 'devices'; of several GPUs the first")
      .typeName("INT");
  addInfoCommand(program, session);
  addPlanCommand(program, session);
  addSolveCommand(program, session);
  addMeasureCommand(program, session);
  addRepairCommand(program, session);
  addSelectCommand(program, session);
  addGenerateCommand(program, session);
  addParametersCommand(program, session);
  addDevicesCommand(program, session);
  addVerifyCommand(program, session);
  addFitCommand(program, session);
  addBenchCommand(program, session);
  addProjectCommand(program, session);
  addFormCommand(program, session);
  addGrowCommand(program, session);
  addRunCommand(program, session);
  addExportCommand(program, session);
  addImportCommand(program, session);
  addCompareCommand(program, session);
  addSimulateCommand(program, session);
}

/// Whether --json is asked for, known also where the command line cannot be parsed.
bool mentionsJson(int argc, char** argv)
{
  for (int i = 1; i < argc; ++i)
    if (std::string_view(argv[i]) == "--json")
      return true;
  return false;
}

/// What shows the help of the command that was chosen, or of the program where none was.
std::string helpCommand(const CLI::App& program)
{
  const auto chosen = program.get_subcommands();
  return program.get_name() + (chosen.empty() ? "" : " " + chosen.front()->get_name()) + " --help";
}

/// Says it where the first word of the command line should name a command and does not: CLI11 would only say that a
/// subcommand is missing.
void requireKnownCommand(const CLI::App& program, int argc, char** argv)
{
  if (argc < 2 || argv[1][0] == '-')
    return;
  const std::string word = argv[1];
  std::string names;
  for (const CLI::App* command : program.get_subcommands({})) {
    if (command->check_name(word))
      return;
    names += (names.empty() ? "" : ", ") + command->get_name();
  }
  throw UsageError("'" + word + "' is no command; the commands are " + names);
}

/// Throws for "--option=" with nothing behind it: CLI11 would take the next argument for its value, an option too.
void requireValues(int argc, char** argv)
{
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument.starts_with("--") && argument.ends_with('='))
      throw UsageError("'" + std::string(argument) + "' gives no value");
  }
}

int refuse(const CLI::App& program, Session& session, const std::string& problem)
{
  session.printError("usage", problem + "; '" + helpCommand(program) + "' tells more");
  return kWrongUsage;
}

int parseAndRun(CLI::App& program, Session& session, int argc, char** argv)
{
  int status = 0;
  try {
    requireKnownCommand(program, argc, argv);
    requireValues(argc, argv);
    program.parse(argc, argv);
    status = runOnRanks(session);
  } catch (const CLI::Success& help) {
    status = program.exit(help);
  } catch (const CLI::ParseError& failure) {
    return refuse(program, session, failure.what());
  } catch (const UsageError& failure) {
    return refuse(program, session, failure.what());
  }
  if (!std::cout.flush())
    throw Error(ErrorCode::WriteFailed, "The output cannot be written to stdout; is the disk full?");
  return status;
}

} // namespace

void cancelOnInterrupt(const RunControl& control)
{
  interrupted = new RunControl(control);
  struct sigaction action = {};
  action.sa_handler = [](int) { interrupted->cancel(); };
  // A second interrupt ends the program at once. A read that is under way goes on, so that it does not look failed.
  action.sa_flags = static_cast<int>(SA_RESETHAND) | SA_RESTART;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

namespace {

int runSafely(const std::string& name, int argc, char** argv)
{
  CLI::App program("See how neurons' equations are scheduled and solved.", name);
  Session session(name);
  session.json = mentionsJson(argc, argv);
  cancelOnInterrupt(session.control());
  try {
    program.set_version_flag("--version", manual::versionText(name));
    program.footer("Results go to stdout, progress and errors to stderr.\n"
                   "Exit status: 0 done, 1 failed, 2 wrong usage. '" +
                   name + " COMMAND --help' tells more.");
    Command commands(program);
    addCommands(commands, session);
    manual::addManualOption(program);
    return parseAndRun(program, session, argc, argv);
  } catch (const Error& error) {
    session.printError(error);
  } catch (const std::bad_alloc&) {
    session.printError(Error(ErrorCode::OutOfMemory, kOutOfMemory));
  } catch (const std::exception& error) {
    session.printError("internal", std::string("Internal error: ") + error.what());
  }
  return kFailed;
}

/// Without memory: there may be none to say it with.
void sayOutOfMemory(const char* name) noexcept
{
  for (const char* const part : {name, ": ", kOutOfMemory, "\n"})
    if (::write(STDERR_FILENO, part, std::strlen(part)) < 0)
      return;
}

const char* programName = "";

std::atomic<bool> wasShort{false};

void throwWithoutMemory()
{
  wasShort = true;
  throw std::bad_alloc();
}

/// Where memory is short in somebody else's code that no exception leaves, such as a destructor of JSON. Code of the
/// standard library ends without telling which exception it was.
[[noreturn]] void endWithoutMemory()
{
  try {
    if (std::current_exception())
      std::rethrow_exception(std::current_exception());
    if (wasShort)
      throw std::bad_alloc();
  } catch (const std::bad_alloc&) {
    sayOutOfMemory(programName);
    std::_Exit(kFailed);
  } catch (...) {
  }
  std::abort();
}

} // namespace

void endWhereMemoryDoes(const char* name)
{
  programName = name;
  std::set_new_handler(throwWithoutMemory);
  std::set_terminate(endWithoutMemory);
}

int runProgram(const char* name, int argc, char** argv)
{
  endWhereMemoryDoes(name);
  try {
    return runSafely(name, argc, argv);
  } catch (...) {
    sayOutOfMemory(name);
    return kFailed;
  }
}

} // namespace hinesight::cli
