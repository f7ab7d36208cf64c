#pragma once

/// Marks the inline functions that CPU and CUDA share, so that a formula is written once.
#ifdef __CUDACC__
#define HINESIGHT_HOST_DEVICE __host__ __device__
#else
#define HINESIGHT_HOST_DEVICE
#endif
