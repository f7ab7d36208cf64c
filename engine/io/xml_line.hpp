#pragma once

#include <cstdint>

#include <expat.h>

namespace hinesight::io {

/// The line that the parser is in, from 1. Newer libraries have a function of their own for long files, and call the
/// older one deprecated.
template <typename Parser>
std::int64_t currentLine(Parser parser)
{
  if constexpr (requires { XML_GetCurrentLineNumber64(parser); })
    return static_cast<std::int64_t>(XML_GetCurrentLineNumber64(parser));
  else
    return static_cast<std::int64_t>(XML_GetCurrentLineNumber(parser));
}

} // namespace hinesight::io
