// A library to be preloaded (LD_PRELOAD) that makes the n-th call of a kind fail, between the begin and the end of main:
//
//   FAIL_CALL   allocate, write, fsync, rename, map, thread, open, fork; none: nothing fails
//   FAIL_AT     which call, from 1 on
//   FAIL_REST   all calls from that one on
//   FAIL_LEAST  calls of allocate for fewer bytes do not count
//   FAIL_WHERE  a file that gets the place in the program, as nm shows it, that asked for the memory it did not get
//   FAIL_COUNTS a file that gets "KIND COUNT" lines when main has returned
//
// Calls that the C library makes of itself, such as those of printf, do not come by here.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

enum Kind { ALLOCATE, WRITE, FSYNC, RENAME, MAP, THREAD, OPEN, FORK, KINDS };
static const char *const names[KINDS] = {"allocate", "write", "fsync", "rename", "map", "thread", "open", "fork"};

static atomic_long counts[KINDS];
static atomic_int isOn;
static int failing = -1, isRest;
static long failAt;
static size_t least; // bytes

static int fails(enum Kind kind)
{
  if (!atomic_load_explicit(&isOn, memory_order_relaxed))
    return 0;
  const long n = atomic_fetch_add(&counts[kind], 1) + 1;
  return (int)kind == failing && (n == failAt || (isRest && n > failAt));
}

// --- Memory ---------------------------------------------------------------------------------------------------------

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

static int hasNone(size_t size) { return size >= least && fails(ALLOCATE); }

static atomic_int isSaid;
static int (*realMain)(int, char **, char **);

/// The first function of the program itself on the way to here.
static void sayWhere(const char *file)
{
  void *frames[64];
  Dl_info own, of;
  const int depth = backtrace(frames, 64);
  if (!dladdr((void *)realMain, &own))
    return;
  for (int k = 0; k < depth; ++k)
    if (dladdr(frames[k], &of) && of.dli_fbase == own.dli_fbase) {
      char text[40];
      const int length = snprintf(text, sizeof text, "%lx\n", (long)((char *)frames[k] - (char *)own.dli_fbase));
      const int to = (int)syscall(SYS_openat, AT_FDCWD, file, O_CREAT | O_WRONLY | O_TRUNC, 0644);
      syscall(SYS_write, to, text, length);
      syscall(SYS_close, to);
      return;
    }
}

static void *none(void)
{
  const char *const file = getenv("FAIL_WHERE");
  if (file && atomic_exchange(&isSaid, 1) == 0)
    sayWhere(file);
  errno = ENOMEM;
  return NULL;
}

void *malloc(size_t size) { return hasNone(size) ? none() : __libc_malloc(size); }
void *calloc(size_t count, size_t size) { return hasNone(count * size) ? none() : __libc_calloc(count, size); }
void *realloc(void *old, size_t size) { return hasNone(size) ? none() : __libc_realloc(old, size); }
void *memalign(size_t align, size_t size) { return hasNone(size) ? none() : __libc_memalign(align, size); }
void *aligned_alloc(size_t align, size_t size) { return hasNone(size) ? none() : __libc_memalign(align, size); }
int posix_memalign(void **made, size_t align, size_t size)
{
  void *const bytes = hasNone(size) ? NULL : __libc_memalign(align, size);
  if (!bytes)
    return ENOMEM;
  *made = bytes;
  return 0;
}

// --- The rest -------------------------------------------------------------------------------------------------------

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
#define FAILING(kind, reason, value) \
  if (fails(kind)) { \
    errno = reason; \
    return value; \
  }

