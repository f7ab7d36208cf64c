#pragma once

#include <functional>

class QObject;

namespace hinesight::app {

/// Does `work` on another thread, and what it returns on this one, unless `owner` is gone by then. The work must not
/// touch the owner, and must not throw.
void inBackground(QObject* owner, std::function<std::function<void()>()> work);

} // namespace hinesight::app
