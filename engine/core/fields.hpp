#pragma once

#include "core/choices.hpp"

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

// A parameter is declared once. Beside a struct of parameters stands a function template that visits its fields:
//
//   template <class P, class V> void visitFields(P&& p, V&& visit)   // or overloads that take the struct
//   {
//     visit(Field{.name = "time-step", .label = "Time step", .unit = "ms", .range = above(0, 1e6), .help = "..."},
//           p.timeStep);
//   }
//
// From these fields come: validation, the rows of forms, the options of commands, records and metadata of files,
// checkpoints, and the page of all parameters.

namespace hinesight {

/// As the greatest number: there is none.
inline constexpr double kBoundless = 1e18;

/// The numbers that a parameter may be.
struct Range
{
  double least = 0;
  double greatest = kBoundless; ///< kBoundless or more: any finite number
  bool above = false;           ///< above `least`, not equal to it
};

constexpr Range from(double least, double greatest)
{
  return {least, greatest, false};
}
constexpr Range above(double least, double greatest)
{
  return {least, greatest, true};
}

/// What a slider spans; the range where both are equal.
struct Slider
{
  double least = 0;
  double greatest = 0;
  bool logarithmic = false;
};

/// A value that a word says better: 0 threads is "all".
struct SpecialValue
{
  double value = 0;
  std::string_view word = {}; ///< empty: there is none
};

/// What a parameter is part of.
enum class Concern
{
  Science, ///< the result depends on it
  Machine, ///< where and how often it is computed
  Picture  ///< only what is seen depends on it
};

/// Where a new part of a form begins, or one of that title goes on.
struct Section
{
  std::string_view title = {}; ///< empty: the part before goes on
  std::string_view help = {};
  bool folded = false; ///< at first
};

/// All that is said of a parameter. Texts are literals: fields are copied freely.
struct Field
{
  std::string_view name = {};  ///< in commands, files and records: "split-length"
  std::string_view label = {}; ///< on screen: "Split length"
  std::string_view unit = {};  ///< "µm", empty for none
  Range range = {};
  Slider slider = {};
  SpecialValue special = {};
  double multipleOf = 0;         ///< whole numbers: only multiples of it; 0: any
  bool powersOfTwoBelow = false; ///< and below it powers of two
  std::string_view help = {};    ///< a sentence: what it does
  std::string_view detail = {};  ///< a paragraph with its source
  std::string_view former = {};  ///< the whole name that it had, still read in files and taken by commands
  std::string_view item = {};    ///< of lists, what one of it is: "a stimulus"
  Section section = {};
  Concern concern = Concern::Science;
  bool applies = true; ///< false: without effect beside what the other parameters are
  bool shown = true;   ///< false: neither does a form show it

  constexpr Field when(bool condition) const
  {
    Field field = *this;
    field.applies = applies && condition;
    return field;
  }
  /// As `when`; for one of many that would crowd a form.
  constexpr Field onlyWhen(bool condition) const
  {
    Field field = when(condition);
    field.shown = shown && condition;
    return field;
  }
};

/// Parameters that belong together: a struct within a struct. The names of its fields begin with `prefix`.
struct FieldGroup
{
  std::string_view name = {};   ///< in files and records: "coarse"
  std::string_view title = {};  ///< on screen
  std::string_view prefix = {}; ///< of options: "coarse-"; may be empty
  std::string_view help = {};   ///< a sentence
  std::string_view whose = {};  ///< tells its fields from those of a group like it: "Growth rate" of "axons"; such
                                ///< a group is a part of its own in forms
  bool applies = true;
  bool folded = false; ///< that part, at first

  constexpr FieldGroup when(bool condition) const
  {
    FieldGroup group = *this;
    group.applies = applies && condition;
    return group;
  }
};

enum class FieldKind
{
  Switch, ///< bool
  Whole,  ///< integers
  Real,   ///< double
  Choice, ///< an enumeration with a table
  Text,   ///< std::string
  Series, ///< std::vector or std::array of the kinds above; range and choices are those of each item
  List    ///< std::vector of a struct with fields
};

/// A field with the value that it describes, which lives elsewhere and has to outlive this. A constant one of it must
/// not change the value.
class BoundField
{
public:
  Field about = {};
  std::string name;               ///< with the prefixes of the groups around it
  std::vector<FieldGroup> groups; ///< around it, outermost first
  FieldKind kind = FieldKind::Real;
  FieldKind itemKind = FieldKind::Real; ///< of a Series
  std::span<const Choice> choices;      ///< of a Choice, and of a Series of them
  bool groupApplies = true;             ///< false: so does no field of a group around it, and forms hide it

