#include "core/expression/compiler.hpp"

#include "core/error.hpp"

#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <numbers>
#include <string>
#include <utility>

namespace hinesight::expression {

namespace {

struct Function
{
  std::string_view name;
  Operation operation;
};

constexpr Function kFunctions[] = {
    {"sqrt", Operation::Sqrt}, {"exp", Operation::Exp},   {"log", Operation::Log},     {"sin", Operation::Sin},
    {"cos", Operation::Cos},   {"abs", Operation::Abs},   {"floor", Operation::Floor}, {"min", Operation::Min},
    {"max", Operation::Max},   {"pow", Operation::Power}, {"atan2", Operation::Atan2}, {"vtrap", Operation::Vtrap},
    {"if", Operation::Select}};

/// A parser by descent: comparison, sum, product, sign, power, primary.
class Compiler
{
public:
  Compiler(std::string_view expression, const Vocabulary& words) : text(expression), vocabulary(words) {}

  Program compile()
  {
    skipBlanks();
    if (at == text.size())
      fail("the expression is empty; write one such as exp(-r/5)");
    parseComparison();
    if (at < text.size())
      fail("expected an operator or the end instead of '" + std::string(1, text[at]) + "'");
    return program;
  }

private:
  [[noreturn]] void fail(const std::string& what, std::size_t where) const
  {
    throw Error(ErrorCode::BadParameter, "Expression, column " + std::to_string(where + 1) + ": " + what + ".");
  }
  [[noreturn]] void fail(const std::string& what) const { fail(what, at); }

  void skipBlanks()
  {
    while (at < text.size() && std::isspace(static_cast<unsigned char>(text[at])))
      ++at;
  }

  /// Whether `token` comes next; then it is passed.
  bool take(std::string_view token)
  {
    if (text.substr(at, token.size()) != token)
      return false;
    at += token.size();
    skipBlanks();
    return true;
  }

  void emit(Operation operation, std::uint8_t variable = 0, double number = 0)
  {
    if (program.count == Program::kMostInstructions)
      fail("the expression is too long; it may have " + std::to_string(Program::kMostInstructions) +
           " numbers, names and operators");
    program.instructions[program.count++] = {operation, variable, number};
    depth += 1 - operandsOf(operation);
    if (depth > Program::kMostDepth)
      fail("the expression nests too deeply; it may hold " + std::to_string(Program::kMostDepth) + " values at a time");
  }

  void parseComparison()
  {
    parseSum();
    // The longer ones first.
    constexpr std::array<std::pair<std::string_view, Operation>, 5> kComparisons = {{{"<=", Operation::LessOrEqual},
                                                                                     {">=", Operation::GreaterOrEqual},
                                                                                     {"==", Operation::Equal},
                                                                                     {"<", Operation::Less},
                                                                                     {">", Operation::Greater}}};
    for (const auto& [token, operation] : kComparisons)
      if (take(token)) {
        parseSum();
        emit(operation);
        return;
      }
  }

  void parseSum()
  {
    parseProduct();
    while (true) {
      if (take("+")) {
        parseProduct();
        emit(Operation::Add);
      } else if (take("-")) {
        parseProduct();
        emit(Operation::Subtract);
      } else {
        return;
      }
    }
  }

  void parseProduct()
  {
    parseSign();
    while (true) {
      if (take("*")) {
        parseSign();
        emit(Operation::Multiply);
      } else if (take("/")) {
        parseSign();
        emit(Operation::Divide);
      } else {
        return;
      }
    }
  }

  /// -a^b is -(a^b), and a^b^c is a^(b^c).
  void parseSign()
  {
    constexpr int kMostNesting = 64;
    if (++nesting > kMostNesting)
      fail("the expression nests too deeply");
    if (take("-")) {
      parseSign();
      emit(Operation::Negate);
    } else if (take("+")) {
      parseSign();
    } else {
      parsePrimary();
      if (take("^")) {
        parseSign();
        emit(Operation::Power);
      }
    }
    --nesting;
  }

  void parsePrimary()
  {
    if (at == text.size())
      fail("expected a number, a name or '(' instead of the end");
    const auto c = static_cast<unsigned char>(text[at]);
    if (std::isdigit(c) || c == '.')
      return parseNumber();
    if (std::isalpha(c) || c == '_')
      return parseName();
    if (!take("("))
      fail("expected a number, a name or '(' instead of '" + std::string(1, text[at]) + "'");
    parseComparison();
    closeParenthesis();
  }

  void closeParenthesis()
  {
    if (!take(")"))
      fail(at == text.size() ? "expected ')' before the end"
                             : "expected an operator or ')' instead of '" + std::string(1, text[at]) + "'");
  }

  void parseNumber()
  {
    double value = 0;
    const char* const begin = text.data() + at;
    const auto [end, failure] = std::from_chars(begin, text.data() + text.size(), value);
    if (failure != std::errc{} || !std::isfinite(value))
      fail("no number that can be held");
    at += static_cast<std::size_t>(end - begin);
    skipBlanks();
    emit(Operation::Constant, 0, value);
  }

  void parseName()
  {
    const std::size_t begin = at;
    while (at < text.size() && (std::isalnum(static_cast<unsigned char>(text[at])) || text[at] == '_'))
      ++at;
    const std::string_view name = text.substr(begin, at - begin);
    skipBlanks();
    for (std::size_t v = 0; v < vocabulary.variables.size(); ++v)
      if (vocabulary.variables[v] == name)
        return emit(Operation::Variable, static_cast<std::uint8_t>(v));
    if (name == "pi")
      return emit(Operation::Constant, 0, std::numbers::pi);
    for (const Function& function : kFunctions)
      if (function.name == name && isKnown(function))
        return parseArguments(function);
    fail("unknown name \"" + std::string(name.substr(0, 40)) + "\"; known are " + knownNames(), begin);
  }

  bool isKnown(const Function& function) const { return function.operation != Operation::Vtrap || vocabulary.hasRates; }

  std::string knownNames() const
  {
    std::string names;
    for (const std::string_view variable : vocabulary.variables)
      names += std::string(variable) + ", ";
    names += "pi, ";
    for (const Function& function : kFunctions)
      if (isKnown(function) && function.operation != Operation::Select)
        names += std::string(function.name) + ", ";
    return names.substr(0, names.size() - 2) + " and if";
  }

  void parseArguments(const Function& function)
  {
    const int arguments = operandsOf(function.operation);
    const std::string what = std::string(function.name) + " takes " + std::to_string(arguments) +
                             (arguments == 1 ? " argument" : " arguments") + " in parentheses";
    if (!take("("))
      fail(what);
    for (int i = 0; i < arguments; ++i) {
      if (i > 0 && !take(","))
        fail(what);
      parseComparison();
    }
    if (at < text.size() && text[at] == ',')
      fail(what);
    closeParenthesis();
    emit(function.operation);
  }

  std::string_view text;
  const Vocabulary& vocabulary;
  std::size_t at = 0;
  int depth = 0;
  int nesting = 0;
  Program program;
};

} // namespace

Program compile(std::string_view text, const Vocabulary& vocabulary)
{
  return Compiler(text, vocabulary).compile();
}

} // namespace hinesight::expression
