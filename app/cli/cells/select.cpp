#include "app/cli/cells/batch_options.hpp"
#include "app/cli/commands.hpp"
#include "app/cli/options.hpp"
#include "app/cli/report.hpp"
#include "core/files.hpp"
#include "core/text.hpp"
#include "hines/branch/plan.hpp"
#include "io/csv.hpp"
#include "selection/expression.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace hinesight::cli {

namespace {

using selection::BranchField;
using selection::BranchFigure;
using selection::BranchTable;
using Rows = std::vector<std::size_t>;

constexpr std::size_t kMostListed = 40; // rows; --out writes all

struct SelectOptions
{
  BatchOptions batch;
  std::string where;
  std::string table;
};

BranchTable makeTable(const SelectOptions& options, Session& session)
{
  std::vector<study::StudiedCell> cells;
  study::CellStudy study;
  const study::SourcedBatch sourced =
      study.makeBatch(requestOf(options.batch, session), session.control(),
                      {requireReadings(session), [&](const study::CellResult& result) { cells = result.cells; }});
  if (!sourced.batch)
    return {};
  std::vector<selection::TabledCell> tabled;
  for (const study::StudiedCell& cell : cells)
    tabled.push_back({cell.name, cell.discretization.get()});
  const auto& parameters = options.batch.parameters.solve.of<hines::PlanParameters>();
  return makeBranchTable(tabled, *hines::makePlan(sourced.batch, parameters, session.control()));
}

selection::BranchSet choose(const std::string& where, const BranchTable& table)
{
  if (where.empty())
    return ~selection::BranchSet(table.rows());
  try {
    return selection::Expression(where).evaluate(table);
  } catch (const selection::ExpressionError& error) {
    throw Error(error.code(), "--where, character " + std::to_string(error.begin() + 1) + ": " + error.message());
  }
}

/// "length um".
std::string columnName(const BranchField& field)
{
  return std::string(field.name) + (field.unit.empty() ? "" : " um");
}

/// The cell by its name, numbers as `number` writes them; empty: unknown.
template <typename Number>
std::string cellText(const BranchTable& table, const BranchField& field, std::size_t row, Number number)
{
  const double value = table.at(field.figure, row);
  if (field.figure == BranchFigure::Cell)
    return table.cellNames[static_cast<std::size_t>(table.cell[row])];
  return std::isnan(value) ? std::string() : number(value);
}

void writeTable(const BranchTable& table, const Rows& rows, std::ostream& stream)
{
  const auto fields = selection::branchFields();
  for (const BranchField& field : fields)
    stream << (&field == fields.data() ? "" : ",") << columnName(field);
  stream << '\n';
  for (const std::size_t row : rows) {
    for (const BranchField& field : fields)
      stream << (&field == fields.data() ? "" : ",")
             << io::quoteCsv(cellText(table, field, row, [](double value) { return textOf(value); }));
    stream << '\n';
  }
}

/// The first rows; `file` has all of them, or is empty.
void printRows(std::ostream& stream, const BranchTable& table, const Rows& rows, const std::string& file)
{
  constexpr BranchFigure kListed[] = {BranchFigure::Cell,         BranchFigure::Branch,   BranchFigure::Type,
                                      BranchFigure::Order,        BranchFigure::Level,    BranchFigure::Length,
                                      BranchFigure::PathDistance, BranchFigure::Diameter, BranchFigure::Compartments};
  constexpr int kDigits = 5;
  if (rows.empty())
    return;
  Table listed;
  std::vector<std::string> head;
  for (const BranchFigure figure : kListed) {
    const BranchField& field = selection::branchFields()[static_cast<std::size_t>(figure)];
    head.push_back(std::string(field.name) + (field.unit.empty() ? "" : "/um"));
  }
  listed.add(head);
  for (std::size_t i = 0; i < std::min(rows.size(), kMostListed); ++i) {
    std::vector<std::string> line;
    for (const BranchFigure figure : kListed)
      line.push_back(
          cellText(table, selection::branchFields()[static_cast<std::size_t>(figure)], rows[i], [figure](double value) {
            return figure == BranchFigure::Type ? morphology::typeName(static_cast<std::int32_t>(value))
                                                : formatNumber(value, kDigits);
          }));
    listed.add(std::move(line));
  }
  listed.print(stream);
  if (rows.size() > kMostListed)
    stream << "and " << formatCount(static_cast<std::int64_t>(rows.size() - kMostListed)) << " more, which "
           << (file.empty() ? "--out writes to a file" : file + " has") << '\n';
  stream << '\n';
}

Json toJson(const BranchTable& table, const Rows& rows)
{
  Json array = Json::array();
  for (const std::size_t row : rows) {
    Json branch;
    for (const BranchField& field : selection::branchFields())
      branch[std::string(field.name)] = field.figure == BranchFigure::Cell
                                            ? Json(table.cellNames[static_cast<std::size_t>(table.cell[row])])
                                            : jsonNumber(table.at(field.figure, row));
    array.push_back(std::move(branch));
  }
  return array;
}

int runSelect(const SelectOptions& options, Session& session)
{
  constexpr int kDigits = 5;
  if (!options.table.empty())
    requireWritable(options.table);
  choose(options.where.empty() ? "branch > 0" : options.where, {}); // a mistake in it is said before cells are read
  const BranchTable table = makeTable(options, session);
  const selection::BranchSet chosen = choose(options.where, table);
  const Rows rows = chosen.members();
  if (!options.table.empty())
    writeFileAtomically(options.table, [&](std::ostream& stream) { writeTable(table, rows, stream); });
  const double length = totalLength(table, chosen);
  if (session.json) {
    printJson(session.results(), {{"where", options.where},
                                  {"branches", table.rows()},
                                  {"selected", rows.size()},
                                  {"length", jsonNumber(length)},
                                  {"rows", toJson(table, rows)}});
    return 0;
  }
  printRows(session.results(), table, rows, options.table);
  session.results() << formatCount(static_cast<std::int64_t>(rows.size())) << " of "
                    << formatCount(static_cast<std::int64_t>(table.rows())) << " branches, "
                    << formatNumber(length, kDigits) << " um\n";
  return 0;
}

std::string languageInBrief()
{
  std::string text = "An expression compares fields: 'type == axon && pathDistance > 200', 'order in {1, 2}'.\n";
  for (const BranchField& field : selection::branchFields())
    text +=
        "  " + std::string(field.name) + (field.unit.empty() ? "" : " (um)") + ": " + std::string(field.help) + '\n';
  std::string types;
  for (const selection::TypeWord& type : selection::typeWords())
    types += (types.empty() ? "" : ", ") + std::string(type.word);
  return text + "Names of types: " + types;
}

} // namespace

void addSelectCommand(Command& program, Session& session)
{
  auto options = std::make_shared<SelectOptions>();
  Command& command =
      addCommand(program, session, "select", "List the branches of cells for which an expression is true",
                 [options, &session] { return runSelect(*options, session); });
  addBatchOptions(command, options->batch);
  addFieldOptions(command, fieldsOf(options->batch.parameters.solve.of<hines::PlanParameters>()), "Plan");
  command.addOption("--where", options->where, "Which branches; all without it").typeName("EXPRESSION");
  command.addOutput("--out", options->table, "Write a line a branch with all figures to a CSV file");
  command.footer(languageInBrief());
}

} // namespace hinesight::cli
