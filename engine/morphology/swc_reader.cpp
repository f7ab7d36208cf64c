#include "core/error.hpp"
#include "core/files.hpp"
#include "morphology/id_index.hpp"
#include "morphology/problem_list.hpp"
#include "morphology/samples.hpp"
#include "morphology/soma.hpp"
#include "morphology/swc.hpp"
#include "morphology/swc_rows.hpp"
#include "morphology/tally.hpp"
#include "morphology/text_kind.hpp"
#include "morphology/unit_scale.hpp"

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <set>
#include <utility>

namespace hinesight::morphology {

namespace {

constexpr std::int32_t kFirstUnusualType = 16; // SWC+: from here a type may stand for something other than a neurite

std::string_view withoutMarks(std::string_view text)
{
  if (text.starts_with("\xEF\xBB\xBF")) // UTF-8 byte order mark
    text.remove_prefix(3);
  while (text.ends_with('\x1A')) // the Ctrl-Z that ended DOS text files
    text.remove_suffix(1);
  return text;
}

std::string cellName(const std::string& path)
{
  const std::filesystem::path name = std::filesystem::path(path).filename();
  std::string extension = name.extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return extension == ".swc" ? name.stem().string() : name.string();
}

bool sameRow(const SwcRows& rows, std::int32_t a, std::int32_t b)
{
  return rows.type[a] == rows.type[b] && rows.x[a] == rows.x[b] && rows.y[a] == rows.y[b] && rows.z[a] == rows.z[b] &&
         rows.radius[a] == rows.radius[b] && rows.parentId[a] == rows.parentId[b];
}

template <typename Value>
void eraseSorted(std::vector<Value>& values, const std::vector<std::int32_t>& places)
{
  std::size_t kept = 0;
  auto next = places.begin();
  for (std::size_t at = 0; at < values.size(); ++at) {
    if (next != places.end() && static_cast<std::size_t>(*next) == at)
      ++next;
    else
      values[kept++] = values[at];
  }
  values.resize(kept);
}

/// Drops rows that repeat another one exactly; any other id used twice is a problem.
void dropRepeatedRows(SwcRows& rows, const IdIndex& index, ProblemList& problems)
{
  const std::vector<std::int32_t>& repeated = index.repeated();
  Tally dropped;
  for (const std::int32_t sample : repeated) {
    const std::int32_t first = index.find(rows.id[sample]);
    if (sameRow(rows, sample, first))
      dropped.note(rows.line[sample]);
    else
      problems.add(rows.line[sample], "id " + std::to_string(rows.id[sample]) + " already used on line " +
                                          std::to_string(rows.line[first]) + "; give each sample an id of its own");
  }
  problems.throwIfAny();
  if (dropped.count > 0)
    rows.warnings.push_back(
        {dropped.firstLine, dropped.counted("row repeats", "rows repeat") + " an earlier row exactly; dropped"});
  eraseSorted(rows.id, repeated);
  eraseSorted(rows.type, repeated);
  for (std::vector<double>* values : {&rows.x, &rows.y, &rows.z, &rows.radius})
    eraseSorted(*values, repeated);
  eraseSorted(rows.parentId, repeated);
  eraseSorted(rows.line, repeated);
}

/// Parent sample of every row, -1 at roots. What is wrong goes to `problems`, what was repaired to the warnings.
std::vector<std::int32_t> linkParents(SwcRows& rows, const IdIndex& index, const SwcOptions& options,
                                      ProblemList& problems)
{
  const bool hasDeclaredRoot =
      std::any_of(rows.parentId.begin(), rows.parentId.end(), [](std::int64_t parent) { return parent < 0; });
  Tally otherNegative, zeroRoots, missing;
  std::int64_t firstMissing = 0;
  std::vector<std::int32_t> parents(rows.size(), -1);
  for (std::int32_t sample = 0; sample < static_cast<std::int32_t>(rows.size()); ++sample) {
    const std::int64_t parentId = rows.parentId[sample];
    if (parentId < 0) {
      if (parentId != -1)
        otherNegative.note(rows.line[sample]);
      continue;
    }
    parents[sample] = index.find(parentId);
    if (parents[sample] == sample) {
      problems.add(rows.line[sample], "sample " + std::to_string(parentId) +
                                          " is its own parent; write parent -1 if it is the root of the cell");
    } else if (parents[sample] < 0 && parentId == 0 && !hasDeclaredRoot) {
      zeroRoots.note(rows.line[sample]);
    } else if (parents[sample] < 0 && options.strict) {
      problems.add(rows.line[sample], "parent " + std::to_string(parentId) + " does not exist");
    } else if (parents[sample] < 0) {
      firstMissing = missing.count == 0 ? parentId : firstMissing;
      missing.note(rows.line[sample]);
    }
  }
  problems.throwIfAny();
  const auto warn = [&](const Tally& tally, const std::string& one, const std::string& many, const std::string& rest) {
    if (tally.count > 0)
      rows.warnings.push_back({tally.firstLine, tally.counted(one, many) + rest});
  };
  warn(otherNegative, "root has", "roots have", " a negative parent other than -1; any negative parent means root");
  warn(zeroRoots, "sample has", "samples have", " parent 0, which does not exist; taken as root");
  warn(missing, "sample has", "samples have",
       " a parent that does not exist (first: " + std::to_string(firstMissing) +
           "); each starts a fragment of its own");
  return parents;
}

void warnOfRoots(const Morphology& morphology, std::vector<Warning>& warnings)
{
  if (morphology.roots.size() < 2)
    return;
  std::size_t largest = 0;
  std::size_t size = 0;
  for (const std::int32_t sample : morphology.order) {
    size = morphology.parent[sample] < 0 ? 1 : size + 1;
    largest = std::max(largest, size);
  }
  warnings.push_back({morphology.line[morphology.roots.front()],
                      std::to_string(morphology.roots.size()) + " roots (" + nameLines(morphology, morphology.roots) +
                          "): the file holds separate trees; the largest has " + std::to_string(largest) + " of " +
                          std::to_string(morphology.samples()) + " samples"});
}

void warnOfTypes(const Morphology& morphology, std::vector<Warning>& warnings)
{
  constexpr std::size_t kMostNamed = 5;
  Tally tally;
  std::set<std::int32_t> types;
  for (std::size_t sample = 0; sample < morphology.samples(); ++sample) {
    if (morphology.type[sample] < kFirstUnusualType)
      continue;
    tally.note(morphology.line[sample]);
    if (types.size() <= kMostNamed)
      types.insert(morphology.type[sample]);
  }
  if (tally.count == 0)
    return;
  std::string names;
  std::size_t named = 0;
  for (const std::int32_t type : types) {
    if (named++ == kMostNamed)
      names += ", ...";
    else if (named <= kMostNamed)
      names += (names.empty() ? "" : ", ") + std::to_string(type);
  }
  const auto isSwcPlus = [](const std::string& comment) { return comment.find("SWC+") != std::string::npos; };
  const bool declared = std::any_of(morphology.comments.begin(), morphology.comments.end(), isSwcPlus);
  warnings.push_back(
      {tally.firstLine,
       tally.counted("sample has", "samples have") + " an unusual type (" + names + "); kept in the tree" +
           (declared ? ", though the file's SWC+ header may declare it as a marker and not as a neurite" : "")});
}

/// Samples on top of their parent, but for the first of a branch: many programs repeat the branch point there.
void warnOfZeroLengths(const Morphology& morphology, std::vector<Warning>& warnings)
{
  Tally tally;
  for (std::int32_t parent = 0; parent < static_cast<std::int32_t>(morphology.samples()); ++parent) {
    if (morphology.parent[parent] < 0 || morphology.childCount(parent) != 1)
      continue;
    const std::int32_t sample = morphology.child[morphology.childBegin[parent]];
    if (sampleDistance(morphology, sample, parent) == 0)
      tally.note(morphology.line[sample]);
  }
  if (tally.count > 0)
    warnings.push_back({tally.firstLine, tally.counted("segment has", "segments have") +
                                             " no length (the sample lies on its parent); without area or resistance"});
}

std::vector<Warning> collectWarnings(const Morphology& morphology, std::vector<Warning> warnings)
{
  warnOfRoots(morphology, warnings);
  warnOfTypes(morphology, warnings);
  warnOfZeroLengths(morphology, warnings);
  if (std::optional<Warning> warning = sizeWarning(morphology))
    warnings.push_back(std::move(*warning));
  for (Warning& warning : somaWarnings(morphology))
    warnings.push_back(std::move(warning));
  std::stable_sort(warnings.begin(), warnings.end(),
                   [](const Warning& a, const Warning& b) { return a.line < b.line; });
  return warnings;
}

} // namespace

std::shared_ptr<const Morphology> parseSwc(std::string_view text, const std::string& path, const SwcOptions& options,
                                           const RunControl& control)
{
  text = withoutMarks(text);
  refuseOtherFormats(text, path);
  SwcRows rows = readSwcRows(text, path, options, control);
  if (rows.size() >= static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()))
    throw Error(ErrorCode::BadFormat, "more than 2147483646 samples; split the file", path);

