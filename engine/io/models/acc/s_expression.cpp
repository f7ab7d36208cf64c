#include "io/models/acc/s_expression.hpp"

#include "core/error.hpp"
#include "core/text.hpp"

#include <utility>

namespace hinesight::io {

namespace {

class Parser
{
public:
  Parser(std::string_view given, const std::string& file) : text(given), path(file) {}

  SExpression parse()
  {
    SExpression whole = expression(0);
    skip();
    if (at < text.size())
      fail("goes on after its last parenthesis");
    return whole;
  }

private:
  [[noreturn]] void fail(const std::string& what) const { throw Error(ErrorCode::BadFormat, what, path, line); }

  /// Blanks and comments.
  void skip()
  {
    while (at < text.size()) {
      if (text[at] == ';')
        while (at < text.size() && text[at] != '\n')
          ++at;
      else if (isBlank(text[at])) {
        if (text[at] == '\n')
          ++line;
        ++at;
      } else
        break;
    }
  }

  static bool isBlank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

  SExpression expression(int depth)
  {
    constexpr int kDeepest = 500;
    if (depth > kDeepest)
      fail("nests more than 500 lists");
    skip();
    if (at == text.size())
      fail("ends before its parentheses are closed");
    SExpression made;
    made.line = line;
    if (text[at] == '(') {
      ++at;
      for (skip(); at < text.size() && text[at] != ')'; skip())
        made.items.push_back(expression(depth + 1));
      if (at == text.size())
        fail("ends before its parentheses are closed");
      ++at;
      return made;
    }
    if (text[at] == ')')
      fail("closes a parenthesis that is not open");
    if (text[at] == '"')
      return quoted(std::move(made));
    const std::size_t begin = at;
    while (at < text.size() && !isBlank(text[at]) && text[at] != '(' && text[at] != ')' && text[at] != ';')
      ++at;
    made.text = text.substr(begin, at - begin);
    const bool isSigned = made.text.size() > 1 && made.text.front() == '+';
    const auto number = numberOf<double>(std::string_view(made.text).substr(isSigned ? 1 : 0));
    made.kind = number ? SExpression::Kind::Number : SExpression::Kind::Word;
    made.number = number.value_or(0);
    return made;
  }

  SExpression quoted(SExpression made)
  {
    made.kind = SExpression::Kind::Text;
    const std::size_t end = text.find('"', at + 1);
    if (end == std::string_view::npos)
      fail("ends inside a text in quotes");
    made.text = text.substr(at + 1, end - at - 1);
    for (const char c : made.text)
      line += c == '\n';
    at = end + 1;
    return made;
  }

  std::string_view text;
  const std::string& path;
  std::size_t at = 0;
  std::int64_t line = 1;
};

} // namespace

std::string_view SExpression::head() const
{
  return isList() && !items.empty() && items.front().kind == Kind::Word ? items.front().text : std::string_view();
}

SExpression parseSExpression(std::string_view text, const std::string& path)
{
  return Parser(text, path).parse();
}

} // namespace hinesight::io
