#pragma once

#include "simulation/check/verify.hpp"

#include <filesystem>

namespace hinesight::study {

/// Published models of the Allen Cell Types database against the output of NEURON beside them. `folder`: holds
/// sonata/5_cells_iclamp and bmtk/bio_1cell, as AllenInstitute/sonata and AllenInstitute/bmtk have them; what is not
/// there is skipped.
simulation::Truth publishedModels(const std::filesystem::path& folder);

/// The built-in truths and the models.
std::vector<simulation::Truth> allTruths(const std::filesystem::path& folder);

} // namespace hinesight::study
