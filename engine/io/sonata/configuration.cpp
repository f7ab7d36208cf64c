#include "io/sonata/configuration.hpp"

#include "core/error.hpp"
#include "core/files.hpp"
#include "core/json_text.hpp"

#include <cctype>
#include <charconv>
#include <initializer_list>

#include <nlohmann/json.hpp>

namespace hinesight::io {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

Json readJson(const fs::path& path)
{
  const std::string text = readFile(path);
  requireModestJson(text, path.string());
  return Json::parse(text, nullptr, false);
}

} // namespace

const Json& part(const Json& object, const char* name)
{
  static const Json kNone;
  return object.is_object() && object.contains(name) ? object[name] : kNone;
}

SonataConfiguration::SonataConfiguration(const fs::path& path)
    : file(path), json(std::make_unique<Json>(readJson(path)))
{
  if (!json->is_object())
    fail("is no JSON object; a SONATA configuration is needed");
}

SonataConfiguration::~SonataConfiguration() = default;
SonataConfiguration::SonataConfiguration(SonataConfiguration&&) noexcept = default;

SonataConfiguration SonataConfiguration::circuitOf(const fs::path& path)
{
  SonataConfiguration given(path);
  if (part(given.root(), "networks").is_object())
    return given;
  const auto named = given.text(given.root(), "network");
  if (!named)
    given.fail("has no \"networks\"; is it the configuration of a SONATA circuit?");
  SonataConfiguration circuit(given.resolve(*named));
  if (!part(circuit.root(), "networks").is_object())
    circuit.fail("has no \"networks\"; is it the configuration of a SONATA circuit?");
  return circuit;
}

void SonataConfiguration::fail(const std::string& what) const
{
  throw Error(ErrorCode::BadFormat, what, file.string());
}

fs::path SonataConfiguration::resolve(const std::string& text) const
{
  constexpr std::size_t kLongest = 4096;
  constexpr int kMostVariables = 100;
  std::string path = text;
  for (int replaced = 0; path.find('$') != std::string::npos; ++replaced) {
    if (replaced == kMostVariables || path.size() > kLongest)
      fail("the variables of \"" + text + "\" do not come to an end");
    replaceVariable(path, text);
  }
  return (file.parent_path() / path).lexically_normal();
}

std::optional<std::string> SonataConfiguration::text(const Json& object, const char* name) const
{
  const Json& value = part(object, name);
  if (value.is_null())
    return std::nullopt;
  if (!value.is_string())
    fail("\"" + std::string(name) + "\" is no text");
  return value.get<std::string>();
}

std::optional<double> SonataConfiguration::number(const Json& object, const char* name) const
{
  const Json& value = part(object, name);
  if (value.is_null())
    return std::nullopt;
  if (value.is_number())
    return value.get<double>();
  if (value.is_string()) {
    const auto& text = value.get_ref<const std::string&>();
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error == std::errc() && end == text.data() + text.size())
      return number;
  }
  fail("\"" + std::string(name) + "\" is no number");
}

double SonataConfiguration::requiredNumber(const Json& object, const char* name, const std::string& where) const
{
  const std::optional<double> value = number(object, name);
  if (!value)
    fail(where + " has no \"" + name + "\"");
  return *value;
}

/// The first "$NAME" or "${NAME}".
void SonataConfiguration::replaceVariable(std::string& path, const std::string& asked) const
{
  const std::size_t begin = path.find('$');
  const bool isBraced = path.compare(begin, 2, "${") == 0;
  std::size_t end = begin + (isBraced ? 2 : 1);
  const std::size_t name = end;
  while (end < path.size() && (std::isalnum(static_cast<unsigned char>(path[end])) || path[end] == '_'))
    ++end;
  const std::string variable = path.substr(name, end - name);
  if (isBraced && end < path.size() && path[end] == '}')
    ++end;
  const Json& manifest = part(*json, "manifest");
  for (const std::string& key : {"$" + variable, "${" + variable + "}", variable})
    if (const auto value = text(manifest, key.c_str())) {
      path.replace(begin, end - begin, *value);
      return;
    }
  fail("\"" + asked + "\" names $" + variable + ", which the manifest has not");
}

} // namespace hinesight::io
