#include "selection/expression_parser.hpp"

#include "core/text.hpp"

#include <algorithm>
#include <cctype>
#include <optional>
#include <utility>

namespace hinesight::selection {

namespace {

using Operation = Expression::Operation;

constexpr int kDeepest = 200;            // parentheses and signs in one another
constexpr std::size_t kLongest = 10'000; // operators in a row

// ---- words ----

enum class TokenKind
{
  End,
  Number,
  Text,
  Word,
  Sign
};

struct Token
{
  TokenKind kind = TokenKind::End;
  std::string_view text; ///< without the quotation marks of a Text
  std::size_t begin = 0;
  std::size_t end = 0;
  double number = 0;
};

bool isLetter(char c)
{
  return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_';
}

bool isDigit(char c)
{
  return c >= '0' && c <= '9';
}

std::string inQuotes(std::string_view text)
{
  return '"' + std::string(text) + '"';
}

/// The words of an expression, one after another. Words and signs for the same thing come as the sign.
class Reader
{
public:
  explicit Reader(std::string_view expression) : all(expression) { advance(); }

  const Token& now() const { return token; }

  void advance()
  {
    while (place < all.size() && std::isspace(static_cast<unsigned char>(all[place])) != 0)
      ++place;
    token = {TokenKind::End, {}, place, place};
    if (place == all.size())
      return;
    const char c = all[place];
    if (isDigit(c) || (c == '.' && place + 1 < all.size() && isDigit(all[place + 1])))
      readNumber();
    else if (isLetter(c))
      readWord();
    else if (c == '"' || c == '\'')
      readText(c);
    else
      readSign();
  }

private:
  void take(TokenKind kind, std::size_t length)
  {
    token.kind = kind;
    token.text = all.substr(place, length);
    place += length;
    token.end = place;
  }

  void readNumber()
  {
    std::size_t length = 0;
    const auto at = [&](std::size_t i) { return place + i < all.size() ? all[place + i] : '\0'; };
    while (isDigit(at(length)) || at(length) == '.')
      ++length;
    if (at(length) == 'e' || at(length) == 'E') {
      const std::size_t sign = at(length + 1) == '+' || at(length + 1) == '-' ? 1 : 0;
      if (isDigit(at(length + 1 + sign))) {
        length += 1 + sign;
        while (isDigit(at(length)))
          ++length;
      }
    }
    while (isLetter(at(length))) // "200um" is one wrong number, not a number and a word
      ++length;
    take(TokenKind::Number, length);
    const auto number = numberOf<double>(token.text);
    if (!number)
      throw ExpressionError(inQuotes(token.text) + " is not a number; lengths are in µm, and no unit is written.",
                            token.begin, token.end);
    token.number = *number;
  }

  void readWord()
  {
    std::size_t length = 1;
    while (place + length < all.size() && (isLetter(all[place + length]) || isDigit(all[place + length])))
      ++length;
    take(TokenKind::Word, length);
    constexpr std::pair<std::string_view, std::string_view> kSigns[] = {{"and", "&&"}, {"or", "||"}, {"not", "!"}};
    for (const auto& [word, sign] : kSigns)
      if (token.text == word) {
        token.kind = TokenKind::Sign;
        token.text = sign;
      }
  }

  void readText(char mark)
  {
    const std::size_t close = all.find(mark, place + 1);
    if (close == std::string_view::npos)
      throw ExpressionError("The text that begins here has no closing quotation mark.", place, all.size());
    take(TokenKind::Text, close + 1 - place);
    token.text = token.text.substr(1, token.text.size() - 2);
  }

