#include "morphology/swc_fields.hpp"

#include "morphology/swc_numbers.hpp"

#include <algorithm>
#include <cstdint>

namespace hinesight::morphology {

namespace {

constexpr std::string_view kBlanks = " \t\v\f";

void addField(SwcFields& fields, std::string_view text)
{
  if (fields.count < SwcFields::kKept) {
    if (text.size() >= 2 && text.front() == '"' && text.back() == '"') {
      text = trimBlanks(text.substr(1, text.size() - 2));
      fields.quoted = true;
    }
    fields.field[fields.count] = text;
  }
  ++fields.count;
}

SwcFields splitAtBlanks(std::string_view row)
{
  SwcFields fields;
  std::size_t begin = row.find_first_not_of(kBlanks);
  while (begin != std::string_view::npos) {
    const std::size_t end = std::min(row.find_first_of(kBlanks, begin), row.size());
    addField(fields, row.substr(begin, end - begin));
    begin = row.find_first_not_of(kBlanks, end);
  }
  return fields;
}

SwcFields splitAt(std::string_view row, char mark, FieldSeparator separator)
{
  SwcFields fields;
  fields.separator = separator;
  while (true) {
    const std::size_t end = row.find(mark);
    addField(fields, trimBlanks(row.substr(0, end)));
    if (end == std::string_view::npos)
      return fields;
    row.remove_prefix(end + 1);
  }
}

/// Seven fields between blanks, with no comma or semicolon but the decimal commas that x, y, z and radius may have.
bool isBlankSeparated(const SwcFields& fields)
{
  if (fields.count < SwcFields::kSample)
    return false;
  for (std::size_t at = 0; at < SwcFields::kSample; ++at) {
    const std::string_view field = fields.field[at];
    const bool mayHaveComma = at >= 2 && at <= 5 && !field.ends_with(',');
    if (field.find_first_of(mayHaveComma ? ";" : ";,") != std::string_view::npos)
      return false;
  }
  return true;
}

bool isNumber(std::string_view text)
{
  double value = 0;
  return parseReal(text, value) != NumberStatus::NotANumber;
}

bool isWhole(std::string_view text)
{
  std::int64_t value = 0;
  const NumberStatus status = parseWhole(text, value);
  return status == NumberStatus::Plain || status == NumberStatus::WholeDecimal;
}

std::string hexadecimal(std::uint32_t value, std::size_t digits)
{
  std::string text(digits, '0');
  for (std::size_t at = digits; at-- > 0; value >>= 4)
    text[at] = "0123456789ABCDEF"[value & 0xF];
  return text;
}

struct Utf8Character
{
  std::uint32_t codePoint = 0;
  std::size_t bytes = 0; ///< 0: not UTF-8
};

Utf8Character decodeUtf8(std::string_view text)
{
  const auto byte = [&](std::size_t at) { return static_cast<std::uint8_t>(text[at]); };
  const std::uint8_t lead = byte(0);
  if (lead < 0x80)
    return {lead, 1};
  const std::size_t bytes = lead >= 0xF0 && lead < 0xF5   ? 4
                            : lead >= 0xE0 && lead < 0xF0 ? 3
                            : lead >= 0xC2 && lead < 0xE0 ? 2
                                                          : 0;
  if (bytes == 0 || text.size() < bytes)
    return {};
  std::uint32_t codePoint = lead & (0x7Fu >> bytes);
  for (std::size_t at = 1; at < bytes; ++at) {
    if ((byte(at) & 0xC0) != 0x80)
      return {};
    codePoint = (codePoint << 6) | (byte(at) & 0x3Fu);
  }
  return {codePoint, bytes};
}

} // namespace

std::string_view trimBlanks(std::string_view text)
{
  const std::size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos)
    return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

SwcFields splitFields(std::string_view row)
{
  SwcFields fields = splitAtBlanks(row);
  if (isBlankSeparated(fields))
    return fields;
  if (row.find(';') != std::string_view::npos)
    return splitAt(row, ';', FieldSeparator::Semicolon);
  if (row.find(',') != std::string_view::npos)
    return splitAt(row, ',', FieldSeparator::Comma);
  return fields;
}

bool startsLikeNumber(std::string_view text)
{
  if (text.starts_with('-') || text.starts_with('+'))
    text.remove_prefix(1);
  if (text.starts_with('.'))
    text.remove_prefix(1);
  return !text.empty() && isDigit(text.front());
}

bool endsLikeSample(const SwcFields& fields)
{
  return fields.count >= SwcFields::kSample &&
         std::all_of(fields.field.begin() + 1, fields.field.begin() + SwcFields::kSample, isNumber);
}

bool holdsSeveralSamples(const SwcFields& fields)
{
  const auto& field = fields.field;
  return fields.count >= SwcFields::kKept && fields.count % SwcFields::kSample == 0 &&
         std::all_of(field.begin() + SwcFields::kSample, field.end(), isNumber) && isWhole(field[7]) &&
         isWhole(field[8]) && isWhole(field[13]);
}

std::string quoteForMessage(std::string_view text)
{
  constexpr std::size_t kMostBytes = 40;
  std::string quoted = "\"";
  std::size_t at = 0;
  while (at < text.size() && at < kMostBytes) {
    const Utf8Character character = decodeUtf8(text.substr(at));
    if (character.bytes == 0 || character.codePoint < 0x20 || character.codePoint == 0x7F) {
      quoted += "\\x" + hexadecimal(static_cast<std::uint8_t>(text[at]), 2);
      ++at;
    } else {
      quoted += text.substr(at, character.bytes);
      at += character.bytes;
    }
  }
  return quoted + (at < text.size() ? "...\"" : "\"");
}

std::string describeNonAscii(std::string_view text)
{
  const auto found = std::find_if(text.begin(), text.end(), [](char c) { return (c & 0x80) != 0; });
  if (found == text.end())
    return {};
  const Utf8Character character = decodeUtf8(text.substr(static_cast<std::size_t>(found - text.begin())));
  if (character.bytes == 0)
    return "non-ASCII byte 0x" + hexadecimal(static_cast<std::uint8_t>(*found), 2) + "; write ASCII digits and blanks";
  const std::string name = "U+" + hexadecimal(character.codePoint, character.codePoint > 0xFFFF ? 6 : 4);
  const bool isDash = (character.codePoint >= 0x2010 && character.codePoint <= 0x2015) || character.codePoint == 0x2212;
  if (isDash)
    return "\"" + name + "\" is not a minus sign; write \"-\"";
  return "non-ASCII character " + name + "; write ASCII digits and blanks";
}

} // namespace hinesight::morphology
