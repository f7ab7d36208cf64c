#include "io/runs/run_record.hpp"

#include "core/error.hpp"
#include "core/files.hpp"
#include "core/json_text.hpp"
#include "core/text.hpp"
#include "core/time_text.hpp"
#include "hines/branch/plan.hpp"
#include "io/csv.hpp"
#include "io/runs/json_values.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <chrono>
#include <cmath>
#include <limits>
#include <optional>
#include <type_traits>

#include <nlohmann/json.hpp>

namespace hinesight::io {

namespace {

using Json = nlohmann::ordered_json;

/// A figure of the schedule as a field: of all or of none of them there is a value.
template <typename Figures, typename Value>
struct FigureField
{
  Figures& figures; ///< std::optional<ScheduleFigures>
  Value hines::ScheduleFigures::*member;
};

/// Every plain field with its name, for the readers and the writers of both formats. The stages come on top.
template <typename Record, typename Visitor>
void visitFields(Record& run, Visitor&& visit)
{
  const auto figure = [&]<typename Value>(const char* name, Value hines::ScheduleFigures::*member) {
    FigureField<decltype((run.figures)), Value> field{run.figures, member};
    visit(name, field);
  };
  visit("startedAt", run.startedAt);
  visit("source", run.source);
  visit("cells", run.cells);
  visit("compartments", run.compartments);
  visit("solver", run.solver);
  visit("precision", run.precision);
  visit("parameters", run.parameters);
  visit("choice", run.choice);
  visit("backend", run.timings.backend);
  visit("device", run.timings.device);
  visit("balance", run.balance);
  visit("split", run.split);
  visit("pack", run.pack);
  visit("blockSize", run.blockSize);
  figure("levels", &hines::ScheduleFigures::rounds);
  figure("barriers", &hines::ScheduleFigures::barriers);
  figure("criticalPath", &hines::ScheduleFigures::criticalPath);
  figure("occupancy", &hines::ScheduleFigures::occupancy);
  figure("paddingBytes", &hines::ScheduleFigures::paddingBytes);
  figure("bytesMoved", &hines::ScheduleFigures::bytesMoved);
  figure("blocks", &hines::ScheduleFigures::units);
  visit("maxRelativeDifference", run.accuracy.maxRelativeDifference);
  visit("relativeResidual", run.accuracy.relativeResidual);
  visit("repetitions", run.repetitions);
}

/// The same of what files hold behind all else.
template <typename Record, typename Visitor>
void visitNewerFields(Record& run, Visitor&& visit)
{
  visit("kind", run.kind);
  visit("size", run.size);
  visit("plannedFor", run.plannedFor);
  visit("predictedMilliseconds", run.predicted);
  visit("processorsOfOthers", run.others);
}

/// Whether files that earlier versions wrote lack the field: then it keeps its default.
bool mayLack(std::string_view field)
{
  return field == "repetitions";
}

constexpr std::string_view kMedianLow = "medianLow";
constexpr std::string_view kMedianHigh = "medianHigh";

constexpr std::string_view kStageSuffix = " ms";

// What files of earlier versions lack: one column each, an array and an object in JSON.
constexpr std::string_view kDevices = "devices"; // in JSON alone
constexpr std::string_view kAsked = "asked";     // the same
constexpr std::string_view kFiles = "files";
constexpr std::string_view kSettings = "settings";
constexpr char kListSeparator = '\n'; // in the two columns, which are quoted

std::string joined(const std::vector<std::string>& items)
{
  std::string text;
  for (const std::string& item : items)
    text += (text.empty() ? "" : std::string(1, kListSeparator)) + item;
  return text;
}

std::vector<std::string> divided(std::string_view text)
{
  std::vector<std::string> items;
  while (!text.empty()) {
    const std::size_t end = text.find(kListSeparator);
    items.emplace_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return items;
}

std::string formatValue(const std::string& value)
{
  return value;
}

std::string formatValue(Backend value)
{
  return std::string(backendName(value));
}

std::string formatValue(RunKind value)
{
  return std::string(choiceName(value));
}

template <typename Number>
std::enable_if_t<std::is_arithmetic_v<Number>, std::string> formatValue(Number value)
{
  return textOf(value);
}

/// Numbers apart by blanks.
std::string formatValue(const std::vector<double>& values)
{
  std::string text;
  for (const double value : values)
    text += (text.empty() ? "" : " ") + formatValue(value);
  return text;
}

template <typename Figures, typename Value>
std::string formatValue(const FigureField<Figures, Value>& field)
{
  return field.figures ? formatValue((*field.figures).*field.member) : std::string();
}

bool parseValue(const std::string& text, std::string& value)
{
  value = text;
  return true;
}

bool parseValue(const std::string& text, Backend& value)
{
  value = text == backendName(Backend::Cuda) ? Backend::Cuda : Backend::Cpu;
  return text == backendName(value);
}

bool parseValue(const std::string& text, RunKind& value)
{
  const auto found = std::ranges::find(kRunKinds, text, &Choice::name);
  if (found == std::end(kRunKinds))
    return false;
  value = static_cast<RunKind>(found - std::begin(kRunKinds));
  return true;
}

template <typename Number>
std::enable_if_t<std::is_arithmetic_v<Number>, bool> parseValue(const std::string& text, Number& value)
{
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  return failure == std::errc{} && end == text.data() + text.size();
}

bool parseValue(const std::string& text, std::vector<double>& values)
{
  values.clear();
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    if (!parseValue(text.substr(begin, end - begin), values.emplace_back()))
      return false;
    begin = end + 1;
  }
  return true;
}

template <typename Figures, typename Value>
bool parseValue(const std::string& text, FigureField<Figures, Value>& field)
{
  if (text.empty())
    return true;
  if (!field.figures)
    field.figures.emplace();
  return parseValue(text, (*field.figures).*field.member);
}

/// The stages of all runs: each run's in its own order, a new one right behind the stage that it followed.
std::vector<std::string> stageNames(const std::vector<RunRecord>& runs)
{
  std::vector<std::string> names;
  for (const RunRecord& run : runs) {
    auto behind = names.begin();
    for (const Stage& stage : run.timings.stages) {
      auto known = std::find(names.begin(), names.end(), stage.name);
      if (known == names.end())
        known = names.insert(behind, stage.name);
      behind = known + 1;
    }
  }
  return names;
}

void writeCsvHeader(std::ostream& stream, const std::vector<std::string>& stages)
{
  const RunRecord any;
  visitFields(any, [&](const char* name, const auto&) { stream << name << ','; });
  for (const std::string& stage : stages)
    stream << quoteCsv(stage + std::string(kStageSuffix)) << ',';
  stream << "milliseconds," << kFiles << ',' << kSettings;
  visitNewerFields(any, [&](const char* name, const auto&) { stream << ',' << name; });
  stream << ',' << kMedianLow << ',' << kMedianHigh << '\n';
}

void writeCsvRow(std::ostream& stream, const RunRecord& run, const std::vector<std::string>& stages)
{
  visitFields(run, [&](const char*, const auto& value) { stream << quoteCsv(formatValue(value)) << ','; });
  for (const std::string& name : stages) {
    const auto& own = run.timings.stages;
    const auto stage = std::find_if(own.begin(), own.end(), [&](const Stage& s) { return s.name == name; });
    stream << (stage == own.end() ? std::string() : formatValue(stage->milliseconds)) << ',';
  }
  stream << formatValue(run.timings.total()) << ',' << quoteCsv(joined(run.files)) << ','
         << quoteCsv(linesOf(run.settings));
  visitNewerFields(run, [&](const char*, const auto& value) { stream << ',' << quoteCsv(formatValue(value)); });
  if (const auto interval = timeOf(run).interval)
    stream << ',' << formatValue(interval->low) << ',' << formatValue(interval->high) << '\n';
  else
    stream << ",,\n";
}

template <typename Value>
Json toJson(const Value& value)
{
  if constexpr (std::is_floating_point_v<Value>)
    return jsonNumber(value);
  else if constexpr (std::is_enum_v<Value>)
    return formatValue(value);
  else if constexpr (std::is_same_v<Value, std::vector<double>>) {
    Json array = Json::array();
    for (const double item : value)
      array.push_back(toJson(item));
    return array;
  } else
    return value;
}

template <typename Figures, typename Value>
Json toJson(const FigureField<Figures, Value>& field)
{
  return field.figures ? toJson((*field.figures).*field.member) : Json();
}

} // namespace

Json jsonRun(const RunRecord& run)
{
  Json object = Json::object();
  visitFields(run, [&](const char* name, const auto& value) { object[name] = toJson(value); });
  object["stages"] = jsonStages(run.timings);
  object["milliseconds"] = toJson(run.timings.total());
  object[std::string(kFiles)] = run.files;
  object[std::string(kSettings)] = jsonSettings(run.settings);
  visitNewerFields(run, [&](const char* name, const auto& value) { object[name] = toJson(value); });
  const auto interval = timeOf(run).interval;
  object[std::string(kMedianLow)] = interval ? toJson(interval->low) : Json();
  object[std::string(kMedianHigh)] = interval ? toJson(interval->high) : Json();
  if (!run.timings.devices.empty())
    object[std::string(kDevices)] = jsonDevices(run.timings);
  if (!run.asked.empty())
    object[std::string(kAsked)] = jsonSettings(run.asked);
  return object;
}

namespace {

/// Whether `json` holds such a value, which is then in `value`.
template <typename Value>
bool fromJson(const Json& json, Value& value)
{
  if constexpr (std::is_same_v<Value, std::string> || std::is_enum_v<Value>)
    return json.is_string() && parseValue(json.get<std::string>(), value);
  else if constexpr (std::is_floating_point_v<Value>) {
    if (json.is_string())
      return parseValue(json.get<std::string>(), value);
    value = json.is_number() ? json.get<Value>() : 0;
    return json.is_number();
  } else if constexpr (std::is_same_v<Value, std::vector<double>>) {
    value.clear();
    return json.is_array() &&
           std::ranges::all_of(json, [&](const Json& item) { return fromJson(item, value.emplace_back()); });
  } else {
    // By way of text, so that a number that does not fit the type is refused.
    return json.is_number_integer() && parseValue(json.dump(), value);
  }
}

template <typename Figures, typename Value>
bool fromJson(const Json& json, FigureField<Figures, Value>& field)
{
  if (json.is_null())
    return true;
  if (!field.figures)
    field.figures.emplace();
  return fromJson(json, (*field.figures).*field.member);
}

/// What an earlier version wrote of runs whose solver did not execute the plan that it described.
constexpr std::string_view kPlanKey = "plan";
constexpr std::string_view kNotExecuted = "not executed";

void forgetPlan(RunRecord& run)
{
  run.balance.clear();
  run.split.clear();
  run.pack.clear();
  run.blockSize = 0;
  run.figures.reset();
}

/// Reads one run of a timing file and says what is wrong with it.
class JsonRunReader
{
public:
  JsonRunReader(std::size_t runNumber, const std::string& file) : number(runNumber), path(file) {}

