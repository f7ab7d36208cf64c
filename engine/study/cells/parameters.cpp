#include "study/cells/parameters.hpp"

namespace hinesight::study {

void validate(const CellParameters& parameters)
{
  validateAllFields(fieldsOf(parameters));
  hines::validate(parameters.solve);
}

} // namespace hinesight::study
