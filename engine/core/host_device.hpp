#pragma once

/// Marks the inline functions that CPU and CUDA share, so that a formula is written once.
#ifdef __CUDACC__
#define HINESIGHT_HOST_DEVICE __host__ __device__
#else
#define HINESIGHT_HOST_DEVICE
#endif

/// A function of formulas that CPU and CUDA share and that is compiled several times for processors of different
/// abilities: inlined everywhere, because the linker may keep any of several copies of an inline function, and must not
/// keep one that only some processors can execute.
#ifdef __CUDACC__
#define HINESIGHT_FORMULA __host__ __device__ __forceinline__
#else
#define HINESIGHT_FORMULA inline __attribute__((always_inline))
#endif

/// The same for a lambda inside such a function, between its parameters and its body.
#ifdef __CUDACC__
#define HINESIGHT_FORMULA_LAMBDA
#else
#define HINESIGHT_FORMULA_LAMBDA __attribute__((always_inline))
#endif
