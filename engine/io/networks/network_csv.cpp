#include "core/error.hpp"
#include "core/files.hpp"
#include "io/csv.hpp"
#include "io/networks/network_files.hpp"
#include "io/text_lines.hpp"

#include <cmath>

// Neurons and networks as text: comments, a line that names the columns, then a line a neuron or synapse.

namespace hinesight::io::detail {

namespace {

using synapse::NeuronPopulation;

constexpr std::string_view kNetworkTitle = "# hinesight network";
constexpr std::string_view kNetworkColumns = "source,target,weight,plastic";
constexpr std::string_view kNeuronTitle = "# hinesight neurons";

/// The number behind "# NAME: " in a comment.
void takeComment(const TextLines& lines, std::string_view name, std::uint64_t& value)
{
  std::string_view rest = lines.line();
  rest.remove_prefix(std::min<std::size_t>(rest.size(), 2));
  if (!rest.starts_with(name) || !rest.substr(name.size()).starts_with(": "))
    return;
  if (!parseWhole(rest.substr(name.size() + 2), value))
    lines.fail("does not give " + std::string(name) + " as a whole number");
}

/// On to the line that names the columns, past comments, each of which is shown to `takeLine`.
template <typename TakeLine>
void skipHead(TextLines& lines, std::string_view columns, const TakeLine& takeLine)
{
  while (lines.next() && lines.line().starts_with('#'))
    takeLine();
  if (lines.line() != columns)
    lines.fail("does not name the columns \"" + std::string(columns) + "\"");
}

/// The name of an area: what a line has left, perhaps in quotes.
std::string_view areaOf(std::string_view rest, const TextLines& lines, std::string& room)
{
  if (!rest.starts_with('"'))
    return rest;
  const auto rows = parseCsv(rest, lines.file());
  if (rows.size() != 1 || rows.front().fields.size() != 1)
    lines.fail("does not end in one area");
  room = rows.front().fields.front();
  return room;
}

void addNeuron(const TextLines& lines, NeuronPopulation& population, AreaNames& areas, std::string& room)
{
  std::string_view rest = lines.line();
  synapse::Position position;
  for (double& x : position)
    if (!parseWhole(takeField(rest), x) || !std::isfinite(x))
      lines.fail(quoteLine(lines.line()) + " does not begin with three finite coordinates");
  const std::string_view type = takeField(rest);
  if (type != "ex" && type != "in")
    lines.fail(quoteLine(type) + " is no type of a neuron; it is \"ex\" or \"in\"");
  population.position.push_back(position);
  population.isInhibitory.push_back(type == "in" ? 1 : 0);
  population.area.push_back(areas.indexOf(areaOf(rest, lines, room)));
}

} // namespace

NetworkContent contentOfCsv(const std::filesystem::path& path)
{
  const std::string row = firstRow(path);
  return row == kNetworkColumns  ? NetworkContent::Network
         : row == kNeuronColumns ? NetworkContent::Neurons
                                 : NetworkContent::Other;
}

StoredNetwork readNetworkCsv(const std::filesystem::path& path, const RunControl& control)
{
  const std::string text = readFile(path);
  TextLines lines(text, path.string(), control);
  constexpr std::uint64_t kUnknown = ~std::uint64_t{0}, kMostSteps = 0xFFFFFFFF;
  std::uint64_t neurons = 0, rows = kUnknown, step = 0;
  std::vector<Setting> settings;
  skipHead(lines, kNetworkColumns, [&] {
    takeComment(lines, "neurons", neurons);
    takeComment(lines, "rows", rows);
    takeComment(lines, "step", step);
    takeParameter(lines.line(), settings);
  });
  if (step > kMostSteps)
    throw Error(ErrorCode::BadFormat, "is of step " + std::to_string(step) + ", which no simulation reaches",
                path.string());
  NetworkBuilder builder(path.string(), neurons);
  while (lines.next()) {
    if (lines.line().empty())
      continue;
    std::string_view rest = lines.line();
    std::uint64_t source = 0, target = 0;
    double weight = 0;
    const bool isRow = parseWhole(takeField(rest), source) && parseWhole(takeField(rest), target) &&
                       parseWhole(takeField(rest), weight);
    if (!isRow || (rest != "0" && rest != "1"))
      lines.fail(quoteLine(lines.line()) + " is no row of " + std::string(kNetworkColumns));
    builder.add(source, target, weight, rest == "1", lines.number());
  }
  if (rows != kUnknown && builder.rows() != rows)
    throw Error(ErrorCode::BadFormat,
                "holds " + std::to_string(builder.rows()) + " of " + std::to_string(rows) + " rows; was it cut short?",
                path.string());
  StoredNetwork network = builder.finish(static_cast<std::uint32_t>(step));
  network.settings = std::move(settings);
  return network;
}

void writeNetworkCsv(const StoredNetwork& network, const NeuronPopulation& population,
                     const std::filesystem::path& path, const RunControl& control)
{
  writeFileAtomically(path, [&](std::ostream& stream) {
    TextRows text(stream, control);
    text << kNetworkTitle << "\n# neurons: " << network.neurons()
         << "\n# rows: " << network.plastic.synapses.size() + network.fixed.size() << "\n# step: " << network.step
         << "\n# source and target count from 0; the weight is the number of synapses, negative from inhibitory axons;"
         << "\n# plastic: 1, or 0 for static synapses, whose weight is any number\n";
    text << parameterComments(settingsOf(network, population)) << kNetworkColumns;
    text.endRow();
    const auto writeRows = [&](const auto& synapses, char plastic) {
      for (const auto& synapse : synapses) {
        text << synapse.source << ',' << synapse.target << ',' << synapse.weight << ',' << plastic;
        text.endRow();
      }
    };
    writeRows(network.plastic.synapses, '1');
    writeRows(network.fixed, '0');
  });
}

NeuronPopulation parseNeuronsCsv(const std::string& text, const std::string& file, const RunControl& control)
{
  TextLines lines(text, file, control);
  std::uint64_t neurons = 0;
  skipHead(lines, kNeuronColumns, [&] { takeComment(lines, "neurons", neurons); });
  NeuronPopulation population;
  AreaNames areas;
  std::string room;
  while (lines.next())
    if (!lines.line().empty())
      addNeuron(lines, population, areas, room);
  if (population.position.empty())
    lines.fail("ends without a neuron");
  if (neurons > 0 && neurons != population.size())
    throw Error(ErrorCode::BadFormat,
                "holds " + std::to_string(population.size()) + " of " + std::to_string(neurons) +
                    " neurons; was it cut short?",
                file);
  population.areaNames = areas.take();
  return population;
}

void writeNeuronsCsv(const NeuronPopulation& population, const std::filesystem::path& path, const RunControl& control)
{
  std::vector<std::string> areas;
  for (const std::string& area : population.areaNames) {
    if (area.find_first_of("\r\n") != std::string::npos)
      throw Error(ErrorCode::BadParameter, "The name of an area has two lines; give it one.", path.string());
    areas.push_back(quoteCsv(area));
  }
  writeFileAtomically(path, [&](std::ostream& stream) {
    TextRows text(stream, control);
    text << kNeuronTitle << "\n# neurons: " << population.size() << "\n# x, y, z in um\n";
    text << parameterComments(population.origin) << kNeuronColumns;
    text.endRow();
    for (std::size_t i = 0; i < population.size(); ++i) {
      for (const double x : population.position[i])
        text << x << ',';
      text << (population.isInhibitory[i] ? "in," : "ex,") << areas[population.area[i]];
      text.endRow();
    }
  });
}

} // namespace hinesight::io::detail
