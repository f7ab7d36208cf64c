#include "core/files.hpp"

#include "core/device.hpp"
#include "core/error.hpp"
#include "core/memory_limits.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>
#include <mutex>
#include <set>
#include <string_view>
#include <system_error>

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

namespace hinesight {

namespace fs = std::filesystem;

bool isFolder(const fs::path& path)
{
  std::error_code failure;
  return fs::is_directory(path, failure);
}

FileReader::FileReader(const fs::path& name) : path(name), file(nullptr, &std::fclose)
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

  // Some files of the system are regular and yet wait for what is to come, such as /proc/kmsg.
  const int handle = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (handle >= 0)
    file.reset(::fdopen(handle, "rb"));
  if (!file)
    throw Error(ErrorCode::FileUnreadable, std::string("cannot be opened: ") + std::strerror(errno), path.string());
  const std::uintmax_t told = fs::file_size(path, failure);
  bytes = failure ? 0 : told;
}

void FileReader::requireMemory() const
{
  if (bytes > kLittle && bytes > availableMemoryBytes())
    throw Error(ErrorCode::OutOfMemory,
                "holds " + formatBytes(bytes) + ", more than the " + formatBytes(availableMemoryBytes()) +
                    " of main memory that are free",
                path.string());
}

std::size_t FileReader::read(void* to, std::size_t most)
{
  const std::size_t got = std::fread(to, 1, most, file.get());
  if (got < most && std::ferror(file.get()))
    throw Error(ErrorCode::FileUnreadable, std::string("cannot be read: ") + std::strerror(errno), path.string());
  return got;
}

std::string readFile(const fs::path& path)
{
  FileReader file(path);
  file.requireMemory();
  std::string bytes(file.size() + 1, '\0'); // one more byte, to see the end
  std::size_t filled = 0;
  while ((filled += file.read(bytes.data() + filled, bytes.size() - filled)) == bytes.size())
    bytes.resize(bytes.size() + std::max(bytes.size(), std::size_t{1} << 16)); // longer than the system says
  bytes.resize(filled);
  return bytes;
}

bool isThere(const fs::path& path)
{
  std::error_code failure;
  const fs::file_status status = fs::status(path, failure);
  if (status.type() == fs::file_type::not_found) {
    if (fs::is_symlink(fs::symlink_status(path, failure)))
      throw Error(ErrorCode::FileUnreadable, "links to a file that does not exist; name a file, or remove the link",
                  path.string());
    return false;
  }
  if (!fs::status_known(status))
    throw Error(ErrorCode::FileUnreadable, "cannot be looked at: " + failure.message() + "; name another file",
                path.string());
  return true;
}

