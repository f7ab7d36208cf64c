#pragma once

#include <string>
#include <string_view>

namespace hinesight {

/// Throws Error(BadFormat) with the line where JSON is nested so deeply, or has an object of so many members, that no
/// file of ours or of a simulator is: copying the one takes more stack than there is, and building the other hours.
/// What is no JSON passes; the parser says so. For text that comes from a file, before it is parsed.
void requireModestJson(std::string_view text, const std::string& path);

} // namespace hinesight
