#include "io/compressed.hpp"

#include "core/device.hpp"
#include "core/error.hpp"
#include "core/files.hpp"

#include <algorithm>
#include <limits>
#include <memory>

#include <zlib.h>

namespace hinesight::io {

namespace {

// Bytes that are unpacked at a time: eight for one, so that a small file takes little.
constexpr std::size_t kLeastPiece = std::size_t{1} << 12, kMostPiece = std::size_t{1} << 20;
// Tables of positions are packed to a third or a tenth. A file that unpacks to a thousand times its size is made to
// take memory and time.
constexpr std::size_t kMostUnpacked = 200;
constexpr std::size_t kAlwaysUnpacked = std::size_t{1} << 26; ///< bytes

/// A gzip file (RFC 1952), of one or several members.
std::string unpack(const std::string& packed, const std::string& path)
{
  constexpr int kGzipWindow = 15 + 16; // the largest window; +16: the format of gzip files
  z_stream stream = {};
  if (inflateInit2(&stream, kGzipWindow) != Z_OK)
    throw Error(ErrorCode::OutOfMemory, "cannot be unpacked: there is no memory left", path);
  const std::unique_ptr<z_stream, int (*)(z_stream*)> end(&stream, inflateEnd);
  const std::size_t piece = std::clamp(8 * packed.size(), kLeastPiece, kMostPiece);
  std::string bytes;
  std::size_t at = 0;
  int status = Z_OK;
  while (status == Z_OK) {
    requireMemory(bytes.size() + piece, "The unpacked file", path);
    const std::size_t filled = bytes.size();
    if (filled > std::max(kAlwaysUnpacked, kMostUnpacked * packed.size()))
      throw Error(ErrorCode::BadFormat,
                  "unpacks to more than " + std::to_string(kMostUnpacked) +
                      " times its size; if that is meant, unpack it before",
                  path);
    bytes.resize(filled + piece);
    const std::size_t offered = std::min<std::size_t>(packed.size() - at, std::numeric_limits<uInt>::max());
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data() + at));
    stream.avail_in = static_cast<uInt>(offered);
    stream.next_out = reinterpret_cast<Bytef*>(bytes.data() + filled);
    stream.avail_out = static_cast<uInt>(piece);
    status = inflate(&stream, Z_NO_FLUSH);
    at += offered - stream.avail_in;
    bytes.resize(filled + piece - stream.avail_out);
    if (status == Z_STREAM_END && at == packed.size())
      return bytes;
    if (status == Z_STREAM_END)
      status = inflateReset(&stream); // another member
  }
  throw Error(ErrorCode::BadFormat, "is no gzip file, or was cut short", path);
}

} // namespace

bool isCompressed(const std::filesystem::path& path)
{
  return path.extension() == ".gz";
}

std::string readUnpacked(const std::filesystem::path& path)
{
  std::string bytes = readFile(path);
  return isCompressed(path) ? unpack(bytes, path.string()) : bytes;
}

} // namespace hinesight::io
