#include "io/models/allen_fit.hpp"

#include "cell/mechanism.hpp"
#include "core/error.hpp"
#include "core/files.hpp"
#include "core/json_text.hpp"
#include "io/models/biophysics_builder.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <optional>

namespace hinesight::io {

namespace {

using nlohmann::json;

class Reader
{
public:
  Reader(const json& text, std::string file, const cell::MechanismCatalogue& mechanisms)
      : root(text), path(std::move(file)), builder(fit.biophysics.mechanisms)
  {
    fit.biophysics.mechanisms = mechanisms;
  }

  AllenFit read()
  {
    if (!root.is_object() || !root.contains("genome"))
      refuse("it has no list \"genome\", as the fits of the Allen Cell Types database have");
    readPassive();
    readConditions();
    if (root.contains("fitting") && root["fitting"].is_array() && !root["fitting"].empty())
      fit.biophysics.junctionPotential = numberOr(root["fitting"][0], "junction_potential", 0);
    readGenome();
    if (const auto problem = cell::problemOf(fit.biophysics))
      refuse(problem->substr(0, problem->size() - 1));
    return std::move(fit);
  }

private:
  [[noreturn]] void refuse(const std::string& what) const
  {
    std::string sentence = what + '.';
    sentence.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(sentence.front())));
    throw Error(ErrorCode::BadFormat, sentence, path);
  }

  /// A number, or a text that is one.
  double numberOf(const json& value, const std::string& what) const
  {
    if (value.is_number())
      return value.get<double>();
    if (value.is_string()) {
      const auto& text = value.get_ref<const std::string&>();
      double number = 0;
      const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
      if (error == std::errc() && end == text.data() + text.size())
        return number;
    }
    refuse(what + " is no number");
  }

  double numberOr(const json& object, const char* name, double otherwise) const
  {
    return object.contains(name) && !object[name].is_null() ? numberOf(object[name], name) : otherwise;
  }

  std::string textOf(const json& object, const char* name) const
  {
    return object.contains(name) && object[name].is_string() ? object[name].get<std::string>() : std::string();
  }

  std::int32_t requiredType(const json& object) const
  {
    const std::string section = textOf(object, "section");
    if (const auto type = sectionType(section))
      return *type;
    refuse("\"" + section + "\" is no section; there are soma, axon, dend and apic");
  }

  /// pas is on all sections, with the leak that the genome says.
  void readPassive()
  {
    for (const std::int32_t type : kSectionTypes) {
      fit.biophysics.regions[type] = {};
      builder.parametersOf(cell::kPassive, type);
    }
    if (!root.contains("passive") || !root["passive"].is_array() || root["passive"].empty())
      return;
    const json& passive = root["passive"][0];
    fit.isAllActive = !passive.contains("cm");
    for (auto& [type, region] : fit.biophysics.regions) {
      region.resistivity = numberOr(passive, "ra", region.resistivity);
      double& reversal = builder.parametersOf(cell::kPassive, type)[1];
      reversal = numberOr(passive, "e_pas", reversal);
    }
    if (passive.contains("cm"))
      for (const json& entry : passive["cm"])
        fit.biophysics.regions[requiredType(entry)].capacitance = numberOr(entry, "cm", 1);
  }

  void readConditions()
  {
    if (!root.contains("conditions") || !root["conditions"].is_array() || root["conditions"].empty())
      return;
    const json& conditions = root["conditions"][0];
    fit.biophysics.celsius = numberOr(conditions, "celsius", fit.biophysics.celsius);
    fit.biophysics.startPotential = numberOr(conditions, "v_init", fit.biophysics.startPotential);
    if (conditions.contains("erev"))
      for (const json& entry : conditions["erev"]) {
        cell::Region& region = fit.biophysics.regions[requiredType(entry)];
        region.sodiumReversal = numberOr(entry, "ena", region.sodiumReversal);
        region.potassiumReversal = numberOr(entry, "ek", region.potassiumReversal);
      }
  }

  void readGenome()
  {
    for (const json& entry : root["genome"]) {
      const std::string section = textOf(entry, "section");
      const std::string mechanism = textOf(entry, "mechanism");
      const std::string name = textOf(entry, "name");
      const double value = numberOf(entry.contains("value") ? entry["value"] : json(), name);
      if (section == "glob") {
        fit.notes.push_back("The global \"" + name + "\" is not known and has no effect.");
        continue;
      }
      const std::int32_t type = requiredType(entry);
      if (mechanism.empty())
        setPassive(type, name, value);
      else
        setParameter(type, mechanism, name, value);
    }
    fit.biophysics.densities = builder.densities();
  }

  void setPassive(std::int32_t type, const std::string& name, double value)
  {
    if (name == "g_pas")
      builder.parametersOf(cell::kPassive, type)[0] = value;
    else if (name == "e_pas")
      builder.parametersOf(cell::kPassive, type)[1] = value;
    else if (name == "cm")
      fit.biophysics.regions[type].capacitance = value;
    else if (name == "Ra")
      fit.biophysics.regions[type].resistivity = value;
    else
      refuse("\"" + name + "\" is no property of a membrane; there are g_pas, e_pas, cm and Ra");
  }

  void setParameter(std::int32_t type, const std::string& mechanism, const std::string& name, double value)
  {
    const std::int32_t place = fit.biophysics.mechanisms.find(mechanism);
    if (place < 0)
      refuse("the mechanism \"" + mechanism + "\" is not known");
    const std::string ending = "_" + mechanism;
    const std::string plain = name.ends_with(ending) ? name.substr(0, name.size() - ending.size()) : name;
    const auto parameter = fit.biophysics.mechanisms[place].parameterNamed(plain);
    if (!parameter)
      refuse("\"" + name + "\" is no parameter of " + mechanism);
    builder.parametersOf(place, type)[*parameter] = value;
  }

  const json& root;
  std::string path;
  AllenFit fit;
  BiophysicsBuilder builder;
};

} // namespace

AllenFit parseAllenFit(std::string_view text, const std::string& path, const cell::MechanismCatalogue& mechanisms)
{
  requireModestJson(text, path);
  const json root = json::parse(text, nullptr, false);
  if (root.is_discarded())
    throw Error(ErrorCode::BadFormat, "This is no JSON.", path);
  try {
    return Reader(root, path, mechanisms).read();
  } catch (const json::exception&) {
    throw Error(ErrorCode::BadFormat, "An entry is not what a fit has there.", path);
  }
}

AllenFit readAllenFit(const std::filesystem::path& path, const cell::MechanismCatalogue& mechanisms)
{
  return parseAllenFit(readFile(path), path.string(), mechanisms);
}

} // namespace hinesight::io
