#pragma once

#include "app/cli/options.hpp"
#include "app/cli/session.hpp"
#include "model/project.hpp"

#include <string>
#include <vector>

namespace hinesight::cli {

/// A session, and what of it is changed before anything is made.
struct SessionOptions
{
  std::string file;
  std::vector<std::string> changes; ///< as model::setByPath takes them
};

/// --set.
Option addSetOption(Command& command, SessionOptions& options);
/// The operand SESSION, and --set.
void addSessionOptions(Command& command, SessionOptions& options);

/// The session with its changes, valid; warnings of the file and of cells that are other ones now are printed. Throws
/// as model::readSession, model::setByPath and model::validate.
model::Project readProject(const SessionOptions& options, Session& session);

} // namespace hinesight::cli
