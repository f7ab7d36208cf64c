#include "io/models/mechanism_tables.hpp"

#include "core/error.hpp"
#include "core/expression/compiler.hpp"
#include "core/files.hpp"
#include "core/json_text.hpp"
#include "core/text.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <system_error>
#include <utility>

#include <nlohmann/json.hpp>

namespace hinesight::io {

namespace {

using cell::Carrier;
using cell::Mechanism;
using cell::MechanismParameter;
using cell::TableGate;
using nlohmann::json;

bool isName(const std::string& text)
{
  return !text.empty() && !std::isdigit(static_cast<unsigned char>(text.front())) &&
         std::ranges::all_of(text, [](unsigned char c) { return std::isalnum(c) || c == '_'; });
}

/// One mechanism of a file.
class TableReader
{
public:
  TableReader(const json& object, const std::string& file) : root(object), path(file) {}

  std::shared_ptr<const Mechanism> read()
  {
    made.name = text(root, "name");
    if (!isName(made.name))
      throw Error(ErrorCode::BadFormat,
                  "A mechanism has the name \"" + made.name + "\"; letters, digits and _ make a name.", path);
    made.title = text(root, "title").empty() ? made.name : text(root, "title");
    made.source = text(root, "source");
    checkNames(root, {"name", "title", "source", "ion", "reversal", "parameters", "gates"}, "");
    readCarrier();
    readParameters();
    readGates();
    table->parameters = static_cast<std::int32_t>(made.parameters.size() - 1);
    checkRates();
    use.table = table;
    made.channels = {use};
    return std::make_shared<const Mechanism>(std::move(made));
  }

private:
  [[noreturn]] void fail(const std::string& what) const
  {
    throw Error(ErrorCode::BadFormat, "The mechanism \"" + made.name + "\" " + what + ".", path);
  }

  static std::string text(const json& object, const char* name)
  {
    return object.contains(name) && object[name].is_string() ? object[name].get<std::string>() : std::string();
  }

  double number(const json& object, const char* name, const std::string& where) const
  {
    if (!object.contains(name) || !object[name].is_number() || !std::isfinite(object[name].get<double>()))
      fail("has no number \"" + std::string(name) + "\"" + where);
    return object[name].get<double>();
  }

  void checkNames(const json& object, std::initializer_list<const char*> known, const std::string& where) const
  {
    for (const auto& [name, value] : object.items())
      if (std::ranges::none_of(known, [&](const char* each) { return name == each; }))
        fail("has \"" + name + "\"" + where + ", which is not known");
  }

  void readCarrier()
  {
    static const std::map<std::string, Carrier> kIons = {
        {"na", Carrier::Sodium}, {"k", Carrier::Potassium}, {"ca", Carrier::Calcium}};
    use.carrier = Carrier::Mixed;
    const std::string ion = text(root, "ion");
    if (ion.empty()) {
      use.reversal = number(root, "reversal", " and no \"ion\"");
      return;
    }
    if (!kIons.contains(ion))
      fail("is of the ion \"" + ion + "\"; there are na, k and ca, or a \"reversal\" in their place");
    if (root.contains("reversal"))
      fail("has both an \"ion\" and a \"reversal\"");
    use.carrier = kIons.at(ion);
  }

  void readParameters()
  {
    made.parameters = {{"gbar", "S/cm2", 0, MechanismParameter::Range::NotNegative}};
    if (!root.contains("parameters"))
      return;
    if (!root["parameters"].is_array())
      fail("has \"parameters\" that are no list");
    for (const json& each : root["parameters"]) {
      const std::string name = each.is_object() ? text(each, "name") : std::string();
      if (!isName(name) || name == "v" || name == "cai" || name == "celsius" || name == "pi")
        fail("has a parameter without a name of its own");
      checkNames(each, {"name", "unit", "value"}, " of the parameter \"" + name + "\"");
      const double value = number(each, "value", " of the parameter \"" + name + "\"");
      if (name == "gbar") {
        made.parameters[0].usual = value;
        continue;
      }
      if (made.parameterNamed(name))
        fail("has the parameter \"" + name + "\" twice");
      made.parameters.push_back({name, text(each, "unit"), value});
    }
    if (made.parameters[0].usual < 0)
      fail("has a gbar of " + textOf(made.parameters[0].usual) + "; it has to be 0 or more");
    if (made.parameters.size() - 1 > cell::kMostTableParameters)
      fail("has more than " + std::to_string(cell::kMostTableParameters) + " parameters");
  }

  void readGates()
  {
    if (!root.contains("gates") || !root["gates"].is_array())
      fail("has no list \"gates\"");
    if (root["gates"].size() > cell::kMostTableGates)
      fail("has more than " + std::to_string(cell::kMostTableGates) + " gates");
    std::vector<std::string_view> variables = {"v", "cai", "celsius"};
    for (std::size_t k = 1; k < made.parameters.size(); ++k)
      variables.push_back(made.parameters[k].name);
    for (const json& each : root["gates"])
      readGate(each, {variables, true});
  }

