#include "core/error.hpp"
#include "io/network_files.hpp"
#include "io/sonata_parts.hpp"

#include <algorithm>

namespace hinesight::io {

namespace {

/// Whether edges of somebody else's file go from a population to itself. Edges that do not say where they go to will be
/// refused when they are read.
bool connectsOnePopulation(const Hdf5Reader& file, const std::string& edges)
{
  try {
    return file.textAttribute(edges + "/source_node_id", "node_population") ==
           file.textAttribute(edges + "/target_node_id", "node_population");
  } catch (const Error&) {
    return false;
  }
}

} // namespace

SonataContent sonataContent(const std::filesystem::path& path)
{
  const Hdf5Reader file(path);
  SonataContent content;
  content.hasNeurons = file.has("/nodes") && !file.namesIn("/nodes").empty();
  if (!file.has("/edges"))
    return content;
  const std::vector<std::string> names = file.namesIn("/edges");
  const auto any = [&](const char* attribute) {
    return std::any_of(names.begin(), names.end(),
                       [&](const std::string& name) { return file.hasAttribute("/edges/" + name, attribute); });
  };
  content.canBeNetwork = any(detail::kStepAttribute);
  content.canBeTable = !content.canBeNetwork && any(detail::kTableAttribute);
  if (content.canBeNetwork || content.canBeTable || names.empty())
    return content;
  content.canBeTable = names.size() == 1;
  content.canBeNetwork = names.size() > 1 || connectsOnePopulation(file, "/edges/" + names.front());
  return content;
}

} // namespace hinesight::io
