#include "io/hdf5/hdf5_file.hpp"

#include "core/device.hpp"
#include "core/error.hpp"
#include "core/files.hpp"
#include "io/hdf5/hdf5_damage.hpp"
#include "io/hdf5/hdf5_outside.hpp"

#include <algorithm>
#include <fstream>
#include <mutex>
#include <new>
#include <optional>
#include <system_error>

#include <hdf5.h>

namespace hinesight::io {

namespace {

/// The library for one thread at a time, and silent: it prints errors unless told not to.
class Library
{
public:
  Library()
  {
    // A file that could not be closed, on a full disk, stays with the library, which would try again and crash when the
    // program ends. Must be asked for before anything else, and does nothing later.
    H5dont_atexit();
    if (H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr) < 0)
      throw std::bad_alloc(); // the library could not even begin
    // A file may ask for a filter that the library would look for among the plug-ins of a folder and run.
    H5PLset_loading_state(0);
  }
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;
  /// What failed last is remembered by thread, and would be lost to memory with a thread that ends.
  ~Library() { H5Eclear2(H5E_DEFAULT); }

private:
  std::unique_lock<std::recursive_mutex> lock{mutex()};

  /// A thread may open a file while it has another one, or the same, open.
  static std::recursive_mutex& mutex()
  {
    static std::recursive_mutex one;
    return one;
  }
};

// A few bytes can claim any number of values: of a fill value, or packed. What packs best, deflate, makes 1 byte of at
// most 1032; columns that are a fill value throughout lie beside others that are stored.
constexpr std::uint64_t kMostUnpacked = 1032;
constexpr std::uint64_t kAlwaysExplained = std::uint64_t{1} << 27; ///< bytes that any file may ask for

/// An identifier of the library's, closed when it goes.
class Handle
{
public:
  using Close = herr_t (*)(hid_t);
  explicit Handle(Close closing) : close(closing) {}
  Handle(hid_t identifier, Close closing) : id(identifier), close(closing) {}
  Handle(Handle&& other) noexcept : id(std::exchange(other.id, H5I_INVALID_HID)), close(other.close) {}
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  Handle& operator=(Handle&&) = delete;
  ~Handle() { reset(); }

  bool isValid() const { return id >= 0; }
  void adopt(hid_t identifier) { id = identifier; }
  operator hid_t() const { return id; }
  /// Whether closing succeeded, which for a file includes writing what was kept back.
  bool reset() { return id < 0 || close(std::exchange(id, H5I_INVALID_HID)) >= 0; }

private:
  hid_t id = H5I_INVALID_HID;
  Close close;
};

hid_t storedType(StoredNumber number)
{
  switch (number) {
  case StoredNumber::UInt32:
    return H5T_STD_U32LE;
  case StoredNumber::UInt64:
    return H5T_STD_U64LE;
  case StoredNumber::Float64:
    break;
  }
  return H5T_IEEE_F64LE;
}

} // namespace

struct Hdf5Layout::Open
{
  explicit Open(std::string shown) : path(std::move(shown)) {}