  void readGate(const json& object, const expression::Vocabulary& vocabulary)
  {
    const std::string name = object.is_object() ? text(object, "name") : std::string();
    if (!isName(name) || std::ranges::find(table->names, name) != table->names.end())
      fail("has a gate without a name of its own");
    const std::string where = " of the gate \"" + name + "\"";
    checkNames(object, {"name", "power", "alpha", "beta", "inf", "tau"}, where);
    TableGate gate;
    if (object.contains("power")) {
      constexpr std::int64_t kMostPower = 16;
      if (!object["power"].is_number_integer() || object["power"].get<std::int64_t>() < 1 ||
          object["power"].get<std::int64_t>() > kMostPower)
        fail("has a \"power\"" + where + " that is no whole number from 1 to 16");
      gate.power = object["power"].get<std::int32_t>();
    }
    const auto compiled = [&](const char* key) {
      if (!object.contains(key))
        fail("has no \"" + std::string(key) + "\"" + where);
      const std::string formula = object[key].is_number() ? textOf(object[key].get<double>()) : text(object, key);
      try {
        return expression::compile(formula, vocabulary);
      } catch (const Error& error) {
        const std::string& said = error.message();
        fail("has a wrong \"" + std::string(key) + "\"" + where + ": " + said.substr(0, said.size() - 1));
      }
    };
    const bool hasRates = object.contains("alpha") || object.contains("beta");
    if (hasRates && (object.contains("inf") || object.contains("tau")))
      fail("has alpha and beta as well as inf and tau" + where);
    gate.form = hasRates                 ? TableGate::Form::Rates
                : object.contains("tau") ? TableGate::Form::Target
                                         : TableGate::Form::AtOnce;
    gate.first = compiled(hasRates ? "alpha" : "inf");
    if (gate.form != TableGate::Form::AtOnce)
      gate.second = compiled(hasRates ? "beta" : "tau");
    for (const expression::Program* program : {&gate.first, &gate.second})
      for (int i = 0; i < program->count; ++i)
        table->usesCalcium =
            table->usesCalcium || (program->instructions[i].operation == expression::Operation::Variable &&
                                   program->instructions[i].variable == 1);
    table->gates.push_back(gate);
    table->names.push_back(name);
  }

  /// Gates at rest and time constants over all potentials that a membrane has.
  void checkRates() const
  {
    constexpr int kLowest = -150, kHighest = 100; // mV
    std::vector<double> parameters;
    for (std::size_t k = 1; k < made.parameters.size(); ++k)
      parameters.push_back(made.parameters[k].usual);
    const cell::TableChannel channel = table->channel();
    for (const double celsius : {6.3, 22.0, 37.0})
      for (const double calcium : {5e-5, 1e-2})
        for (int v = kLowest; v <= kHighest; ++v)
          for (std::size_t k = 0; k < table->gates.size(); ++k) {
            const cell::TableTarget target =
                channel.target(table->gates[k], v, {calcium}, cell::temperatureOf(celsius), {parameters.data(), 1});
            const auto refuse = [&](const char* what, double value, const char* possible) {
              fail("has at " + std::to_string(v) + " mV, " + textOf(celsius) + " degrees Celsius and " +
                   textOf(calcium) + " mM calcium " + what + " of the gate \"" + table->names[k] + "\" of " +
                   textOf(value) + "; " + possible);
            };
            constexpr double kRounding = 1e-9;
            if (!(target.inf >= -kRounding && target.inf <= 1 + kRounding))
              refuse("a value at rest", target.inf, "0 to 1 are possible");
            if (table->gates[k].form != TableGate::Form::AtOnce && !(target.tau > 0 && std::isfinite(target.tau)))
              refuse("a time constant", target.tau, "it has to be above 0 ms");
          }
  }

  const json& root;
  const std::string& path;
  Mechanism made;
  cell::ChannelUse use{};
  std::shared_ptr<cell::ChannelTable> table = std::make_shared<cell::ChannelTable>();
};

} // namespace

cell::MechanismTables parseMechanismTables(std::string_view text, const std::string& path)
{
  requireModestJson(text, path);
  const json root = json::parse(text, nullptr, false);
  if (!root.is_object() || !root.contains("mechanisms") || !root["mechanisms"].is_array())
    throw Error(ErrorCode::BadFormat, "has no list \"mechanisms\"; is it a table of mechanisms?", path);
  cell::MechanismTables tables;
  for (const json& each : root["mechanisms"]) {
    if (!each.is_object())
      throw Error(ErrorCode::BadFormat, "has a mechanism that is no JSON object", path);
    auto made = TableReader(each, path).read();
    if (std::ranges::any_of(tables, [&](const auto& other) { return other->name == made->name; }))
      throw Error(ErrorCode::BadFormat, "has the mechanism \"" + made->name + "\" twice", path);
    tables.push_back(std::move(made));
  }
  return tables;
}

cell::MechanismTables readMechanismTables(const std::filesystem::path& path)
{
  return parseMechanismTables(readFile(path), path.string());
}

cell::MechanismTables readMechanismFolder(const std::filesystem::path& folder)
{
  std::vector<std::filesystem::path> files;
  std::error_code failure;
  for (std::filesystem::directory_iterator entry(folder, failure), end; !failure && entry != end;
       entry.increment(failure))
    if (entry->path().extension() == ".json")
      files.push_back(entry->path());
  std::ranges::sort(files);
  cell::MechanismTables all;
  for (const std::filesystem::path& file : files)
    for (auto& table : readMechanismTables(file)) {
      if (std::ranges::any_of(all, [&](const auto& other) { return other->name == table->name; }))
        throw Error(ErrorCode::BadFormat, "has the mechanism \"" + table->name + "\", as another file has",
                    file.string());
      all.push_back(std::move(table));
    }
  return all;
}

} // namespace hinesight::io
