#include "io/runs/formation_timings.hpp"

#include "core/files.hpp"
#include "io/csv.hpp"
#include "io/runs/run_record.hpp"

#include <nlohmann/json.hpp>

#include <charconv>
#include <string>

namespace hinesight::io {

namespace {

using Json = nlohmann::ordered_json;

/// The shortest text that reads back as the same number.
std::string numberText(double value)
{
  char text[32];
  const auto end = std::to_chars(text, text + sizeof text, value).ptr;
  return {text, end};
}

void writeCsv(std::ostream& stream, const std::vector<FormationRun>& runs)
{
  stream << "run,neurons,vacantAxons,synapses,theta,search,backend,device,meanDistance,stage,milliseconds,settings\n";
  for (std::size_t run = 0; run < runs.size(); ++run) {
    const FormationRun& each = runs[run];
    for (const Stage& stage : each.timings.stages)
      stream << run + 1 << ',' << each.neurons << ',' << each.vacantAxons << ',' << each.synapses << ','
             << numberText(each.search.theta) << ',' << searchName(each.search.kind) << ','
             << backendName(each.timings.backend) << ',' << quoteCsv(each.timings.device) << ','
             << numberText(each.meanDistance) << ',' << stage.name << ',' << numberText(stage.milliseconds) << ','
             << quoteCsv(linesOf(each.settings)) << '\n';
  }
}

Json toJson(const FormationRun& run)
{
  Json stages = Json::array();
  for (const Stage& stage : run.timings.stages)
    stages.push_back({{"name", stage.name}, {"milliseconds", stage.milliseconds}});
  Json settings = Json::object();
  for (const Setting& setting : run.settings)
    settings[setting.name] = setting.text;
  return {{"neurons", run.neurons},
          {"vacantAxons", run.vacantAxons},
          {"synapses", run.synapses},
          {"theta", run.search.theta},
          {"search", searchName(run.search.kind)},
          {"backend", backendName(run.timings.backend)},
          {"device", run.timings.device},
          {"meanDistance", run.meanDistance},
          {"stages", std::move(stages)},
          {"milliseconds", run.timings.total()},
          {"settings", std::move(settings)}};
}

} // namespace

FormationRun summarize(const synapse::Formation& formation, std::uint64_t synapses)
{
  FormationRun run{formation.population->size(),
                   formation.vacantAxons,
                   synapses,
                   formation.parameters.search,
                   formation.meanDistance,
                   formation.timings,
                   settingsOf(fieldsOf(formation.parameters))};
  addMissing(run.settings, formation.population->origin);
  return run;
}

void writeFormationTimings(const std::vector<FormationRun>& runs, const std::filesystem::path& path)
{
  const bool isJson = isTimingsJson(path);
  writeFileAtomically(path, [&](std::ostream& stream) {
    if (!isJson)
      return writeCsv(stream, runs);
    Json all = Json::array();
    for (const FormationRun& run : runs)
      all.push_back(toJson(run));
    stream << all.dump(2) << '\n';
  });
}

} // namespace hinesight::io