  RunRecord read(const Json& json) const
  {
    RunRecord run;
    visitFields(run, [&](const char* name, auto& value) {
      if (!mayLack(name) || json.contains(name))
        get(json, name, value);
    });
    if (const auto plan = json.find(kPlanKey); plan != json.end() && *plan == kNotExecuted)
      forgetPlan(run);
    readStages(json, run.timings);
    readDevices(json, run.timings);
    readSettings(json, run);
    visitNewerFields(run, [&](const char* name, auto& value) {
      if (json.contains(name))
        get(json, name, value);
    });
    return run;
  }

private:
  const Json& arrayIn(const Json& json, const char* key) const
  {
    const Json& array = member(json, key);
    if (!array.is_array())
      throw Error(ErrorCode::BadFormat, "run " + std::to_string(number) + ": \"" + key + "\" is no array", path);
    return array;
  }

  void readStages(const Json& json, StageTimings& timings) const
  {
    for (const Json& stage : arrayIn(json, "stages")) {
      Stage entry;
      get(stage, "name", entry.name);
      get(stage, "milliseconds", entry.milliseconds);
      timings.stages.push_back(std::move(entry));
    }
  }

  void readDevices(const Json& json, StageTimings& timings) const
  {
    if (!json.contains(kDevices))
      return;
    for (const Json& each : arrayIn(json, kDevices.data())) {
      StageTimings& device = timings.devices.emplace_back();
      device.backend = timings.backend;
      get(each, "name", device.device);
      readStages(each, device);
    }
  }

