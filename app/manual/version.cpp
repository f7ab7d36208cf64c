#include "app/manual/version.hpp"

#include "build_facts.hpp"
#include "core/device.hpp"

namespace hinesight::manual {

namespace {

constexpr std::size_t kNameWidth = 10;

std::string line(std::string name, const std::string& text)
{
  name.resize(kNameWidth, ' ');
  return "\n" + name + text;
}

} // namespace

std::string programVersion()
{
  return HINESIGHT_VERSION;
}

std::string commitDate()
{
  return HINESIGHT_COMMIT_DATE;
}

std::string versionText(const std::string& program, const std::vector<std::pair<std::string, std::string>>& others)
{
  std::string text = program + " " + programVersion();
  text += line("commit", HINESIGHT_COMMIT);
  text += line("compiler", HINESIGHT_COMPILER);
  text += line("CUDA", cudaCompiled() ? HINESIGHT_CUDA_VERSION ", code for " + cudaCode() : "none");
  for (const auto& [name, version] : others)
    text += line(name, version);
  return text;
}

} // namespace hinesight::manual
