#pragma once

#include "core/run_control.hpp"
#include "widgets/figure/figure_options.hpp"
#include "widgets/legend.hpp"
#include "widgets/picture_file.hpp"
#include "widgets/theme.hpp"

#include <QFont>
#include <QString>

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

class QPainter;

namespace hinesight::widgets {

/// Where a view paints itself: from (0, 0), in 1/96 inch.
struct FigureArea
{
  QSizeF size;
  double ratio = 1; ///< pixels of the picture a unit
  bool isTransparent = false;
  bool hasScaleBar = true;
  Corner scaleCorner = Corner::BottomRight;
  QFont font; ///< in pixels of 1/96 inch, the same on every device
  RunControl control = {};
  bool isParallel = false; ///< what is seen in perspective
};

/// A view as it can be painted in any size, without a change to what is on the screen. The view must outlive it.
struct Figure
{
  QString title;
  std::function<Legend()> legend;                          ///< in the colours of theme(); empty: none
  std::function<void(QPainter&, const FigureArea&)> paint; ///< in the colours of theme()
  /// The same figure as it is now in the colours of a theme, which is painted on any one thread and outlives the view.
  /// Empty: only the view can paint it.
  std::function<Figure(ThemeMode)> still = {};
  bool hasScaleBar = false;   ///< that can be left out
  bool isPerspective = false; ///< it can be painted in a parallel projection, too
  bool hasPixels = false;     ///< some of it is a picture of pixels in drawings, too
  QString name = {};          ///< among the parts of its page
  /// Of a page: each of its charts alone.
  std::vector<Figure> parts = {};
  std::optional<std::size_t> clickedPart = {}; ///< the one that a person clicked last; none: another one, or none
};

/// The charts, tables and pictures of a page, each a FigurePart, in the places that they have on the screen; without
/// the controls around them. They are laid out in the size of the figure; where one of them cannot be, all are scaled
/// into it. Its title is the window title of the page. `prepare`: called before each painting.
Figure figureOf(QWidget& page, std::function<void()> prepare = {});
/// Gives a figure the named parts of a page, each of which is laid out in the size of the figure.
void addParts(Figure& figure, QWidget& page, const std::function<void()>& prepare = {});

/// In whose colours a figure is painted.
ThemeMode themeOf(const FigureOptions& options);

/// Two figures side by side, with the legend of the left one.
Figure sideBySide(Figure left, Figure right);

/// For writePicture: pixels and, for every figure, lines and letters. Throws as validate; its functions throw
/// Error(Cancelled).
Picture pictureOf(const Figure& figure, const FigureOptions& options, const RunControl& control = {});
/// The same in no more than so many pixels, for the screen.
QImage previewOf(const Figure& figure, const FigureOptions& options, const QSize& room, const RunControl& control = {});

/// What the legend of a figure has no room for, in letters that can be read.
struct LegendShortage
{
  std::size_t entries = 0; ///< of the legend
  std::size_t leftOut = 0;
  std::optional<int> height =
      {}; ///< of a figure that has room for all, in the unit of the options; none: no such figure
};
/// None: all of it is in the figure. Throws as validate.
std::optional<LegendShortage> legendShortage(const Figure& figure, const FigureOptions& options);

} // namespace hinesight::widgets
