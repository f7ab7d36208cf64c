#include "model/session_file.hpp"

#include "core/check_sum.hpp"
#include "core/error.hpp"
#include "core/files.hpp"
#include "core/json_text.hpp"
#include "io/runs/json_values.hpp"
#include "model/moved_files.hpp"
#include "model/project_parts.hpp"
#include "model/tags.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <set>
#include <stdexcept>

#include <nlohmann/json.hpp>

namespace hinesight::model {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr int kVersion = 1;
constexpr const char* kVersionKey = "session";
constexpr const char* kViewKey = "view";
constexpr const char* kRunsKey = "runs";

// --- Fields as JSON -------------------------------------------------------------------------------------------------

Json jsonOf(const BoundField& field);

/// What applies; and what was changed though it does not, so that it is there again when it does.
Json jsonOf(const std::vector<BoundField>& fields)
{
  Json object = Json::object();
  for (const BoundField& field : fields)
    if (field.about.applies || !field.isDefault())
      object[field.name] = jsonOf(field);
  return object;
}

Json jsonOf(const BoundField& field)
{
  const std::string text = field.kind == FieldKind::List || field.kind == FieldKind::Series ? "" : field.text();
  switch (field.kind) {
  case FieldKind::Switch:
    return field.number() != 0;
  case FieldKind::Whole:
  case FieldKind::Real: {
    const Json number = Json::parse(text, nullptr, false); // "inf" is no number of JSON
    return number.is_number() ? number : Json(text);
  }
  case FieldKind::Choice:
  case FieldKind::Text:
    return text;
  case FieldKind::Series: {
    Json items = Json::array();
    for (std::size_t k = 0; k < field.size(); ++k)
      items.push_back(jsonOf(field.item(k).front()));
    return items;
  }
  case FieldKind::List:
    break;
  }
  Json items = Json::array();
  for (std::size_t k = 0; k < field.size(); ++k)
    items.push_back(jsonOf(field.item(k)));
  return items;
}

/// Takes values from JSON and says what is wrong where.
class Taking
{
public:
  Taking(std::string file, std::vector<std::string>& unknownNames) : path(std::move(file)), warnings(unknownNames) {}

  void take(const Json& json, std::vector<BoundField> fields, const std::string& part)
  {
    if (!json.is_object())
      fail(part + " is no object");
    for (const auto& [name, value] : json.items())
      if (BoundField* const field = findField(fields, name))
        take(value, *field, part);
      else
        warnings.push_back(part + ": \"" + name + "\" is not known and has been left out.");
  }

  [[noreturn]] void fail(const std::string& what) const { throw Error(ErrorCode::BadFormat, what, path); }

private:
  void take(const Json& value, BoundField& field, const std::string& part)
  {
    if (field.kind == FieldKind::Series || field.kind == FieldKind::List) {
      if (!value.is_array())
        fail(part + ": \"" + field.name + "\" is no list");
      field.resize(value.size());
      if (field.size() != value.size())
        fail(part + ": \"" + field.name + "\" has " + std::to_string(value.size()) + " values where " +
             std::to_string(field.size()) + " are needed");
      for (std::size_t k = 0; k < value.size(); ++k)
        if (field.kind == FieldKind::List)
          take(value[k], field.item(k), part + ", " + field.name + " " + std::to_string(k + 1));
        else
          setText(value[k], field.item(k).front(), part, field.name);
    } else
      setText(value, field, part, field.name);
  }
  void setText(const Json& value, BoundField field, const std::string& part, const std::string& name)
  {
    if (value.is_structured() || value.is_null())
      fail(part + ": \"" + name + "\" is no single value");
    const std::string text = value.is_string() ? value.get<std::string>() : value.dump();
    try {
      field.setText(text);
    } catch (const std::invalid_argument& error) {
      fail(part + ": \"" + name + "\": " + error.what());
    } catch (const Error& error) {
      fail(part + ": " + error.message());
    }
  }

  std::string path;
  std::vector<std::string>& warnings;
};

Json parseJson(const std::string& text, const std::string& path)
{
  requireModestJson(text, path);
  try {
    return Json::parse(text);
  } catch (const Json::parse_error& error) {
    const auto line =
        1 +
        std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(std::min(error.byte, text.size())), '\n');
    throw Error(ErrorCode::BadFormat, "is no JSON from here on", path, line);
  }
}

} // namespace

namespace {

/// Who writes a session by hand need not sort them. Throws Error(BadParameter) with the cell's name.
void orderTags(Project& project)
{
  for (Cell& cell : project.cells)
    try {
      cell.tags = tagSet(cell.tags);
    } catch (const Error& error) {
      throw Error(error.code(), "The cell \"" + cell.name + "\": " + error.message());
    }
}

} // namespace

