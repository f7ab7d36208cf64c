#include "core/run_control.hpp"

#include "core/error.hpp"

namespace hinesight {

void RunControl::checkpoint() const
{
  if (shared->watch)
    shared->watch();
  if (isCancelled())
    throw Error(ErrorCode::Cancelled, "Cancelled on request; nothing was changed.");
}

void RunControl::report(std::string_view stage, double fraction) const
{
  if (listener)
    listener(stage, fraction);
  checkpoint();
}

RunControl RunControl::part(double begin, double end) const
{
  RunControl control = *this;
  if (listener)
    control.listener = [whole = listener, begin, end](std::string_view stage, double fraction) {
      whole(stage, begin + fraction * (end - begin));
    };
  return control;
}

RunControl RunControl::silenced() const
{
  RunControl control = *this;
  control.listener = nullptr;
  return control;
}

} // namespace hinesight
