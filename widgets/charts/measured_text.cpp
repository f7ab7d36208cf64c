#include "widgets/charts/measured_text.hpp"

#include "widgets/theme.hpp"

#include <QCoreApplication>

#include <cmath>

namespace hinesight::widgets {

QString measuredText(const Measured& time)
{
  const QString median = formatMilliseconds(time.median);
  const auto uncertainty = time.uncertainty();
  if (!uncertainty)
    return median;
  switch (doubtOf(time)) {
  case Doubt::BusyMachine:
    return QCoreApplication::translate("MeasuredText", "%1, busy").arg(median);
  case Doubt::Varies:
    return QCoreApplication::translate("MeasuredText", "%1, varies").arg(median);
  default:
    break;
  }
  const double percent = 100 * *uncertainty;
  const double shown = percent < 1 ? std::round(percent * 10) / 10 : std::round(percent);
  return QCoreApplication::translate("MeasuredText", "%1 \u00b1 %2 %").arg(median, formatNumber(shown));
}

} // namespace hinesight::widgets
