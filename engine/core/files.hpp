#pragma once

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <memory>
#include <ostream>
#include <string>

namespace hinesight {

/// The whole file as bytes. Throws Error(FileNotFound) or Error(FileUnreadable: a directory, no permission, a read
/// error).
std::string readFile(const std::filesystem::path& path);

/// A file that is read from its beginning on, part by part. Throws as readFile.
class FileReader
{
public:
  explicit FileReader(const std::filesystem::path& path);

  std::uint64_t size() const { return bytes; } ///< as the file system says; 0 where it does not
  /// Throws Error(OutOfMemory) where the file is larger than the main memory that is free.
  void requireMemory() const;
  /// Returns how many bytes there were: fewer at the end.
  std::size_t read(void* to, std::size_t most);

private:
  std::filesystem::path path;
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file;
  std::uint64_t bytes = 0;
};

/// Whether there is a folder of that name; false too where nobody can tell.
bool isFolder(const std::filesystem::path& path);

/// Whether something has that name, links followed. Throws Error(FileUnreadable) where that cannot be told, or is no
/// plain "no": a link to nowhere, links in a circle, a folder that may not be looked into.
bool isThere(const std::filesystem::path& path);

/// Whether both names are one file's, as other spellings, symbolic links and hard links can be; also of a file that is
/// yet to be made. Never throws.
bool nameSameFile(const std::filesystem::path& a, const std::filesystem::path& b);

/// Calls `write` with a stream to a temporary file beside `path`, brings it to the disk and renames it to `path`: under
/// the final name there is either the old file or the whole new one, also after a power cut. Throws Error(WriteFailed)
/// on any failure (folder missing or read-only, disk full) and removes the temporary file, also when `write` throws.
/// What a process that was killed left of its own in the folder is removed by the next that writes there, on the same
/// machine before it is started again.
void writeFileAtomically(const std::filesystem::path& path, const std::function<void(std::ostream&)>& write);

/// The same for writers that need a path of their own (HDF5): `write` gets the temporary file's path.
void replaceFileAtomically(const std::filesystem::path& path,
                           const std::function<void(const std::filesystem::path&)>& write);

/// Returns when what was written to the file, and its name, are on the disk: then a power cut does not take them.
/// Throws Error(WriteFailed).
void flushToDisk(const std::filesystem::path& path);

/// Where this program keeps what it would otherwise measure again: $XDG_CACHE_HOME/hinesight, else
/// ~/.cache/hinesight; made where it is not there. Throws Error(WriteFailed) where it cannot be made.
std::filesystem::path userCacheFolder();

/// Throws what writing there would throw at once: Error(WriteFailed) for a folder that is missing or read-only, or a
/// path that is no file. For the beginning of long work whose result goes there. Leaves nothing behind.
void requireWritable(const std::filesystem::path& path);

} // namespace hinesight
