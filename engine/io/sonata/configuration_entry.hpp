#pragma once

#include "io/sonata/configuration.hpp"

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace hinesight::io {

/// An object of a configuration that remembers what was asked of it, so that the rest can be named. Failures say where
/// it is.
class ConfigurationEntry
{
public:
  /// `where`: such as `the input "clamp"`. Both outlive it.
  ConfigurationEntry(const SonataConfiguration& configuration, const nlohmann::ordered_json& entry, std::string where);

  const std::string& where() const { return place; }
  [[noreturn]] void fail(const std::string& what) const;

  /// The part of the first of these names that is there; null where none is.
  const nlohmann::ordered_json& part(std::initializer_list<const char*> names);
  bool has(const char* name);
  std::optional<std::string> text(const char* name);
  std::optional<double> number(std::initializer_list<const char*> names);
  /// A number that is needed and finite.
  double required(std::initializer_list<const char*> names);
  /// One number, or a list.
  std::vector<double> numbers(std::initializer_list<const char*> names);
  /// A whole number from 0 on.
  std::optional<std::uint64_t> count(const char* name);
  bool flag(const char* name, bool otherwise);

  /// What is known and changes no result.
  void passOver(std::initializer_list<const char*> names) { asked.insert(names.begin(), names.end()); }
  /// A sentence for each name that nobody asked for.
  std::vector<std::string> unread() const;

private:
  const char* firstOf(std::initializer_list<const char*> names);

  const SonataConfiguration& config;
  const nlohmann::ordered_json& object;
  std::string place;
  std::set<std::string> asked;
};

} // namespace hinesight::io