  ProblemList problems(path);
  auto index = std::make_unique<IdIndex>(rows.id);
  if (!index->repeated().empty()) {
    dropRepeatedRows(rows, *index, problems);
    index = std::make_unique<IdIndex>(rows.id);
  }
  control.checkpoint();

  auto morphology = std::make_shared<Morphology>();
  morphology->parent = linkParents(rows, *index, options, problems);
  index.reset();
  morphology->name = cellName(path);
  morphology->path = path;
  morphology->comments = std::move(rows.comments);
  morphology->id = std::move(rows.id);
  morphology->type = std::move(rows.type);
  morphology->x = std::move(rows.x);
  morphology->y = std::move(rows.y);
  morphology->z = std::move(rows.z);
  morphology->radius = std::move(rows.radius);
  morphology->line = std::move(rows.line);
  completeMorphology(*morphology, control);
  morphology->warnings = collectWarnings(*morphology, std::move(rows.warnings));
  control.report("read", 1);
  return morphology;
}

std::shared_ptr<const Morphology> readSwc(const std::filesystem::path& path, const SwcOptions& options,
                                          const RunControl& control)
{
  control.report("read", 0);
  if (const auto sample = sampleText(path.string()))
    return parseSwc(*sample, path.string(), options, control);
  return parseSwc(readFile(path), path.string(), options, control);
}

} // namespace hinesight::morphology