  void readSign()
  {
    constexpr std::string_view kSigns[] = {"&&", "||", "==", "!=", "<=", ">=", "<", ">", "!",
                                           "+",  "-",  "*",  "/",  "(",  ")",  "{", "}", ","};
    for (const std::string_view sign : kSigns)
      if (all.substr(place).starts_with(sign))
        return take(TokenKind::Sign, sign.size());
    const char c = all[place];
    if (c == '=')
      throw ExpressionError("\"=\" sets nothing here; write \"==\" to compare.", place, place + 1);
    if (c == '&' || c == '|')
      throw ExpressionError("Write " + inQuotes(std::string(2, c)) + " or " + inQuotes(c == '&' ? "and" : "or") + ".",
                            place, place + 1);
    std::size_t length = 1; // of a character, in UTF-8
    while (place + length < all.size() && (static_cast<unsigned char>(all[place + length]) & 0xC0) == 0x80)
      ++length;
    throw ExpressionError(inQuotes(all.substr(place, length)) + " means nothing in an expression.", place,
                          place + length);
  }

  std::string_view all;
  std::size_t place = 0;
  Token token;
};

// ---- suggestions ----

/// Letters that have to be put in, taken out, changed or swapped with the next to make one of the other.
std::size_t editsBetween(std::string_view a, std::string_view b)
{
  std::vector<std::vector<std::size_t>> edits(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i)
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        edits[i][j] = i + j;
        continue;
      }
      const auto lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
      edits[i][j] = std::min({edits[i - 1][j] + 1, edits[i][j - 1] + 1,
                              edits[i - 1][j - 1] + (lower(a[i - 1]) == lower(b[j - 1]) ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        edits[i][j] = std::min(edits[i][j], edits[i - 2][j - 2] + 1);
    }
  return edits[a.size()][b.size()];
}

using Names = std::vector<std::string_view>;

Names fieldNames(const Vocabulary& vocabulary)
{
  Names names;
  for (const ExpressionField& field : vocabulary.fields)
    names.push_back(field.name);
  return names;
}

Names typeNames()
{
  Names names;
  for (const TypeWord& type : typeWords())
    names.push_back(type.word);
  return names;
}

/// The name that was probably meant; empty: none is near.
std::string_view nearest(std::string_view word, const Names& names)
{
  std::string_view best;
  std::size_t fewest = std::max<std::size_t>(1, word.size() / 3) + 1;
  for (const std::string_view candidate : names)
    if (const std::size_t edits = editsBetween(word, candidate); edits < fewest) {
      fewest = edits;
      best = candidate;
    }
  return best;
}

std::string listed(const Names& names)
{
  std::string text;
  for (const std::string_view name : names)
    text += (text.empty() ? "" : ", ") + std::string(name);
  return text;
}

std::string unknownField(std::string_view word, const Vocabulary& vocabulary)
{
  const std::string sentence = "There is no field " + inQuotes(word);
  const Names fields = fieldNames(vocabulary);
  Names known = fields;
  const Names types = vocabulary.hasTypes ? typeNames() : Names();
  known.insert(known.end(), types.begin(), types.end());
  if (const std::string_view meant = nearest(word, known); !meant.empty())
    return sentence + "; did you mean " + inQuotes(meant) + "?";
  return sentence + "; the fields are " + listed(fields) + ".";
}

/// That a text in quotation marks is compared with a field that has no names.
std::string whatTextsAre(const Vocabulary& vocabulary)
{
  Names fields;
  for (const FigureKind kind : {FigureKind::Name, FigureKind::Type})
    for (const ExpressionField& field : vocabulary.fields)
      if (field.kind == kind)
        fields.push_back(field.name);
  std::string named;
  for (const std::string_view field : fields)
    named += (named.empty() ? "" : " and ") + inQuotes(field);
  return "A text in quotation marks is the name of a " + std::string(vocabulary.named) +
         (vocabulary.hasTypes ? " or a type" : "") + "; only the " + (fields.size() == 1 ? "field " : "fields ") +
         named + (fields.size() == 1 ? " is" : " are") + " compared with it.";
}

std::string unknownType(std::string_view name)
{
  const std::string_view meant = nearest(name, typeNames());
  return "There is no type " + inQuotes(name) + (meant.empty() ? "." : "; did you mean " + inQuotes(meant) + "?") +
         " The types are " + listed(typeNames()) + ".";
}

/// The name that may be meant by what is written without quotation marks; empty: there is none.
std::string_view bareName(std::string_view text)
{
  constexpr std::string_view kSpace = " \t\n";
  text = text.substr(0, text.find_first_of("&|=!<>(){},\"'"));
  for (const std::string_view word : {" and ", " or "})
    text = text.substr(0, text.find(word));
  const std::size_t begin = std::min(text.find_first_not_of(kSpace), text.size());
  return text.substr(begin, text.find_last_not_of(kSpace) + 1 - begin);
}

/// Of a type that has no word: "type 9".
std::optional<double> numberOfType(std::string_view name)
{
  constexpr std::string_view kBefore = "type ";
  if (!name.starts_with(kBefore))
    return std::nullopt;
  const auto number = numberOf<std::int32_t>(name.substr(kBefore.size()));
  return number ? std::optional<double>(*number) : std::nullopt;
}

// ---- tree ----

enum class ValueKind
{
  Number,
  Type,      ///< the SWC type of a branch
  Name,      ///< what names stand for: the cell of a branch, the population of a neuron
  Condition, ///< true or false
  TypeWord,  ///< "axon", "basal dendrite", "type 9"
  Text
};

/// A part of the expression.
struct Node
{
  ValueKind kind = ValueKind::Number;
  Operation operation = Operation::Load;
  std::size_t begin = 0;
  std::size_t end = 0;
  std::size_t left = 0;  ///< nodes
  std::size_t right = 0; ///< the same as left where there is one
  std::size_t height = 1;
  std::uint32_t argument = 0;
  std::string_view text = {};          ///< of a Text
  const TypeWord* type = nullptr;      ///< of a TypeWord; null: the type is `constant`
  std::optional<double> constant = {}; ///< of a number as it is written
};

int operandsOf(Operation operation)
{
  switch (operation) {
  case Operation::Load:
  case Operation::Constant:
    return 0;
  case Operation::Negate:
  case Operation::In:
  case Operation::NotIn:
  case Operation::Not:
    return 1;
  default:
    return 2;
  }
}

struct Comparison
{
  std::string_view sign;
  Operation operation;
};

constexpr Comparison kComparisons[] = {
    {"==", Operation::Equal},     {"!=", Operation::Unequal}, {"<", Operation::Less},
    {"<=", Operation::LessEqual}, {">", Operation::Greater},  {">=", Operation::GreaterEqual},
};

class Parser
{
public:
  Parser(std::string_view expression, const Vocabulary& ofRows)
      : reader(expression), all(expression), vocabulary(ofRows)
  {}

  Expression::Program compile()
  {
    if (reader.now().kind == TokenKind::End)
      throw ExpressionError("The expression is empty; write a condition such as " + std::string(vocabulary.condition) +
                                ".",
                            0, all.size());
    const std::size_t root = parseOr();
    if (reader.now().kind != TokenKind::End)
      refuseRest();
    requireCondition(root);
    emit(root, 0);
    return std::move(program);
  }

private:
  /// What stands behind the condition. A word there may be meant as a part of the type before it.
  [[noreturn]] void refuseRest() const
  {
    const Token& rest = reader.now();
    const bool isField = std::ranges::count(vocabulary.fields, rest.text, &ExpressionField::name) > 0;
    const auto type = std::ranges::find_if(nodes, [&](const Node& node) {
      const std::string_view between = all.substr(node.end, rest.begin - node.end);
      return node.kind == ValueKind::TypeWord && between.find_first_not_of(" \t") == std::string_view::npos;
    });
    if (rest.kind == TokenKind::Word && !isField && type != nodes.end())
      throw ExpressionError(unknownType(all.substr(type->begin, rest.end - type->begin)), type->begin, rest.end);
    throw ExpressionError("The condition is over before " + inQuotes(rest.text) + "; join two conditions by && or ||.",
                          rest.begin, rest.end);
  }

  // From the weakest bond to the strongest.

  std::size_t parseOr() { return parseJoined("||", Operation::Or, &Parser::parseAnd); }
  std::size_t parseAnd() { return parseJoined("&&", Operation::And, &Parser::parseNot); }

  std::size_t parseJoined(std::string_view sign, Operation operation, std::size_t (Parser::*next)())
  {
    std::size_t left = (this->*next)();
    while (isSign(sign)) {
      requireCondition(left);
      reader.advance();
      const std::size_t right = (this->*next)();
      requireCondition(right);
      left = join(ValueKind::Condition, operation, left, right);
    }
    return left;
  }

  std::size_t parseNot()
  {
    if (!isSign("!"))
      return parseComparison();
    const Depth guard(*this);
    const std::size_t begin = reader.now().begin;
    reader.advance();
    const std::size_t operand = parseNot();
    requireCondition(operand);
    const std::size_t node = join(ValueKind::Condition, Operation::Not, operand, operand);
    nodes[node].begin = begin;
    return node;
  }

  /// 100 < length <= 200 is both of them.
  std::size_t parseComparison()
  {
    std::size_t left = parseSum();
    if (isWord("in") || isSign("!"))
      return parseMembership(left);
    std::optional<std::size_t> result;
    while (const Comparison* comparison = comparisonNow()) {
      const Token sign = reader.now();
      const std::size_t right = parseComparedWith(left);
      const std::size_t one = compare(left, *comparison, sign, right);
      result = result ? join(ValueKind::Condition, Operation::And, *result, one) : one;
      left = right;
    }
    return result.value_or(left);
  }

  /// What `value` is compared with, behind the sign that is read now: a comparison, or the one before an item of a set.
  std::size_t parseComparedWith(std::size_t value)
  {
    const Token sign = reader.now();
    const bool before = std::exchange(isTypeExpected, nodes[value].kind == ValueKind::Type);
    try {
      reader.advance();
      const std::size_t other = parseSum();
      isTypeExpected = before;
      return other;
    } catch (const ExpressionError& error) {
      if (nodes[value].kind == ValueKind::Name)
        refuseBareName(nodes[value], sign, error);
      throw;
    }
  }

  /// If the mistake is in what may be meant as a name.
  void refuseBareName(const Node& value, const Token& sign, const ExpressionError& mistake) const
  {
    const bool isOfSet = sign.text == "{" || sign.text == ",";
    if (!isOfSet && sign.text != "==" && sign.text != "!=")
      return;
    const std::string_view name = bareName(all.substr(sign.end));
    const auto begin = static_cast<std::size_t>(name.data() - all.data());
    const std::size_t end = begin + name.size();
    if (mistake.begin() < end)
      throw ExpressionError("The name of a " + std::string(vocabulary.named) + " stands in quotation marks: " +
                                std::string(all.substr(value.begin, begin - value.begin)) + inQuotes(name) +
                                (isOfSet ? "}." : "."),
                            begin, end);
  }

  std::size_t parseMembership(std::size_t value)
  {
    Operation operation = Operation::In;
    if (isSign("!")) {
      operation = Operation::NotIn;
      reader.advance();
      if (!isWord("in"))
        throw ExpressionError("After a value, \"not\" goes on with \"in\" and a set.", reader.now().begin,
                              reader.now().end);
    }
    if (nodes[value].kind == ValueKind::Condition)
      throw ExpressionError("A condition is true or false, and in no set.", nodes[value].begin, nodes[value].end);
    reader.advance();
    requireSign("{", "After \"in\" comes a set in braces: " + std::string(vocabulary.set) + ".");
    Expression::Members members;
    do {
      const std::size_t item = parseComparedWith(value);
      addMember(members, nodes[value], nodes[item]);
    } while (isSign(","));
    requireSign("}", "The items of a set are separated by commas, and it ends with \"}\".");
    const std::size_t end = reader.now().end;
    reader.advance();
    const std::size_t node = addMembership(value, operation, std::move(members));
    nodes[node].end = end;
    return node;
  }

  std::size_t parseSum()
  {
    std::size_t left = parseProduct();
    while (isSign("+") || isSign("-"))
      left = parseArithmetic(left, isSign("+") ? Operation::Add : Operation::Subtract, &Parser::parseProduct);
    return left;
  }

  std::size_t parseProduct()
  {
    std::size_t left = parseSigned();
    while (isSign("*") || isSign("/"))
      left = parseArithmetic(left, isSign("*") ? Operation::Multiply : Operation::Divide, &Parser::parseSigned);
    return left;
  }

  std::size_t parseArithmetic(std::size_t left, Operation operation, std::size_t (Parser::*next)())
  {
    requireNumber(left);
    reader.advance();
    const std::size_t right = (this->*next)();
    requireNumber(right);
    return join(ValueKind::Number, operation, left, right);
  }

  std::size_t parseSigned()
  {
    if (!isSign("-"))
      return parsePrimary();
    const Depth guard(*this);
    const std::size_t begin = reader.now().begin;
    reader.advance();
    const std::size_t operand = parseSigned();
    requireNumber(operand);
    const std::size_t node = join(ValueKind::Number, Operation::Negate, operand, operand);
    nodes[node].begin = begin;
    if (nodes[operand].constant)
      nodes[node].constant = -*nodes[operand].constant;
    return node;
  }

  std::size_t parsePrimary()
  {
    const Token token = reader.now();
    Node node;
    node.begin = token.begin;
    node.end = token.end;
    if (isSign("("))
      return parseParentheses();
    if (token.kind == TokenKind::Number) {
      node.operation = Operation::Constant;
      node.argument = static_cast<std::uint32_t>(program.constants.size());
      node.constant = token.number;
      program.constants.push_back(token.number);
    } else if (token.kind == TokenKind::Text) {
      node.kind = ValueKind::Text;
      node.text = token.text;
    } else if (token.kind == TokenKind::Word && token.text != "in") {
      return parseName();
    } else {
      const std::string found =
          token.kind == TokenKind::End ? "the expression ends" : "there is " + inQuotes(token.text);
      throw ExpressionError("A field or a number is missing here, where " + found + ".", token.begin, token.end);
    }
    reader.advance();
    return add(node);
  }

  std::size_t parseParentheses()
  {
    const Depth guard(*this);
    const std::size_t begin = reader.now().begin;
    reader.advance();
    const std::size_t inner = parseOr();
    if (!isSign(")"))
      throw ExpressionError("The parenthesis that opens here is not closed.", begin, begin + 1);
    nodes[inner].begin = begin;
    nodes[inner].end = reader.now().end;
    reader.advance();
    return inner;
  }

  /// A field, or a type, which may have two words.
  std::size_t parseName()
  {
    const Token first = reader.now();
    reader.advance();
    const Token second = reader.now();
    Node node;
    node.begin = first.begin;
    node.end = first.end;
    const bool isPair = second.kind == TokenKind::Word || second.kind == TokenKind::Number;
    if (isPair && readType(std::string(first.text) + ' ' + std::string(second.text), node)) {
      node.end = second.end;
      reader.advance();
    } else if (!readField(first.text, node) && !readType(first.text, node)) {
      throw ExpressionError(isTypeExpected ? unknownType(first.text) : unknownField(first.text, vocabulary),
                            first.begin, first.end);
    }
    return add(node);
  }

  /// Whether there is such a field, which the node is then.
  bool readField(std::string_view name, Node& node) const
  {
    const auto field = std::ranges::find(vocabulary.fields, name, &ExpressionField::name);
    if (field == vocabulary.fields.end())
      return false;
    node.argument = static_cast<std::uint32_t>(field - vocabulary.fields.begin());
    node.kind = field->kind == FigureKind::Type   ? ValueKind::Type
                : field->kind == FigureKind::Name ? ValueKind::Name
                                                  : ValueKind::Number;
    return true;
  }

  /// Whether there is such a type, which the node is then.
  bool readType(std::string_view name, Node& node) const
  {
    if (!vocabulary.hasTypes)
      return false;
    const auto words = typeWords();
    const auto word = std::ranges::find(words, name, &TypeWord::word);
    const auto number = numberOfType(name);
    if (word == words.end() && !number)
      return false;
    node.kind = ValueKind::TypeWord;
    node.type = word == words.end() ? nullptr : &*word;
    node.constant = number;
    return true;
  }

  // ---- meaning ----

  std::size_t compare(std::size_t left, const Comparison& comparison, const Token& sign, std::size_t right)
  {
    if (isConstantName(nodes[left]) && !isConstantName(nodes[right]) && isEquality(comparison))
      std::swap(left, right); // axon == type
    const Node& value = nodes[left];
    const Node& other = nodes[right];
    if (isConstantName(value) || isConstantName(other)) {
      if (!isEquality(comparison))
        throw ExpressionError("Types and names are compared by == and !=.", sign.begin, sign.end);
      Expression::Members members;
      addMember(members, value, other);
      return addMembership(left, comparison.operation == Operation::Equal ? Operation::In : Operation::NotIn,
                           std::move(members));
    }
    for (const std::size_t side : {left, right})
      if (nodes[side].kind == ValueKind::Condition)
        throw ExpressionError("A condition is true or false; join two by && or ||.", nodes[side].begin,
                              nodes[side].end);
    return join(ValueKind::Condition, comparison.operation, left, right);
  }

  static bool isEquality(const Comparison& comparison)
  {
    return comparison.operation == Operation::Equal || comparison.operation == Operation::Unequal;
  }

  static bool isConstantName(const Node& node)
  {
    return node.kind == ValueKind::TypeWord || node.kind == ValueKind::Text;
  }

  void addMember(Expression::Members& members, const Node& value, const Node& item) const
  {
    if (item.kind == ValueKind::TypeWord) {
      if (value.kind != ValueKind::Type)
        throw ExpressionError(inQuotes(all.substr(item.begin, item.end - item.begin)) +
                                  " is a type; only the field \"type\" is compared with it.",
                              item.begin, item.end);
      addType(members, item);
    } else if (item.kind == ValueKind::Text && value.kind == ValueKind::Type) {
      Node type = item;
      if (!readType(item.text, type))
        throw ExpressionError(unknownType(item.text), item.begin, item.end);
      addType(members, type);
    } else if (item.kind == ValueKind::Text) {
      if (value.kind != ValueKind::Name)
        throw ExpressionError(whatTextsAre(vocabulary), item.begin, item.end);
      members.names.emplace_back(item.text);
      members.field = value.argument;
    } else if (item.constant) {
      members.numbers.push_back(*item.constant);
    } else {
      throw ExpressionError(std::string(vocabulary.hasTypes ? "A set has numbers, types" : "A set has numbers") +
                                " and names of " + std::string(vocabulary.named) + "s.",
                            item.begin, item.end);
    }
  }

  static void addType(Expression::Members& members, const Node& type)
  {
    if (type.type)
      members.numbers.insert(members.numbers.end(), type.type->types.begin(), type.type->types.end());
    else
      members.numbers.push_back(*type.constant);
  }

  void requireCondition(std::size_t place) const
  {
    const Node& node = nodes[place];
    if (node.kind == ValueKind::Condition)
      return;
    const std::string_view text = all.substr(node.begin, node.end - node.begin);
    std::string sentence =
        inQuotes(text) + " is a number; compare it with another: " + std::string(vocabulary.comparison) + ".";
    if (node.kind == ValueKind::TypeWord)
      sentence = inQuotes(text) + " is a type; write type == " + std::string(text) + ".";
    else if (node.kind == ValueKind::Type)
      sentence = "\"type\" is compared with a type: type == axon.";
    else if (node.kind == ValueKind::Text || node.kind == ValueKind::Name)
      sentence =
          "A " + std::string(vocabulary.named) + " is chosen by " + std::string(nameField()) + " == \"its name\".";
    throw ExpressionError(sentence, node.begin, node.end);
  }

  void requireNumber(std::size_t place) const
  {
    const Node& node = nodes[place];
    if (node.kind != ValueKind::Number)
      throw ExpressionError(inQuotes(all.substr(node.begin, node.end - node.begin)) + " is not a number.", node.begin,
                            node.end);
  }

  // ---- nodes ----

  /// Counts how deep parts lie in one another while it lives.
  class Depth
  {
  public:
    explicit Depth(Parser& owner) : parser(owner)
    {
      if (++parser.depth > kDeepest)
        throw ExpressionError("Parts lie more than " + std::to_string(kDeepest) + " deep in one another.",
                              parser.reader.now().begin, parser.reader.now().end);
    }
    ~Depth() { --parser.depth; }
    Depth(const Depth&) = delete;
    Depth& operator=(const Depth&) = delete;

  private:
    Parser& parser;
  };

  std::size_t add(const Node& node)
  {
    nodes.push_back(node);
    return nodes.size() - 1;
  }

  std::size_t join(ValueKind kind, Operation operation, std::size_t left, std::size_t right)
  {
    Node node;
    node.kind = kind;
    node.operation = operation;
    node.begin = std::min(nodes[left].begin, nodes[right].begin);
    node.end = std::max(nodes[left].end, nodes[right].end);
    node.left = left;
    node.right = right;
    node.height = 1 + std::max(nodes[left].height, nodes[right].height);
    if (node.height > kLongest)
      throw ExpressionError("The expression has more than " + std::to_string(kLongest) +
                                " operators in a row; use a set: " + std::string(vocabulary.set) + ".",
                            node.begin, node.end);
    return add(node);
  }

  std::size_t addMembership(std::size_t value, Operation operation, Expression::Members members)
  {
    const std::size_t node = join(ValueKind::Condition, operation, value, value);
    nodes[node].argument = static_cast<std::uint32_t>(program.sets.size());
    program.sets.push_back(std::move(members));
    return node;
  }

  void emit(std::size_t place, std::size_t height)
  {
    const Node& node = nodes[place];
    const int operands = operandsOf(node.operation);
    if (operands >= 1)
      emit(node.left, height);
    if (operands == 2)
      emit(node.right, height + 1);
    program.instructions.push_back({node.operation, node.argument});
    program.depth = std::max(program.depth, height + 1);
  }

  // ---- words ----

  bool isSign(std::string_view sign) const { return reader.now().kind == TokenKind::Sign && reader.now().text == sign; }
  bool isWord(std::string_view word) const { return reader.now().kind == TokenKind::Word && reader.now().text == word; }
  const Comparison* comparisonNow() const
  {
    for (const Comparison& comparison : kComparisons)
      if (isSign(comparison.sign))
        return &comparison;
    return nullptr;
  }
  void requireSign(std::string_view sign, const std::string& sentence) const
  {
    if (!isSign(sign))
      throw ExpressionError(sentence, reader.now().begin, reader.now().end);
  }

  /// The first one that is compared with names.
  std::string_view nameField() const
  {
    return std::ranges::find(vocabulary.fields, FigureKind::Name, &ExpressionField::kind)->name;
  }

  Reader reader;
  std::string_view all;
  const Vocabulary& vocabulary;
  std::vector<Node> nodes;
  Expression::Program program;
  int depth = 0;
  bool isTypeExpected = false; ///< what is read is compared with the field "type"
};

} // namespace

Expression::Program compileExpression(std::string_view text, const Vocabulary& vocabulary)
{
  return Parser(text, vocabulary).compile();
}

std::vector<std::string_view> expressionWords(const Vocabulary& vocabulary)
{
  std::vector<std::string_view> words = fieldNames(vocabulary);
  const Names types = vocabulary.hasTypes ? typeNames() : Names();
  words.insert(words.end(), types.begin(), types.end());
  words.insert(words.end(), {"and", "or", "not", "in"});
  return words;
}

} // namespace hinesight::selection
