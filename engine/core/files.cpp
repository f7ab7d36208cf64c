#include "core/files.hpp"

#include "core/device.hpp"
#include "core/error.hpp"

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>
#include <system_error>

#include <fcntl.h>
#include <unistd.h>

namespace hinesight {

namespace fs = std::filesystem;

bool isFolder(const fs::path& path)
{
  std::error_code failure;
  return fs::is_directory(path, failure);
}

std::string readFile(const fs::path& path)
{
  std::error_code failure;
  const fs::file_status status = fs::status(path, failure);
  if (status.type() == fs::file_type::not_found)
    throw Error(ErrorCode::FileNotFound, "no such file; check the name and the folder", path.string());
  if (status.type() == fs::file_type::directory)
    throw Error(ErrorCode::FileUnreadable, "is a folder, not a file; name a file in it", path.string());
  // Opening a pipe waits for its writer, and some devices never end.
  if (!failure && status.type() != fs::file_type::regular)
    throw Error(ErrorCode::FileUnreadable, "is a device or a pipe, not a file; name a file", path.string());

  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"), &std::fclose);
  if (!file)
    throw Error(ErrorCode::FileUnreadable, std::string("cannot be opened: ") + std::strerror(errno), path.string());

  std::string bytes;
  const std::uintmax_t size = fs::file_size(path, failure);
  const std::size_t expected = failure ? 0 : static_cast<std::size_t>(size);
  if (expected > availableMemoryBytes())
    throw Error(ErrorCode::OutOfMemory,
                "holds " + formatBytes(expected) + ", more than the " + formatBytes(availableMemoryBytes()) +
                    " of main memory that are free",
                path.string());
  bytes.resize(expected);
  std::size_t filled = 0;
  while (true) {
    if (filled == bytes.size())
      bytes.resize(bytes.size() + (std::size_t{1} << 16));
    const std::size_t got = std::fread(bytes.data() + filled, 1, bytes.size() - filled, file.get());
    filled += got;
    if (got == 0)
      break;
  }
  if (std::ferror(file.get()))
    throw Error(ErrorCode::FileUnreadable, std::string("cannot be read: ") + std::strerror(errno), path.string());
  bytes.resize(filled);
  return bytes;
}

namespace {

[[noreturn]] void failToWrite(const fs::path& path, const std::string& why)
{
  throw Error(ErrorCode::WriteFailed, "cannot be written: " + why, path.string());
}

/// The regular file that `path` names, links followed, or the name of one that is not there yet.
fs::path findTarget(const fs::path& path)
{
  std::error_code failure;
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  if (!fs::is_directory(folder, failure))
    failToWrite(path, "the folder " + folder.string() + " does not exist");
  const fs::file_status status = fs::status(path, failure);
  if (fs::is_directory(status))
    failToWrite(path, "it is a folder");
  if (fs::exists(status) && !fs::is_regular_file(status))
    failToWrite(path, "it is a device or a pipe; name a file");
  if (!fs::is_symlink(fs::symlink_status(path, failure)))
    return path;
  const fs::path target = fs::canonical(path, failure);
  if (failure)
    failToWrite(path, "it links to a file that does not exist");
  return target;
}

/// Brings the bytes to the disk, so that not even a power cut leaves a half-written file under the final name.
void flushToDisk(const fs::path& temporary, const fs::path& path)
{
  const int handle = ::open(temporary.c_str(), O_RDONLY);
  if (handle < 0)
    failToWrite(path, std::strerror(errno));
  const int status = ::fsync(handle);
  const int reason = errno;
  ::close(handle);
  // Some file systems cannot flush a file and say so; then there is nothing to wait for.
  if (status != 0 && reason != EINVAL && reason != EROFS)
    failToWrite(path, std::strerror(reason));
}

/// An empty file beside `target`, made here so that a read-only folder gives its reason, whatever library writes the
/// file. `path` is what the caller asked for.
fs::path makeTemporary(const fs::path& target, const fs::path& path)
{
  static std::atomic<unsigned> number{0}; // two threads may write to one folder, even to one target
  fs::path temporary = target.parent_path() / (".hinesight-" + std::to_string(::getpid()) + "-" +
                                               std::to_string(number.fetch_add(1)) + ".tmp");
  const int handle = ::open(temporary.c_str(), O_CREAT | O_TRUNC | O_WRONLY, 0644);
  if (handle < 0)
    failToWrite(path, std::strerror(errno));
  ::close(handle);
  return temporary;
}

} // namespace

void requireWritable(const fs::path& path)
{
  std::error_code failure;
  fs::remove(makeTemporary(findTarget(path), path), failure);
}

void replaceFileAtomically(const fs::path& path, const std::function<void(const fs::path&)>& write)
{
  const fs::path target = findTarget(path);
  const fs::path temporary = makeTemporary(target, path);
  std::error_code failure;
  try {
    write(temporary);
    flushToDisk(temporary, path);
    if (const fs::file_status old = fs::status(target, failure); fs::exists(old))
      fs::permissions(temporary, old.permissions(), failure);
    fs::rename(temporary, target, failure);
    if (failure)
      failToWrite(path, failure.message());
  } catch (...) {
    fs::remove(temporary, failure);
    throw;
  }
}

void writeFileAtomically(const fs::path& path, const std::function<void(std::ostream&)>& write)
{
  replaceFileAtomically(path, [&](const fs::path& temporary) {
    std::ofstream stream(temporary, std::ios::binary | std::ios::trunc);
    write(stream);
    stream.flush();
    if (!stream)
      throw Error(ErrorCode::WriteFailed, "cannot be written: the disk is full or the device failed", path.string());
    stream.close();
    if (stream.fail())
      throw Error(ErrorCode::WriteFailed, "cannot be written: the disk is full or the device failed", path.string());
  });
}

fs::path userCacheFolder()
{
  const char* const given = std::getenv("XDG_CACHE_HOME");
  const char* const home = std::getenv("HOME");
  fs::path folder;
  // The XDG base directory specification wants relative ones ignored.
  if (given && fs::path(given).is_absolute())
    folder = fs::path(given) / "hinesight";
  else if (home && *home != '\0')
    folder = fs::path(home) / ".cache" / "hinesight";
  else
    failToWrite("the cache folder", "neither XDG_CACHE_HOME nor HOME is set");
  std::error_code failure;
  fs::create_directories(folder, failure);
  if (failure)
    failToWrite(folder, failure.message());
  return folder;
}

} // namespace hinesight
