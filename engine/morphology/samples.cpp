#include "morphology/samples.hpp"

#include <algorithm>

namespace hinesight::morphology {

namespace {

struct Sample
{
  std::string_view path;
  std::string_view text;
};

constexpr Sample kSamples[] = {
#include "sample_texts.inc"
};

} // namespace

std::vector<std::string> samplePaths()
{
  std::vector<std::string> paths;
  for (const Sample& sample : kSamples)
    if (sample.path.ends_with(".swc"))
      paths.emplace_back(sample.path);
  return paths;
}

std::optional<std::string_view> sampleText(std::string_view path)
{
  const auto* const found = std::ranges::find(kSamples, path, &Sample::path);
  return found == std::end(kSamples) ? std::nullopt : std::optional(found->text);
}

} // namespace hinesight::morphology
