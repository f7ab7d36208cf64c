#include "io/tables/table_metadata.hpp"

#include "core/error.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace hinesight::io {

namespace {

using projection::PopulationKind;
using projection::PopulationParameters;

const std::string* find(const Metadata& metadata, const std::string& name)
{
  const auto found =
      std::find_if(metadata.begin(), metadata.end(), [&](const auto& entry) { return entry.first == name; });
  return found == metadata.end() ? nullptr : &found->second;
}

[[noreturn]] void refuse(const std::string& name, const std::string& value, const std::string& file)
{
  throw Error(ErrorCode::BadFormat, "\"" + value.substr(0, 40) + "\" is no value for \"" + name + "\"", file);
}

template <typename Number>
std::string textOf(Number value)
{
  std::array<char, 40> text{};
  const auto written = std::to_chars(text.data(), text.data() + text.size(), value);
  return {text.data(), written.ptr};
}

template <typename Number>
std::string textOf(const std::array<Number, 3>& values)
{
  return textOf(values[0]) + ' ' + textOf(values[1]) + ' ' + textOf(values[2]);
}

/// Reads a number off the front of a text. False where there is none.
template <typename Number>
bool takeNumber(std::string_view& text, Number& value)
{
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return failure == std::errc{};
}

template <typename Number>
bool parse(std::string_view text, Number& value)
{
  return takeNumber(text, value) && text.empty();
}

template <typename Number>
bool parse(std::string_view text, std::array<Number, 3>& values)
{
  for (Number& value : values) {
    if (&value != values.data()) {
      if (!text.starts_with(' '))
        return false;
      text.remove_prefix(1);
    }
    if (!takeNumber(text, value))
      return false;
  }
  return text.empty();
}

bool parse(std::string_view text, std::string& value)
{
  value = text;
  return true;
}

bool parse(std::string_view text, bool& value)
{
  value = text == "true";
  return value || text == "false";
}

/// Leaves `value` as it is where the metadata do not have it.
template <typename Value>
void restore(const Metadata& metadata, const std::string& name, Value& value, const std::string& file)
{
  const std::string* const text = find(metadata, name);
  if (text && !parse(*text, value))
    refuse(name, *text, file);
}

/// Calls visit(name, field) for what a population of that kind is made from.
template <typename Parameters, typename Visitor>
void visitPopulation(Parameters& p, const std::string& role, Visitor&& visit)
{
  switch (p.kind) {
  case PopulationKind::Grid:
    visit(role + "-size", p.size);
    visit(role + "-spacing", p.spacing);
    visit(role + "-origin", p.origin);
    return;
  case PopulationKind::Box:
    visit(role + "-origin", p.origin);
    visit(role + "-extent", p.extent);
    visit(role + "-seed", p.seed);
    return;
  case PopulationKind::Sphere:
    visit(role + "-origin", p.origin);
    visit(role + "-radius", p.radius);
    visit(role + "-seed", p.seed);
    return;
  case PopulationKind::File:
    visit(role + "-file", p.file);
    return;
  case PopulationKind::Given:
    return;
  }
}

std::string textOf(const std::string& text)
{
  return text;
}

/// The one of `choices` whose name is the value.
template <typename Choice, typename NameOf>
void restoreChoice(const Metadata& metadata, const std::string& name, Choice& value, const std::vector<Choice>& choices,
                   const NameOf& nameOf, const std::string& file)
{
  const std::string* const text = find(metadata, name);
  if (!text)
    return;
  const auto found =
      std::find_if(choices.begin(), choices.end(), [&](Choice choice) { return nameOf(choice) == *text; });
  if (found == choices.end())
    refuse(name, *text, file);
  value = *found;
}

} // namespace

std::string valueOf(const Metadata& metadata, const std::string& name)
{
  const std::string* const value = find(metadata, name);
  return value ? *value : std::string();
}

std::uint64_t countOf(const Metadata& metadata, const std::string& name, const std::string& file)
{
  const std::string* const text = find(metadata, name);
  std::uint64_t count = 0;
  if (!text || !parse(*text, count))
    throw Error(ErrorCode::BadFormat, "does not say how many " + name + " it has; is it a weight table?", file);
  return count;
}

Metadata describePopulation(const std::string& role, const projection::Population& population)
{
  const PopulationParameters& parameters = population.parameters();
  Metadata metadata = {{role + "-kind", std::string(projection::populationKindName(parameters.kind))}};
  visitPopulation(parameters, role,
                  [&](const std::string& name, const auto& value) { metadata.emplace_back(name, textOf(value)); });
  return metadata;
}

std::shared_ptr<const projection::Population> restorePopulation(const Metadata& metadata, const std::string& role,
                                                                std::uint64_t count, const std::string& file,
                                                                const RunControl& control)
{
  if (!find(metadata, role + "-kind"))
    return nullptr;
  PopulationParameters parameters;
  restoreChoice(
      metadata, role + "-kind", parameters.kind,
      {PopulationKind::Grid, PopulationKind::Box, PopulationKind::Sphere, PopulationKind::File, PopulationKind::Given},
      projection::populationKindName, file);
  if (parameters.kind == PopulationKind::File || parameters.kind == PopulationKind::Given)
    return nullptr;
  restore(metadata, role, parameters.name, file);
  parameters.count = count;
  visitPopulation(parameters, role,
                  [&](const std::string& name, auto& value) { restore(metadata, name, value, file); });
  try {
    auto population = projection::makePopulation(parameters, control);
    if (population->count() == count)
      return population;
  } catch (const Error& error) {
    if (error.code() == ErrorCode::Cancelled)
      throw;
    const bool isOfFile = error.code() == ErrorCode::BadParameter;
    throw Error(isOfFile ? ErrorCode::BadFormat : error.code(),
                (isOfFile ? "describes no population: " : "describes a population that cannot be made: ") +
                    error.message(),
                file);
  }
  throw Error(ErrorCode::BadFormat,
              "describes a " + role + " population that has not the " + std::to_string(count) + " neurons it says",
              file);
}

projection::ProjectionParameters restoreParameters(const Metadata& metadata, const std::string& file)
{
  projection::ProjectionParameters parameters;
  restoreChoice(metadata, "kernel", parameters.kernel, projection::allKernels(), projection::kernelName, file);
  restoreChoice(metadata, "rule", parameters.rule,
                {projection::ConnectionRule::Weighted, projection::ConnectionRule::Random}, projection::ruleName, file);
  restore(metadata, "expression", parameters.expression, file);
  restore(metadata, "seed", parameters.seed, file);
  restore(metadata, "wrap", parameters.wrap, file);
  restore(metadata, "self-connections", parameters.selfConnections, file);
  projection::visitParameters(parameters, [&](const projection::ParameterInfo& info, double& value) {
    restore(metadata, info.name, value, file);
  });
  try {
    projection::validate(parameters);
  } catch (const Error& error) {
    throw Error(ErrorCode::BadFormat, "holds a parameter out of its range: " + error.message(), file);
  }
  return parameters;
}

} // namespace hinesight::io