bool isSession(const fs::path& path)
{
  const std::string text = readFile(path);
  requireModestJson(text, path.string());
  const Json json = Json::parse(text, nullptr, false);
  return (json.is_object() && json.contains(kVersionKey)) || path.extension() == kSessionEnding;
}

namespace {

/// Sets have cells of the session only; a set of none of them is left out, too.
void dropUnknownCells(ReadSession& read)
{
  std::set<std::string> known;
  for (const Cell& cell : read.project.cells)
    known.insert(cell.name);
  std::vector<selection::NamedSelection> sets;
  for (selection::NamedSelection& set : read.project.selections) {
    const auto unknown =
        std::ranges::stable_partition(set.cells, [&](const std::string& cell) { return known.contains(cell); });
    if (unknown.empty()) {
      sets.push_back(std::move(set));
      continue;
    }
    const bool isGone = unknown.size() == set.cells.size();
    const std::string more = unknown.size() == 1 ? "" : " and " + std::to_string(unknown.size() - 1) + " more";
    read.warnings.push_back("The set \"" + set.name + "\" names the cell \"" + unknown.front() + "\"" + more +
                            ", which the session has not; " + (isGone ? "the set" : "that") + " has been left out.");
    set.cells.erase(unknown.begin(), unknown.end());
    if (!isGone)
      sets.push_back(std::move(set));
  }
  read.project.selections = std::move(sets);
}

// --- Runs -----------------------------------------------------------------------------------------------------------

// As writeTimingsJson has them. One whose files are those of the next run that has any says so in place of naming them:
// a thousand cells are a thousand names.

constexpr std::size_t kMostRunBytes = 4'000'000;
constexpr std::size_t kMostRunFiles = 500'000; ///< names, of all runs together
constexpr std::string_view kSessionEnd = "\n}\n";
constexpr std::string_view kRunsBegin = ",\n  \"runs\": [\n";
constexpr std::string_view kRunsEnd = "\n  ]\n}\n";
constexpr const char* kFilesKey = "files";
constexpr const char* kFilesAsNextKey = "filesAsNext";

/// The newest, in their order.
template <typename Change>
std::vector<std::string> linesOf(const io::SharedRuns& runs, const Change& seenFrom)
{
  std::vector<std::string> lines;
  std::vector<std::string> next; // files
  std::size_t bytes = 0;
  std::size_t named = 0;
  for (auto run = runs.rbegin(); run != runs.rend() && lines.size() < kMostRuns; ++run) {
    const std::vector<std::string>& files = (*run)->files;
    named += files.size();
    if (named > kMostRunFiles)
      break;
    Json json = io::jsonRun(**run);
    if (!files.empty() && files == next) {
      json.erase(kFilesKey);
      json[kFilesAsNextKey] = true;
    } else if (!files.empty()) {
      next = files;
      for (Json& file : json[kFilesKey])
        changeFile(file.get_ref<std::string&>(), seenFrom);
    }
    std::string line = json.dump(-1, ' ', false, Json::error_handler_t::replace);
    bytes += line.size();
    if (bytes > kMostRunBytes)
      break;
    lines.push_back(std::move(line));
  }
  std::ranges::reverse(lines);
  return lines;
}

template <typename Change>
std::string withRuns(std::string session, const io::SharedRuns& runs, const Change& seenFrom)
{
  const std::vector<std::string> lines = linesOf(runs, seenFrom);
  if (lines.empty())
    return session;
  session.resize(session.size() - kSessionEnd.size());
  session += kRunsBegin;
  for (std::size_t k = 0; k < lines.size(); ++k)
    session += (k == 0 ? "    " : ",\n    ") + lines[k];
  return session += kRunsEnd;
}

/// Whatever a stranger wrote, times can be sorted and drawn.
bool hasTimes(const io::RunRecord& run)
{
  constexpr double kLongest = 1e12; // ms
  const auto isTime = [](double milliseconds) { return milliseconds >= 0 && milliseconds <= kLongest; };
  const auto areTimes = [&](const StageTimings& timings) {
    return std::ranges::all_of(timings.stages, isTime, &Stage::milliseconds);
  };
  return std::ranges::all_of(run.repetitions, isTime) && areTimes(run.timings) &&
         std::ranges::all_of(run.timings.devices, areTimes) && isTime(run.predicted) && isTime(run.others);
}

/// The runs of a session, newest first.
class TakingRuns
{
public:
  TakingRuns(fs::path ofSession, std::string file) : folder(std::move(ofSession)), path(std::move(file)) {}

