#include "model/project_changes.hpp"

#include "core/error.hpp"
#include "core/text.hpp"
#include "model/project_parts.hpp"

#include <algorithm>
#include <type_traits>

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

/// Fields of one part. `whose`: stands before the words; may be empty.
void compareFields(const std::string& path, const std::string& whose, const std::vector<BoundField>& before,
                   const std::vector<BoundField>& after, std::vector<Change>& changes)
{
  std::vector<Change> withoutEffect;
  for (std::size_t k = 0; k < after.size(); ++k) {
    if (after[k].access->equal(before[k].value, after[k].value))
      continue;
    const bool hasEffect = before[k].about.applies || after[k].about.applies;
    std::string words = whose + after[k].label() + " " + inWords(before[k]) + " to " + inWords(after[k]);
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

/// Whether all that differs is one name: where it stands; else the end.
template <typename Part>
std::size_t placeOfNewName(const std::vector<Part>& before, const std::vector<Part>& after)
{
  std::size_t place = after.size();
  if (before.size() != after.size())
    return place;
  for (std::size_t k = 0; k < after.size(); ++k)
    if (nameOf(before[k]) != nameOf(after[k])) {
      if (place != after.size())
        return after.size();
      place = k;
    }
  return place;
}

template <typename Part>
void compareLists(const std::string& list, const std::string& kind, const std::vector<Part>& before,
                  const std::vector<Part>& after, std::vector<Change>& changes)
{
  const std::vector<std::string> had = namesOf(before);
  const std::vector<std::string> have = namesOf(after);
  const auto compareParts = [&](const Part& old, const Part& now) {
    compareFields(list + "." + nameOf(now), nameOf(now) + ": ", fieldsOf(old), fieldsOf(now), changes);
  };
  if (const std::size_t renamed = placeOfNewName(before, after); renamed < after.size()) {
    changes.push_back({list, "Rename " + had[renamed] + " to " + have[renamed]});
    for (std::size_t k = 0; k < after.size(); ++k)
      if (k != renamed)
        compareParts(before[k], after[k]);
    return;
  }
  const std::vector<std::string> gone = missingIn(have, had);
  const std::vector<std::string> came = missingIn(had, have);
  if (!gone.empty())
    changes.push_back({list, membersInWords("Remove", kind, gone)});
  if (!came.empty())
    changes.push_back({list, membersInWords(kind == "cell" ? "Open" : "Add", kind, came)});
  if (gone.empty() && came.empty() && had != have)
    changes.push_back({list, "Order of the " + pluralOf(kind)});
  for (const Part& now : after) {
    const auto old = std::ranges::find(before, nameOf(now), [](const Part& part) { return nameOf(part); });
    if (old != before.end())
      compareParts(*old, now);
  }
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
  for (std::size_t k = first; k < changes.size(); ++k) {
    const bool isOfMember = changes[k].path.rfind('.') != std::string::npos;
    const auto alike =
        std::find_if(joined.begin() + static_cast<std::ptrdiff_t>(first), joined.end(), [&](const Change& other) {
          return isOfMember && fieldOf(other) == fieldOf(changes[k]) && wordsOf(other) == wordsOf(changes[k]);
        });
    if (alike == joined.end()) {
      joined.push_back(changes[k]);
      counts.push_back(1);
    } else
      ++counts[static_cast<std::size_t>(alike - joined.begin())];
  }
  for (std::size_t k = first; k < joined.size(); ++k)
    if (counts[k] > 1)
      joined[k] = {list + "." + fieldOf(joined[k]),
                   std::to_string(counts[k]) + " " + pluralOf(kind) + ": " + wordsOf(joined[k])};
  changes = std::move(joined);
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
    joinAlike(list, kind, first, changes);
  });
  forSingles([&](const char* name, auto member) {
    compareFields(name, {}, fieldsOf(before.*member), fieldsOf(after.*member), changes);
  });
  forOptionals([&](const char* name, auto member) {
    auto& was = before.*member;
    auto& is = after.*member;
    if (was.has_value() != is.has_value())
      changes.push_back({name, std::string(is ? "Add " : "Remove ") + name});
    else if (was)
      compareFields(name, {}, fieldsOf(*was), fieldsOf(*is), changes);
  });
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
    for (const auto& part : now.*member)
      if (isOfInterest(part)) {
        const auto& old =
            *std::ranges::find(saved.*member, nameOf(part), [](const auto& each) { return nameOf(each); });
        addAssignments(std::string(list) + "." + nameOf(part), fieldsOf(old), fieldsOf(part), assignments);
      }
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
