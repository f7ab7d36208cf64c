// A library to be preloaded (LD_PRELOAD) that makes the n-th call of a kind fail, between the begin and the end of main:
//
//   FAIL_CALL   allocate, write, fsync, rename, map, thread, open, fork; none: nothing fails
//   FAIL_AT     which call, from 1 on
//   FAIL_REST   all calls from that one on
//   FAIL_LEAST  calls of allocate for fewer bytes do not count
//   FAIL_WHERE  a file that gets the place in the program, as nm shows it, that asked for the memory it did not get
//   FAIL_COUNTS a file that gets "KIND COUNT" lines when main has returned
//   FAIL_LEAKS  a file that gets "PLACE BYTES N" lines then, of memory that main took and nothing points to any more:
//               the place in the program that called malloc, as nm shows it (0: a library did), and which allocation
//
// Calls that the C library makes of itself, such as those of printf, do not come by here.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <sched.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
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
extern void __libc_free(void *);

/// What is allocated, by address. The commands of the tests have far fewer blocks at a time than there are slots.
struct Block {
  uintptr_t at; // 0: no block
  size_t size;
  void *caller;
  long n; // 0: taken before main
};
enum { SLOTS = 1 << 20 };
static struct Block *blocks;
static size_t blockCount;
static size_t firstSlot; // of the first block ever: most others are behind it
static atomic_flag isHeld = ATOMIC_FLAG_INIT;

static void hold(void)
{
  while (atomic_flag_test_and_set_explicit(&isHeld, memory_order_acquire))
    sched_yield();
}
static void release(void) { atomic_flag_clear_explicit(&isHeld, memory_order_release); }

/// Blocks are at least 32 bytes apart: neighbours have neighbouring slots, and a small heap few pages of the table.
static size_t slotOf(uintptr_t at) { return (at >> 5) % SLOTS; }