ssize_t write(int file, const void *bytes, size_t size)
{
  FAILING(WRITE, ENOSPC, -1)
  return NEXT(write)(file, bytes, size);
}
ssize_t writev(int file, const struct iovec *parts, int count)
{
  FAILING(WRITE, ENOSPC, -1)
  return NEXT(writev)(file, parts, count);
}
ssize_t pwrite(int file, const void *bytes, size_t size, off_t at)
{
  FAILING(WRITE, ENOSPC, -1)
  return NEXT(pwrite)(file, bytes, size, at);
}
ssize_t pwrite64(int file, const void *bytes, size_t size, off64_t at)
{
  FAILING(WRITE, ENOSPC, -1)
  return NEXT(pwrite64)(file, bytes, size, at);
}
int ftruncate(int file, off_t size)
{
  FAILING(WRITE, ENOSPC, -1)
  return NEXT(ftruncate)(file, size);
}
int ftruncate64(int file, off64_t size)
{
  FAILING(WRITE, ENOSPC, -1)
  return NEXT(ftruncate64)(file, size);
}
int fsync(int file)
{
  FAILING(FSYNC, EIO, -1)
  return NEXT(fsync)(file);
}
int rename(const char *from, const char *to)
{
  FAILING(RENAME, EIO, -1)
  return NEXT(rename)(from, to);
}
void *mmap(void *at, size_t size, int protection, int flags, int file, off_t offset)
{
  FAILING(MAP, ENOMEM, MAP_FAILED)
  return NEXT(mmap)(at, size, protection, flags, file, offset);
}
void *mmap64(void *at, size_t size, int protection, int flags, int file, off64_t offset)
{
  FAILING(MAP, ENOMEM, MAP_FAILED)
  return NEXT(mmap64)(at, size, protection, flags, file, offset);
}
int pthread_create(pthread_t *made, const pthread_attr_t *how, void *(*body)(void *), void *argument)
{
  if (fails(THREAD))
    return EAGAIN;
  return NEXT(pthread_create)(made, how, body, argument);
}
int open(const char *path, int flags, ...)
{
  va_list rest;
  va_start(rest, flags);
  const mode_t mode = va_arg(rest, mode_t);
  va_end(rest);
  FAILING(OPEN, EMFILE, -1)
  return NEXT(open)(path, flags, mode);
}
int open64(const char *path, int flags, ...)
{
  va_list rest;
  va_start(rest, flags);
  const mode_t mode = va_arg(rest, mode_t);
  va_end(rest);
  FAILING(OPEN, EMFILE, -1)
  return NEXT(open64)(path, flags, mode);
}
FILE *fopen(const char *path, const char *mode)
{
  FAILING(OPEN, EMFILE, NULL)
  return NEXT(fopen)(path, mode);
}
FILE *fopen64(const char *path, const char *mode)
{
  FAILING(OPEN, EMFILE, NULL)
  return NEXT(fopen64)(path, mode);
}
pid_t fork(void)
{
  FAILING(FORK, EAGAIN, -1)
  return NEXT(fork)();
}

// --- From the begin of main to its end ------------------------------------------------------------------------------

static int watchedMain(int count, char **arguments, char **environment)
{
  const char *const call = getenv("FAIL_CALL"), *const at = getenv("FAIL_AT"),
                   *const leastBytes = getenv("FAIL_LEAST");
  for (int kind = 0; call && kind < KINDS; ++kind)
    if (strcmp(call, names[kind]) == 0)
      failing = kind;
  failAt = at ? atol(at) : 0;
  least = leastBytes ? strtoul(leastBytes, NULL, 10) : 0;
  isRest = getenv("FAIL_REST") != NULL;
  void *frame;
  backtrace(&frame, 1); // takes memory the first time
  atomic_store(&isOn, 1);
  const int status = realMain(count, arguments, environment);
  atomic_store(&isOn, 0);
  const char *const file = getenv("FAIL_COUNTS");
  FILE *const out = file ? fopen(file, "w") : NULL;
  for (int kind = 0; out && kind < KINDS; ++kind)
    fprintf(out, "%s %ld\n", names[kind], atomic_load(&counts[kind]));
  if (out)
    fclose(out);
  return status;
}

int __libc_start_main(int (*program)(int, char **, char **), int count, char **arguments, void (*begin)(void),
                      void (*end)(void), void (*ending)(void), void *stack)
{
  int (*const start)(int (*)(int, char **, char **), int, char **, void (*)(void), void (*)(void), void (*)(void),
                     void *) = dlsym(RTLD_NEXT, "__libc_start_main");
  realMain = program;
  return start(watchedMain, count, arguments, begin, end, ending, stack);
}
