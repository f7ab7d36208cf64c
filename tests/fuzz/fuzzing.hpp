#pragma once

#include "core/error.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

// What the programs of this folder share. Each mutates what one reader reads (docs/verification.md). A reader gives a
// value that is sound, or throws hinesight::Error with a file, a line or a parameter that is wrong. All else ends the
// program: another exception, a crash, a leak, more than 2 s of processor time, a value that is not sound.

namespace hinesight::fuzz {

/// Ends the program, so that the input is kept.
[[noreturn]] inline void fail(const char* what)
{
  std::fprintf(stderr, "FOUND: %s\n", what);
  std::abort();
}

/// Of what was accepted.
inline void require(bool isSound, const char* what)
{
  if (!isSound)
    fail(what);
}

inline double processorSeconds()
{
  std::timespec now{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Reads one input, and looks at what was read. For LLVMFuzzerTestOneInput.
template <typename Read>
int attempt(const Read& read)
{
  constexpr double kMostSeconds = 2;
  const double start = processorSeconds();
  try {
    read();
  } catch (const Error& error) {
    require(error.code() != ErrorCode::Unexpected, "an error that is a defect of the program");
    require(!error.message().empty(), "an error without a sentence");
  }
  require(processorSeconds() - start < kMostSeconds, "more than 2 s of processor time");
  return 0;
}

/// What `again` gives, which writes what was accepted and reads it again: that must not be refused.
template <typename Again>
auto whenAccepted(const Again& again)
{
  try {
    return again();
  } catch (const Error& error) {
    fail((std::string("refused when written and read again: ") + error.what()).c_str());
  }
}

inline std::string_view textOf(const std::uint8_t* bytes, std::size_t size)
{
  return {reinterpret_cast<const char*>(bytes), size};
}

/// An input of several files: they are apart by this line.
inline constexpr std::string_view kNextFile = "\n=== next file ===\n";

inline std::vector<std::string_view> filesOf(std::string_view input)
{
  std::vector<std::string_view> files;
  for (std::size_t end = 0; (end = input.find(kNextFile)) != std::string_view::npos;) {
    files.push_back(input.substr(0, end));
    input.remove_prefix(end + kNextFile.size());
  }
  files.push_back(input);
  return files;
}

/// Where a program puts the seeds that it makes itself before it begins; null: nobody asked for any. For
/// LLVMFuzzerInitialize.
inline const char* seedFolder()
{
  return std::getenv("HINESIGHT_FUZZ_SEEDS");
}

/// A folder in memory for the files of this process.
class Folder
{
public:
  Folder()
  {
    char name[] = "/dev/shm/hinesight-fuzz-XXXXXX";
    if (!::mkdtemp(name))
      fail("no folder in /dev/shm");
    folder = name;
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder()
  {
    std::error_code failure;
    std::filesystem::remove_all(folder, failure);
  }

  const std::filesystem::path& path() const { return folder; }
  std::filesystem::path operator/(std::string_view name) const { return folder / name; }

  /// Writes a file of that name, and returns its path.
  std::filesystem::path write(std::string_view name, std::string_view bytes) const
  {
    std::filesystem::path path = folder / name;
    std::FILE* const file = std::fopen(path.c_str(), "wb");
    if (!file || std::fwrite(bytes.data(), 1, bytes.size(), file) != bytes.size() || std::fclose(file) != 0)
      fail("no room in /dev/shm");
    return path;
  }

private:
  std::filesystem::path folder;
};

} // namespace hinesight::fuzz