  void readSettings(const Json& json, RunRecord& run) const
  {
    if (const auto files = json.find(kFiles); files != json.end())
      for (const Json& file : *files)
        run.files.push_back(textOf(file, kFiles));
    run.settings = settingsIn(json, kSettings);
    run.asked = settingsIn(json, kAsked);
  }

  std::vector<Setting> settingsIn(const Json& json, std::string_view key) const
  {
    std::vector<Setting> settings;
    if (const auto found = json.find(key); found != json.end())
      for (const auto& [name, value] : found->items())
        settings.push_back({name, textOf(value, key)});
    return settings;
  }

  std::string textOf(const Json& json, std::string_view key) const
  {
    if (!json.is_string())
      throw Error(ErrorCode::BadFormat,
                  "run " + std::to_string(number) + ": \"" + std::string(key) + "\" holds no text", path);
    return json.get<std::string>();
  }

  const Json& member(const Json& json, const char* key) const
  {
    if (!json.is_object() || !json.contains(key))
      throw Error(ErrorCode::BadFormat, "run " + std::to_string(number) + " has no \"" + key + "\"", path);
    return json.at(key);
  }

  template <typename Value>
  void get(const Json& json, const char* key, Value& value) const
  {
    const Json& found = member(json, key);
    if (!fromJson(found, value))
      throw Error(ErrorCode::BadFormat,
                  "run " + std::to_string(number) + ": " +
                      (found.is_structured() ? std::string("an ") + found.type_name()
                                             : found.dump(-1, ' ', false, Json::error_handler_t::replace)) +
                      " is no value for \"" + key + "\"",
                  path);
  }

