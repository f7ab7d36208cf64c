#include "app/shell/launch_options.hpp"

#include "app/files/file_name.hpp"
#include "app/manual/manual_option.hpp"
#include "app/manual/version.hpp"
#include "app/pages/pages.hpp"
#include "app/workspace/window_place.hpp"
#include "core/device.hpp"
#include "hines/solvers/definition.hpp"
#include "widgets/orbit/vtk_version.hpp"

#include <CLI/CLI.hpp>

#include <cmath>
#include <cstdio>
#include <iostream>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>

namespace hinesight::app {

namespace {

constexpr int kFailedStatus = 1;
constexpr int kUsageStatus = 2;
constexpr int kScreenDots = 96;     ///< pixels an inch of a screen
constexpr int kLargestSide = 16384; ///< what OpenGL implementations draw into

const std::map<std::string, Backend> kBackends = {{"cpu", Backend::Cpu}, {"cuda", Backend::Cuda}};

const std::map<std::string, widgets::ThemeMode> kThemes = {{"dark", widgets::ThemeMode::Dark},
                                                           {"light", widgets::ThemeMode::Light}};

std::map<std::string, hines::SolverId> solverNames()
{
  std::map<std::string, hines::SolverId> names;
  for (const hines::SolverDefinition* solver : hines::allSolvers())
    names[std::string(solver->traits.name())] = solver->traits.id;
  return names;
}

/// The models that are known.
std::map<std::string, Gpu> gpuNames()
{
  std::map<std::string, Gpu> names;
  const std::span<const Choice> table = tableOf(Gpu::Here);
  for (std::size_t k = 1; k < table.size(); ++k)
    names[std::string(table[k].name)] = static_cast<Gpu>(k);
  return names;
}

/// With their places among the tabs.
std::map<std::string, int> viewNames()
{
  std::map<std::string, int> names;
  for (const PageDefinition& page : allPages())
    names.emplace(page.name, static_cast<int>(names.size()));
  return names;
}

std::map<std::string, widgets::ColorBy> colorNames()
{
  std::map<std::string, widgets::ColorBy> names;
  for (const widgets::ColorBy rule : widgets::allColorBys())
    names[std::string(choiceName(rule))] = rule;
  return names;
}

std::optional<QSize> parseSize(const std::string& text)
{
  int width = 0;
  int height = 0;
  int used = 0;
  if (std::sscanf(text.c_str(), "%5dx%5d%n", &width, &height, &used) != 2 || used != static_cast<int>(text.size()))
    return std::nullopt;
  if (width < 1 || height < 1 || width > kLargestSide || height > kLargestSide)
    return std::nullopt;
  return QSize(width, height);
}

template <typename Value>
CLI::IsMember namesOf(const std::map<std::string, Value>& names)
{
  std::vector<std::string> keys;
  for (const auto& [name, value] : names)
    keys.push_back(name);
  return CLI::IsMember(keys);
}

/// In a figure; "none" leaves out what would stand there.
template <typename Place>
std::map<std::string, std::optional<Place>> placeNames()
{
  std::map<std::string, std::optional<Place>> names{{"none", std::nullopt}};
  const std::span<const Choice> table = tableOf(Place{});
  for (std::size_t k = 0; k < table.size(); ++k)
    names[std::string(table[k].name)] = static_cast<Place>(k);
  return names;
}

} // namespace

LaunchDecision parseLaunchOptions(int argc, char** argv)
{
  CLI::App program("Opens neurons and shows how their equations are scheduled and solved.", "hinesight");
  program.set_version_flag(
      "--version", manual::versionText(program.get_name(), {{"Qt", qVersion()}, {"VTK", widgets::vtkVersion()}}));
  program.footer("Exit status: 0 done, 1 failed, 2 wrong usage.");

  LaunchOptions options;
  std::vector<std::string> files;
  std::string view;
  std::string screenshot;
  std::string session;
  std::string exportFolder;
  std::string size;
  std::int32_t copies = 1;
  std::string solver;
  std::string backend;
  std::string colorBy;
  std::string theme;
  std::string limit;
  const auto gpus = gpuNames();
  const auto solvers = solverNames();
  const auto colors = colorNames();
  program
      .add_option("FILE", files,
                  "SWC files, a folder of them, a weight table, a network of synapses or a session to open")
      ->type_name("")
      ->check([](const std::string& text) { return fileNameProblem(text, true); });
  program.add_option("--view", view, "View to show")->check(namesOf(viewNames()));
  auto* screenshotOption =
      program
          .add_option(
              "--screenshot", screenshot,
              "Write a picture of the window after the first run, and exit; of the view alone, as a figure, "
              "where the name ends in .svg or .pdf or one of --dpi, --transparent, --light, --legend and --scale-bar "
              "is given")
          ->type_name("FILE")
          ->check([](const std::string& text) { return fileNameProblem(text, false); });
  auto* sessionOption = program.add_option("--session", session, "Session to open")
                            ->type_name("FILE")
                            ->check([](const std::string& text) { return fileNameProblem(text, true); });
  auto* exportOption =
      program
          .add_option("--export", exportFolder,
                      "Write a picture of each view, the circuit, tables and timings to this folder, and exit")
          ->type_name("FOLDER")
          ->check([](const std::string& text) { return fileNameProblem(text, false); })
          ->excludes(screenshotOption);
  widgets::FigureOptions figure;
  figure.dotsPerInch = kScreenDots;
  figure.theme = widgets::FigureTheme::Screen;
  bool isLight = false;
  auto* dpiOption =
      program.add_option("--dpi", figure.dotsPerInch, "Pixels an inch of the figure; of --size 96 are one")
          ->check(CLI::Range(24, 1200));
  program.add_flag("--transparent", figure.isTransparent, "Leave the background of the figure out");
  program.add_flag("--light", isLight, "Make the figure in light colours, for print");
  std::string legendPlace;
  std::string scaleBarPlace;
  const auto legendPlaces = placeNames<widgets::LegendPlace>();
  const auto scaleBarPlaces = placeNames<widgets::Corner>();
  program.add_option("--legend", legendPlace, "Where the legend of the figure stands")->check(namesOf(legendPlaces));
  program.add_option("--scale-bar", scaleBarPlace, "Where scale bar and axes of the figure stand")
      ->check(namesOf(scaleBarPlaces));
  std::pair<int, std::string> turntable;
  program
      .add_option("--turntable", turntable,
                  "Write so many PNG pictures of a full turn of the Morphology view into a folder, and exit")
      ->type_name("N FOLDER");
  program.add_option("--size", size, "Size of the window in pixels, such as 1600x1000")
      ->type_name("WIDTHxHEIGHT")
      ->check([](const std::string& text) {
        return parseSize(text) ? std::string() : "give WIDTHxHEIGHT with 1 to 16384 pixels each, such as 1600x1000";
      });
  auto* copiesOption =
      program.add_option("--copies", copies, "Copies of every cell to solve")->check(CLI::Range(1, 1'000'000));
  program.add_option("--solver", solver, "How to solve")->check(namesOf(solvers));
  program.add_option("--backend", backend, "Where all pages compute: solves, tables, synapses, growth and simulations")
      ->check(namesOf(kBackends));
  program.add_option("--color-by", colorBy, "What colours show")->check(namesOf(colors));
  program
      .add_option("--limit-gpu", limit,
                  "For developers and tests: treat every CUDA device as one with no more than this model has")
      ->check(namesOf(gpus));
  program.add_option("--theme", theme, "Colours of the window")->check(namesOf(kThemes));
  manual::addManualOption(program);
  try {
    program.parse(argc, argv);
  } catch (const CLI::Success& success) {
    int status = program.exit(success);
    if (!std::cout.flush()) {
      std::cerr << "hinesight: The output cannot be written to stdout; is the disk full?\n";
      status = kFailedStatus;
    }
    return {std::nullopt, status};
  } catch (const CLI::ParseError& error) {
    std::cerr << "hinesight: " << error.what() << " (hinesight --help lists the options)\n";
    return {std::nullopt, kUsageStatus};
  }

  if (!limit.empty())
    limitDevices(knownDevice(gpus.at(limit)).model); // before anything asks for devices
  for (const std::string& file : files)
    options.files << QString::fromStdString(file);
  if (sessionOption->count() > 0)
    options.files << QString::fromStdString(session);
  if (exportOption->count() > 0)
    options.exportFolder = QString::fromStdString(exportFolder);
  if (!view.empty())
    options.view = viewNames().at(view);
  if (screenshotOption->count() > 0)
    options.screenshot = QString::fromStdString(screenshot);
  options.turntable = turntable.first;
  options.turntableFolder = QString::fromStdString(turntable.second);
  const QString ending = QString::fromStdString(screenshot).section(QLatin1Char('.'), -1).toLower();
  const bool isDrawing = ending == QLatin1String("svg") || ending == QLatin1String("pdf");
  if (!legendPlace.empty()) {
    const auto& place = legendPlaces.at(legendPlace);
    figure.hasLegend = place.has_value();
    figure.legendPlace = place.value_or(figure.legendPlace);
  }
  if (!scaleBarPlace.empty()) {
    const auto& place = scaleBarPlaces.at(scaleBarPlace);
    figure.hasScaleBar = place.has_value();
    figure.scaleCorner = place.value_or(figure.scaleCorner);
  }
  const bool isPlaced = !legendPlace.empty() || !scaleBarPlace.empty();
  if (isDrawing || dpiOption->count() > 0 || figure.isTransparent || isLight || isPlaced || options.turntable > 0) {
    const QSize units = parseSize(size).value_or(WindowPlace::defaultSize());
    figure.unit = widgets::FigureUnit::Pixels;
    figure.width = std::round(units.width() * figure.dotsPerInch / double{kScreenDots});
    figure.height = std::round(units.height() * figure.dotsPerInch / double{kScreenDots});
    figure.theme = isLight ? widgets::FigureTheme::Light : widgets::FigureTheme::Screen;
    options.figure = figure;
  }
  if (!size.empty())
    options.size = *parseSize(size);
  if (copiesOption->count() > 0)
    options.copies = copies;
  if (!solver.empty())
    options.solver = solvers.at(solver);
  if (!backend.empty())
    options.backend = kBackends.at(backend);
  if (!colorBy.empty())
    options.colorBy = colors.at(colorBy);
  if (!theme.empty())
    options.theme = kThemes.at(theme);
  return {options, 0};
}

void applyTo(model::Project& session, const LaunchOptions& options)
{
  if (options.copies)
    session.solve.batch.copies = *options.copies;
  if (options.solver)
    session.solve.solve.solver = *options.solver;
  if (!options.backend)
    return;
  session.solve.solve.backend = *options.backend;
  session.compute.backend = *options.backend;
  for (model::Connection& connection : session.connections)
    if (connection.kind == model::ConnectionKind::Formed)
      connection.formation.backend = *options.backend;
  if (session.form)
    session.form->formation.backend = *options.backend;
  if (session.grow)
    session.grow->model.backend = *options.backend;
  if (session.simulate)
    session.simulate->parameters.backend = *options.backend;
}

} // namespace hinesight::app
