#pragma once

#include "core/measured.hpp"

#include <QString>

namespace hinesight::widgets {

/// "0.312 ms ± 1 %": the median with half its 95 % confidence interval; without an interval the median alone. With a
/// doubt "0.312 ms, varies", "0.312 ms, busy" (the machine was).
QString measuredText(const Measured& time);

} // namespace hinesight::widgets
