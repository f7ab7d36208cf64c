#pragma once

#include "projection/cut_contour.hpp"
#include "projection/projection.hpp"
#include "projection/summary.hpp"