  /// "Growth rate of axons".
  std::string label() const;
  /// As commands and files have it; a Series as "1,5,9"; numbers may be read apart
  /// by blanks too. Not of lists.
  std::string text() const { return access->text(value); }
  std::string defaultText() const { return access->text(standard); }
  /// Takes the word of a special value too. Throws std::invalid_argument, whose text ends the sentence "'abc' is ...",
  /// for what is no such value, and Error(BadParameter) for a number that the type cannot hold. Ranges are what
  /// `validate` looks at.
  void setText(std::string_view text);
  /// The value as a number: the index of a choice, 0 or 1 of a switch. Not of texts, series and lists.
  double number() const { return access->number(value); }
  double defaultNumber() const { return access->number(standard); }
  void setNumber(double number) { access->setNumber(value, number); }
  bool isDefault() const { return access->equal(value, standard); }
  void reset() { access->assign(value, standard); }
  /// Of series and lists; an item of a series is a single field without a name.
  std::size_t size() const { return access->size(value); }
  void resize(std::size_t items) { access->resize(value, items); }
  std::vector<BoundField> item(std::size_t index) const { return access->item(value, index); }

  /// Throws Error(BadParameter) that names the parameter, its value, its unit and its range.
  void validate() const;

  struct Access
  {
    std::string (*text)(const void*);
    bool (*setText)(void*, std::string_view, std::span<const Choice>); ///< false: no such value
    double (*number)(const void*);
    void (*setNumber)(void*, double);
    bool (*equal)(const void*, const void*);
    void (*assign)(void*, const void*);
    std::size_t (*size)(const void*);
    void (*resize)(void*, std::size_t);
    std::vector<BoundField> (*item)(void*, std::size_t);
  };
  const Access* access = nullptr;
  void* value = nullptr;
  const void* standard = nullptr; ///< the default
};

/// Every field of a struct, those of the structs in it included, in the order in which they are shown.
template <typename Parameters>
std::vector<BoundField> fieldsOf(Parameters& parameters);
/// With other defaults than those of the struct. `standard` has to outlive the fields.
template <typename Parameters>
std::vector<BoundField> fieldsOf(Parameters& parameters, const Parameters& standard);
/// To be read only.
template <typename Parameters>
const std::vector<BoundField> fieldsOf(const Parameters& parameters)
{
  return fieldsOf(const_cast<Parameters&>(parameters));
}

/// Throws as BoundField::validate for the first field that applies and is out of its range.
void validateFields(std::span<const BoundField> fields);
/// The same, and fields that do not apply are looked at too.
void validateAllFields(std::span<const BoundField> fields);

/// Those that the result depends on.
std::vector<BoundField> scienceOf(std::vector<BoundField> fields);

/// Those that apply.
std::vector<BoundField> applyingOf(std::span<const BoundField> fields);

/// The field of that name, or formerly of that name; null where there is none.
BoundField* findField(std::span<BoundField> fields, std::string_view name);

/// A parameter as records, files and checkpoints hold it.
struct Setting
{
  std::string name;
  std::string text;

  bool operator==(const Setting&) const = default;
};

/// Every field by its name. A list `name` is the number of its items, and `name.K.field` what item K is.
std::vector<Setting> settingsOf(std::span<const BoundField> fields);
/// Sets the fields that are named; the others keep their values. Returns the names that no field has. Throws
/// Error(BadFormat) that names the setting for what is no such value, and nothing for ranges: validate afterwards.
std::vector<std::string> applySettings(std::span<BoundField> fields, std::span<const Setting> settings);
/// Adds those whose names are not there yet.
void addMissing(std::vector<Setting>& settings, std::span<const Setting> others);

/// "name=text" a line, the last without its end. Line breaks in a text and backslashes stand behind a backslash.
std::string linesOf(std::span<const Setting> settings);
std::vector<Setting> settingsOfLines(std::string_view lines);

/// A word of a command, in quotes where a shell (POSIX) would take it apart.
std::string quoteForShell(std::string text);

/// What a command is given to set the fields that apply and are not at their defaults, quoted for a shell:
/// " --split fixed --split-length 20".
std::string commandText(std::span<const BoundField> fields);

/// The allowed number that is nearest to `number`: what a slider may stand at.
double nearestAllowed(const Field& field, double number);

/// "the-name" as "theName".
std::string inCamelCase(std::string_view name);

/// A field's range in words: "0.001 to 1e+09 µm", "above 0, at most 1000 µF/cm²"; of a series that of its items; empty
/// for choices and texts.
std::string rangeText(const BoundField& field);

} // namespace hinesight

#include "core/field_access.hpp"
