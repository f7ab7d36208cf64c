#pragma once

#include "app/document/connection_ids.hpp"
#include "app/selection/branch_selection.hpp"
#include "model/session_view.hpp"

#include <memory>
#include <string>
#include <vector>

namespace hinesight::app {

struct RunHistory;

/// What is no part of a project, makes no step, and is there again with what a step brings back.
struct Aside
{
  HiddenByFile hidden; ///< of the cells of the project
  std::string formed;  ///< the connection whose synapses the page Synapses shows; empty: it shows those of its own
  std::vector<model::SeenPath> paths; ///< that were measured; there again with other cells
  /// Of the document, with what it ran by now: a step within one document changes nothing of it. Null: it stays.
  std::shared_ptr<RunHistory> runs = {};
  ConnectionIds::Map connections = {}; ///< which of them is which; empty: they are those of another document
};

} // namespace hinesight::app
