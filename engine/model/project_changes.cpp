#include "model/project_changes.hpp"

#include "core/error.hpp"
#include "core/text.hpp"
#include "model/project_parts.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>

namespace hinesight::model {

namespace {

/// A value as a person reads it.
std::string inWords(const BoundField& field)
{
  switch (field.kind) {
  case FieldKind::Switch:
    return field.number() != 0 ? "on" : "off";
  case FieldKind::Choice: {
    const auto place = static_cast<std::size_t>(field.number());
    return place < field.choices.size() ? std::string(field.choices[place].label) : field.text();
  }
  case FieldKind::Whole:
  case FieldKind::Real:
    if (!field.about.special.word.empty() && field.number() == field.about.special.value)
      return std::string(field.about.special.word);
    return field.text();
  case FieldKind::List:
    return std::to_string(field.size());
  case FieldKind::Text:
  case FieldKind::Series:
    break;
  }
  constexpr std::size_t kMostShown = 40;
  const std::string text = field.text();
  if (text.empty())
    return "none";
  return text.size() > kMostShown ? "…" + text.substr(text.size() - kMostShown) : text;
}

/// "Sigma 40 to 60". The ends of a connection are called as on its panel: "From basket instead of thalamus".
std::string changeInWords(const BoundField& before, const BoundField& after)
{
  const std::string was = inWords(before);
  const std::string is = inWords(after);
  if (after.label() == "Source")
    return "From " + is + " instead of " + was;
  if (after.label() == "Target")
    return "To " + is + " instead of " + was;
  return after.label() + " " + was + " to " + is;
}

/// Fields of one part. `whose`: stands before the words; may be empty.
void compareFields(const std::string& path, const std::string& whose, const std::vector<BoundField>& before,
                   const std::vector<BoundField>& after, std::vector<Change>& changes)
{
  std::vector<Change> withoutEffect;
  for (std::size_t k = 0; k < after.size(); ++k) {
    if (after[k].access->equal(before[k].value, after[k].value))
      continue;
    const bool hasEffect = before[k].about.applies || after[k].about.applies;
    std::string words = whose + changeInWords(before[k], after[k]);
    if (!after[k].about.unit.empty())
      words += " " + std::string(after[k].about.unit);
    (hasEffect ? changes : withoutEffect).push_back({path + "." + after[k].name, std::move(words)});
  }
  changes.insert(changes.end(), withoutEffect.begin(), withoutEffect.end());
}

template <typename Part>
std::vector<std::string> namesOf(const std::vector<Part>& parts)
{
  std::vector<std::string> names;
  for (const Part& part : parts)
    names.push_back(nameOf(part));
  return names;
}

/// Those of `names` that are not among `others`, in their order.
std::vector<std::string> missingIn(const std::vector<std::string>& others, const std::vector<std::string>& names)
{
  std::vector<std::string> sorted = others;
  std::ranges::sort(sorted);
  std::vector<std::string> missing;
  for (const std::string& name : names)
    if (!std::ranges::binary_search(sorted, name))
      missing.push_back(name);
  return missing;
}

std::string pluralOf(const std::string& kind)
{
  return kind == "stimulus" ? "stimuli" : kind + "s";
}

/// "Open stellate", "Remove 3 cells", "Add the population E".
std::string membersInWords(const std::string& verb, const std::string& kind, const std::vector<std::string>& names)
{
  if (names.size() == 1)
    return kind == "cell" ? verb + " " + names.front() : verb + " the " + kind + " " + names.front();
  return verb + " " + std::to_string(names.size()) + " " + pluralOf(kind);
}

/// What came to a list, by the names of it.
template <typename Part>
std::string addedInWords(const std::string& kind, const std::vector<std::string>& names, const std::vector<Part>&)
{
  return membersInWords(kind == "cell" ? "Open" : "Add", kind, names);
}

/// "Save set 'interneurons' (12 cells)".
std::string addedInWords(const std::string& kind, const std::vector<std::string>& names,
                         const std::vector<selection::NamedSelection>& sets)
{
  if (names.size() != 1)
    return membersInWords("Save", kind, names);
  const std::size_t cells = std::ranges::find(sets, names.front(), &selection::NamedSelection::name)->cells.size();
  const std::string words = "Save set '" + names.front() + "'";
  return cells == 0 ? words : words + " (" + std::to_string(cells) + (cells == 1 ? " cell)" : " cells)");
}

/// Where names differ of lists of one length; none of others.
template <typename Part>
std::vector<std::size_t> placesOfNewNames(const std::vector<Part>& before, const std::vector<Part>& after)
{
  std::vector<std::size_t> places;
  for (std::size_t k = 0; before.size() == after.size() && k < after.size(); ++k)
    if (nameOf(before[k]) != nameOf(after[k]))
      places.push_back(k);
  return places;
}

/// What new names of members in their old places come from, in words; empty: these are other members.
template <typename Part>
std::string renamedInWords(const std::vector<Part>& before, const std::vector<Part>& after,
                           const std::vector<std::size_t>& places)
{
  if (places.size() != 1)
    return {};
  return "Rename " + nameOf(before[places[0]]) + " to " + nameOf(after[places[0]]);
}

/// A cell is called as its file, which is another one, such as that of the repaired cell.
std::string renamedInWords(const std::vector<Cell>& before, const std::vector<Cell>& after,
                           const std::vector<std::size_t>& places)
{
  const auto had = byName(before);
  const auto hasOtherFile = [&](std::size_t k) {
    return before[k].file != after[k].file && !had.contains(after[k].name);
  };
  if (places.empty() || !std::ranges::all_of(places, hasOtherFile))
    return places.size() == 1 ? "Rename " + before[places[0]].name + " to " + after[places[0]].name : std::string();
  if (places.size() > 1)
    return "Other files of " + std::to_string(places.size()) + " cells";
  const std::string& file = after[places[0]].file;
  return before[places[0]].name + ": File is " + file.substr(file.rfind('/') + 1);
}

/// A projection that is named by what it joins has another name where it joins something else.
std::string renamedInWords(const std::vector<Connection>& before, const std::vector<Connection>& after,
                           const std::vector<std::size_t>& places)
{
  if (places.size() != 1)
    return {};
  const Connection& now = after[places[0]];
  Connection old = before[places[0]];
  if (old.source == now.source && old.target == now.target)
    return "Rename " + old.name + " to " + now.name;
  old.name = now.name;
  std::vector<Change> changes;
  compareFields({}, now.name + ": ", fieldsOf(old), fieldsOf(now), changes);
  return summarize(changes);
}

template <typename Part>
void compareLists(const std::string& list, const std::string& kind, const std::vector<Part>& before,
                  const std::vector<Part>& after, std::vector<Change>& changes)
{
  const std::vector<std::string> had = namesOf(before);
  const std::vector<std::string> have = namesOf(after);
  const auto compareParts = [&](const Part& old, const Part& now) {
    if (old != now)
      compareFields(list + "." + nameOf(now), nameOf(now) + ": ", fieldsOf(old), fieldsOf(now), changes);
  };
  const std::vector<std::size_t> renamed = placesOfNewNames(before, after);
  if (std::string words = renamedInWords(before, after, renamed); !words.empty()) {
    changes.push_back({list, std::move(words)});
    for (std::size_t k = 0; k < after.size(); ++k)
      if (!std::ranges::binary_search(renamed, k))
        compareParts(before[k], after[k]);
    return;
  }
  const std::vector<std::string> gone = missingIn(have, had);
  const std::vector<std::string> came = missingIn(had, have);
  if (!gone.empty())
    changes.push_back({list, membersInWords("Remove", kind, gone)});
  if (!came.empty())
    changes.push_back({list, addedInWords(kind, came, after)});
  if (gone.empty() && came.empty() && had != have)
    changes.push_back({list, "Order of the " + pluralOf(kind)});
  const auto named = byName(before);
  for (const Part& now : after)
    if (const auto old = named.find(nameOf(now)); old != named.end())
      compareParts(*old->second, now);
}

/// Many members with the same change are one change.
void joinAlike(const std::string& list, const std::string& kind, std::size_t first, std::vector<Change>& changes)
{
  const auto fieldOf = [&](const Change& change) { return change.path.substr(change.path.rfind('.') + 1); };
  const auto wordsOf = [](const Change& change) {
    const std::size_t colon = change.words.find(": ");
    return colon == std::string::npos ? change.words : change.words.substr(colon + 2);
  };
  std::vector<Change> joined(changes.begin(), changes.begin() + static_cast<std::ptrdiff_t>(first));
  std::vector<std::size_t> counts(first, 1);
  std::map<std::pair<std::string, std::string>, std::size_t> places; // of what is joined, by field and words
  for (std::size_t k = first; k < changes.size(); ++k) {
    const bool isOfMember = changes[k].path.rfind('.') != std::string::npos;
    const auto [alike, isNew] = places.try_emplace({fieldOf(changes[k]), wordsOf(changes[k])}, joined.size());
    if (isNew || !isOfMember) {
      joined.push_back(changes[k]);
      counts.push_back(1);
    } else
      ++counts[alike->second];
  }
  for (std::size_t k = first; k < joined.size(); ++k)
    if (counts[k] > 1)
      joined[k] = {list + "." + fieldOf(joined[k]),
                   std::to_string(counts[k]) + " " + pluralOf(kind) + ": " + wordsOf(joined[k])};
  changes = std::move(joined);
}

std::string namesOrCount(const std::vector<const Cell*>& cells)
{
  return cells.size() == 1 ? cells.front()->name : std::to_string(cells.size()) + " cells";
}

/// "Hide stellate", "Show all cells", "Show only 3 cells". `on`, `off`: whose eyes changed; `seen`: that are shown now.
std::string shownInWords(const std::vector<const Cell*>& on, const std::vector<const Cell*>& off,
                         const std::vector<const Cell*>& seen, std::size_t all)
{
  const bool isChoice = !off.empty() && !seen.empty() && (!on.empty() || seen.size() < off.size());
  if (isChoice)
    return "Show only " + namesOrCount(seen);
  if (on.empty())
    return off.size() > 1 && seen.empty() ? "Hide all cells" : "Hide " + namesOrCount(off);
  return on.size() > 1 && seen.size() == all ? "Show all cells" : "Show " + namesOrCount(on);
}

/// All eyes of cells that changed, from `first` on, are one change.
void joinShown(const std::vector<Cell>& before, const std::vector<Cell>& after, std::size_t first,
               std::vector<Change>& changes)
{
  const auto isOfEye = [](const Change& change) { return change.path.ends_with(".shown"); };
  const auto place = std::find_if(changes.begin() + static_cast<std::ptrdiff_t>(first), changes.end(), isOfEye);
  if (place == changes.end())
    return;
  const auto had = byName(before);
  std::vector<const Cell*> on, off, seen;
  for (const Cell& cell : after) {
    if (cell.isShown)
      seen.push_back(&cell);
    const auto old = had.find(cell.name);
    if (old != had.end() && old->second->isShown != cell.isShown)
      (cell.isShown ? on : off).push_back(&cell);
  }
  *place = {on.size() + off.size() == 1 ? place->path : "cells.shown", shownInWords(on, off, seen, after.size())};
  changes.erase(std::remove_if(place + 1, changes.end(), isOfEye), changes.end());
}

/// A part that may be missing, as people know it.
std::string optionalInWords(std::string_view name)
{
  static constexpr std::pair<std::string_view, std::string_view> kWords[] = {
      {"simulate", "the simulation"},
      {"form", "the formation of synapses"},
      {"grow", "the growth of synapses"},
      {"bench-hines", "the benchmark of solvers"},
      {"bench-projections", "the benchmark of projections"},
      {"bench-synapses", "the benchmark of synapses"},
      {"bench-simulation", "the benchmark of simulation"}};
  const auto found = std::ranges::find(kWords, name, &std::pair<std::string_view, std::string_view>::first);
  return std::string(found == std::end(kWords) ? name : found->second);
}

/// A part that was missing was as it is by default: what differs from that is what a person changed.
template <typename Part>
void compareOptionals(const std::string& name, const std::optional<Part>& before, const std::optional<Part>& after,
                      std::vector<Change>& changes)
{
  const std::size_t first = changes.size();
  if (after)
    compareFields(name, {}, fieldsOf(before.value_or(Part())), fieldsOf(*after), changes);
  if (before.has_value() != after.has_value() && changes.size() == first)
    changes.push_back({name, (after ? "Add " : "Remove ") + optionalInWords(name)});
}

} // namespace

std::vector<Change> changesBetween(const Project& before, const Project& after)
{
  std::vector<Change> changes;
  forLists([&](const char* list, const char* kind, auto member) {
    if (before.*member == after.*member)
      return;
    const std::size_t first = changes.size();
    compareLists(list, kind, before.*member, after.*member, changes);
    if constexpr (std::is_same_v<decltype(member), std::vector<Cell> Project::*>)
      joinShown(before.*member, after.*member, first, changes);
    joinAlike(list, kind, first, changes);
  });
  forSingles([&](const char* name, auto member) {
    compareFields(name, {}, fieldsOf(before.*member), fieldsOf(after.*member), changes);
  });
  forOptionals([&](const char* name, auto member) { compareOptionals(name, before.*member, after.*member, changes); });
  return changes;
}

namespace {

/// Assignments of the fields of one part that differ.
void addAssignments(const std::string& path, const std::vector<BoundField>& before,
                    const std::vector<BoundField>& after, std::vector<std::string>& assignments)
{
  for (std::size_t k = 0; k < after.size(); ++k) {
    const BoundField& field = after[k];
    if (field.about.concern == Concern::Picture || field.name == "hash" ||
        field.access->equal(before[k].value, field.value))
      continue;
    if (field.kind == FieldKind::List)
      throw Error(ErrorCode::BadParameter, "The list \"" + field.label() + "\" of " + path +
                                               " is another one than in the saved session, which no command can say. "
                                               "Save the session, then copy the command.");
    assignments.push_back(path + "." + field.name + "=" + field.text());
  }
}

bool liesBelow(const std::string& path, std::span<const std::string> below)
{
  return std::ranges::any_of(below, [&](const std::string& beginning) { return path.starts_with(beginning); });
}

} // namespace

std::vector<std::string> assignmentsBetween(const Project& saved, const Project& now,
                                            std::span<const std::string> below)
{
  std::vector<std::string> assignments;
  forLists([&](const char* list, const char* kind, auto member) {
    const auto isOfInterest = [&](const auto& part) {
      return liesBelow(std::string(list) + "." + nameOf(part) + ".", below);
    };
    const auto namesOfInterest = [&](const auto& parts) {
      std::vector<std::string> names;
      for (const auto& part : parts)
        if (isOfInterest(part))
          names.push_back(nameOf(part));
      return names;
    };
    if (namesOfInterest(saved.*member) != namesOfInterest(now.*member))
      throw Error(ErrorCode::BadParameter, "The " + pluralOf(kind) +
                                               " are other ones than in the saved session. Save the session, then "
                                               "copy the command.");
    const auto had = byName(saved.*member);
    for (const auto& part : now.*member)
      if (isOfInterest(part))
        addAssignments(std::string(list) + "." + nameOf(part), fieldsOf(*had.at(nameOf(part))), fieldsOf(part),
                       assignments);
  });
  forSingles([&](const char* name, auto member) {
    if (liesBelow(std::string(name) + ".", below))
      addAssignments(name, fieldsOf(saved.*member), fieldsOf(now.*member), assignments);
  });
  forOptionals([&](const char* name, auto member) {
    const auto& is = now.*member;
    if (!is || !liesBelow(std::string(name) + ".", below))
      return;
    const auto was = (saved.*member).value_or(std::remove_cvref_t<decltype(*is)>{});
    addAssignments(name, fieldsOf(was), fieldsOf(*is), assignments);
  });
  return assignments;
}

std::string summarize(std::span<const Change> changes)
{
  if (changes.empty())
    return {};
  std::string words = changes.front().words;
  if (changes.size() > 1)
    words += " and " + std::to_string(changes.size() - 1) + " more";
  return words;
}

} // namespace hinesight::model
