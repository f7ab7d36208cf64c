#include "io/row_file.hpp"

#include "core/error.hpp"
#include "core/files.hpp"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace hinesight::io {

namespace {

[[noreturn]] void fail(const std::string& path, int reason)
{
  throw Error(ErrorCode::WriteFailed, std::string("cannot be written: ") + std::strerror(reason), path);
}

} // namespace

// NFS that may read a file reads a page before a part of it is written, and writes the whole page back: over what
// another machine has written there meanwhile.
RowFile::RowFile(const std::filesystem::path& file, std::string shownPath, Use use)
    : name(file), path(std::move(shownPath)),
      handle(::open(file.c_str(), (use == Use::Write ? O_WRONLY : O_RDWR) | O_CLOEXEC))
{
  if (handle < 0)
    fail(path, errno);
}

RowFile::~RowFile()
{
  ::close(handle);
}

void RowFile::write(std::uint64_t at, const void* bytes, std::size_t count) const
{
  const auto* rest = static_cast<const char*>(bytes);
  while (count > 0) {
    const ssize_t written = ::pwrite(handle, rest, count, static_cast<off_t>(at));
    if (written < 0 && errno == EINTR)
      continue;
    // A file system that takes nothing and gives no reason is full.
    if (written <= 0)
      fail(path, written < 0 ? errno : ENOSPC);
    rest += written;
    at += static_cast<std::uint64_t>(written);
    count -= static_cast<std::size_t>(written);
  }
}

void RowFile::read(std::uint64_t at, void* bytes, std::size_t count) const
{
  auto* rest = static_cast<char*>(bytes);
  while (count > 0) {
    const ssize_t taken = ::pread(handle, rest, count, static_cast<off_t>(at));
    if (taken < 0 && errno == EINTR)
      continue;
    if (taken <= 0) // a file that ends here was cut off by another program
      fail(path, taken < 0 ? errno : EIO);
    rest += taken;
    at += static_cast<std::uint64_t>(taken);
    count -= static_cast<std::size_t>(taken);
  }
}

void RowFile::resize(std::uint64_t bytes) const
{
  while (::ftruncate(handle, static_cast<off_t>(bytes)) != 0)
    if (errno != EINTR)
      fail(path, errno);
}

void RowFile::growTo(std::uint64_t bytes) const
{
  struct stat status = {};
  if (::fstat(handle, &status) != 0)
    fail(path, errno);
  if (static_cast<std::uint64_t>(status.st_size) < bytes)
    resize(bytes);
}

void RowFile::flush() const
{
  try {
    flushToDisk(name);
  } catch (const Error& error) {
    throw Error(error.code(), error.message(), path);
  }
  // A page that is kept would be written back whole, as above.
  ::posix_fadvise(handle, 0, 0, POSIX_FADV_DONTNEED);
}

} // namespace hinesight::io
