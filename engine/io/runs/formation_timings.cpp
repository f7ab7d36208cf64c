#include "io/runs/formation_timings.hpp"

#include "core/files.hpp"
#include "core/text.hpp"
#include "io/csv.hpp"
#include "io/runs/json_values.hpp"
#include "io/runs/run_record.hpp"

#include <nlohmann/json.hpp>

#include <charconv>
#include <string>

namespace hinesight::io {

namespace {

using Json = nlohmann::ordered_json;

void writeCsv(std::ostream& stream, const std::vector<FormationRun>& runs)
{
  stream << "run,neurons,vacantAxons,synapses,theta,search,backend,device,meanDistance,stage,milliseconds,settings\n";
  for (std::size_t run = 0; run < runs.size(); ++run) {
    const FormationRun& each = runs[run];
    for (const Stage& stage : each.timings.stages)
      stream << run + 1 << ',' << each.neurons << ',' << each.vacantAxons << ',' << each.synapses << ','
             << textOf(each.search.theta) << ',' << searchName(each.search.kind) << ','
             << backendName(each.timings.backend) << ',' << quoteCsv(each.timings.device) << ','
             << textOf(each.meanDistance) << ',' << stage.name << ',' << textOf(stage.milliseconds) << ','
             << quoteCsv(linesOf(each.settings)) << '\n';
  }
}

Json toJson(const FormationRun& run)
{
  return {{"neurons", run.neurons},
          {"vacantAxons", run.vacantAxons},
          {"synapses", run.synapses},
          {"theta", run.search.theta},
          {"search", searchName(run.search.kind)},
          {"backend", backendName(run.timings.backend)},
          {"device", run.timings.device},
          {"meanDistance", run.meanDistance},
          {"stages", jsonStages(run.timings)},
          {"milliseconds", run.timings.total()},
          {"settings", jsonSettings(run.settings)}};
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
