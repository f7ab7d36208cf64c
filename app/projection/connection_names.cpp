#include "app/projection/connection_names.hpp"

#include "core/error.hpp"

#include <algorithm>
#include <string_view>

namespace hinesight::app {

std::string nameByEnds(const std::string& source, const std::string& target)
{
  std::string name = source + "_to_" + target;
  try {
    model::requireName("connection", name);
    return name;
  } catch (const Error&) { // names of populations can be long
    return "connection";
  }
}

bool isNamedByEnds(const model::Connection& connection)
{
  const std::string plain = nameByEnds(connection.source, connection.target);
  if (connection.kind != model::ConnectionKind::Projection || !connection.name.starts_with(plain))
    return false;
  const std::string_view rest = std::string_view(connection.name).substr(plain.size());
  const auto isDigit = [](char c) { return c >= '0' && c <= '9'; };
  return rest.empty() || (rest.size() > 1 && rest.front() == ' ' && std::ranges::all_of(rest.substr(1), isDigit));
}

} // namespace hinesight::app