namespace {

fs::path folderOf(const fs::path& path)
{
  return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

/// The name without dots and links, those that lead nowhere followed too: writing makes the file there.
fs::path resolved(fs::path path)
{
  std::error_code failure;
  while (fs::status(path, failure).type() == fs::file_type::not_found &&
         fs::is_symlink(fs::symlink_status(path, failure)))
    path = folderOf(path) / fs::read_symlink(path, failure);
  const fs::path spelled = fs::absolute(path, failure).lexically_normal();
  const fs::path known = fs::weakly_canonical(path, failure);
  const fs::path& whole = failure ? spelled : known;
  return whole.has_filename() ? whole : whole.parent_path(); // without a slash at the end
}

} // namespace

bool nameSameFile(const fs::path& a, const fs::path& b)
{
  std::error_code failure;
  return fs::equivalent(a, b, failure) || resolved(a) == resolved(b);
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
  const fs::path folder = folderOf(path);
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
  if (failure == std::errc::no_such_file_or_directory)
    failToWrite(path, "it links to a file that does not exist");
  if (failure)
    failToWrite(path, failure.message());
  return target;
}

/// Brings what a file or a folder holds to the disk. `path` is what the caller asked for.
void flush(const fs::path& written, const fs::path& path)
{
  const int handle = ::open(written.c_str(), O_RDONLY | O_CLOEXEC);
  // A folder that may be written to need not be one that may be read.
  if (handle < 0 && errno == EACCES && fs::is_directory(written))
    return;
  if (handle < 0)
    failToWrite(path, std::strerror(errno));
  const int status = ::fsync(handle);
  const int reason = errno;
  ::close(handle);
  // Some file systems cannot flush a file or a folder and say so; then there is nothing to wait for.
  const bool isUnable = reason == EINVAL || reason == EROFS || reason == ENOTSUP || reason == ENOSYS;
  if (status != 0 && !isUnable)
    failToWrite(path, std::strerror(reason));
}

// Temporary files are called .hinesight-BOOT-NAMESPACE-PROCESS-NUMBER.tmp: by the process that writes, and what makes
// its number unique, the start of its machine and its namespace of process numbers. So nobody takes the number of a
// process on another machine, or in another container, for one of its own.

/// ".hinesight-BOOT-NAMESPACE-"; empty where the system does not tell.
const std::string& ownPrefix()
{
  static const std::string prefix = [] {
    std::error_code failure;
    std::string boot, space = fs::read_symlink("/proc/self/ns/pid", failure).string(); // such as pid:[4026531836]
    std::ifstream("/proc/sys/kernel/random/boot_id") >> boot;
    std::erase_if(space, [](char c) { return c < '0' || c > '9'; });
    return boot.empty() || space.empty() ? std::string() : ".hinesight-" + boot + "-" + space + "-";
  }();
  return prefix;
}

/// Whether it is a temporary file of a process that is no more.
bool isAbandoned(std::string_view name)
{
  const std::string& prefix = ownPrefix();
  if (prefix.empty() || !name.starts_with(prefix) || !name.ends_with(".tmp"))
    return false;
  pid_t process = 0;
  const auto [stop, failure] = std::from_chars(name.data() + prefix.size(), name.data() + name.size(), process);
  return failure == std::errc{} && *stop == '-' && process > 0 && ::kill(process, 0) != 0 && errno == ESRCH;
}

/// Removes what processes that were killed have left, once a folder: those that are killed later leave it to the next.
void removeAbandoned(const fs::path& folder)
{
  static std::mutex mutex;
  static std::set<fs::path> done;
  std::error_code failure;
  {
    const std::lock_guard lock(mutex);
    if (!done.insert(fs::weakly_canonical(folder, failure)).second)
      return;
  }
  // std::filesystem's iterators end the program where they find no memory.
  const std::unique_ptr<DIR, int (*)(DIR*)> open(::opendir(folder.c_str()), ::closedir);
  while (const dirent* const entry = open ? ::readdir(open.get()) : nullptr)
    if (isAbandoned(entry->d_name))
      fs::remove(folder / entry->d_name, failure); // stays where somebody may not remove it
}

/// An empty file beside `target`, made here so that a read-only folder gives its reason, whatever library writes the
/// file. `path` is what the caller asked for.
fs::path makeTemporary(const fs::path& target, const fs::path& path)
{
  static std::atomic<unsigned> number{0}; // two threads may write to one folder, even to one target
  const fs::path folder = folderOf(target);
  removeAbandoned(folder);
  const std::string prefix = ownPrefix().empty() ? ".hinesight-" : ownPrefix();
  while (true) {
    fs::path temporary =
        folder / (prefix + std::to_string(::getpid()) + "-" + std::to_string(number.fetch_add(1)) + ".tmp");
    const int handle = ::open(temporary.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0644);
    if (handle < 0 && errno == EEXIST)
      continue; // of one that had this number before
    if (handle < 0)
      failToWrite(path, std::strerror(errno));
    ::close(handle);
    return temporary;
  }
}

} // namespace

void flushToDisk(const fs::path& path)
{
  flush(path, path);
  flush(folderOf(path), path);
}

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
    flush(temporary, path);
    if (const fs::file_status old = fs::status(target, failure); fs::exists(old))
      fs::permissions(temporary, old.permissions(), failure);
    fs::rename(temporary, target, failure);
    if (failure)
      failToWrite(path, failure.message());
  } catch (...) {
    fs::remove(temporary, failure);
    throw;
  }
  flush(folderOf(target), path);
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
