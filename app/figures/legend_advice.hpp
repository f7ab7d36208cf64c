#pragma once

#include "widgets/figure/figure.hpp"

namespace hinesight::app {

/// What to do where the legend of a figure has no room for all of its entries; else empty. Throws as
/// widgets::validate.
QString legendAdvice(const widgets::Figure& figure, const widgets::FigureOptions& options);

} // namespace hinesight::app
