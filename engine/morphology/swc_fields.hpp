#pragma once

#include <array>
#include <string>
#include <string_view>

namespace hinesight::morphology {

/// What lies between the fields of a row.
enum class FieldSeparator
{
  Blank,
  Comma,
  Semicolon
};

/// The fields of one row, without quotes.
struct SwcFields
{
  static constexpr std::size_t kSample = 7; ///< id type x y z radius parent
  static constexpr std::size_t kKept = 2 * kSample;

  std::array<std::string_view, kKept> field{}; ///< the first `kKept` of them
  std::size_t count = 0;                       ///< all of them
  FieldSeparator separator = FieldSeparator::Blank;
  bool quoted = false;
};

/// Without blanks (space, tab, vertical tab, form feed) at both ends.
std::string_view trimBlanks(std::string_view text);

/// Splits a row at blanks if that gives seven fields, else at semicolons or commas if there are any.
SwcFields splitFields(std::string_view row);

/// Whether it begins as a number does: digit, sign and digit, point and digit.
bool startsLikeNumber(std::string_view text);

/// Whether fields 2 to 7 are there and all numbers: a sample even if its id is unreadable.
bool endsLikeSample(const SwcFields& fields);

/// Whether two or more whole samples seem to stand on the row.
bool holdsSeveralSamples(const SwcFields& fields);

/// `text` in double quotes for a message: shortened, bytes that are neither ASCII nor UTF-8 as "\xA0".
std::string quoteForMessage(std::string_view text);

/// What is wrong with the first byte of `text` that is not ASCII; empty if there is none.
std::string describeNonAscii(std::string_view text);

} // namespace hinesight::morphology
