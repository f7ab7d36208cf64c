#pragma once

#include "app/shell/main_window.hpp"
#include "core/stage_timings.hpp"
#include "hines/solver.hpp"
#include "model/project.hpp"
#include "widgets/figure/figure_options.hpp"
#include "widgets/theme.hpp"

#include <QSize>
#include <QStringList>

#include <cstdint>
#include <optional>

namespace hinesight::app {

/// What the command line of the desktop program asks for.
struct LaunchOptions
{
  QStringList files;
  std::optional<int> view;             ///< its place among the tabs
  std::optional<QString> screenshot;   ///< picture to write instead of staying open
  std::optional<QString> exportFolder; ///< to write everything to instead of staying open
  /// Then it is a figure of the view that is seen instead of a picture of the window; its size in 1/96 inch is `size`.
  std::optional<widgets::FigureOptions> figure;
  int turntable = 0;         ///< pictures of a full turn of the Morphology view to write
  QString turntableFolder;   ///< into
  std::optional<QSize> size; ///< of the window, logical pixels; none: as it was last time
  // What is not given is as a session says, else the default.
  std::optional<std::int32_t> copies;
  std::optional<hines::SolverId> solver;
  std::optional<Backend> backend; ///< of all that is computed
  std::optional<widgets::ColorBy> colorBy;
  std::optional<widgets::ThemeMode> theme;
};

/// Either options, or the exit status of a program that has said what there is to say: 0 after --help and --version (on
/// stdout), 2 after wrong usage (one sentence on stderr).
struct LaunchDecision
{
  std::optional<LaunchOptions> options;
  int exitStatus = 0;
};

LaunchDecision parseLaunchOptions(int argc, char** argv);

/// What was given counts over what a session says of how and where its parts are computed.
void applyTo(model::Project& session, const LaunchOptions& options);

} // namespace hinesight::app