  std::size_t number;
  const std::string& path;
};

Json parseJson(const std::string& text, const std::string& path)
{
  requireModestJson(text, path);
  try {
    return Json::parse(text);
  } catch (const Json::parse_error& failure) {
    const auto end = text.begin() + static_cast<std::ptrdiff_t>(std::min(failure.byte, text.size()));
    throw Error(ErrorCode::BadFormat, "is not JSON: a syntax error or an early end", path,
                1 + std::count(text.begin(), end, '\n'));
  } catch (const Json::exception&) {
    throw Error(ErrorCode::BadFormat, "holds a number that is out of range", path);
  }
}

/// Where each field and stage of a CSV file stands.
class CsvColumns
{
public:
  CsvColumns(const CsvRow& header, const std::string& file) : names(header.fields), path(file)
  {
    const RunRecord any;
    visitFields(any, [&](const char* name, const auto&) {
      if (!mayLack(name) && !find(name))
        throw Error(ErrorCode::BadFormat, std::string("has no column \"") + name + "\"; is it a timing file?", path,
                    header.line);
    });
  }

  RunRecord read(const CsvRow& row) const
  {
    if (row.fields.size() != names.size())
      throw Error(ErrorCode::BadFormat,
                  "has " + std::to_string(row.fields.size()) + " fields where the header has " +
                      std::to_string(names.size()),
                  path, row.line);
    RunRecord run;
    visitFields(run, [&](const char* name, auto& value) {
      if (const auto column = find(name))
        parse(row, *column, value);
    });
    if (const auto plan = find(kPlanKey); plan && row.fields[*plan] == kNotExecuted)
      forgetPlan(run);
    for (std::size_t column = 0; column < names.size(); ++column) {
      const std::string& name = names[column];
      if (!name.ends_with(kStageSuffix) || row.fields[column].empty())
        continue;
      Stage stage{name.substr(0, name.size() - kStageSuffix.size()), 0};
      parse(row, column, stage.milliseconds);
      run.timings.stages.push_back(std::move(stage));
    }
    if (const auto files = find(kFiles))
      run.files = divided(row.fields[*files]);
    if (const auto settings = find(kSettings))
      run.settings = settingsOfLines(row.fields[*settings]);
    visitNewerFields(run, [&](const char* name, auto& value) {
      if (const auto column = find(name))
        parse(row, *column, value);
    });
    return run;
  }

private:
  std::optional<std::size_t> find(std::string_view name) const
  {
    const auto it = std::find(names.begin(), names.end(), name);
    return it == names.end() ? std::nullopt : std::optional<std::size_t>(it - names.begin());
  }

  template <typename Value>
  void parse(const CsvRow& row, std::size_t column, Value& value) const
  {
    if (!parseValue(row.fields[column], value))
      throw Error(ErrorCode::BadFormat,
                  "\"" + row.fields[column] + "\" is no value for column \"" + names[column] + "\"", path, row.line);
  }