  /// The run of that number. False: all together name too many files; this one and those before it are left out.
  bool take(Json json, std::size_t number)
  {
    const auto files = json.find(kFilesKey);
    const bool hasOwn = files != json.end() && !files->empty();
    const bool isAsNext = !hasOwn && json.contains(kFilesAsNextKey);
    if (hasOwn)
      next = *files;
    named += hasOwn || isAsNext ? next.size() : 0;
    if (named > kMostRunFiles)
      return false;
    if (isAsNext)
      json[kFilesKey] = next;
    try {
      taken.push_back(std::make_shared<const io::RunRecord>(read(json, number)));
    } catch (const Error& error) {
      ++broken;
      problem = error.message();
    }
    return true;
  }

  io::SharedRuns taken;
  std::size_t broken = 0; ///< that were left out
  std::string problem;    ///< of the oldest of them

private:
  io::RunRecord read(const Json& json, std::size_t number) const
  {
    io::RunRecord run = io::runOfJson(json, number, path);
    if (!hasTimes(run))
      throw Error(ErrorCode::BadFormat, "run " + std::to_string(number) + " has times that are none", path);
    for (std::string& file : run.files)
      changeFile(file, [this](const fs::path& name) { return (folder / name).lexically_normal(); });
    return run;
  }

  fs::path folder;
  std::string path;
  Json next = Json::array(); ///< files
  std::size_t named = 0;
};

/// What cannot be read is left out, and said in a sentence.
void takeRuns(const Json& runs, const fs::path& folder, const std::string& path, ReadSession& read)
{
  if (!runs.is_array()) {
    read.warnings.emplace_back("\"runs\" is no list and has been left out.");
    return;
  }
  TakingRuns taking(folder, path);
  std::size_t left = runs.size();
  while (left > 0 && runs.size() - left < kMostRuns && taking.take(runs[left - 1], left))
    --left;
  read.runs = {taking.taken.rbegin(), taking.taken.rend()};
  const std::string all = std::to_string(runs.size());
  if (left > 0)
    read.warnings.push_back("Of its " + all + " runs the newest " + std::to_string(runs.size() - left) + " were read.");
  if (taking.broken > 0)
    read.warnings.push_back(std::to_string(taking.broken) + " of " + all +
                            (taking.broken == 1 ? " runs has" : " runs have") + " been left out: " + taking.problem +
                            ".");
}

} // namespace

ReadSession parseSession(const std::string& text, const fs::path& folder, const std::string& path)
{
  const Json json = parseJson(text, path);
  ReadSession read;
  Taking taking(path, read.warnings);
  if (!json.is_object() || !json.contains(kVersionKey) || !json[kVersionKey].is_number_integer())
    taking.fail("is no session: \"session\", the number of its format, is missing");
  if (json[kVersionKey] > kVersion)
    taking.fail("is a session of format " + json[kVersionKey].dump() +
                ", which a later version wrote; this one reads up to " + std::to_string(kVersion));
  for (const auto& [name, value] : json.items()) {
    bool isKnown = name == kVersionKey || name == "program";
    forLists([&](std::string_view list, const char*, auto member) {
      if (name != list)
        return;
      isKnown = true;
      auto& parts = read.project.*member;
      if (!value.is_array())
        taking.fail("\"" + name + "\" is no list");
      parts.resize(value.size());
      for (std::size_t k = 0; k < parts.size(); ++k) {
        const std::string part = name + " " + std::to_string(k + 1);
        taking.take(value[k], fieldsOf(parts[k]), part);
      }
    });
    forSingles([&](std::string_view single, auto member) {
      if (name != single)
        return;
      isKnown = true;
      taking.take(value, fieldsOf(read.project.*member), name);
    });
    forOptionals([&](std::string_view single, auto member) {
      if (name != single)
        return;
      isKnown = true;
      taking.take(value, fieldsOf((read.project.*member).emplace()), name);
    });
    if (name == kViewKey) {
      isKnown = true;
      taking.take(value, fieldsOf(read.view), name);
    }
    if (name == kRunsKey) {
      isKnown = true;
      takeRuns(value, folder, path, read);
    }
    if (!isKnown)
      read.warnings.push_back("\"" + name + "\" is not known and has been left out.");
  }
  try {
    orderTags(read.project);
  } catch (const Error& error) {
    taking.fail(error.message());
  }
  dropUnknownCells(read);
  forFiles(read.project, [&](const fs::path& file) { return (folder / file).lexically_normal(); });
  return read;
}

std::optional<std::string> textBeforeRuns(std::string_view text)
{
  const std::size_t begin = text.find(kRunsBegin);
  if (begin == std::string_view::npos)
    return std::nullopt;
  return std::string(text.substr(0, begin)).append(kSessionEnd);
}

