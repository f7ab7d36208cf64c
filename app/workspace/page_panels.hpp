#pragma once

#include "app/pages/pages.hpp"

#include <QString>

#include <vector>

namespace hinesight::app {

/// What says something to pages that are seen together, that which says most first.
std::vector<Panel> panelsOf(const std::vector<const PageDefinition*>& pages);

QString titleOf(Panel panel);

} // namespace hinesight::app