  const std::vector<std::string>& names;
  const std::string& path;
};

constexpr std::string_view kCsvExtension = ".csv";
constexpr std::string_view kJsonExtension = ".json";

std::string lowerExtension(const std::filesystem::path& path)
{
  std::string extension = path.extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return extension;
}

} // namespace

RunRecord startRecord(RunKind kind, std::string source, StageTimings timings)
{
  const std::chrono::duration<double, std::milli> spent(timings.total());
  RunRecord run;
  run.kind = kind;
  run.startedAt = timeText(std::chrono::system_clock::now() -
                           std::chrono::duration_cast<std::chrono::system_clock::duration>(spent));
  run.source = std::move(source);
  run.timings = std::move(timings);
  return run;
}

Measured timeOf(const RunRecord& run)
{
  if (!run.repetitions.empty())
    return measuredOf(run.repetitions, run.others);
  return measuredOf({run.kind == RunKind::Solve ? run.timings.of("solve") : run.timings.total()});
}

std::string comparedAs(const RunRecord& run)
{
  std::string text = std::string(choiceName(run.kind)) + ": " + std::to_string(run.cells) + " cells, ";
  return text + (run.size.empty() ? std::to_string(run.compartments) + " compartments" : run.size);
}

bool areAlike(const RunRecord& a, const RunRecord& b)
{
  return !a.settings.empty() && a.settings == b.settings && comparedAs(a) == comparedAs(b) && a.source == b.source &&
         a.files == b.files && a.solver == b.solver && a.parameters == b.parameters &&
         a.timings.backend == b.timings.backend && a.timings.device == b.timings.device;
}

RunRecord recordRun(std::string source, const hines::Solution& solution, const hines::Accuracy& accuracy,
                    StageTimings timings, const RunControl& control)
{
  const hines::HinesBatch& batch = *solution.schedule->batch;
  RunRecord run = startRecord(RunKind::Solve, std::move(source), std::move(timings));
  run.cells = batch.cells();
  run.compartments = batch.compartments();
  run.solver = hines::solverName(solution.parameters.solver);
  run.precision = hines::precisionName(solution.parameters.precision);
  run.parameters = hines::describeParameters(solution.parameters, run.cells);
  run.choice = solution.choice;
  if (const auto* plan = dynamic_cast<const hines::SolvePlan*>(solution.schedule.get())) {
    run.balance = hines::balanceName(plan->parameters.balance);
    run.split = hines::describeSplit(plan->parameters);
    run.pack = hines::packName(plan->parameters.pack);
    run.blockSize = plan->parameters.blockSize;
  }
  run.figures = solution.schedule->summary(control);
  run.accuracy = accuracy;
  run.repetitions = solution.repetitions;
  run.others = solution.others;
  return run;
}

void writeTimingsCsv(const std::vector<RunRecord>& runs, const std::filesystem::path& path)
{
  writeFileAtomically(path, [&](std::ostream& stream) {
    const std::vector<std::string> stages = stageNames(runs);
    writeCsvHeader(stream, stages);
    for (const RunRecord& run : runs)
      writeCsvRow(stream, run, stages);
  });
}

void writeTimingsJson(const std::vector<RunRecord>& runs, const std::filesystem::path& path)
{
  Json document = {{"runs", Json::array()}};
  for (const RunRecord& run : runs)
    document["runs"].push_back(jsonRun(run));
  writeFileAtomically(path, [&](std::ostream& stream) {
    // A file name may hold bytes that are no UTF-8.
    stream << document.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
  });
}

void writeTimings(const std::vector<RunRecord>& runs, const std::filesystem::path& path)
{
  if (isTimingsJson(path))
    writeTimingsJson(runs, path);
  else
    writeTimingsCsv(runs, path);
}

void requireTimingsExtension(const std::filesystem::path& path)
{
  const std::string extension = lowerExtension(path);
  if (extension != kCsvExtension && extension != kJsonExtension)
    throw Error(ErrorCode::BadParameter, "timings are written as .csv or .json; give the file such a name",
                path.string());
}

bool isTimingsJson(const std::filesystem::path& path)
{
  requireTimingsExtension(path);
  return lowerExtension(path) == kJsonExtension;
}

RunRecord runOfJson(const Json& json, std::size_t number, const std::string& file)
{
  return JsonRunReader(number, file).read(json);
}

std::vector<RunRecord> readTimingsJson(const std::filesystem::path& path)
{
  const std::string name = path.string();
  const Json document = parseJson(readFile(path), name);
  if (!document.is_object() || !document.contains("runs") || !document["runs"].is_array())
    throw Error(ErrorCode::BadFormat, "has no array \"runs\"; is it a timing file?", name);
  std::vector<RunRecord> runs;
  for (const Json& run : document["runs"])
    runs.push_back(runOfJson(run, runs.size() + 1, name));
  return runs;
}

std::vector<RunRecord> readTimings(const std::filesystem::path& path)
{
  return isTimingsJson(path) ? readTimingsJson(path) : readTimingsCsv(path);
}

std::vector<RunRecord> readTimingsCsv(const std::filesystem::path& path)
{
  const std::string name = path.string();
  const std::vector<CsvRow> rows = parseCsv(readFile(path), name);
  if (rows.empty())
    throw Error(ErrorCode::BadFormat, "is empty; is it a timing file?", name);
  const CsvColumns columns(rows.front(), name);
  std::vector<RunRecord> runs;
  for (auto row = rows.begin() + 1; row != rows.end(); ++row)
    runs.push_back(columns.read(*row));
  return runs;
}

} // namespace hinesight::io
