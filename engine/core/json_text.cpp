#include "core/json_text.hpp"

#include "core/error.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace hinesight {

namespace {

constexpr std::size_t kDeepest = 200;
constexpr std::size_t kMostMembers = 20'000; ///< of one object, which is searched from its beginning for every one

} // namespace

void requireModestJson(std::string_view text, const std::string& path)
{
  const std::size_t first = text.find_first_not_of(" \t\r\n\xEF\xBB\xBF"); // a byte order mark may come first
  if (first == std::string_view::npos || (text[first] != '{' && text[first] != '['))
    return;
  const auto fail = [&](std::size_t at, const std::string& what) {
    const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
    throw Error(ErrorCode::BadFormat, what, path, line);
  };
  std::vector<std::size_t> members; // of each object that is open; of a list none
  bool isText = false;
  for (std::size_t at = first; at < text.size(); ++at) {
    const char c = text[at];
    if (isText) {
      if (c == '\\')
        ++at;
      else if (c == '"')
        isText = false;
    } else if (c == '"') {
      isText = true;
    } else if (c == '{' || c == '[') {
      members.push_back(0);
      if (members.size() > kDeepest)
        fail(at, "nests more than " + std::to_string(kDeepest) + " lists and objects in one another");
    } else if (c == '}' || c == ']') {
      if (!members.empty())
        members.pop_back();
    } else if (c == ':' && !members.empty() && ++members.back() > kMostMembers) {
      fail(at, "has an object of more than " + std::to_string(kMostMembers) + " members");
    }
  }
}

} // namespace hinesight