  void require(bool succeeded) const
  {
    if (!succeeded)
      throw Error(ErrorCode::WriteFailed, "cannot be written: the disk is full or the device failed", path);
  }
  Handle require(hid_t id, Handle::Close close) const
  {
    require(id >= 0);
    return {id, close};
  }
  Handle openObject(const std::string& object) const
  {
    return require(H5Oopen(file, object.c_str(), H5P_DEFAULT), H5Oclose);
  }
  Handle lineSpace(std::uint64_t count) const
  {
    const hsize_t size = count;
    return require(H5Screate_simple(1, &size, nullptr), H5Sclose);
  }
  Handle makeDataset(const std::string& name, hid_t type, hid_t space, hid_t creation) const
  {
    makeGroupsAbove(name);
    require(H5Pset_obj_track_times(creation, false) >= 0);
    return require(H5Dcreate2(file, name.c_str(), type, space, links, creation, H5P_DEFAULT), H5Dclose);
  }
  /// A dataset whose values are written later: the byte where they begin; 0 where there are none.
  std::uint64_t addRoom(const std::string& name, hid_t type, hid_t space, std::uint64_t values) const
  {
    const Handle creation = creationList(H5P_DATASET_CREATE);
    require(H5Pset_layout(creation, H5D_CONTIGUOUS) >= 0 && H5Pset_alloc_time(creation, H5D_ALLOC_TIME_EARLY) >= 0 &&
            H5Pset_fill_time(creation, H5D_FILL_TIME_NEVER) >= 0);
    Handle dataset = makeDataset(name, type, space, creation);
    const haddr_t place = values == 0 ? 0 : H5Dget_offset(dataset);
    require(place != HADDR_UNDEF && dataset.reset());
    return place;
  }
  /// Like all objects without times, so that the same table gives the same bytes; the library's own way to make the
  /// groups above an object leaves them their times.
  void makeGroup(const std::string& name) const
  {
    const Handle creation = creationList(H5P_GROUP_CREATE);
    require(H5Pset_obj_track_times(creation, false) >= 0 &&
            H5Pset_attr_creation_order(creation, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED) >= 0);
    require(H5Gcreate2(file, name.c_str(), links, creation, H5P_DEFAULT), H5Gclose);
  }
  void makeGroupsAbove(const std::string& name) const
  {
    for (std::size_t end = name.find('/', 1); end != std::string::npos; end = name.find('/', end + 1))
      if (const std::string above = name.substr(0, end); H5Lexists(file, above.c_str(), H5P_DEFAULT) <= 0)
        makeGroup(above);
  }
  Handle creationList(hid_t kind) const { return require(H5Pcreate(kind), H5Pclose); }

  Library library;
  std::string path;
  Handle file{H5Fclose};
  Handle links{H5Pclose}; ///< how names are written
};

Hdf5Layout::Hdf5Layout(const std::filesystem::path& file, std::string shownPath)
    : open(std::make_unique<Open>(std::move(shownPath)))
{
  const Handle access = open->creationList(H5P_FILE_ACCESS);
  open->require(H5Pset_libver_bounds(access, H5F_LIBVER_V18, H5F_LIBVER_V18) >= 0);
  const Handle creation = open->creationList(H5P_FILE_CREATE);
  open->require(H5Pset_obj_track_times(creation, false) >= 0);
  open->file.adopt(H5Fcreate(file.c_str(), H5F_ACC_TRUNC, creation, access));
  open->require(open->file.isValid());
  open->links.adopt(H5Pcreate(H5P_LINK_CREATE));
  open->require(open->links.isValid() && H5Pset_char_encoding(open->links, H5T_CSET_UTF8) >= 0);
}

Hdf5Layout::~Hdf5Layout() = default;

void Hdf5Layout::addGroup(const std::string& path)
{
  open->makeGroupsAbove(path);
  open->makeGroup(path);
}

