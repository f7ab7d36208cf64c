#include "app/cli/simulation/checkpoint_options.hpp"

#include "core/files.hpp"
#include "core/text.hpp"

#include <algorithm>
#include <cmath>

namespace hinesight::cli {

void addCheckpointOptions(Command& command, CheckpointOptions& options)
{
  const std::string group = "Checkpoints";
  command
      .addOutput("--checkpoint", options.file,
                 "Keep the simulation in a file, at the end and when it is interrupted, so that a later run goes on")
      .group(group);
  addNumber(command, "--checkpoint-every", options.every, "Keep it that often too, ms of simulated time").group(group);
  // Not an input: the file may be the one that is written.
  command
      .addOption(
          "--resume", options.resume,
          "Go on from a file that --checkpoint wrote, to the results of a run without a stop; where it is the file of "
          "--checkpoint itself and is not there yet, the run begins")
      .typeName("FILE")
      .group(group);
  command.addFlag("--overwrite", options.overwrite, "Replace the file of --checkpoint where it is there").group(group);
}

void requireConsistent(const CheckpointOptions& options)
{
  if (options.every != 0 && options.file.empty())
    throw UsageError("--checkpoint-every", "has no effect without --checkpoint; name the file");
  if (options.overwrite && options.file.empty())
    throw UsageError("--overwrite", "has no effect without --checkpoint; name the file");
  if (!(options.every >= 0 && std::isfinite(options.every)))
    throw Error(ErrorCode::BadParameter, "--checkpoint-every is " + textOf(options.every) + "; choose 0 ms or more.");
  if (options.file.empty())
    return;
  const bool goesOn = !options.resume.empty() && nameSameFile(options.resume, options.file);
  if (!goesOn && !options.overwrite && isThere(options.file))
    throw Error(ErrorCode::BadParameter,
                "is there already; go on from it with --resume, name another file, or replace it with --overwrite",
                options.file);
  requireWritable(options.file);
}

double runWithCheckpoints(simulation::Simulation& simulation, const simulation::SimulationParameters& parameters,
                          const study::NetworkSum& network, double stop, const CheckpointOptions& options,
                          const RunControl& control)
{
  // A command that keeps it in the file that it goes on from can be given again until it is done.
  if (!options.resume.empty() && (options.resume != options.file || isThere(options.file)))
    study::readSimulationCheckpoint(simulation, parameters, network, stop, options.resume);
  const double begin = simulation.time();
  const auto keep = [&] { study::writeSimulationCheckpoint(simulation, parameters, network, options.file); };
  const auto part = [&](double time) { return stop > begin ? std::min(1.0, (time - begin) / (stop - begin)) : 1; };
  try {
    while (simulation.time() < stop - parameters.timeStep / 2) {
      double next = stop;
      if (options.every > 0)
        next = std::min(stop, (std::floor(simulation.time() / options.every + 1e-9) + 1) * options.every);
      simulation.runUntil(next, control.part(part(simulation.time()), part(next)));
      if (options.every > 0 && next < stop)
        keep();
    }
  } catch (const Error& error) {
    if (error.code() == ErrorCode::Cancelled && !options.file.empty())
      keep();
    throw;
  }
  if (!options.file.empty())
    keep();
  return begin;
}

} // namespace hinesight::cli
