#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>

namespace hinesight::io {

/// A file that many threads write to at places that do not overlap, and read what was written. Every function throws
/// Error(WriteFailed) with the system's reason, for `shownPath`.
class RowFile
{
public:
  enum class Use
  {
    WriteAndRead,
    Write ///< beside other machines that write to the file
  };

  /// Opens a file that is there.
  RowFile(const std::filesystem::path& file, std::string shownPath, Use use = Use::WriteAndRead);
  ~RowFile();
  RowFile(const RowFile&) = delete;
  RowFile& operator=(const RowFile&) = delete;

  /// Thread-safe.
  void write(std::uint64_t at, const void* bytes, std::size_t count) const;
  /// Bytes that were written. Thread-safe.
  void read(std::uint64_t at, void* bytes, std::size_t count) const;

  void resize(std::uint64_t bytes) const;
  /// Makes it at least so long.
  void growTo(std::uint64_t bytes) const;
  /// Returns when what was written is on the disk, and other machines can read it.
  void flush() const;

private:
  std::filesystem::path name;
  std::string path;
  int handle;
};

} // namespace hinesight::io
