#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include <nlohmann/json_fwd.hpp>

namespace hinesight::io {

/// A configuration of SONATA: JSON, with a manifest of variables for paths.
class SonataConfiguration
{
public:
  /// Throws as readFile, Error(BadFormat) for what is no JSON object.
  explicit SonataConfiguration(const std::filesystem::path& path);
  ~SonataConfiguration();
  SonataConfiguration(SonataConfiguration&&) noexcept;

  /// The configuration of a circuit: that of the file, or the one that a simulation's configuration names. Throws
  /// Error(BadFormat) where there is none.
  static SonataConfiguration circuitOf(const std::filesystem::path& path);

  const std::filesystem::path& path() const { return file; }
  const nlohmann::ordered_json& root() const { return *json; }

  /// Throws Error(BadFormat) of the file.
  [[noreturn]] void fail(const std::string& what) const;

  /// A path that the configuration names, its variables replaced, from its folder on.
  std::filesystem::path resolve(const std::string& text) const;

  /// The text of an entry; none where it is null or not there. Throws Error(BadFormat) for what is no text.
  std::optional<std::string> text(const nlohmann::ordered_json& object, const char* name) const;
  /// The same of a number; a text that is one counts.
  std::optional<double> number(const nlohmann::ordered_json& object, const char* name) const;
  /// A number that is needed.
  double requiredNumber(const nlohmann::ordered_json& object, const char* name, const std::string& where) const;

private:
  void replaceVariable(std::string& path, const std::string& asked) const;

  std::filesystem::path file;
  std::unique_ptr<nlohmann::ordered_json> json;
};

/// A part of an object; null where it is not there.
const nlohmann::ordered_json& part(const nlohmann::ordered_json& object, const char* name);

} // namespace hinesight::io
