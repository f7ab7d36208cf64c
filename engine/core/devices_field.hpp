#pragma once

#include "core/fields.hpp"

#include <string_view>

namespace hinesight {

inline constexpr std::string_view kDevicesName = "devices";

/// How many GPUs of this machine share some work.
constexpr Field devicesField(std::string_view help, std::string_view detail)
{
  return {.name = kDevicesName,
          .label = "GPUs",
          .range = from(0, 64),
          .slider = {0, 8},
          .special = {0, "all"},
          .help = help,
          .detail = detail,
          .concern = Concern::Machine};
}

} // namespace hinesight
