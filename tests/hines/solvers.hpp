#pragma once

// The solvers that tests name, with their settings.

#include "hines/branch/plan_parameters.hpp"
#include "hines/solvers/coarse/coarse_parameters.hpp"
#include "hines/solvers/cusparse/gtsv_parameters.hpp"
#include "hines/solvers/definition.hpp"
#include "hines/solvers/edd/edd_parameters.hpp"
#include "hines/solvers/fine/fine.hpp"
#include "hines/solvers/interleaved/interleaved.hpp"
#include "hines/solvers/multicore/multicore.hpp"
#include "hines/solvers/resident/resident.hpp"
#include "hines/solvers/serial/serial.hpp"
#include "hines/solvers/tridiagonal/tridiagonal_parameters.hpp"