void Hdf5Layout::addAttribute(const std::string& object, const std::string& name, const std::string& text,
                              StoredText length)
{
  const Handle type = open->require(H5Tcopy(H5T_C_S1), H5Tclose);
  const bool isFixed = length == StoredText::Fixed;
  open->require(H5Tset_size(type, isFixed ? text.size() + 1 : H5T_VARIABLE) >= 0 &&
                H5Tset_cset(type, H5T_CSET_UTF8) >= 0);
  const Handle space = open->require(H5Screate(H5S_SCALAR), H5Sclose);
  const Handle target = open->openObject(object);
  Handle attribute = open->require(H5Acreate2(target, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  const char* const value = text.c_str();
  open->require(H5Awrite(attribute, type, isFixed ? static_cast<const void*>(value) : &value) >= 0 &&
                attribute.reset());
}

void Hdf5Layout::addAttribute(const std::string& object, const std::string& name,
                              std::span<const std::uint32_t> numbers)
{
  const Handle space =
      numbers.size() == 1 ? open->require(H5Screate(H5S_SCALAR), H5Sclose) : open->lineSpace(numbers.size());
  const Handle target = open->openObject(object);
  Handle attribute =
      open->require(H5Acreate2(target, name.c_str(), H5T_STD_U32LE, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  open->require(H5Awrite(attribute, H5T_NATIVE_UINT32, numbers.data()) >= 0 && attribute.reset());
}

std::uint64_t Hdf5Layout::addColumn(const std::string& path, StoredNumber type, std::uint64_t count)
{
  return open->addRoom(path, storedType(type), open->lineSpace(count), count);
}

std::uint64_t Hdf5Layout::addMatrix(const std::string& path, StoredNumber type, std::uint64_t rows,
                                    std::uint64_t columns)
{
  const std::array<hsize_t, 2> size = {rows, columns};
  const Handle space = open->require(H5Screate_simple(2, size.data(), nullptr), H5Sclose);
  return open->addRoom(path, storedType(type), space, rows * columns);
}

void Hdf5Layout::addConstantColumn(const std::string& path, StoredNumber type, std::uint64_t count, double value)
{
  const Handle creation = open->creationList(H5P_DATASET_CREATE);
  open->require(H5Pset_layout(creation, H5D_CONTIGUOUS) >= 0 && H5Pset_alloc_time(creation, H5D_ALLOC_TIME_LATE) >= 0 &&
                H5Pset_fill_value(creation, H5T_NATIVE_DOUBLE, &value) >= 0);
  const Handle space = open->lineSpace(count);
  open->makeDataset(path, storedType(type), space, creation);
}

void Hdf5Layout::addPairs(const std::string& path, std::span<const std::array<std::uint64_t, 2>> pairs)
{
  const std::array<hsize_t, 2> size = {pairs.size(), 2};
  const Handle creation = open->creationList(H5P_DATASET_CREATE);
  const Handle space = open->require(H5Screate_simple(2, size.data(), nullptr), H5Sclose);
  Handle dataset = open->makeDataset(path, H5T_STD_U64LE, space, creation);
  if (!pairs.empty())
    open->require(H5Dwrite(dataset, H5T_NATIVE_UINT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, pairs.data()) >= 0);
  open->require(dataset.reset()); // small ones are written only now
}

void Hdf5Layout::addTexts(const std::string& path, std::span<const std::string> texts)
{
  std::size_t longest = 0;
  for (const std::string& text : texts)
    longest = std::max(longest, text.size());
  const std::size_t width = longest + 1;
  std::string bytes(texts.size() * width, '\0');
  for (std::size_t i = 0; i < texts.size(); ++i)
    std::copy(texts[i].begin(), texts[i].end(), bytes.begin() + static_cast<std::ptrdiff_t>(i * width));
  const Handle type = open->require(H5Tcopy(H5T_C_S1), H5Tclose);
  open->require(H5Tset_size(type, width) >= 0 && H5Tset_cset(type, H5T_CSET_UTF8) >= 0);
  const Handle creation = open->creationList(H5P_DATASET_CREATE);
  const Handle space = open->lineSpace(texts.size());
  Handle dataset = open->makeDataset(path, type, space, creation);
  if (!texts.empty())
    open->require(H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()) >= 0);
  open->require(dataset.reset()); // small ones are written only now
}

void Hdf5Layout::addHardLink(const std::string& existing, const std::string& path)
{
  open->makeGroupsAbove(path);
  open->require(H5Lcreate_hard(open->file, existing.c_str(), open->file, path.c_str(), open->links, H5P_DEFAULT) >= 0);
}

void Hdf5Layout::close()
{
  open->require(open->links.reset() && open->file.reset());
}

struct Hdf5Reader::Open
{
  explicit Open(std::string shown) : path(std::move(shown)) {}

  [[noreturn]] void fail(const std::string& what) const { throw Error(ErrorCode::BadFormat, what, path); }

  /// The path of the object through hard links; none where there is no such object. Throws where it leads out of the
  /// file.
  std::optional<std::string> find(const std::string& object) const
  {
    InnerPath inner = followInside(file, object);
    if (!inner.refusal.empty())
      fail(inner.refusal);
    return std::move(inner.path);
  }

  Handle openObject(const std::string& object) const
  {
    const auto found = find(object);
    Handle handle(found ? H5Oopen(file, found->c_str(), H5P_DEFAULT) : H5I_INVALID_HID, H5Oclose);
    if (!handle.isValid())
      fail("has no " + object + ", or it is damaged");
    return handle;
  }

  /// `kind` of dataset: "column", "list".
  Handle openDataset(const std::string& name, const std::string& kind) const
  {
    const auto found = find(name);
    Handle dataset(found ? H5Dopen2(file, found->c_str(), H5P_DEFAULT) : H5I_INVALID_HID, H5Dclose);
    if (!dataset.isValid())
      fail("has no " + kind + " " + name + ", or it is damaged");
    if (const std::string where = whereValuesAre(dataset); !where.empty())
      fail(name + " has its values " + where + ", which are not read; write them into this one");
    requireExplained(dataset, name);
    return dataset;
  }

  /// Throws where a dataset, or one chunk of it, takes more memory than the size of the file explains.
  void requireExplained(hid_t dataset, const std::string& name) const
  {
    const Handle type(H5Dget_type(dataset), H5Tclose);
    const Handle space(H5Dget_space(dataset), H5Sclose);
    const Handle creation(H5Dget_create_plist(dataset), H5Pclose);
    if (!type.isValid() || !space.isValid() || !creation.isValid())
      fail(name + " is damaged");
    requireExplained(static_cast<double>(H5Sget_simple_extent_npoints(space)), H5Tget_size(type), name);
    if (H5Pget_layout(creation) != H5D_CHUNKED)
      return;
    std::array<hsize_t, H5S_MAX_RANK> sizes{};
    const int rank = H5Pget_chunk(creation, H5S_MAX_RANK, sizes.data());
    double values = 1;
    for (int k = 0; k < rank; ++k)
      values *= static_cast<double>(sizes[static_cast<std::size_t>(k)]);
    requireExplained(values, H5Tget_size(type), "a chunk of " + name);
  }

  void requireExplained(double values, std::size_t bytesOfValue, const std::string& name) const
  {
    const auto most = static_cast<double>(std::max(kAlwaysExplained, kMostUnpacked * fileBytes));
    if (values * static_cast<double>(bytesOfValue) > most)
      fail(name + " claims more values than a file of this size can hold");
  }

  /// A column of numbers; of integers, where that is asked for.
  Handle openColumn(const std::string& name, bool integers) const
  {
    Handle dataset = openDataset(name, "column");
    const Handle type(H5Dget_type(dataset), H5Tclose);
    const H5T_class_t kind = type.isValid() ? H5Tget_class(type) : H5T_NO_CLASS;
    if (kind != H5T_INTEGER && (integers || kind != H5T_FLOAT))
      fail(name + " does not hold " + (integers ? "whole numbers" : "numbers"));
    return dataset;
  }

  std::uint64_t countOf(hid_t dataset, const std::string& name) const
  {
    const Handle space(H5Dget_space(dataset), H5Sclose);
    hsize_t size = 0;
    if (!space.isValid() || H5Sget_simple_extent_ndims(space) != 1 ||
        H5Sget_simple_extent_dims(space, &size, nullptr) < 0)
      fail(name + " is no list of numbers");
    return size;
  }

  void readInto(const std::string& name, bool integers, hid_t memoryType, std::uint64_t begin, std::uint64_t count,
                void* values) const
  {
    const Handle dataset = openColumn(name, integers);
    const hsize_t size = count;
    const hsize_t start = begin;
    const Handle inFile(H5Dget_space(dataset), H5Sclose);
    const Handle inMemory(H5Screate_simple(1, &size, nullptr), H5Sclose);
    if (H5Sselect_hyperslab(inFile, H5S_SELECT_SET, &start, nullptr, &size, nullptr) < 0 ||
        H5Dread(dataset, memoryType, inMemory, inFile, H5P_DEFAULT, values) < 0)
      fail("the values of " + name + " cannot be read; the file may have been cut short");
  }

  /// The text of an attribute, of fixed or variable length. False where it is none.
  bool readText(hid_t attribute, std::string& text) const
  {
    const Handle type(H5Aget_type(attribute), H5Tclose);
    const Handle space(H5Aget_space(attribute), H5Sclose);
    if (!type.isValid() || !space.isValid() || H5Tget_class(type) != H5T_STRING ||
        H5Sget_simple_extent_npoints(space) != 1)
      return false;
    if (H5Tis_variable_str(type) > 0) {
      char* value = nullptr;
      if (H5Aread(attribute, type, &value) < 0 || !value)
        return false;
      text = value;
      H5free_memory(value);
      return true;
    }
    text.assign(H5Tget_size(type), '\0');
    if (H5Aread(attribute, type, text.data()) < 0)
      return false;
    text.resize(std::min(text.find('\0'), text.size()));
    return true;
  }

  std::vector<std::string> readFixedTexts(hid_t dataset, hid_t type, std::uint64_t count) const
  {
    const std::size_t width = H5Tget_size(type);
    std::string bytes(count * width, '\0');
    if (H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()) < 0)
      return {};
    std::vector<std::string> texts;
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::string text = bytes.substr(i * width, width);
      texts.push_back(text.substr(0, text.find('\0')));
    }
    return texts;
  }

  std::vector<std::string> readVariableTexts(hid_t dataset, hid_t type, std::uint64_t count) const
  {
    // Many may be the same bytes of the file.
    hsize_t bytes = 0;
    const Handle space(H5Dget_space(dataset), H5Sclose);
    if (H5Dvlen_get_buf_size(dataset, type, space, &bytes) < 0)
      return {};
    if (bytes > std::max(kAlwaysExplained, fileBytes))
      fail("its texts are longer than a file of this size can hold");
    std::vector<char*> values(count, nullptr);
    if (H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) < 0)
      return {};
    std::vector<std::string> texts;
    for (char* const value : values) {
      texts.emplace_back(value ? value : "");
      H5free_memory(value);
    }
    return texts;
  }

  Library library;
  std::string path;
  Handle file{H5Fclose};
  std::uint64_t fileBytes = 0;
};

