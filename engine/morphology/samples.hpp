#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Cells that come with the program: synthetic ones, in resources/samples, and the channels of some of them. Their paths
// are no files: ":/samples/NAME".

namespace hinesight::morphology {

/// Of all cells, in the order of their names.
std::vector<std::string> samplePaths();

/// The text of a cell or a model; nullopt where the path is not that of a sample.
std::optional<std::string_view> sampleText(std::string_view path);

} // namespace hinesight::morphology