static void *noted(void *made, size_t size, void *caller)
{
  if (!made)
    return NULL;
  hold();
  if (!blocks) { // all of it 0
    blocks = (struct Block *)syscall(SYS_mmap, NULL, SLOTS * sizeof *blocks, PROT_READ | PROT_WRITE,
                                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    firstSlot = slotOf((uintptr_t)made);
  }
  size_t slot = slotOf((uintptr_t)made);
  while (blocks[slot].at != 0)
    slot = (slot + 1) % SLOTS;
  if (++blockCount > SLOTS / 2)
    abort();
  blocks[slot] = (struct Block){(uintptr_t)made, size, caller, atomic_load(&isOn) ? atomic_load(&counts[ALLOCATE]) : 0};
  release();
  return made;
}

static void forget(void *old)
{
  hold();
  size_t hole = slotOf((uintptr_t)old);
  while (blocks && blocks[hole].at != 0 && blocks[hole].at != (uintptr_t)old)
    hole = (hole + 1) % SLOTS;
  if (old && blocks && blocks[hole].at != 0) {
    // Those behind it move up where they were displaced.
    for (size_t slot = (hole + 1) % SLOTS; blocks[slot].at != 0; slot = (slot + 1) % SLOTS)
      if ((slot - slotOf(blocks[slot].at)) % SLOTS >= (slot - hole) % SLOTS) {
        blocks[hole] = blocks[slot];
        hole = slot;
      }
    blocks[hole].at = 0;
    --blockCount;
  }
  release();
}

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

#define CALLER __builtin_return_address(0)

void *malloc(size_t size) { return hasNone(size) ? none() : noted(__libc_malloc(size), size, CALLER); }
void *calloc(size_t count, size_t size)
{
  return hasNone(count * size) ? none() : noted(__libc_calloc(count, size), count * size, CALLER);
}
void *realloc(void *old, size_t size)
{
  if (hasNone(size))
    return none();
  forget(old); // before another thread gets its address
  void *const made = __libc_realloc(old, size);
  if (!made && size > 0)
    noted(old, malloc_usable_size(old), CALLER);
  return noted(made, size, CALLER);
}
void *memalign(size_t align, size_t size)
{
  return hasNone(size) ? none() : noted(__libc_memalign(align, size), size, CALLER);
}
void *aligned_alloc(size_t align, size_t size)
{
  return hasNone(size) ? none() : noted(__libc_memalign(align, size), size, CALLER);
}
int posix_memalign(void **made, size_t align, size_t size)
{
  void *const bytes = hasNone(size) ? NULL : noted(__libc_memalign(align, size), size, CALLER);
  if (!bytes)
    return ENOMEM;
  *made = bytes;
  return 0;
}
void free(void *old)
{
  forget(old);
  __libc_free(old);
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
  hold(); // the child has no other thread that would let go
  const pid_t child = NEXT(fork)();
  release();
  return child;
}

// --- Memory that nothing points to ----------------------------------------------------------------------------------

// As LeakSanitizer does: what looks like a pointer is one. Looked through are all private mappings that can be written
// (data of libraries, stacks, what threads have of their own) but the heap, and from there block after block.

static struct Block *live; // by address
static size_t liveCount;
static size_t *pending; // reached, not looked through
static size_t pendingCount;
static unsigned char *isReached;

static int byAddress(const void *a, const void *b)
{
  const uintptr_t one = ((const struct Block *)a)->at, other = ((const struct Block *)b)->at;
  return (one > other) - (one < other);
}

static void reach(size_t block)
{
  if (isReached[block])
    return;
  isReached[block] = 1;
  pending[pendingCount++] = block;
}

/// The first block that ends behind an address.
static size_t blockFrom(uintptr_t at)
{
  size_t first = 0, end = liveCount;
  while (first < end) {
    const size_t middle = (first + end) / 2;
    if (live[middle].at + live[middle].size + (live[middle].size == 0) <= at)
      first = middle + 1;
    else
      end = middle;
  }
  return first;
}

static void lookThrough(uintptr_t begin, uintptr_t end)
{
  for (uintptr_t at = (begin + 7) & ~(uintptr_t)7; at + 8 <= end; at += 8) {
    const uintptr_t value = *(const uintptr_t *)at;
    if (value < live[0].at || value > live[liveCount - 1].at + live[liveCount - 1].size)
      continue;
    const size_t block = blockFrom(value);
    if (block < liveCount && live[block].at <= value)
      reach(block);
  }
}

/// All of a mapping but the blocks in it: memory of large ones is mapped beside other mappings.
static void lookBetweenBlocks(uintptr_t begin, uintptr_t end)
{
  for (size_t block = blockFrom(begin); begin < end; ++block) {
    const uintptr_t next = block < liveCount && live[block].at < end ? live[block].at : end;
    if (begin < next)
      lookThrough(begin, next);
    begin = next < end ? live[block].at + live[block].size : end;
  }
}

static void *space(size_t bytes)
{
  return (void *)syscall(SYS_mmap, NULL, bytes + 1, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

static void findLeaks(const char *file)
{
  // Before anything here is mapped, so that these tables are not looked through.
  static char maps[1 << 20];
  const int from = (int)syscall(SYS_openat, AT_FDCWD, "/proc/self/maps", O_RDONLY);
  size_t length = 0;
  for (long got; (got = syscall(SYS_read, from, maps + length, sizeof maps - 1 - length)) > 0;)
    length += (size_t)got;
  syscall(SYS_close, from);
  maps[length] = 0;

  hold();
  live = space(SLOTS * sizeof *live);
  for (size_t slot = firstSlot; liveCount < blockCount; slot = (slot + 1) % SLOTS)
    if (blocks[slot].at != 0)
      live[liveCount++] = blocks[slot];
  release();
  if (liveCount == 0)
    return;
  qsort(live, liveCount, sizeof *live, byAddress);
  pending = space(liveCount * sizeof *pending);
  isReached = space(liveCount);
  for (size_t block = 0; block < liveCount; ++block)
    if (live[block].n == 0)
      reach(block);
  const uintptr_t here = (uintptr_t)__builtin_frame_address(0), table = (uintptr_t)blocks;
  for (const char *line = maps; line && *line; line = strchr(line, '\n'), line += line != NULL) {
    unsigned long begin, end;
    char rights[8] = "", name[16] = "";
    sscanf(line, "%lx-%lx %7s %*s %*s %*[0-9]%*[ ]%15[^\n]", &begin, &end, rights, name);
    if (strncmp(rights, "rw", 2) != 0 || rights[3] != 'p' || strcmp(name, "[heap]") == 0)
      continue;
    if (begin <= here && here < end)
      lookBetweenBlocks(here, end);
    else if (begin <= table && table < end) {
      lookBetweenBlocks(begin, table);
      lookBetweenBlocks(table + SLOTS * sizeof *blocks, end);
    } else
      lookBetweenBlocks(begin, end);
  }
  while (pendingCount > 0) {
    const struct Block *const block = &live[pending[--pendingCount]];
    lookThrough(block->at, block->at + block->size);
  }
  FILE *const out = fopen(file, "w");
  Dl_info own = {0}, of;
  dladdr((void *)realMain, &own);
  for (size_t block = 0; out && block < liveCount; ++block)
    if (!isReached[block]) {
      const int isOwn = dladdr(live[block].caller, &of) && of.dli_fbase == own.dli_fbase;
      fprintf(out, "%lx %zu %ld\n", isOwn ? (long)((char *)live[block].caller - (char *)own.dli_fbase) : 0L,
              live[block].size, live[block].n);
    }
  if (out)
    fclose(out);
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
  mallopt(M_ARENA_MAX, 1); // all of the heap is the mapping of that name
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
  const char *const leaks = getenv("FAIL_LEAKS");
  if (leaks)
    findLeaks(leaks);
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
