#include "io/file_stamp.hpp"

#include <algorithm>
#include <system_error>

namespace hinesight::io {

namespace {

void add(FileStamp& stamp, const std::filesystem::path& file)
{
  std::error_code failure;
  const auto changed = std::filesystem::last_write_time(file, failure);
  const auto bytes = failure ? 0 : std::filesystem::file_size(file, failure);
  if (failure)
    return;
  stamp.changed = std::max(stamp.changed, changed);
  stamp.bytes += bytes;
}

} // namespace

FileStamp stampOf(const std::string& path)
{
  FileStamp stamp;
  std::error_code failure;
  if (!std::filesystem::is_directory(path, failure)) {
    add(stamp, path);
    return stamp;
  }
  for (const auto& entry : std::filesystem::directory_iterator(path, failure))
    add(stamp, entry.path());
  return stamp;
}

} // namespace hinesight::io
