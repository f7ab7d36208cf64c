#include "app/cli/cells/batch_options.hpp"

#include "app/cli/options.hpp"
#include "app/cli/report.hpp"
#include "core/error.hpp"
#include "core/text.hpp"

namespace hinesight::cli {

study::CellParameters BatchOptions::commandDefaults()
{
  study::CellParameters parameters;
  parameters.batch.source = study::BatchSource::Both;
  parameters.batch.distinctTrees = 0;
  return parameters;
}

void addFileParameters(Command& command, study::FileParameters& parameters)
{
  addFieldOptions(command, fieldsOf(parameters), "Files");
}

void addBatchOptions(Command& command, BatchOptions& options)
{
  command.addInput("FILE", options.files, "SWC files; several make a mixed batch");
  command.addFlag("--strict", options.strict, "Refuse files that would be repaired with a warning");
  addFileParameters(command, options.fileParameters);
  addFieldOptions(command, fieldsOf(options.parameters.batch), "Batch");
  // As many as the copies come to is not said by a number.
  command.option("--cells").each([](const std::string& text) {
    if (const auto number = numberOf<std::int64_t>(text); number && *number < 1)
      throw Error(ErrorCode::BadParameter, "The number of cells is " + text + "; it must be at least 1.");
  });
  addFieldOptions(command, fieldsOf(options.parameters.discretization), "Discretization");
}

namespace {

/// Of options that change nothing.
void warnOfNoEffect(const BatchOptions& options, Session& session)
{
  const auto fields = fieldsOf(options.parameters.discretization);
  for (const BoundField& field : fields)
    if (options.files.empty() && !field.isDefault())
      session.printWarning("--" + field.name +
                           " has no effect on random trees, which are compartments from the start.");
  const hines::SolveParameters& solve = options.parameters.solve;
  if (solve.backend == Backend::Cpu && solve.devices != hines::SolveParameters().devices)
    session.printWarning("--devices has no effect on the CPU.");
}

} // namespace

study::CellRequest requestOf(const BatchOptions& options, Session& session)
{
  const study::BatchParameters& batch = options.parameters.batch;
  const bool takesFiles = batch.source != study::BatchSource::RandomTrees;
  const bool takesTrees = batch.source != study::BatchSource::OpenCells;
  if (!takesFiles && !options.files.empty())
    throw UsageError("FILE", "has no effect with --source " + std::string(choiceName(batch.source)));
  if (options.files.empty() && (!takesTrees || batch.distinctTrees == 0)) {
    const std::string missing = !takesTrees ? "FILE" : takesFiles ? "FILE or --random-trees" : "--random-trees";
    throw UsageError(missing + " is required");
  }
  validateAllFields(fieldsOf(options.parameters));
  warnOfNoEffect(options, session);
  study::CellRequest request;
  request.parameters = options.parameters;
  request.strict = options.strict;
  request.cells = study::sourcesOf(options.files, options.fileParameters);
  return request;
}

std::function<void(const std::vector<study::CellReading>&)> requireReadings(Session& session)
{
  return [&session](const std::vector<study::CellReading>& readings) {
    for (const study::CellReading& reading : readings) {
      if (reading.error)
        throw Error(*reading.error);
      if (!session.json)
        for (const morphology::Warning& warning : reading.morphology->warnings)
          session.messages() << describeWarning(reading.path, warning) << '\n';
    }
  };
}

study::SourcedBatch makeBatch(const BatchOptions& options, Session& session)
{
  study::CellStudy study;
  return study.makeBatch(requestOf(options, session), session.control(), {requireReadings(session), {}});
}

} // namespace hinesight::cli