namespace {

/// What a library callback may do: it must not throw.
template <typename Info>
herr_t collectName(hid_t, const char* name, const Info*, void* names) noexcept
{
  try {
    static_cast<std::vector<std::string>*>(names)->emplace_back(name);
    return 0;
  } catch (...) {
    return -1;
  }
}

/// Says why a file cannot be opened, before the HDF5 library fails without a reason.
void requireReadable(const std::filesystem::path& path)
{
  std::error_code failure;
  if (!std::filesystem::is_regular_file(path, failure) || !std::ifstream(path, std::ios::binary))
    readFile(path);
}

} // namespace

Hdf5Reader::Hdf5Reader(const std::filesystem::path& path)
{
  requireReadable(path);
  open = std::make_unique<Open>(path.string());
  switch (walkThrough(path.string())) {
  case Walk::Done:
    break;
  case Walk::Crashed:
    open->fail("is damaged: the HDF5 library cannot walk through it");
  case Walk::Endless:
    open->fail("takes the HDF5 library more than " + std::to_string(kMostWalkSeconds) +
               " s to walk through: it is damaged, or holds very many objects; copy those that are to be read into a "
               "file of their own");
  }
  open->file.adopt(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT));
  if (!open->file.isValid())
    open->fail("is no HDF5 file, or was cut short");
  std::error_code failure;
  const std::uintmax_t bytes = std::filesystem::file_size(path, failure);
  open->fileBytes = failure ? 0 : bytes;
}

