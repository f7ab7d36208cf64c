#include "io/row_file.hpp"

#include "core/error.hpp"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <unistd.h>

namespace hinesight::io {

namespace {

[[noreturn]] void fail(const std::string& path, int reason)
{
  throw Error(ErrorCode::WriteFailed, std::string("cannot be written: ") + std::strerror(reason), path);
}

} // namespace

RowFile::RowFile(const std::filesystem::path& file, std::string shownPath)
    : path(std::move(shownPath)), handle(::open(file.c_str(), O_RDWR | O_CLOEXEC))
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

} // namespace hinesight::io
