#pragma once

#include "morphology/morphology.hpp"

#include <vector>

namespace hinesight::morphology {

/// Sets somaKind, somaCentre and somaRadius of a morphology that is complete but for these.
void describeSoma(Morphology& morphology);

/// What is unusual about the soma of a complete morphology: none, several, below a neurite, drawn as a contour, three
/// points that are no sphere.
std::vector<Warning> somaWarnings(const Morphology& morphology);

} // namespace hinesight::morphology