Hdf5Reader::~Hdf5Reader() = default;

bool Hdf5Reader::has(const std::string& path) const
{
  return open->find(path).has_value();
}

std::vector<std::string> Hdf5Reader::namesIn(const std::string& group) const
{
  const Handle opened = open->openObject(group);
  std::vector<std::string> names;
  hsize_t at = 0;
  if (H5Literate(opened, H5_INDEX_NAME, H5_ITER_INC, &at, collectName<H5L_info_t>, &names) < 0)
    open->fail(group + " is no group, or it is damaged");
  return names;
}

bool Hdf5Reader::hasAttribute(const std::string& object, const std::string& name) const
{
  return H5Aexists(open->openObject(object), name.c_str()) > 0;
}

std::string Hdf5Reader::textAttribute(const std::string& object, const std::string& name) const
{
  const Handle opened = open->openObject(object);
  const Handle attribute(H5Aopen(opened, name.c_str(), H5P_DEFAULT), H5Aclose);
  std::string text;
  if (!attribute.isValid() || !open->readText(attribute, text))
    open->fail(object + " has no text \"" + name + "\"");
  return text;
}

std::vector<std::pair<std::string, std::string>> Hdf5Reader::textAttributes(const std::string& object,
                                                                            std::string_view prefix) const
{
  const Handle opened = open->openObject(object);
  std::vector<std::string> names;
  for (const H5_index_t order : {H5_INDEX_CRT_ORDER, H5_INDEX_NAME}) {
    names.clear();
    hsize_t at = 0;
    // Files of others may not know in which order attributes were made.
    if (H5Aiterate2(opened, order, H5_ITER_INC, &at, collectName<H5A_info_t>, &names) >= 0)
      break;
  }
  std::vector<std::pair<std::string, std::string>> attributes;
  for (const std::string& name : names)
    if (name.starts_with(prefix))
      attributes.emplace_back(name.substr(prefix.size()), textAttribute(object, name));
  return attributes;
}