ReadSession readSession(const fs::path& path, Extent extent)
{
  std::string text = readFile(path);
  if (extent == Extent::WithoutRuns)
    text = textBeforeRuns(text).value_or(text);
  ReadSession read = parseSession(text, path.parent_path(), path.string());
  const std::vector<MovedFile> moved = findMovedFiles(read.project, path.parent_path(), Search::Folder);
  for (const MovedFile& file : moved)
    read.warnings.push_back(file.before + " is not there. " + file.now + " was taken in its place.");
  moveFiles(read.project, moved);
  read.missing = missingFiles(read.project);
  return read;
}

namespace {

/// With the paths of files as they are.
std::string textOf(Project& seen, const SessionView& view)
{
  Json json = {{kVersionKey, kVersion}, {"program", HINESIGHT_VERSION}};
  forLists([&](const char* list, const char*, auto member) {
    Json items = Json::array();
    for (auto& part : seen.*member)
      items.push_back(jsonOf(fieldsOf(part)));
    if (!items.empty())
      json[list] = std::move(items);
  });
  forSingles([&](const char* single, auto member) { json[single] = jsonOf(fieldsOf(seen.*member)); });
  forOptionals([&](const char* single, auto member) {
    if (auto& part = seen.*member)
      json[single] = jsonOf(fieldsOf(*part));
  });
  if (view != SessionView()) {
    Json& part = json[kViewKey] = Json::object();
    for (const BoundField& field : fieldsOf(view))
      if (!field.isDefault())
        part[field.name] = jsonOf(field);
  }
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace

std::string sessionText(const Project& project, const fs::path& folder, const SessionView& view,
                        const io::SharedRuns& runs)
{
  Project seen = project;
  const fs::path from = (folder.empty() ? fs::current_path() : fs::absolute(folder)).lexically_normal();
  const auto seenFrom = [&](const fs::path& file) {
    return fs::absolute(file).lexically_normal().lexically_proximate(from);
  };
  forFiles(seen, seenFrom);
  return withRuns(textOf(seen, view), runs, seenFrom);
}

std::string sessionTextForAnyFolder(const Project& project, const SessionView& view)
{
  Project seen = project;
  forFiles(seen, [](const fs::path& file) { return fs::absolute(file).lexically_normal(); });
  return textOf(seen, view);
}

void writeSession(const Project& project, const fs::path& path, const SessionView& view, const io::SharedRuns& runs)
{
  const std::string text = sessionText(project, path.parent_path(), view, runs);
  writeFileAtomically(path, [&](std::ostream& stream) { stream << text; });
}

void setByPath(Project& project, std::string_view assignment)
{
  const auto refuse = [&](const std::string& what) {
    throw Error(ErrorCode::BadParameter, "\"" + std::string(assignment) + "\": " + what);
  };
  const std::size_t equals = assignment.find('=');
  const std::string path(assignment.substr(0, equals));
  const std::size_t first = path.find('.');
  const std::size_t last = path.rfind('.');
  if (equals == std::string_view::npos || first == std::string::npos)
    refuse("a path and a value are needed, such as connections.NAME.sigma=4");
  const std::string room = path.substr(0, first);
  const std::string fieldName = path.substr(last + 1);
  std::vector<BoundField> fields;
  const std::string name = last > first ? path.substr(first + 1, last - first - 1) : std::string();
  forLists([&](std::string_view list, const char*, auto member) {
    for (auto& part : project.*member)
      if (room == list && nameOf(part) == name)
        fields = fieldsOf(part);
  });
  forSingles([&](std::string_view single, auto member) {
    if (room == single && last == first)
      fields = fieldsOf(project.*member);
  });
  forOptionals([&](std::string_view single, auto member) {
    if (room != single || last != first)
      return;
    auto& part = project.*member;
    if (!part)
      part.emplace();
    fields = fieldsOf(*part);
  });
  if (fields.empty())
    refuse("there is no " + path.substr(0, last));
  BoundField* const field = findField(fields, fieldName);
  if (!field)
    refuse(path.substr(0, last) + " has no field \"" + fieldName + "\"");
  const std::string value(assignment.substr(equals + 1));
  const std::string before = field->text();
  try {
    field->setText(value);
    orderTags(project);
  } catch (const std::invalid_argument& error) {
    refuse(error.what());
  } catch (const Error&) {
    field->setText(before);
    throw;
  }
}

bool isSample(std::string_view file)
{
  return file.starts_with(":/");
}

std::string contentHash(const fs::path& path)
{
  std::array<char, 17> digits{};
  std::snprintf(digits.data(), digits.size(), "%016llx", static_cast<unsigned long long>(fnv1a(readFile(path))));
  return digits.data();
}

} // namespace hinesight::model
