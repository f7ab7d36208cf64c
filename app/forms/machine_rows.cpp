#include "app/forms/machine_rows.hpp"

#include "app/forms/field_form.hpp"
#include "core/devices_field.hpp"
#include "core/stage_timings.hpp"

namespace hinesight::app {

void showMachine(FieldForm& form, const DeviceReport* report)
{
  form.setOffered(kDevicesName, report && report->cudaDevices.size() > 1);
  if (auto* backend = qobject_cast<ChoiceRow*>(form.row("backend")))
    backend->setUnavailable(static_cast<int>(Backend::Cuda), report ? QString::fromStdString(report->whyNoCuda)
                                                                    : FieldForm::tr("Looking for a CUDA device..."));
}

} // namespace hinesight::app
