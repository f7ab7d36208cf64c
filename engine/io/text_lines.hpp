#pragma once

#include "core/error.hpp"
#include "core/run_control.hpp"
#include "core/text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <ostream>
#include <string>
#include <string_view>
#include <system_error>

// Text files of a row a line, as fast as memory: no streams, no copies of lines.

namespace hinesight::io::detail {

/// The lines of a text, one after the other.
class TextLines
{
public:
  /// `bytes` must outlive it; `file` is what errors name.
  TextLines(std::string_view bytes, std::string file, const RunControl& runControl = {})
      : text(bytes), path(std::move(file)), control(runControl)
  {}

  /// On to the next line; false at the end. Both line ends are known. Throws Error(Cancelled).
  bool next()
  {
    constexpr std::int64_t kLinesBetweenChecks = 1 << 16;
    if (at >= text.size())
      return false;
    const std::size_t end = std::min(text.find('\n', at), text.size());
    current = text.substr(at, end - at);
    if (current.ends_with('\r'))
      current.remove_suffix(1);
    at = end + 1;
    if (++lineNumber % kLinesBetweenChecks == 0)
      control.report("read", static_cast<double>(at) / static_cast<double>(text.size()));
    return true;
  }

  std::string_view line() const { return current; }
  std::int64_t number() const { return lineNumber; } ///< from 1
  const std::string& file() const { return path; }

  /// Throws Error(BadFormat) for this line.
  [[noreturn]] void fail(const std::string& what) const { throw Error(ErrorCode::BadFormat, what, path, lineNumber); }

private:
  std::string_view text;
  std::string path;
  RunControl control;
  std::size_t at = 0;
  std::int64_t lineNumber = 0;
  std::string_view current;
};

/// The next field of a line, apart by blanks and tabs; empty at its end.
inline std::string_view takeWord(std::string_view& rest)
{
  const auto isBlank = [](char c) { return c == ' ' || c == '\t'; };
  const char* begin = rest.data();
  const char* const end = begin + rest.size();
  while (begin != end && isBlank(*begin))
    ++begin;
  const char* stop = begin;
  while (stop != end && !isBlank(*stop))
    ++stop;
  rest = {stop, static_cast<std::size_t>(end - stop)};
  return {begin, static_cast<std::size_t>(stop - begin)};
}

/// The next field of a line, apart by commas; empty at its end.
inline std::string_view takeField(std::string_view& rest)
{
  const std::size_t end = std::min(rest.find(','), rest.size());
  const std::string_view field = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return field;
}

/// Whether the text is a number and nothing else.
template <typename Number>
bool parseWhole(std::string_view text, Number& value)
{
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  return failure == std::errc{} && end == text.data() + text.size();
}

/// The beginning of a line, in quotes, for messages.
inline std::string quoteLine(std::string_view line)
{
  constexpr std::size_t kMost = 60;
  return "\"" + std::string(line.substr(0, kMost)) + (line.size() > kMost ? "..." : "") + "\"";
}

/// Text that is written piece by piece. Numbers are the shortest that read back to the same.
class TextRows
{
public:
  TextRows(std::ostream& out, const RunControl& runControl) : stream(out), control(runControl) {}
  ~TextRows() { flush(); }
  TextRows(const TextRows&) = delete;
  TextRows& operator=(const TextRows&) = delete;

  TextRows& operator<<(std::string_view piece)
  {
    text += piece;
    return *this;
  }

  TextRows& operator<<(char c)
  {
    text += c;
    return *this;
  }

  template <typename Number>
  TextRows& operator<<(Number value) requires std::is_arithmetic_v<Number>
  {
    appendText(text, value);
    return *this;
  }

  /// After each row. Throws Error(Cancelled).
  void endRow()
  {
    constexpr std::size_t kPiece = 1 << 20;
    text += '\n';
    if (text.size() < kPiece)
      return;
    flush();
    control.checkpoint();
  }

private:
  void flush()
  {
    stream.write(text.data(), static_cast<std::streamsize>(text.size()));
    text.clear();
  }

  std::ostream& stream;
  const RunControl& control;
  std::string text;
};

} // namespace hinesight::io::detail
