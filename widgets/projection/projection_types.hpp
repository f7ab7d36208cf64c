#pragma once

// Qt's keyword macro would hide the members of that name, were a Qt header included before.
#pragma push_macro("slots")
#undef slots
#include "projection/cut_contour.hpp"
#include "projection/projection.hpp"
#include "projection/summary.hpp"
#pragma pop_macro("slots")
