// A library to be preloaded (LD_PRELOAD) that makes the n-th call of the CUDA driver fail. It stands between the CUDA
// runtime, which is linked statically, and libcuda.so.1, from where that takes functions by dlsym and cuGetProcAddress:
// it hands out a slot of its own for each. For x86-64.
//
//   FAIL_CUDA_CALL  calls of this function count; none: all do
//   FAIL_CUDA_AT    which of them fails, from 1 on; none: nothing fails
//   FAIL_CUDA_REST  all calls of all functions from that one on
//   FAIL_CUDA_LOG   a file that gets the name of each function when it is called, a line each
//
// A call that fails does nothing and returns what the driver would for such a function (errorOf). Functions of tables
// that cuGetExportTable returns are not seen.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define SLOTS 2048
#define TEXT(x) #x
#define NUMBER(x) TEXT(x)
#define OF_ASSEMBLY __attribute__((visibility("hidden"), used)) // known to the assembly by its name

enum Error // as cuda.h has them
{
  OUT_OF_MEMORY = 2,
  NO_DEVICE = 100,
  LAUNCH_FAILED = 719,
  UNKNOWN = 999
};

/// Where a slot goes on to. Of slots below `taken` nothing changes any more.
OF_ASSEMBLY void* fail_cuda_real[SLOTS];
static const char* names[SLOTS];
static unsigned taken;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static const char* failCall;
static long counted, failAt;
static int isRest, logFile = -1;

/// Slot k puts k into r11 and goes on to fail_cuda_pass, which leaves all arguments as they are: those in registers,
/// which fail_cuda_call may change, are put by; those on the stack are where they were. No function has an argument in
/// r10 or r11, or a variable number of them.
extern const char fail_cuda_slots[];
enum
{
  SLOT_BYTES = 16
};
// clang-format off
__asm__(".text\n"
        ".balign 16\n"
        "fail_cuda_slots:\n"
        ".set slot, 0\n"
        ".rept " NUMBER(SLOTS) "\n"
        "  .balign 16\n"
        "  endbr64\n"
        "  movl $slot, %r11d\n"
        "  jmp fail_cuda_pass\n"
        "  .set slot, slot + 1\n"
        ".endr\n"
        "fail_cuda_pass:\n"
        "  pushq %rbp\n"
        "  movq %rsp, %rbp\n"
        "  subq $192, %rsp\n"
        "  movq %rdi, (%rsp)\n"
        "  movq %rsi, 8(%rsp)\n"
        "  movq %rdx, 16(%rsp)\n"
        "  movq %rcx, 24(%rsp)\n"
        "  movq %r8, 32(%rsp)\n"
        "  movq %r9, 40(%rsp)\n"
        "  movq %r11, 48(%rsp)\n"
        "  movups %xmm0, 64(%rsp)\n"
        "  movups %xmm1, 80(%rsp)\n"
        "  movups %xmm2, 96(%rsp)\n"
        "  movups %xmm3, 112(%rsp)\n"
        "  movups %xmm4, 128(%rsp)\n"
        "  movups %xmm5, 144(%rsp)\n"
        "  movups %xmm6, 160(%rsp)\n"
        "  movups %xmm7, 176(%rsp)\n"
        "  movl %r11d, %edi\n"
        "  call fail_cuda_call\n"
        "  movq (%rsp), %rdi\n"
        "  movq 8(%rsp), %rsi\n"
        "  movq 16(%rsp), %rdx\n"
        "  movq 24(%rsp), %rcx\n"
        "  movq 32(%rsp), %r8\n"
        "  movq 40(%rsp), %r9\n"
        "  movq 48(%rsp), %r11\n"
        "  movups 64(%rsp), %xmm0\n"
        "  movups 80(%rsp), %xmm1\n"
        "  movups 96(%rsp), %xmm2\n"
        "  movups 112(%rsp), %xmm3\n"
        "  movups 128(%rsp), %xmm4\n"
        "  movups 144(%rsp), %xmm5\n"
        "  movups 160(%rsp), %xmm6\n"
        "  movups 176(%rsp), %xmm7\n"
        "  leave\n"
        "  testl %eax, %eax\n"
        "  jnz 1f\n"
        "  leaq fail_cuda_real(%rip), %r10\n"
        "  jmp *(%r10,%r11,8)\n"
        "1: ret\n"
        // dlsym itself goes on to that of the C library as if it had been called there:
        // RTLD_NEXT depends on the caller.
        ".globl dlsym\n"
        ".type dlsym, @function\n"
        "dlsym:\n"
        "  endbr64\n"
        "  pushq %rdi\n"
        "  pushq %rsi\n"
        "  subq $8, %rsp\n"
        "  call fail_cuda_find\n"
        "  addq $8, %rsp\n"
        "  popq %rsi\n"
        "  popq %rdi\n"
        "  testq %rax, %rax\n"
        "  jnz 1f\n"
        "  jmp *fail_cuda_dlsym(%rip)\n"
        "1: ret\n"
        ".size dlsym, . - dlsym\n");
