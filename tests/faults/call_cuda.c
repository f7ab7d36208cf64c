// Calls the driver of check_fail_cuda as the CUDA runtime does, and says what each call returned.
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>

int main(void)
{
  void* const driver = dlopen("libcuda.so.1", RTLD_NOW);
  if (!driver)
    return 1;
  int (*init)(unsigned) = dlsym(driver, "cuInit");
  int (*ask)(const char*, void**, int, uint64_t) = dlsym(driver, "cuGetProcAddress");
  int (*askMore)(const char*, void**, int, uint64_t, int*) = NULL;
  int (*allocate)(void**, size_t) = NULL;
  int (*launch)(int, int, int, int, int, int, int, int, int, double, double, double, float, double, double, double,
                double, double, const char*) = NULL;
  void* memory = NULL;
  int status = 0;
  printf("%d\n", init(7));
  printf("%d\n", ask("cuGetProcAddress", (void**)&askMore, 12000, 1));
  if (!askMore)
    return 0;
  printf("%d\n", askMore("cuMemAlloc", (void**)&allocate, 3020, 2, &status));
  printf("%d\n", askMore("cuLaunchKernel", (void**)&launch, 4000, 3, &status));
  if (!allocate || !launch)
    return 0;
  printf("%d\n", allocate(&memory, 88));
  for (int k = 0; k < 2; ++k)
    printf("%d\n", launch(k, 1, 2, 3, 4, 5, 6, 7, 8, 0.5, 1.5, 2.5, 3.5f, 4.5, 5.5, 6.5, 7.5, 8.5, "end"));
  // No function of the driver: the C library's own dlsym finds it, from its place on.
  return dlsym(RTLD_NEXT, "printf") && !dlsym(driver, "cuNothing") ? 0 : 1;
}
