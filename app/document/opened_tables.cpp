#include "app/document/opened_tables.hpp"

#include "app/document/circuit_populations.hpp"
#include "core/error.hpp"
#include "model/project.hpp"

#include <QFileInfo>

#include <algorithm>

namespace hinesight::app {

namespace {

using projection::PopulationKind;

/// Neurons that only a table knew are in no circuit.
bool isAsLarge(const study::PopulationChoice& population, const NewPopulations::End& end)
{
  const bool isOfTable = population.parameters.kind == PopulationKind::Given && !population.isSomata;
  return !isOfTable && countNeurons(population) == static_cast<double>(end.count);
}

} // namespace

std::string nameOfTable(const std::string& file)
{
  const std::string name = QFileInfo(QString::fromStdString(file)).completeBaseName().toStdString();
  try {
    model::requireName("connection", name);
    return name;
  } catch (const Error&) {
    return "table";
  }
}

std::string NewPopulations::nameFor(const End& end)
{
  study::PopulationChoice choice = end.choice;
  const std::string wanted = choice.parameters.name;
  for (int k = 1;; ++k) {
    if (k > 1)
      choice.parameters.name = wanted + " " + std::to_string(k);
    const std::string& name = choice.parameters.name;
    const auto found =
        std::ranges::find(all, name, [](const study::PopulationChoice& each) { return each.parameters.name; });
    if (found == all.end()) {
      all.push_back(choice);
      more.push_back(choice);
      return name;
    }
    const bool isNamesake = k == 1 && found->parameters.kind == PopulationKind::File;
    if (study::makeTheSame(*found, choice) || (isNamesake && end.ofNamesake == end.count) || isAsLarge(*found, end))
      return name;
  }
}

} // namespace hinesight::app
