#include "io/models/neuroml_cell.hpp"

#include "cell/mechanism.hpp"
#include "core/error.hpp"
#include "core/files.hpp"
#include "io/models/biophysics_builder.hpp"
#include "io/xml_elements.hpp"

#include <algorithm>
#include <charconv>
#include <set>

namespace hinesight::io {

namespace {

/// A unit of NeuroML, and how many of ours it is.
struct Unit
{
  std::string_view name;
  double factor;
};

constexpr Unit kConductances[] = {{"S_per_cm2", 1}, {"mS_per_cm2", 1e-3}, {"S_per_m2", 1e-4}};
constexpr Unit kPotentials[] = {{"mV", 1}, {"V", 1e3}};
constexpr Unit kCapacitances[] = {{"uF_per_cm2", 1}, {"F_per_m2", 100}};
constexpr Unit kResistivities[] = {{"ohm_cm", 1}, {"kohm_cm", 1e3}, {"ohm_m", 100}};
constexpr Unit kTimes[] = {{"ms", 1}, {"s", 1e3}};
constexpr Unit kLengths[] = {{"um", 1}, {"m", 1e6}, {"cm", 1e4}};
constexpr Unit kConcentrations[] = {{"mM", 1}, {"M", 1e3}, {"mol_per_m3", 1}, {"mol_per_cm3", 1e6}};
constexpr Unit kNumbers[] = {{"", 1}};

class Reader
{
public:
  Reader(std::string_view text, std::string file, const cell::MechanismCatalogue& mechanisms)
      : path(std::move(file)), elements(readXmlElements(text, path)), builder(made.biophysics.mechanisms)
  {
    made.biophysics.mechanisms = mechanisms;
  }

  NeuroMlCell read()
  {
    if (std::ranges::none_of(elements, [](const XmlElement& e) { return e.name == "biophysicalProperties"; }))
      throw Error(ErrorCode::BadFormat, "has no biophysicalProperties; is it a cell of NeuroML 2?", path);
    for (const std::int32_t type : kSectionTypes)
      made.biophysics.regions[type] = {};
    for (const XmlElement& element : elements)
      take(element);
    made.biophysics.densities = builder.densities();
    if (const auto problem = cell::problemOf(made.biophysics))
      throw Error(ErrorCode::BadFormat, *problem, path);
    return std::move(made);
  }

private:
  [[noreturn]] void fail(const XmlElement& at, const std::string& what) const
  {
    throw Error(ErrorCode::BadFormat, at.name + " " + what, path, at.line);
  }

  void take(const XmlElement& element)
  {
    static const std::set<std::string> kPassedOver = {
        "neuroml",           "cell", "notes", "biophysicalProperties", "membraneProperties", "intracellularProperties",
        "concentrationModel"};
    if (element.name == "channelDensity" || element.name == "channelDensityNernst")
      takeChannels(element);
    else if (element.name == "specificCapacitance")
      forTypes(element, [&](std::int32_t type) {
        made.biophysics.regions[type].capacitance = value(element, "value", kCapacitances);
      });
    else if (element.name == "resistivity")
      forTypes(element, [&](std::int32_t type) {
        made.biophysics.regions[type].resistivity = value(element, "value", kResistivities);
      });
    else if (element.name == "initMembPotential")
      made.biophysics.startPotential = value(element, "value", kPotentials);
    else if (element.name == "species")
      takeSpecies(element);
    else if (!kPassedOver.contains(element.name))
      made.notes.push_back("The element \"" + element.name + "\" on line " + std::to_string(element.line) +
                           " is not known and has no effect.");
  }

  std::string textOf(const XmlElement& element, const char* name) const
  {
    const auto found = element.attributes.find(name);
    return found == element.attributes.end() ? std::string() : found->second;
  }

  /// "0.12 S_per_cm2".
  double value(const XmlElement& element, const char* name, std::span<const Unit> units) const
  {
    const std::string text = textOf(element, name);
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
    unit.remove_prefix(std::min(unit.find_first_not_of(' '), unit.size()));
    const auto known = std::ranges::find(units, unit, &Unit::name);
    if (error != std::errc() || known == units.end())
      fail(element, "has \"" + text + "\" for " + name + ", which is no value with a unit that is known");
    return number * known->factor;
  }

  template <typename Body>
  void forTypes(const XmlElement& element, const Body& body) const
  {
    const std::string group = textOf(element, "segmentGroup");
    if (group.empty() || group == "all")
      std::ranges::for_each(kSectionTypes, body);
    else if (const auto type = sectionType(group))
      body(*type);
    else
      fail(element, "is of the segment group \"" + group + "\"; there are soma, axon, dend, apic and all");
  }

  void takeChannels(const XmlElement& element)
  {
    const std::string channel = textOf(element, "ionChannel");
    const std::string ion = textOf(element, "ion");
    const std::int32_t place = made.biophysics.mechanisms.find(channel);
    if (place < 0 || place == cell::kHh || cell::isCalciumDynamics(place))
      fail(element, "is of the channel \"" + channel + "\", which is not known");
    const double density = value(element, "condDensity", kConductances);
    forTypes(element, [&](std::int32_t type) {
      std::vector<double>& parameters = builder.parametersOf(place, type);
      parameters[0] = density;
      if (textOf(element, "erev").empty())
        return;
      const double reversal = value(element, "erev", kPotentials);
      cell::Region& region = made.biophysics.regions[type];
      if (place == cell::kPassive)
        parameters[1] = reversal;
      else if (ion == "na")
        region.sodiumReversal = reversal;
      else if (ion == "k")
        region.potassiumReversal = reversal;
      else if (reversal != made.biophysics.mechanisms[place].channels[0].reversal)
        fail(element, "reverses at another potential than " + channel + " of ours");
    });
  }

  /// Calcium inside, by the concentration model that it names.
  void takeSpecies(const XmlElement& element)
  {
    const std::string id = textOf(element, "concentrationModel");
    const auto model = std::ranges::find_if(
        elements, [&](const XmlElement& e) { return e.name == "concentrationModel" && textOf(e, "id") == id; });
    if (textOf(element, "ion") != "ca" || model == elements.end() || textOf(*model, "type") != "CaDynamics")
      fail(element, "is of the concentration model \"" + id + "\"; CaDynamics of calcium is known");
    forTypes(element, [&](std::int32_t type) {
      builder.parametersOf(cell::kCalciumDynamics,
                           type) = {value(*model, "gamma", kNumbers), value(*model, "decay", kTimes),
                                    value(*model, "depth", kLengths), value(*model, "minCai", kConcentrations)};
    });
  }

  std::string path;
  std::vector<XmlElement> elements;
  NeuroMlCell made;
  BiophysicsBuilder builder;
};

} // namespace

NeuroMlCell parseNeuroMlCell(std::string_view text, const std::string& path, const cell::MechanismCatalogue& mechanisms)
{
  return Reader(text, path, mechanisms).read();
}

NeuroMlCell readNeuroMlCell(const std::filesystem::path& path, const cell::MechanismCatalogue& mechanisms)
{
  return parseNeuroMlCell(readFile(path), path.string(), mechanisms);
}

} // namespace hinesight::io