// clang-format on

static int contains(const char* name, const char* const* parts)
{
  for (; *parts; ++parts)
    if (strstr(name, *parts))
      return 1;
  return 0;
}

static int errorOf(const char* name)
{
  static const char* const works[] = {"Launch",      "Synchronize", "Memcpy", "Memset",
                                      "EventRecord", "Query",       "Wait",   NULL};
  static const char* const takes[] = {"Alloc", "Create", "Instantiate", "Load", "Retain", "Register", NULL};
  if (strcmp(name, "cuInit") == 0)
    return NO_DEVICE;
  return contains(name, works) ? LAUNCH_FAILED : contains(name, takes) ? OUT_OF_MEMORY : UNKNOWN;
}

/// What the call of a slot returns at once; 0: it goes on to the driver.
OF_ASSEMBLY int fail_cuda_call(unsigned slot)
{
  const char* const name = names[slot];
  char line[128];
  const int length = snprintf(line, sizeof line, "%s\n", name);
  pthread_mutex_lock(&lock);
  const int isCounted = !failCall || strcmp(name, failCall) == 0;
  counted += isCounted;
  const int fails = failAt > 0 && ((isCounted && counted == failAt) || (isRest && counted >= failAt));
  if (logFile >= 0 && syscall(SYS_write, logFile, line, length) != length)
    abort();
  pthread_mutex_unlock(&lock);
  return fails ? errorOf(name) : 0;
}

static void* slotOf(void* real, const char* name);

// cuGetProcAddress returns functions that go through slots as well. Its two versions have the same first arguments.
typedef int Ask(const char* name, void** function, int version, uint64_t flags, void* status);
static Ask* ask[2];
static int askFor(Ask* real, const char* name, void** function, int version, uint64_t flags, void* status)
{
  const int failure = real(name, function, version, flags, status);
  if (failure == 0 && function && *function)
    *function = slotOf(*function, name);
  return failure;
}
static int askFirst(const char* name, void** function, int version, uint64_t flags, void* status)
{
  return askFor(ask[0], name, function, version, flags, status);
}
static int askSecond(const char* name, void** function, int version, uint64_t flags, void* status)
{
  return askFor(ask[1], name, function, version, flags, status);
}

static void* asking(void* real)
{
  static Ask* const own[] = {askFirst, askSecond};
  for (int k = 0; k < 2; ++k)
    if (!ask[k] || (void*)ask[k] == real) {
      ask[k] = (Ask*)real;
      return (void*)own[k];
    }
  abort();
}

/// The slot that is called in place of a function.
static void* slotOf(void* real, const char* name)
{
  pthread_mutex_lock(&lock);
  void* const next = strncmp(name, "cuGetProcAddress", 16) == 0 ? asking(real) : real;
  unsigned slot = 0;
  while (slot < taken && fail_cuda_real[slot] != next)
    ++slot;
  if (slot == SLOTS || (slot == taken && !(names[slot] = strdup(name))))
    abort();
  fail_cuda_real[slot] = next;
  taken += slot == taken;
  pthread_mutex_unlock(&lock);
  return (void*)(fail_cuda_slots + SLOT_BYTES * slot);
}

OF_ASSEMBLY void* (*fail_cuda_dlsym)(void*, const char*);

/// The slot of a function that libcuda has; NULL: that is not what is looked for.
OF_ASSEMBLY void* fail_cuda_find(void* library, const char* name)
{
  if (!fail_cuda_dlsym) {
    void* real = dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.34");
    real = real ? real : dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.2.5");
    if (!real)
      abort();
    memcpy(&fail_cuda_dlsym, &real, sizeof real);
  }
  if (library == RTLD_NEXT || library == RTLD_DEFAULT || strncmp(name, "cu", 2) != 0 || name[2] < 'A' || name[2] > 'Z')
    return NULL;
  void* const found = fail_cuda_dlsym(library, name);
  Dl_info of;
  return found && dladdr(found, &of) && of.dli_fname && strstr(of.dli_fname, "libcuda.so") ? slotOf(found, name) : NULL;
}

__attribute__((constructor)) static void begin(void)
{
  const char *const at = getenv("FAIL_CUDA_AT"), *const file = getenv("FAIL_CUDA_LOG");
  failAt = at ? atol(at) : 0;
  failCall = getenv("FAIL_CUDA_CALL");
  isRest = getenv("FAIL_CUDA_REST") != NULL;
  if (file)
    logFile = (int)syscall(SYS_openat, AT_FDCWD, file, O_CREAT | O_WRONLY | O_APPEND | O_CLOEXEC, 0644);
}
