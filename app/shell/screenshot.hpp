#pragma once

#include "app/shell/main_window.hpp"

#include <QString>

namespace hinesight::app {

/// Waits for the run that is under way in a shown window to end, then writes a picture of the window as PNG.
/// Throws as widgets::writePicture, and the Error of the run or of a file that could not be read.
void takeScreenshot(MainWindow& window, const QString& path);
/// The same as a figure of the view that is seen, also as SVG or PDF. Throws as widgets::validate too.
void takeFigure(MainWindow& window, const QString& path, const widgets::FigureOptions& options);
/// The same of the Morphology view, turned once around in `frames` pictures: "frame-01.png" and so on.
void takeTurntable(MainWindow& window, int frames, const QString& folder, const widgets::FigureOptions& options);

/// Waits in the same way, then writes everything that the window has open to a folder, which is made where it is not
/// there: a figure of each view that shows something (VIEW.png, of planar views VIEW.svg too) and of each connection
/// (projection-NAME.png, synapses-NAME.png), the networks of those that were formed (synapses-NAME.h5), the network of
/// the page Plasticity, grown as far as the session says (plasticity.png, .svg, .h5, .csv), the timings of all runs
/// (timings.csv), the session (session.hinesight), and where it has connections the circuit as SONATA (circuit/) with
/// the times of its connections (connections.csv). Throws as takeScreenshot, study::makeCircuit and
/// study::exportSonata.
void exportEverything(MainWindow& window, const QString& folder, const widgets::FigureOptions& options);

} // namespace hinesight::app
