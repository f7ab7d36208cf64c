#include "io/sonata/configuration_entry.hpp"

#include <cmath>
#include <utility>

#include <nlohmann/json.hpp>

namespace hinesight::io {

using Json = nlohmann::ordered_json;

ConfigurationEntry::ConfigurationEntry(const SonataConfiguration& configuration, const Json& entry, std::string where)
    : config(configuration), object(entry), place(std::move(where))
{
  if (!object.is_object() && !object.is_null())
    config.fail(place + " is no JSON object");
}

void ConfigurationEntry::fail(const std::string& what) const
{
  config.fail(place + " " + what);
}

/// The first that is there, else the first.
const char* ConfigurationEntry::firstOf(std::initializer_list<const char*> names)
{
  for (const char* const name : names)
    asked.insert(name);
  for (const char* const name : names)
    if (!io::part(object, name).is_null())
      return name;
  return *names.begin();
}

const Json& ConfigurationEntry::part(std::initializer_list<const char*> names)
{
  return io::part(object, firstOf(names));
}

bool ConfigurationEntry::has(const char* name)
{
  return !part({name}).is_null();
}

std::optional<std::string> ConfigurationEntry::text(const char* name)
{
  const Json& value = part({name});
  if (value.is_null())
    return std::nullopt;
  if (!value.is_string())
    fail("has a \"" + std::string(name) + "\" that is no text");
  return value.get<std::string>();
}

std::optional<double> ConfigurationEntry::number(std::initializer_list<const char*> names)
{
  return config.number(object, firstOf(names));
}

double ConfigurationEntry::required(std::initializer_list<const char*> names)
{
  const std::optional<double> value = number(names);
  if (!value)
    fail("has no \"" + std::string(*names.begin()) + "\"");
  if (!std::isfinite(*value))
    fail("has a \"" + std::string(*names.begin()) + "\" that is no finite number");
  return *value;
}

std::vector<double> ConfigurationEntry::numbers(std::initializer_list<const char*> names)
{
  const char* const name = firstOf(names);
  const Json& value = io::part(object, name);
  if (!value.is_array())
    return {required(names)};
  std::vector<double> all;
  for (const Json& each : value) {
    if (!each.is_number() || !std::isfinite(each.get<double>()))
      fail("has a \"" + std::string(name) + "\" that is no list of numbers");
    all.push_back(each.get<double>());
  }
  return all;
}

std::optional<std::uint64_t> ConfigurationEntry::count(const char* name)
{
  const Json& value = part({name});
  if (value.is_null())
    return std::nullopt;
  if (!value.is_number_unsigned())
    fail("has a \"" + std::string(name) + "\" that is no whole number from 0 on");
  return value.get<std::uint64_t>();
}

bool ConfigurationEntry::flag(const char* name, bool otherwise)
{
  const Json& value = part({name});
  if (value.is_null())
    return otherwise;
  if (value.is_number())
    return value.get<double>() != 0;
  if (!value.is_boolean())
    fail("has a \"" + std::string(name) + "\" that is neither true nor false");
  return value.get<bool>();
}

std::vector<std::string> ConfigurationEntry::unread() const
{
  std::vector<std::string> sentences;
  if (object.is_object())
    for (const auto& [name, value] : object.items())
      if (!asked.contains(name) && !value.is_null())
        sentences.push_back("\"" + name + "\" of " + place + " is not known and has no effect.");
  return sentences;
}

} // namespace hinesight::io
