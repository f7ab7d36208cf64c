#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace hinesight::io {

/// An element of an XML document as it begins, without prefixes.
struct XmlElement
{
  std::string name;
  std::map<std::string, std::string> attributes;
  std::int64_t line = 0; ///< 1-based
};

/// All elements in the order in which they begin; text between them is passed over. Throws Error(BadFormat) with
/// `path` and line for what is no well-formed XML or declares a document type.
std::vector<XmlElement> readXmlElements(std::string_view text, const std::string& path);

} // namespace hinesight::io
