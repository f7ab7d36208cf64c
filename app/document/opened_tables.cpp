#include "app/document/opened_tables.hpp"

#include "app/document/circuit_populations.hpp"
#include "core/error.hpp"

#include <QFileInfo>

#include <algorithm>
#include <filesystem>
#include <system_error>

namespace hinesight::app {

namespace {

using projection::PopulationKind;

const std::string& nameOf(const study::PopulationChoice& population)
{
  return population.parameters.name;
}

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

model::Connection* findTable(model::Project& project, const std::string& file)
{
  const auto isOfFile = [&](const model::Connection& each) {
    std::error_code isGone;
    return each.kind == model::ConnectionKind::File && each.edges.empty() &&
           std::filesystem::equivalent(each.file, file, isGone);
  };
  const auto found = std::ranges::find_if(project.connections, isOfFile);
  return found == project.connections.end() ? nullptr : &*found;
}

bool NewPopulations::fits(const std::string& name, const End& end) const
{
  const auto found = std::ranges::find(all, name, nameOf);
  if (found == all.end())
    return false;
  switch (found->parameters.kind) {
  case PopulationKind::Given: // cells that may not be read yet
    return true;
  case PopulationKind::File:
    return name != end.choice.parameters.name || end.ofNamesake == end.count;
  default:
    return isAsLarge(*found, end);
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
    const auto found = std::ranges::find(all, name, nameOf);
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
