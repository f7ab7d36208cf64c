#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace hinesight::io {

/// By what one sees that a file has changed since it was read; of a folder, of all files in it.
struct FileStamp
{
  std::filesystem::file_time_type changed; ///< the latest
  std::uintmax_t bytes = 0;                ///< together

  bool operator==(const FileStamp&) const = default;
};

/// That of an empty path, or of a file that is not there, is the default.
FileStamp stampOf(const std::string& path);

} // namespace hinesight::io
