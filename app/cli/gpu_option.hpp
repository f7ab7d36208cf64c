#pragma once

#include "app/cli/command.hpp"
#include "core/device_model.hpp"

#include <functional>
#include <string>

namespace hinesight::cli {

/// An option that names a known model of GPU, such as "t4"; `take` is called as soon as it is parsed.
Option addGpuOption(Command& command, const std::string& name, std::function<void(Gpu)> take, const std::string& help);

} // namespace hinesight::cli
