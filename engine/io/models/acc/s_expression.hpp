#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hinesight::io {

/// A list in parentheses, or what stands in one: a word, a text in quotes, a number.
struct SExpression
{
  enum class Kind : std::uint8_t
  {
    List,
    Word,
    Text,
    Number
  };

  Kind kind = Kind::List;
  std::string text;               ///< of all but lists, as it stands there; of texts without quotes
  double number = 0;              ///< of numbers
  std::vector<SExpression> items; ///< of lists
  std::int64_t line = 0;

  bool isList() const { return kind == Kind::List; }
  /// The word that a list begins with; empty for all else.
  std::string_view head() const;
  /// Items after the head.
  std::size_t arguments() const { return items.empty() ? 0 : items.size() - 1; }
  const SExpression& argument(std::size_t k) const { return items[k + 1]; }
};

/// The one expression of a text; `;` begins a comment. Throws Error(BadFormat) with the line. `path` is only for
/// messages.
SExpression parseSExpression(std::string_view text, const std::string& path);

} // namespace hinesight::io
