#include "morphology/swc_folder.hpp"

#include <algorithm>
#include <cctype>
#include <set>
#include <string>
#include <system_error>
#include <utility>

namespace hinesight::morphology {

namespace {

namespace fs = std::filesystem;

bool isSwc(const fs::path& path)
{
  std::string ending = path.extension().string();
  std::ranges::transform(ending, ending.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return ending == ".swc";
}

struct Entries
{
  std::vector<fs::path> files;
  std::vector<fs::path> folders;
};

/// Those that are not hidden, by their names.
Entries entriesOf(const fs::path& folder)
{
  std::error_code failure;
  Entries entries;
  for (fs::directory_iterator at(folder, failure), end; !failure && at != end; at.increment(failure)) {
    std::error_code ofEntry; // of a link to nowhere: it is neither
    if (at->path().filename().string().starts_with('.'))
      continue;
    if (at->is_directory(ofEntry))
      entries.folders.push_back(at->path());
    else if (isSwc(at->path()) && at->is_regular_file(ofEntry))
      entries.files.push_back(at->path());
  }
  if (failure)
    throw Error(ErrorCode::FileUnreadable, "cannot be looked into (" + failure.message() + ")", folder.string());
  std::ranges::sort(entries.files);
  std::ranges::sort(entries.folders);
  return entries;
}

/// The folder whatever links lead to it.
fs::path identityOf(const fs::path& folder)
{
  std::error_code failure;
  fs::path canonical = fs::canonical(folder, failure);
  return failure ? folder : canonical;
}

} // namespace

SwcFolder findSwcFiles(const fs::path& folder, const RunControl& control)
{
  SwcFolder found;
  std::set<fs::path> searched;
  std::vector<fs::path> waiting{folder};
  while (!waiting.empty()) {
    control.report("search", 0); // nobody knows how much there is
    const fs::path next = std::move(waiting.back());
    waiting.pop_back();
    if (!searched.insert(identityOf(next)).second)
      continue;
    try {
      Entries entries = entriesOf(next);
      std::ranges::move(entries.files, std::back_inserter(found.files));
      waiting.insert(waiting.end(), entries.folders.rbegin(), entries.folders.rend());
    } catch (const Error& error) {
      if (next == folder)
        throw;
      found.problems.push_back(error);
    }
  }
  return found;
}

} // namespace hinesight::morphology
