// Stands for libcuda.so.1 in check_fail_cuda: its functions say what they were called with.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

int cuInit(unsigned flags)
{
  printf("init %u\n", flags);
  return 0;
}

/// Six arguments in registers for integers, eight in registers for floating point, the others on the stack.
int cuLaunchKernel(int a, int b, int c, int d, int e, int f, int g, int h, int i, double p, double q, double r, float s,
                   double t, double u, double v, double w, double x, const char* last)
{
  printf("launch %d %d %d %d %d %d %d %d %d %g %g %g %g %g %g %g %g %g %s\n", a, b, c, d, e, f, g, h, i, p, q, r,
         (double)s, t, u, v, w, x, last);
  return 0;
}

int cuMemAlloc_v2(void** memory, size_t bytes)
{
  printf("allocate %zu\n", bytes);
  *memory = memory;
  return 0;
}

int cuGetProcAddress(const char* name, void** function, int version, uint64_t flags);

int cuGetProcAddress_v2(const char* name, void** function, int version, uint64_t flags, int* status)
{
  *status = cuGetProcAddress(name, function, version, flags);
  return *status;
}

int cuGetProcAddress(const char* name, void** function, int version, uint64_t flags)
{
  printf("ask %s %d %d\n", name, version, (int)flags);
  *function = strcmp(name, "cuLaunchKernel") == 0     ? (void*)cuLaunchKernel
              : strcmp(name, "cuMemAlloc") == 0       ? (void*)cuMemAlloc_v2
              : strcmp(name, "cuGetProcAddress") == 0 ? (void*)cuGetProcAddress_v2
                                                      : NULL;
  return *function ? 0 : 500;
}
