#pragma once

#include <string>
#include <string_view>

namespace hinesight::morphology {

/// Throws Error(BadFormat) that says what the file looks like if it is not plain text that could hold SWC rows: empty,
/// UTF-16, an image, an archive, HTML, Neurolucida ASC, binary.
void refuseOtherFormats(std::string_view text, const std::string& path);

} // namespace hinesight::morphology
