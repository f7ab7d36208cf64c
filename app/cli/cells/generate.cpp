#include "app/cli/cells/cell_info.hpp"
#include "app/cli/commands.hpp"
#include "app/cli/options.hpp"
#include "core/error.hpp"
#include "morphology/swc.hpp"
#include "morphology/synthetic.hpp"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace hinesight::cli {

namespace {

constexpr std::int64_t kMostCells = 1'000'000;

struct GenerateOptions
{
  morphology::SyntheticCellParameters cell;
  std::int64_t cells = 1;
  std::string output; ///< empty: stdout
};

/// out.swc for a single cell; out-1.swc, out-2.swc, ... for several.
std::filesystem::path outputOf(const GenerateOptions& options, std::int64_t index)
{
  std::filesystem::path path = options.output;
  if (options.cells > 1)
    path.replace_filename(path.stem().string() + "-" + std::to_string(index + 1) + path.extension().string());
  return path;
}

int runGenerate(const GenerateOptions& options, Session& session)
{
  if (options.cells < 1 || options.cells > kMostCells)
    throw Error(ErrorCode::BadParameter, "--cells is " + std::to_string(options.cells) + "; it must be 1 to " +
                                             std::to_string(kMostCells) + ".");
  morphology::validate(options.cell);
  if (options.output.empty()) {
    if (options.cells > 1 || session.json)
      throw UsageError("--output is required");
    morphology::writeSwc(*morphology::makeSyntheticCell(options.cell, session.control()), session.results());
    return 0;
  }
  std::vector<CellInfo> written;
  for (std::int64_t index = 0; index < options.cells; ++index) {
    session.control().report("generate", static_cast<double>(index) / static_cast<double>(options.cells));
    morphology::SyntheticCellParameters parameters = options.cell;
    parameters.seed += static_cast<std::uint64_t>(index);
    const auto cell = morphology::makeSyntheticCell(parameters, session.control());
    const std::filesystem::path path = outputOf(options, index);
    morphology::writeSwc(*cell, path);
    written.push_back(describeCell(path.string(), *cell));
  }
  printCells(session.results(), written, session.json);
  return 0;
}

} // namespace

void addGenerateCommand(Command& program, Session& session)
{
  auto options = std::make_shared<GenerateOptions>();
  Command& command =
      addCommand(program, session, "generate", "Make synthetic cells and write them as SWC, to stdout or to files",
                 [options, &session] { return runGenerate(*options, session); });
  addFieldOptions(command, fieldsOf(options->cell), "Shape");
  addNumber(command, "--cells", options->cells, "How many cells; several become FILE-1.swc, FILE-2.swc, ...");
  command.addOutput("FILE,-o,--output", options->output, "The SWC file; without it, one cell goes to stdout");
}

} // namespace hinesight::cli
