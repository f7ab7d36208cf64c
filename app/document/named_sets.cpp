#include "app/document/named_sets.hpp"

#include <utility>

namespace hinesight::app {

namespace {

/// Sets of cells have other words for them: those that `words` gives for their own. A cell without is left out, and so
/// is a set of none.
std::vector<selection::NamedSelection> translated(const std::vector<selection::NamedSelection>& sets,
                                                  const std::map<std::string, std::string>& words)
{
  std::vector<selection::NamedSelection> all;
  for (const selection::NamedSelection& set : sets) {
    selection::NamedSelection other = set;
    other.cells.clear();
    for (const std::string& cell : set.cells)
      if (const auto word = words.find(cell); word != words.end())
        other.cells.push_back(word->second);
    if (set.cells.empty() || !other.cells.empty())
      all.push_back(std::move(other));
  }
  return all;
}

} // namespace

std::map<std::string, std::string> filesIn(const model::Project& project)
{
  std::map<std::string, std::string> files;
  for (const model::Cell& cell : project.cells)
    files.emplace(cell.name, cell.file);
  return files;
}

std::vector<selection::NamedSelection> setsByFiles(const model::Project& project)
{
  return translated(project.selections, filesIn(project));
}

std::vector<selection::NamedSelection> setsByNames(const std::vector<selection::NamedSelection>& sets,
                                                   const std::vector<model::Cell>& cells)
{
  std::map<std::string, std::string> names;
  for (const model::Cell& cell : cells)
    names.emplace(cell.file, cell.name);
  return translated(sets, names);
}

} // namespace hinesight::app
