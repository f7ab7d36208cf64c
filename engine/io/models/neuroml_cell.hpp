#pragma once

#include "cell/cell_model.hpp"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace hinesight::io {

/// The biophysics of a cell in NeuroML 2 (`biophysicalProperties`; NeuroML 2, schema 2 beta 4), whose channels are
/// mechanisms of ours by their names.
struct NeuroMlCell
{
  cell::Biophysics biophysics;
  std::vector<std::string> notes; ///< what of the file is not honoured, one sentence each
};

/// Segment groups are soma, axon, dend, apic and all. Throws Error(FileNotFound, FileUnreadable), Error(BadFormat) with
/// the line: a channel, a group or a unit that is not known.
NeuroMlCell readNeuroMlCell(const std::filesystem::path& path, const cell::MechanismCatalogue& mechanisms = {});
/// The same for the text of a file. `path` is only for messages.
NeuroMlCell parseNeuroMlCell(std::string_view text, const std::string& path,
                             const cell::MechanismCatalogue& mechanisms = {});

} // namespace hinesight::io
