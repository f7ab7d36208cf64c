#include "planar_scenes.hpp"

#include <vtkActor.h>
#include <vtkActorCollection.h>
#include <vtkMapper.h>
#include <vtkPolyData.h>
#include <vtkRenderer.h>

namespace hinesight::testing {

std::int64_t shapesOf(const widgets::VtkWidget& canvas)
{
  std::int64_t shapes = 0;
  vtkActorCollection* actors = canvas.renderer()->GetActors();
  actors->InitTraversal();
  while (vtkActor* actor = actors->GetNextActor()) {
    if (actor->GetVisibility()) {
      shapes += vtkPolyData::SafeDownCast(actor->GetMapper()->GetInput())->GetNumberOfPolys();
    }
  }
  return shapes;
}

} // namespace hinesight::testing
