#include "core/error.hpp"
#include "io/networks/network_files.hpp"
#include "io/sonata/sonata_parts.hpp"

#include <algorithm>

namespace hinesight::io {

namespace {

/// Populations that edges go from and to; empty where they do not say so, which is refused when they are read.
struct Ends
{
  std::string source, target;
};

Ends endsOf(const Hdf5Reader& file, const std::string& edges)
{
  try {
    return {file.textAttribute(edges + "/source_node_id", "node_population"),
            file.textAttribute(edges + "/target_node_id", "node_population")};
  } catch (const Error&) {
    return {};
  }
}

/// Weights and delays of the edges, and the neurons of both ends: without these it is no table.
bool holdsTable(const Hdf5Reader& file, const std::string& edges, const Ends& ends)
{
  return file.has(edges + "/0/syn_weight") && file.has(edges + "/0/delay") &&
         file.has("/nodes/" + ends.source + "/node_id") && file.has("/nodes/" + ends.target + "/node_id");
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
  const std::string edges = "/edges/" + names.front();
  const Ends ends = endsOf(file, edges);
  content.canBeNetwork = names.size() > 1 || (!ends.source.empty() && ends.source == ends.target);
  content.canBeTable = names.size() == 1 && (!content.canBeNetwork || holdsTable(file, edges, ends));
  return content;
}

NetworkContent detail::contentOfSonata(const std::filesystem::path& path)
{
  try {
    const SonataContent content = sonataContent(path);
    if (content.canBeNetwork)
      return content.canBeTable ? NetworkContent::NetworkOrTable : NetworkContent::Network;
    return content.hasNeurons && !content.canBeTable ? NetworkContent::Neurons : NetworkContent::Other;
  } catch (const Error&) {
    return NetworkContent::Other;
  }
}

} // namespace hinesight::io
