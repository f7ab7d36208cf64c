#pragma once

#include <string>

namespace hinesight::widgets {

/// That of the library which is loaded, such as "9.1.0".
std::string vtkVersion();

} // namespace hinesight::widgets