std::uint64_t Hdf5Reader::count(const std::string& path) const
{
  return open->countOf(open->openColumn(path, false), path);
}

void Hdf5Reader::read(const std::string& path, std::uint64_t begin, std::span<std::int64_t> values) const
{
  open->readInto(path, true, H5T_NATIVE_INT64, begin, values.size(), values.data());
}

void Hdf5Reader::read(const std::string& path, std::uint64_t begin, std::span<float> values) const
{
  open->readInto(path, false, H5T_NATIVE_FLOAT, begin, values.size(), values.data());
}

void Hdf5Reader::read(const std::string& path, std::uint64_t begin, std::span<double> values) const
{
  open->readInto(path, false, H5T_NATIVE_DOUBLE, begin, values.size(), values.data());
}

std::array<std::uint64_t, 2> Hdf5Reader::matrixSize(const std::string& path) const
{
  const Handle dataset = open->openColumn(path, false);
  const Handle space(H5Dget_space(dataset), H5Sclose);
  std::array<hsize_t, 2> size = {};
  if (!space.isValid() || H5Sget_simple_extent_ndims(space) != 2 ||
      H5Sget_simple_extent_dims(space, size.data(), nullptr) < 0)
    open->fail(path + " is no matrix of numbers");
  return {size[0], size[1]};
}

std::vector<double> Hdf5Reader::matrix(const std::string& path) const
{
  const auto [rows, columns] = matrixSize(path);
  requireMemory(rows * columns * sizeof(double), "The matrix " + path);
  std::vector<double> values(rows * columns);
  const Handle dataset = open->openColumn(path, false);
  if (!values.empty() && H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) < 0)
    open->fail("the values of " + path + " cannot be read; the file may have been cut short");
  return values;
}

std::vector<std::string> Hdf5Reader::texts(const std::string& path) const
{
  const Handle dataset = open->openDataset(path, "list");
  const Handle type(H5Dget_type(dataset), H5Tclose);
  if (!type.isValid() || H5Tget_class(type) != H5T_STRING)
    open->fail(path + " does not hold text");
  const std::uint64_t count = open->countOf(dataset, path);
  constexpr std::uint64_t kMostTexts = 1 << 20; // names of kinds: a damaged count must not ask for all memory
  if (count > kMostTexts || H5Tget_size(type) > kMostTexts)
    open->fail(path + " holds " + std::to_string(count) + " texts, more than there can be");
  auto texts = H5Tis_variable_str(type) > 0 ? open->readVariableTexts(dataset, type, count)
                                            : open->readFixedTexts(dataset, type, count);
  if (texts.size() != count)
    open->fail("the texts of " + path + " cannot be read; the file may have been cut short");
  return texts;
}

} // namespace hinesight::io
