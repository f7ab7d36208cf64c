#pragma once

#include <filesystem>
#include <string>

namespace hinesight::io {

/// Whether the name ends in ".gz".
bool isCompressed(const std::filesystem::path& path);

/// The bytes of a file, unpacked where its name ends in ".gz". Throws as readFile, Error(BadFormat) for one that is no
/// gzip file or was cut short, Error(OutOfMemory).
std::string readUnpacked(const std::filesystem::path& path);

} // namespace hinesight::io
