#include "app/manual/manual_page.hpp"

#include "app/manual/version.hpp"

#include <algorithm>
#include <cctype>

namespace hinesight::manual {

namespace {

/// Text as roff reads it: nothing of it is a request, and dashes can be copied.
std::string roff(const std::string& text)
{
  std::string result;
  if (!text.empty() && (text.front() == '.' || text.front() == '\''))
    result = "\\&";
  for (std::size_t k = 0; k < text.size(); ++k)
    switch (const char c = text[k]) {
    case '\\':
      result += "\\e";
      break;
    case '-':
      result += "\\-";
      break;
    case '\'':
      result += "\\(aq";
      break;
    case '`':
      result += "\\(ga";
      break;
    case '^':
      result += "\\(ha";
      break;
    case '~':
      result += "\\(ti";
      break;
    case '\n':
      // A line that begins with a space is one of its own anyway.
      result += text.substr(k + 1, 1) == " " ? "\n" : "\n.br\n";
      break;
    default:
      result += c;
    }
  return result;
}

std::string bold(const std::string& text)
{
  return "\\fB" + roff(text) + "\\fR";
}

std::string italic(const std::string& text)
{
  return "\\fI" + roff(text) + "\\fR";
}

std::string sentence(const std::string& text)
{
  return roff(text) + (text.empty() || text.back() == '.' ? "" : ".");
}

std::string upper(std::string text)
{
  for (char& c : text)
    c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

/// The part of whatis: "Plan and solve" is "plan and solve", without a period; "SWC files" stays.
std::string summary(std::string text)
{
  if (text.size() > 1 && std::islower(static_cast<unsigned char>(text[1])))
    text[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(text[0])));
  if (!text.empty() && text.back() == '.')
    text.pop_back();
  return text;
}

std::string joined(const std::vector<std::string>& words, std::string (*dress)(const std::string&))
{
  std::string text;
  for (const std::string& word : words)
    text += (text.empty() ? "" : ", ") + dress(word);
  return text;
}

/// "FILE ..." as it may be given.
std::string operandText(const Option& operand)
{
  std::string text = italic(operand.value) + (operand.isRepeated ? "..." : "");
  return operand.isRequired ? text : "[" + text + "]";
}

std::string entry(const std::string& term, const std::string& text)
{
  return ".TP\n" + term + "\n" + text + "\n";
}

std::string optionEntry(const Option& option)
{
  std::string term = option.names.empty() ? operandText(option) : joined(option.names, bold);
  if (!option.names.empty() && !option.value.empty())
    term += " " + italic(option.value);
  std::string text = sentence(option.description);
  if (!option.choices.empty())
    text += "\n" + italic(option.value) + " is one of " + joined(option.choices, bold) + ".";
  if (!option.preset.empty())
    text += "\nDefault: " + bold(option.preset) + ".";
  if (!option.excludes.empty())
    text += "\nNot together with " + joined(option.excludes, bold) + ".";
  return entry(term, text);
}

std::string optionSections(const Command& command)
{
  std::vector<std::string> groups = {""};
  for (const Option& option : command.options)
    if (std::find(groups.begin(), groups.end(), option.group) == groups.end())
      groups.push_back(option.group);
  std::string text = ".SH OPTIONS\n";
  for (const std::string& group : groups) {
    if (!group.empty())
      text += ".SS " + roff(group) + "\n";
    for (const Option& option : command.options)
      if (option.group == group)
        text += optionEntry(option);
  }
  return text;
}

std::string synopsis(const Command& command)
{
  std::string text = ".SH SYNOPSIS\n" + bold(command.name(" ")) + " [" + italic("OPTION") + "]...";
  for (const Option& operand : command.operands)
    text += " " + operandText(operand);
  if (!command.commands.empty())
    text += "\n.br\n" + bold(command.name(" ")) + " " + italic("COMMAND") + " ...";
  return text + "\n";
}

/// The pages above it and below it.
std::string seeAlso(const Command& command, const Command& program)
{
  std::vector<std::string> pages;
  for (const Command* other : allCommands(program)) {
    const bool isAbove = other->path.size() + 1 == command.path.size() &&
                         std::equal(other->path.begin(), other->path.end(), command.path.begin());
    const bool isBelow = command.path.size() + 1 == other->path.size() &&
                         std::equal(command.path.begin(), command.path.end(), other->path.begin());
    if (isAbove || isBelow)
      pages.push_back(other->name("-"));
  }
  // The window and the command line, the one beside the other.
  if (command.path == std::vector<std::string>{"hinesight"})
    pages.push_back("hinesight-cli");
  else if (command.path.size() == 1)
    pages.push_back("hinesight");
  std::string text;
  for (const std::string& page : pages)
    text += (text.empty() ? ".SH SEE ALSO\n" : ",\n") + std::string(".BR ") + roff(page) + " (1)";
  return text.empty() ? text : text + "\n";
}

} // namespace

std::string manualPage(const Command& command, const Command& program)
{
  std::string page = "." + std::string("\\\" Made from the options of ") + program.path.front() + ".\n";
  page += ".TH " + upper(roff(command.name("-"))) + " 1 " + commitDate() + " \"Hinesight " + programVersion() +
          "\" \"User Commands\"\n";
  page += ".SH NAME\n" + roff(command.name("-")) + " \\- " + roff(summary(command.description)) + "\n";
  page += synopsis(command);
  page += ".SH DESCRIPTION\n" + sentence(command.description) + "\n";
  if (!command.operands.empty()) {
    page += ".SH ARGUMENTS\n";
    for (const Option& operand : command.operands)
      page += optionEntry(operand);
  }
  page += optionSections(command);
  if (!command.commands.empty()) {
    page += ".SH COMMANDS\n";
    for (const Command& below : command.commands)
      page += entry(bold(below.path.back()), sentence(below.description));
  }
  if (!command.footer.empty())
    page += ".SH EXIT STATUS\n" + roff(command.footer) + "\n";
  return page + seeAlso(command, program);
}

} // namespace hinesight::manual
