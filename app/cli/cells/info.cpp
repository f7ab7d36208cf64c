#include "app/cli/cells/batch_options.hpp"
#include "app/cli/cells/cell_info.hpp"
#include "app/cli/commands.hpp"
#include "app/cli/options.hpp"
#include "morphology/swc.hpp"
#include "morphology/unit_scale.hpp"

#include <memory>
#include <string>
#include <vector>

namespace hinesight::cli {

namespace {

struct InfoOptions
{
  std::vector<std::string> files;
  study::FileParameters fileParameters;
  bool strict = false;
};

/// Reads every file: one that cannot be read is reported and does not keep the others from being shown.
int runInfo(const InfoOptions& options, Session& session)
{
  std::vector<CellInfo> cells;
  std::vector<Error> errors;
  validateAllFields(fieldsOf(options.fileParameters));
  for (const study::CellSource& source : study::sourcesOf(options.files, options.fileParameters)) {
    try {
      const auto asRead = morphology::readSwc(source.path, {.strict = options.strict}, session.control());
      cells.push_back(describeCell(source.path, *morphology::inMicrometres(asRead, source.scale, session.control())));
    } catch (const Error& error) {
      if (error.code() == ErrorCode::Cancelled)
        throw;
      errors.push_back(error);
    }
  }
  printCells(session.results(), cells, session.json);
  for (const Error& error : errors)
    session.printError(error);
  return errors.empty() ? 0 : 1;
}

} // namespace

void addInfoCommand(Command& program, Session& session)
{
  auto options = std::make_shared<InfoOptions>();
  Command& command = addCommand(program, session, "info", "Say what SWC files hold and what is odd about them",
                                [options, &session] { return runInfo(*options, session); });
  command.addInput("FILE", options->files, "SWC files").required();
  command.addFlag("--strict", options->strict, "Refuse files that would be repaired with a warning");
  addFileParameters(command, options->fileParameters);
}

} // namespace hinesight::cli
