#include "app/cli/networks/projection_options.hpp"

#include "app/cli/options.hpp"
#include "io/networks/neuron_files.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

namespace hinesight::cli {

namespace {

using namespace projection;

/// The first number of a random population.
std::uint64_t countOf(double number, const std::string& option)
{
  if (!(number >= 0 && number <= static_cast<double>(kMaxNeurons)) || number != std::floor(number))
    throw UsageError("--" + option, "begins with " + formatNumber(number, 9) +
                                        "; give a whole number of neurons first, up to " + std::to_string(kMaxNeurons));
  return static_cast<std::uint64_t>(number);
}

/// One, two or three numbers as x, y and z: one stands for all of them, two leave z as it is.
Position alongAxes(const std::vector<double>& numbers, Position position)
{
  for (std::size_t axis = 0; axis < 3; ++axis)
    if (numbers.size() == 1 || axis < numbers.size())
      position[axis] = numbers[numbers.size() == 1 ? 0 : axis];
  return position;
}

[[noreturn]] void refuseUnused(const std::string& option, const std::string& why)
{
  throw UsageError("--" + option, why);
}

study::PopulationChoice choiceOf(const std::string& role, const PopulationOptions& end,
                                 const ProjectionOptions& options)
{
  if (!end.grid.empty() + !end.box.empty() + !end.sphere.empty() + !end.file.empty() > 1)
    refuseUnused(role, "is given in more than one way; leave out all but one");
  study::PopulationChoice choice;
  PopulationParameters& p = choice.parameters;
  p.name = end.name;
  p.size = {options.side, options.side, 1};
  for (std::size_t axis = 0; axis < end.grid.size(); ++axis)
    p.size[axis] = end.grid[axis];
  p.spacing = alongAxes(end.spacing, {options.spacing, options.spacing, options.spacing});
  p.origin = alongAxes(end.origin, {});
  p.seed = end.seed;
  if (!end.box.empty()) {
    p.kind = PopulationKind::Box;
    p.count = countOf(end.box[0], role + "-box");
    p.extent = {end.box[1], end.box[2], end.box.size() > 3 ? end.box[3] : 0};
  } else if (!end.sphere.empty()) {
    p.kind = PopulationKind::Sphere;
    p.count = countOf(end.sphere[0], role + "-sphere");
    p.radius = end.sphere[1];
  } else if (!end.file.empty()) {
    const io::NeuronFile file = io::parseNeuronFile(end.file);
    p.kind = PopulationKind::File;
    p.file = file.path;
    choice.nodes = file.population;
  }
  if (p.kind != PopulationKind::Grid && !end.spacing.empty())
    refuseUnused(role + "-spacing", "is of a grid, which the " + role + " is not");
  if (p.kind == PopulationKind::File && !end.origin.empty())
    refuseUnused(role + "-origin", "is of neurons that are made; those of a file are where the file says");
  return choice;
}

/// A parameter that would change nothing was given by mistake.
void requireUsed(const ProjectionOptions& options)
{
  const ProjectionParameters& p = options.parameters;
  for (const BoundField& field : fieldsOf(p))
    if (!field.about.applies &&
        std::find(options.given.begin(), options.given.end(), field.name) != options.given.end())
      throw UsageError("--" + field.name, "has no effect with --kernel " + std::string(choiceName(p.kernel)) +
                                              " --rule " + std::string(choiceName(p.rule)));
}

void addEnd(Command& command, const std::string& role, PopulationOptions& end)
{
  const auto addNumbers = [&](const char* what, auto& numbers, const std::string& text, const char* type, int least,
                              int most) {
    return command.addOption("--" + role + "-" + what, numbers, text)
        .splitsAtCommas()
        .takes(least, most)
        .typeName(type);
  };
  command.addOption("--" + role + "-name", end.name, "What the " + role + " is called, in files")
      .typeName("TEXT")
      .defaultText(end.name);
  addNumbers("grid", end.grid, "Neurons of the " + role + " along x, y and z: NX,NY or NX,NY,NZ", "INTS", 2, 3);
  addNumbers("spacing", end.spacing, "Of the " + role + "'s grid, S or SX,SY or SX,SY,SZ [--spacing]", "NUMBERS", 1, 3);
  addNumbers("origin", end.origin,
             "Of the " + role +
                 ", X,Y or X,Y,Z: a grid's first neuron, a box's lowest corner, a sphere's centre [0,0,0]",
             "NUMBERS", 2, 3);
  addNumbers("box", end.box, "The " + role + " at random in a box from the origin: COUNT,LX,LY or COUNT,LX,LY,LZ",
             "NUMBERS", 3, 4);
  addNumbers("sphere", end.sphere, "The " + role + " at random in a sphere around the origin: COUNT,RADIUS", "NUMBERS",
             2, 2);
  addNumber(command, "--" + role + "-seed", end.seed, "Of the random positions of the " + role);
  command.addInput("--" + role, end.file, "Positions of the " + role + " from a file: " + io::neuronFileHelp());
}

/// One population at both ends leaves nothing to say of a destination.
void excludeDestination(Command& command, Option recurrent)
{
  for (const char* what : {"", "-name", "-grid", "-spacing", "-origin", "-box", "-sphere", "-seed"})
    recurrent.excludes(command.option(std::string("--destination") + what));
}

} // namespace

void addProjectionOptions(Command& command, ProjectionOptions& options)
{
  const std::string populations = "Populations";
  addNumber(command, "--side", options.side, "Both are square grids of so many neurons a side").group(populations);
  addNumber(command, "--spacing", options.spacing, "Of the neurons of both, where they are grids").group(populations);
  addEnd(command, "source", options.source);
  addEnd(command, "destination", options.destination);
  excludeDestination(command, command.addFlag("--recurrent", options.isRecurrent,
                                              "The source is the destination too: one population"));
  const std::string group = "Projection";
  ProjectionParameters& p = options.parameters;
  for (const BoundField& field : fieldsOf(p))
    addFieldOption(command, field, group).each([&options, name = field.name](const std::string&) {
      options.given.push_back(name);
    });
  command
      .addFlag(
          "--random", [&p] { p.rule = ConnectionRule::Random; }, "The same as --rule random")
      .excludes(command.option("--rule"))
      .group(group);
}

study::ProjectionRequest requestOf(const ProjectionOptions& options)
{
  requireUsed(options);
  study::ProjectionRequest request;
  request.parameters = options.parameters;
  request.source = choiceOf("source", options.source, options);
  request.destination = options.isRecurrent ? request.source : choiceOf("destination", options.destination, options);
  return request;
}

} // namespace hinesight::cli
