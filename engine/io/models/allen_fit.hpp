#pragma once

#include "cell/cell_model.hpp"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace hinesight::io {

/// A model of the Allen Cell Types database without its form (`*_fit.json`; AllenSDK, model/biophysical).
struct AllenFit
{
  cell::Biophysics biophysics;
  bool isAllActive = false;       ///< what is passive is in the genome too, and so its cut keeps the axon's thickness
  std::vector<std::string> notes; ///< what of the file is not honoured, one sentence each
};

/// Throws Error(FileNotFound, FileUnreadable), Error(BadFormat) with the entry that is wrong: one with an unknown
/// mechanism or parameter, or without a number.
AllenFit readAllenFit(const std::filesystem::path& path, const cell::MechanismCatalogue& mechanisms = {});
/// The same for the text of a file. `path` is only for messages.
AllenFit parseAllenFit(std::string_view text, const std::string& path, const cell::MechanismCatalogue& mechanisms = {});

/// A fit that reads as this: every parameter of every mechanism, also those that are usual. Of soma, axon, basal and
/// apical dendrites.
std::string allenFitText(const cell::Biophysics& biophysics);
/// Throws Error(WriteFailed).
void writeAllenFit(const cell::Biophysics& biophysics, const std::filesystem::path& path);

} // namespace hinesight::io
