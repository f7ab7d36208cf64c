#include "app/cli/commands.hpp"
#include "app/cli/options.hpp"
#include "app/cli/report.hpp"
#include "core/fields.hpp"
#include "study/parameter_sets.hpp"

#include <array>
#include <memory>

#include <nlohmann/json.hpp>

namespace hinesight::cli {

namespace {

constexpr std::array<std::string_view, 7> kKinds = {"switch", "whole", "number", "choice", "text", "series", "list"};
constexpr std::array<std::string_view, 3> kConcerns = {"science", "machine", "picture"};

std::string groupOf(const BoundField& field)
{
  return field.groups.empty() ? std::string() : std::string(field.groups.back().title);
}

Json toJson(const BoundField& field)
{
  Json json = {{"name", field.name},
               {"label", field.about.label},
               {"group", groupOf(field)},
               {"kind", kKinds[static_cast<std::size_t>(field.kind)]},
               {"unit", field.about.unit},
               {"default", field.text()},
               {"range", rangeText(field)},
               {"concern", kConcerns[static_cast<std::size_t>(field.about.concern)]},
               {"help", field.about.help},
               {"detail", field.about.detail},
               {"formerName", field.about.former}};
  Json& choices = json["choices"] = Json::array();
  for (const Choice& choice : field.choices)
    choices.push_back({{"name", choice.name}, {"label", choice.label}, {"help", choice.help}});
  return json;
}

/// What it may be: its range, or the names of its choices.
std::string valuesOf(const BoundField& field)
{
  if (field.kind == FieldKind::Switch)
    return "true or false";
  std::string names;
  for (const Choice& choice : field.choices)
    names += (names.empty() ? "`" : ", `") + std::string(choice.name) + "`";
  return names.empty() ? rangeText(field) : names;
}

void printPage(std::ostream& stream)
{
  stream << "# Parameters\n\n"
            "Every parameter of the program: in the window, as an option of a command, and in records and files.\n"
            "`scripts/make-parameters-page` writes this page from the program itself.\n";
  for (const study::ParameterSet& set : study::allParameterSets()) {
    const bool areOptions = !set.command.empty();
    stream << "\n## " << set.title
           << (areOptions ? ": `hinesight-cli " + std::string(set.command) + "`" : ", in [sessions](session.md)")
           << '\n';
    std::string group;
    for (const BoundField& field : set.fields) {
      if (field.name == set.fields.front().name || groupOf(field) != group) {
        group = groupOf(field);
        if (!group.empty())
          stream << "\n### " << group << '\n';
        stream << (areOptions ? "\n| option" : "\n| field")
               << " | on screen | default | values | what it does |\n| --- | --- | --- | --- | --- |\n";
      }
      stream << (areOptions && isOption(field) ? "| `--" : "| `") << field.name << "` | " << field.about.label << " | "
             << field.text() << " | " << valuesOf(field) << " | " << field.about.help
             << (field.about.detail.empty() ? "" : " ") << field.about.detail << " |\n";
    }
  }
}

int runParameters(bool page, Session& session)
{
  if (page) {
    printPage(session.results());
    return 0;
  }
  if (session.json) {
    Json sets = Json::array();
    for (const study::ParameterSet& set : study::allParameterSets()) {
      Json fields = Json::array();
      for (const BoundField& field : set.fields)
        fields.push_back(toJson(field));
      sets.push_back({{"title", set.title}, {"command", set.command}, {"parameters", std::move(fields)}});
    }
    printJson(session.results(), {{"studies", std::move(sets)}});
    return 0;
  }
  for (const study::ParameterSet& set : study::allParameterSets()) {
    const bool areOptions = !set.command.empty();
    session.results() << set.title
                      << (areOptions ? " (hinesight-cli " + std::string(set.command) + ")" : " (in sessions)") << '\n';
    Table table;
    for (const BoundField& field : set.fields)
      table.add({(areOptions && isOption(field) ? "  --" : "  ") + field.name, field.text(), rangeText(field)});
    table.print(session.results());
  }
  return 0;
}

} // namespace

void addParametersCommand(Command& program, Session& session)
{
  auto page = std::make_shared<bool>(false);
  Command& command = addCommand(program, session, "parameters", "List every parameter: its unit, range and default",
                                [page, &session] { return runParameters(*page, session); });
  command.addFlag("--markdown", *page, "As the page docs/parameters.md");
}

} // namespace hinesight::cli
