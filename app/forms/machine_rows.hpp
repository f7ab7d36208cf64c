#pragma once

#include "app/jobs/device_report.hpp"

namespace hinesight::app {

class FieldForm;

/// Greys the backend that this machine does not have, and shows how many GPUs share the work where there are several.
/// `report` null: the devices are not known yet.
void showMachine(FieldForm& form, const DeviceReport* report);

} // namespace hinesight::app
