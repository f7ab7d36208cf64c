#include "model/moved_files.hpp"

#include "core/error.hpp"
#include "core/time_text.hpp"
#include "model/project_parts.hpp"
#include "model/session_file.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <system_error>
#include <unordered_map>
#include <utility>

namespace hinesight::model {

namespace {

namespace fs = std::filesystem;

/// None: it cannot be read.
std::optional<std::string> hashOf(const fs::path& file)
{
  try {
    return contentHash(file);
  } catch (const Error&) {
    return {};
  }
}

/// ", written at ... and not at ..."; empty: that tells nothing.
std::string timesOf(const Cell& cell)
{
  const std::string now = modificationTime(cell.file);
  const bool isTelling = !now.empty() && !cell.modified.empty() && now != cell.modified;
  return isTelling ? ", written at " + now + " and not at " + cell.modified : std::string();
}

/// How many names at the ends of both paths are the same.
std::size_t commonEnd(const fs::path& a, const fs::path& b)
{
  const std::vector<fs::path> names(a.begin(), a.end());
  const std::vector<fs::path> others(b.begin(), b.end());
  const auto [end, _] = std::mismatch(names.rbegin(), names.rend(), others.rbegin(), others.rend());
  return static_cast<std::size_t>(end - names.rbegin());
}

/// Files by the names of `wanted`, in the order of their paths.
template <typename Iterator>
void collect(Iterator file, std::multimap<std::string, fs::path>& found, const std::set<std::string>& wanted,
             const RunControl& control)
{
  std::error_code failure;
  for (; file != Iterator(); file.increment(failure)) {
    control.checkpoint();
    std::error_code unknown;
    const std::string name = file->path().filename().string();
    if (file->is_regular_file(unknown) && wanted.contains(name))
      found.emplace(name, file->path());
    if (failure)
      return;
  }
}

} // namespace

std::vector<std::string> missingFiles(const Project& project)
{
  // Names that nothing reads may be left from what a part was before.
  Project needed = project;
  for (Population& population : needed.populations)
    if (population.placement.kind != projection::PopulationKind::File)
      population.placement.file.clear();
  for (Connection& connection : needed.connections)
    if (connection.kind != ConnectionKind::File)
      connection.file = connection.edgeTypes = {};
  for (NeuronModel& model : needed.models)
    if (model.kind != NeuronKind::Fit)
      model.file.clear();
  for (Stimulus& stimulus : needed.stimuli)
    if (stimulus.kind != StimulusKind::Spikes)
      stimulus.file.clear();
  std::vector<std::string> missing;
  std::set<std::string> named;
  forFiles(needed, [&](const fs::path& file) {
    std::error_code failure;
    if (!fs::exists(file, failure) && named.insert(file.generic_string()).second)
      missing.push_back(file.generic_string());
    return file;
  });
  return missing;
}

std::vector<MovedFile> findMovedFiles(const Project& project, const fs::path& folder, Search search,
                                      const RunControl& control)
{
  const std::vector<std::string> missing = missingFiles(project);
  std::set<std::string> names;
  for (const std::string& file : missing)
    names.insert(fs::path(file).filename().string());
  if (names.empty())
    return {};
  std::multimap<std::string, fs::path> found;
  constexpr auto kPassOver = fs::directory_options::skip_permission_denied;
  std::error_code failure;
  const fs::path from = folder.empty() ? fs::path(".") : folder;
  if (search == Search::Folder)
    collect(fs::directory_iterator(from, kPassOver, failure), found, names, control);
  else
    collect(fs::recursive_directory_iterator(from, kPassOver, failure), found, names, control);

  std::unordered_map<std::string, std::string> hashes; // of cells, as the session has them
  for (const Cell& cell : project.cells)
    hashes.emplace(cell.file, cell.hash);
  std::map<fs::path, std::optional<std::string>> hashesFound;
  std::vector<MovedFile> moved;
  for (const std::string& file : missing) {
    control.checkpoint();
    const auto cell = hashes.find(file);
    const std::string hash = cell == hashes.end() ? std::string() : cell->second;
    std::vector<fs::path> candidates;
    const auto [begin, end] = found.equal_range(fs::path(file).filename().string());
    for (auto each = begin; each != end; ++each) {
      if (!hash.empty() && !hashesFound.contains(each->second))
        hashesFound.emplace(each->second, hashOf(each->second));
      if (hash.empty() || hashesFound[each->second] == hash)
        candidates.push_back(each->second);
    }
    const auto nearest = std::ranges::min_element(candidates, [&](const fs::path& a, const fs::path& b) {
      const std::size_t ofA = commonEnd(a, file);
      const std::size_t ofB = commonEnd(b, file);
      return ofA != ofB ? ofA > ofB : a < b;
    });
    if (nearest != candidates.end())
      moved.push_back({file, nearest->lexically_normal().generic_string()});
  }
  return moved;
}

void moveFiles(Project& project, const std::vector<MovedFile>& moved)
{
  std::unordered_map<std::string, std::string> now;
  for (const MovedFile& each : moved)
    now.emplace(each.before, each.now);
  forFiles(project, [&](const fs::path& file) {
    const auto found = now.find(file.generic_string());
    return found == now.end() ? file : fs::path(found->second);
  });
}

std::vector<std::string> changedCells(const Project& project, const RunControl& control)
{
  std::vector<std::string> sentences;
  for (const Cell& cell : project.cells) {
    control.checkpoint();
    if (cell.hash.empty())
      continue;
    if (const auto now = hashOf(cell.file); now && *now != cell.hash)
      sentences.push_back(cell.file + " is another file than the session was made with" + timesOf(cell) + ".");
  }
  return sentences;
}

} // namespace hinesight::model
