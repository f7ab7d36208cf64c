#pragma once

#include "core/measured.hpp"

#include <QString>

namespace hinesight::widgets {

/// "0.312 ms ± 1 %": the median with half its 95 % confidence interval; without an interval the median alone. "0.312
/// ms, varies", "0.312 ms, busy machine": there is a doubt.
QString measuredText(const Measured& time);

} // namespace hinesight::widgets
