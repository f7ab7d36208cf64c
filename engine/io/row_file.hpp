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
  /// Opens a file that is there.
  RowFile(const std::filesystem::path& file, std::string shownPath);
  ~RowFile();
  RowFile(const RowFile&) = delete;
  RowFile& operator=(const RowFile&) = delete;

  /// Thread-safe.
  void write(std::uint64_t at, const void* bytes, std::size_t count) const;
  /// Bytes that were written. Thread-safe.
  void read(std::uint64_t at, void* bytes, std::size_t count) const;

private:
  std::string path;
  int handle;
};

} // namespace hinesight::io
