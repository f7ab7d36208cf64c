#include "io/sonata/simulation_reports.hpp"

#include "core/text.hpp"
#include "io/sonata/configuration_entry.hpp"

#include <map>
#include <optional>
#include <utility>

#include <nlohmann/json.hpp>

namespace hinesight::io {

namespace {

using Json = nlohmann::ordered_json;
using Quantity = ReportRequest::Quantity;

/// One report of a configuration.
class ReportReader
{
public:
  ReportReader(const SonataConfiguration& configuration, const NodeSetReader& sets, const std::string& name,
               const Json& json, SimulationConfiguration& into)
      : nodeSets(sets), entry(configuration, json, "the report \"" + name + "\""), made(into)
  {
    report.name = name;
  }

  void read()
  {
    if (!entry.flag("enabled", true))
      return;
    if (const auto reason = whyNotMade()) {
      note("The report \"" + report.name + "\" is " + *reason + "; it is not made.");
      return;
    }
    const Json& set = entry.part({"cells", "node_set"});
    report.nodes = nodeSets.read(set, entry.where());
    readSections();
    readTimes();
    report.file = entry.text("file_name").value_or(report.name + ".h5");
    entry.passOver({"unit", "buffer_size", "transform"});
    if (entry.has("transform"))
      note("\"transform\" of " + entry.where() + " is not known and has no effect.");
    for (std::string& sentence : entry.unread())
      note(std::move(sentence));
    made.reports.push_back(std::move(report));
  }

private:
  void note(std::string sentence) { made.notes.push_back(std::move(sentence)); }

  std::optional<std::string> whyNotMade()
  {
    const auto module = entry.text("module"), type = entry.text("type");
    const bool isOfClamps = module == "clamp_report" || module == "SEClamp" || module == "seclamp_report";
    if (module && *module != "membrane_report" && *module != "multimeter_report" && !isOfClamps)
      return "of the module \"" + *module + "\", which is not known";
    if (type && *type != "compartment" && *type != "summation")
      return "of the type \"" + *type + "\", which is not known";
    report.isSummed = type == "summation";
    if (report.isSummed && entry.text("scaling").value_or("area") != "area")
      return "a sum of densities";
    isExtension = type.has_value();
    const Json& variable = entry.part({"variable_name"});
    if (variable.is_array() && variable.size() == 1 && variable[0].is_string())
      report.variable = variable[0].get<std::string>();
    else if (variable.is_string())
      report.variable = variable.get<std::string>();
    else if (variable.is_null())
      report.variable = isOfClamps ? "se" : "v";
    else
      return "of several variables";
    if (!readVariable(isOfClamps))
      return "of \"" + report.variable +
             "\"; there are v, cai, i_membrane, the current of a SEClamp, and gates such as "
             "m_NaTs";
    return std::nullopt;
  }

  bool readVariable(bool isOfClamps)
  {
    static const std::map<std::string, Quantity> kQuantities = {{"v", Quantity::Potential},
                                                                {"V", Quantity::Potential},
                                                                {"cai", Quantity::Calcium},
                                                                {"i_membrane", Quantity::MembraneCurrent},
                                                                {"i_membrane_", Quantity::MembraneCurrent},
                                                                {"SEClamp", Quantity::ClampCurrent}};
    if (isOfClamps) {
      report.quantity = Quantity::ClampCurrent;
      return report.variable == "se" || report.variable == "i" || report.variable == "SEClamp";
    }
    if (const auto known = kQuantities.find(report.variable); known != kQuantities.end()) {
      report.quantity = known->second;
      return true;
    }
    // NEURON's names of states: STATE_MECHANISM.
    const std::size_t end = report.variable.find('_');
    if (end == std::string::npos || end == 0 || end + 1 == report.variable.size())
      return false;
    report.quantity = Quantity::State;
    report.state = report.variable.substr(0, end);
    report.mechanism = report.variable.substr(end + 1);
    return true;
  }

  void readSections()
  {
    static const std::map<std::string, const char*> kSections = {
        {"soma", "soma"}, {"somatic", "soma"}, {"all", "all"},   {"axon", "axon"},  {"axonal", "axon"},
        {"dend", "dend"}, {"basal", "dend"},   {"apic", "apic"}, {"apical", "apic"}};
    const std::string sections =
        entry.text("sections").value_or(isExtension || report.quantity == Quantity::ClampCurrent ? "soma" : "all");
    const auto known = kSections.find(sections);
    if (known == kSections.end())
      entry.fail("is of the sections \"" + sections + "\"; there are soma, axon, dend, apic and all");
    report.sections = known->second;
    const std::string compartments = entry.text("compartments").value_or(report.isOfSoma() ? "center" : "all");
    if (compartments != "center" && compartments != "all")
      entry.fail("is of the compartments \"" + compartments + "\"; there are center and all");
    report.isOfCentres = compartments == "center";
    report.isSummed = report.isSummed && report.isOfSoma(); // other compartments have one value each
    if (report.isSummed) {                                  // of the whole cell
      report.sections = "all";
      report.isOfCentres = false;
    }
  }

  void readTimes()
  {
    report.interval = entry.number({"dt"});
    if (report.interval && !(*report.interval > 0))
      entry.fail("has a \"dt\" of " + hinesight::textOf(*report.interval) + " ms; it has to be above 0");
    report.start = entry.number({"start_time", "start"}).value_or(0);
    report.stop = entry.number({"end_time", "end"});
    if (!(report.start >= 0) || !(report.stop.value_or(report.start + 1) > report.start))
      entry.fail("begins at " + hinesight::textOf(report.start) + " ms and ends at " +
                 hinesight::textOf(report.stop.value_or(report.start)) + " ms; there is nothing between them");
  }

  const NodeSetReader& nodeSets;
  ConfigurationEntry entry;
  SimulationConfiguration& made;
  ReportRequest report;
  bool isExtension = false;
};

} // namespace

void readReports(const SonataConfiguration& config, const NodeSetReader& nodeSets, SimulationConfiguration& made)
{
  const Json& reports = part(config.root(), "reports");
  if (!reports.is_null() && !reports.is_object())
    config.fail("\"reports\" is no JSON object");
  for (const auto& [name, entry] : reports.items())
    ReportReader(config, nodeSets, name, entry, made).read();
}

} // namespace hinesight::io
