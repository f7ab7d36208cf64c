#include "widgets/orbit/vtk_version.hpp"

#include <vtkVersion.h>

namespace hinesight::widgets {

std::string vtkVersion()
{
  return ::vtkVersion::GetVTKVersion();
}

} // namespace hinesight::widgets
