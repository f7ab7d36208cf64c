#include "core/files.hpp"

#include "core/error.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <memory>
#include <system_error>

#include <fcntl.h>
#include <unistd.h>

namespace hinesight {

namespace fs = std::filesystem;

std::string readFile(const fs::path& path)
{
  std::error_code failure;
  const fs::file_status status = fs::status(path, failure);
  if (status.type() == fs::file_type::not_found)
    throw Error(ErrorCode::FileNotFound, "no such file; check the name and the folder", path.string());
  if (status.type() == fs::file_type::directory)
    throw Error(ErrorCode::FileUnreadable, "is a folder, not a file; name a file in it", path.string());

  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"), &std::fclose);
  if (!file)
    throw Error(ErrorCode::FileUnreadable, std::string("cannot be opened: ") + std::strerror(errno), path.string());

  std::string bytes;
  const auto size = status.type() == fs::file_type::regular ? fs::file_size(path, failure) : 0;
  bytes.resize(failure ? 0 : size);
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

void replaceFileAtomically(const fs::path& path, const std::function<void(const fs::path&)>& write)
{
  const auto fail = [&](const std::string& why) {
    throw Error(ErrorCode::WriteFailed, "cannot be written: " + why, path.string());
  };
  std::error_code failure;
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  if (!fs::is_directory(folder, failure))
    fail("the folder " + folder.string() + " does not exist");
  if (fs::is_directory(path, failure))
    fail("it is a folder");

  const fs::path temporary = folder / ("." + path.filename().string() + "." + std::to_string(::getpid()) + ".tmp");
  // Opened once here so that a read-only folder gives its reason, whatever library writes the file.
  const int handle = ::open(temporary.c_str(), O_CREAT | O_TRUNC | O_WRONLY, 0644);
  if (handle < 0)
    fail(std::strerror(errno));
  ::close(handle);
  try {
    write(temporary);
  } catch (...) {
    fs::remove(temporary, failure);
    throw;
  }
  fs::rename(temporary, path, failure);
  if (failure) {
    const std::string why = failure.message();
    fs::remove(temporary, failure);
    fail(why);
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

} // namespace hinesight
