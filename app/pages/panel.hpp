#pragma once

namespace hinesight::app {

/// What stands around the views and pages, in docks.
enum class Panel
{
  Data,
  Circuit,
  Parameters,
  Timings,
  History
};

} // namespace hinesight::app
