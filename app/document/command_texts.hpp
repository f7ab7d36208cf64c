#pragma once

#include "app/cells/cell_list_model.hpp"
#include "app/document/session_work.hpp"
#include "core/error.hpp"
#include "model/project.hpp"
#include "projection/benchmark.hpp"
#include "study/cells/parameters.hpp"
#include "study/formation/formation_study.hpp"
#include "study/growth/growth_study.hpp"
#include "study/projection/projection_study.hpp"

#include <string>
#include <vector>

namespace hinesight::app {

/// Why no command can say what is shown, where saving the session mends that.
class UnsavedSession : public Error
{
public:
  explicit UnsavedSession(const std::string& why) : Error(ErrorCode::BadParameter, why) {}
};

// What a person types into a terminal to compute what a page shows. Each throws Error(BadParameter) with why no command
// can say it.

std::string solveCommand(const std::vector<CellChoice>& cells, study::CellParameters parameters);
/// `shollStep`: µm.
std::string measureCommand(const std::vector<CellChoice>& cells, double shollStep);
std::string projectCommand(const study::ProjectionRequest& request);
std::string formCommand(study::FormationRequest request);
/// Of as many steps.
std::string growCommand(study::GrowthRequest request, std::uint32_t steps);

std::string benchProjectionsCommand(projection::BenchmarkParameters parameters);
/// A study of a session file, with what `now` has changed of it since. `path` empty: it is not saved yet. Throws
/// UnsavedSession: it is not, or the file is not there any more, or the change is one that no command can say.
std::string runCommand(const std::string& path, const model::Project& now, const SessionWork& work);

} // namespace hinesight::app
