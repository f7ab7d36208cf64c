#include "io/tables/table_metadata.hpp"

#include "core/error.hpp"
#include "core/text.hpp"

#include <algorithm>

namespace hinesight::io {

namespace {

using projection::PopulationKind;
using projection::PopulationParameters;

const std::string* find(const Metadata& metadata, const std::string& name)
{
  const auto found = std::find_if(metadata.begin(), metadata.end(), [&](const Setting& s) { return s.name == name; });
  return found == metadata.end() ? nullptr : &found->text;
}

/// Those whose names begin with `prefix`, without it.
Metadata below(const Metadata& metadata, const std::string& prefix)
{
  Metadata part;
  for (const Setting& setting : metadata)
    if (setting.name.starts_with(prefix))
      part.push_back({setting.name.substr(prefix.size()), setting.text});
  return part;
}

/// Sets the fields that are named. Other names are of the file, or of another version.
void apply(std::vector<BoundField> fields, const Metadata& metadata, const std::string& file)
{
  try {
    applySettings(fields, metadata);
  } catch (const Error& error) {
    throw Error(error.code(), "has a parameter that cannot be read: " + error.message(), file);
  }
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
  const auto count = text ? numberOf<std::uint64_t>(*text) : std::nullopt;
  if (!count)
    throw Error(ErrorCode::BadFormat, "does not say how many " + name + " it has; is it a weight table?", file);
  return *count;
}

Metadata describePopulation(const std::string& role, const projection::Population& population)
{
  Metadata metadata;
  for (const BoundField& field : applyingOf(fieldsOf(population.parameters()))) {
    if (field.name == "name" || field.name == "count")
      continue;
    std::string text = field.text();
    if (field.kind == FieldKind::Series) // "8 7 2", as tables always had it
      std::replace(text.begin(), text.end(), ',', ' ');
    metadata.push_back({role + "-" + field.name, std::move(text)});
  }
  return metadata;
}

std::shared_ptr<const projection::Population> restorePopulation(const Metadata& metadata, const std::string& role,
                                                                std::uint64_t count, const std::string& file,
                                                                const RunControl& control)
{
  if (!find(metadata, role + "-kind"))
    return nullptr;
  PopulationParameters parameters;
  apply(fieldsOf(parameters), below(metadata, role + "-"), file);
  if (parameters.kind == PopulationKind::File || parameters.kind == PopulationKind::Given)
    return nullptr;
  if (const std::string* const name = find(metadata, role))
    parameters.name = *name;
  parameters.count = count;
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
  throw Error(
      ErrorCode::BadFormat,
      "describes a " + role + " population that does not have the " + std::to_string(count) + " neurons it says", file);
}

projection::ProjectionParameters restoreParameters(const Metadata& metadata, const std::string& file)
{
  projection::ProjectionParameters parameters;
  apply(fieldsOf(parameters), metadata, file);
  try {
    projection::validate(parameters);
  } catch (const Error& error) {
    throw Error(ErrorCode::BadFormat, "holds a parameter out of its range: " + error.message(), file);
  }
  return parameters;
}

} // namespace hinesight::io
