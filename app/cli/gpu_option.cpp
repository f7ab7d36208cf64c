#include "app/cli/gpu_option.hpp"

#include "core/choices.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace hinesight::cli {

Option addGpuOption(Command& command, const std::string& name, std::function<void(Gpu)> take, const std::string& help)
{
  std::vector<std::string> names;
  for (const Choice& choice : tableOf(Gpu::Here).subspan(1))
    names.emplace_back(choice.name);
  const auto parse = [take = std::move(take)](const std::string& text) {
    const std::span<const Choice> table = tableOf(Gpu::Here);
    take(static_cast<Gpu>(std::ranges::find(table, text, &Choice::name) - table.begin()));
  };
  std::string list;
  for (const std::string& each : names)
    list += (list.empty() ? "" : "|") + each;
  return command.addOption(name, parse, help).oneOf(names).typeName(list);
}

} // namespace hinesight::cli
