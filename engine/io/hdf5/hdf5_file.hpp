#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hinesight::io {

/// How a number is stored in an HDF5 file; always little-endian.
enum class StoredNumber
{
  UInt32,
  UInt64,
  Float64
};

/// How text is stored. Text of variable length is what other readers are used to; it lies in a heap without checksum,
/// in whose damage the HDF5 library may lose itself.
enum class StoredText
{
  Fixed,
  Variable
};

/// Makes an HDF5 file: groups, attributes and where the columns lie. The values of large columns are then written to
/// their places by the caller, as plain bytes, once the file is closed: by any number of threads, which the HDF5
/// library itself does not allow. Only one Hdf5Layout or Hdf5Reader lives at a time; others wait.
///
/// Object headers have checksums (the format of HDF5 1.8), so that a damaged file is recognised. Nothing in it depends
/// on the time. Every function throws Error(WriteFailed) for `shownPath`.
class Hdf5Layout
{
public:
  Hdf5Layout(const std::filesystem::path& file, std::string shownPath);
  ~Hdf5Layout();

  /// Groups above it are made as well.
  void addGroup(const std::string& path);
  void addAttribute(const std::string& object, const std::string& name, const std::string& text, StoredText length);
  /// One number is a scalar, several are an array.
  void addAttribute(const std::string& object, const std::string& name, std::span<const std::uint32_t> numbers);
  /// Returns the byte at which its first value is to be written.
  std::uint64_t addColumn(const std::string& path, StoredNumber type, std::uint64_t count);
  /// The same of rows of numbers, one row after the other.
  std::uint64_t addMatrix(const std::string& path, StoredNumber type, std::uint64_t rows, std::uint64_t columns);
  /// A column of one value throughout: readers see it, but it takes no room.
  void addConstantColumn(const std::string& path, StoredNumber type, std::uint64_t count, double value);
  void addPairs(const std::string& path, std::span<const std::array<std::uint64_t, 2>> pairs);
  /// A list of texts, each of the length of the longest.
  void addTexts(const std::string& path, std::span<const std::string> texts);
  void addHardLink(const std::string& existing, const std::string& path);
  /// Brings everything to the file.
  void close();

private:
  struct Open;
  std::unique_ptr<Open> open;
};

/// Reads groups, attributes and columns of numbers, whatever their stored type. Every function throws
/// Error(BadFormat) that names the object where it is missing, of another kind, or not in the file: external links,
/// values in other files and virtual datasets are refused, and nothing that they point to is opened. Soft links are
/// followed.
class Hdf5Reader
{
public:
  /// Throws Error(FileNotFound), Error(FileUnreadable) and Error(BadFormat).
  explicit Hdf5Reader(const std::filesystem::path& path);
  ~Hdf5Reader();

  bool has(const std::string& path) const;
  /// The names in a group, in alphabetical order.
  std::vector<std::string> namesIn(const std::string& group) const;
  bool hasAttribute(const std::string& object, const std::string& name) const;
  std::string textAttribute(const std::string& object, const std::string& name) const;
  /// The attributes of text whose names begin with `prefix`, without it, in the order in which they were made.
  std::vector<std::pair<std::string, std::string>> textAttributes(const std::string& object,
                                                                  std::string_view prefix) const;
  /// How many numbers a column has.
  std::uint64_t count(const std::string& path) const;
  /// Values [begin, begin + values.size()) of a column of integers.
  void read(const std::string& path, std::uint64_t begin, std::span<std::int64_t> values) const;
  /// The same of a column of any numbers.
  void read(const std::string& path, std::uint64_t begin, std::span<float> values) const;
  void read(const std::string& path, std::uint64_t begin, std::span<double> values) const;
  /// Rows and columns of a matrix of numbers.
  std::array<std::uint64_t, 2> matrixSize(const std::string& path) const;
  /// A whole matrix, row after row.
  std::vector<double> matrix(const std::string& path) const;
  /// A list of texts, of fixed or variable length.
  std::vector<std::string> texts(const std::string& path) const;

private:
  struct Open;
  std::unique_ptr<Open> open;
};

} // namespace hinesight::io
