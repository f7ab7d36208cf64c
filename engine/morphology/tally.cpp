#include "morphology/tally.hpp"

namespace hinesight::morphology {

std::string Tally::counted(const std::string& one, const std::string& many) const
{
  return std::to_string(count) + " " + (count == 1 ? one : many);
}

std::string nameLines(const Morphology& morphology, const std::vector<std::int32_t>& samples)
{
  constexpr std::size_t kMostNamed = 5;
  const auto name = [&](std::size_t at) { return std::to_string(morphology.line[samples[at]]); };
  if (samples.size() == 1)
    return "line " + name(0);
  std::string text = "lines " + name(0);
  if (samples.size() > kMostNamed) {
    for (std::size_t at = 1; at < kMostNamed; ++at)
      text += ", " + name(at);
    return text + ", ...";
  }
  for (std::size_t at = 1; at + 1 < samples.size(); ++at)
    text += ", " + name(at);
  return text + " and " + name(samples.size() - 1);
}

} // namespace hinesight::morphology
