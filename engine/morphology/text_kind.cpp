#include "morphology/text_kind.hpp"

#include "core/error.hpp"

#include <algorithm>
#include <cstdint>

namespace hinesight::morphology {

namespace {

using namespace std::string_view_literals;

struct Signature
{
  std::string_view bytes;
  std::string_view name;
};

constexpr Signature kSignatures[] = {
    {"\x89PNG"sv, "a PNG image"},
    {"\xFF\xD8\xFF"sv, "a JPEG image"},
    {"GIF8"sv, "a GIF image"},
    {"II*\0"sv, "a TIFF image"},
    {"MM\0*"sv, "a TIFF image"},
    {"\x89HDF"sv, "an HDF5 file"},
    {"\x1F\x8B"sv, "a gzip archive; unpack it first"},
    {"PK\x03\x04"sv, "a ZIP archive; unpack it first"},
    {"BZh"sv, "a bzip2 archive; unpack it first"},
    {"\xFD"
     "7zXZ"sv,
     "an xz archive; unpack it first"},
    {"%PDF"sv, "a PDF document"},
    {"\x7F"
     "ELF"sv,
     "a program"},
};

bool startsWithoutCase(std::string_view text, std::string_view lowerCase)
{
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  return text.size() >= lowerCase.size() &&
         std::equal(lowerCase.begin(), lowerCase.end(), text.begin(), [&](char a, char b) { return a == lower(b); });
}

/// Without leading blanks, empty lines and the ';' comment lines of Neurolucida.
std::string_view firstContent(std::string_view text)
{
  while (true) {
    const std::size_t start = text.find_first_not_of(" \t\r\n");
    if (start == std::string_view::npos)
      return {};
    text.remove_prefix(start);
    if (text.front() != ';')
      return text;
    const std::size_t lineEnd = text.find_first_of("\r\n");
    if (lineEnd == std::string_view::npos)
      return {};
    text.remove_prefix(lineEnd);
  }
}

bool isControl(char c)
{
  const auto byte = static_cast<std::uint8_t>(c);
  return (byte < 0x20 && !(byte >= '\t' && byte <= '\r')) || byte == 0x7F;
}

/// Binary data: many control bytes, or some and hardly any printable ASCII.
bool looksBinary(std::string_view text)
{
  constexpr std::size_t kLookedAt = std::size_t{1} << 16;
  const std::string_view start = text.substr(0, kLookedAt);
  const auto control = static_cast<std::size_t>(std::count_if(start.begin(), start.end(), isControl));
  const auto nonAscii =
      static_cast<std::size_t>(std::count_if(start.begin(), start.end(), [](char c) { return (c & 0x80) != 0; }));
  return control * 10 > start.size() || (control > 0 && (control + nonAscii) * 10 > start.size() * 3);
}

} // namespace

void refuseOtherFormats(std::string_view text, const std::string& path)
{
  const auto refuse = [&](std::int64_t line, const std::string& sentence) {
    throw Error(ErrorCode::BadFormat, sentence, path, line);
  };
  if (text.empty())
    refuse(0, "the file is empty; an SWC file has one row of 7 numbers for each sample");
  if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF"))
    refuse(1, "UTF-16 text; save the file as plain text (UTF-8 or ASCII)");
  for (const Signature& signature : kSignatures) {
    if (text.starts_with(signature.bytes))
      refuse(1, "not an SWC file: it looks like " + std::string(signature.name));
  }
  const std::string_view content = firstContent(text);
  if (startsWithoutCase(content, "<!doctype html") || startsWithoutCase(content, "<html"))
    refuse(1, "an HTML page, not SWC; the download of the file may have failed");
  if (content.starts_with('<'))
    refuse(1, "not an SWC file: it looks like XML (NeuroML, MorphML or Neurolucida XML)");
  if (content.starts_with('('))
    refuse(1, "not an SWC file: it looks like Neurolucida ASC; convert it to SWC first");
  if (looksBinary(text))
    refuse(1, "not a text file: binary data, not SWC");
}

} // namespace hinesight::morphology
