#include "hdf5_mutation.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <span>
#include <vector>

#define H5_USE_110_API // as engine/io/hdf5
#include <hdf5.h>

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* bytes, std::size_t size, std::size_t mostBytes);

namespace hinesight::fuzz {

namespace {

constexpr hsize_t kMostValues = 1 << 12; // that are mutated at once

/// The file, and what is in it.
class Mutation
{
public:
  Mutation(hid_t opened, std::mt19937& chance) : file(opened), random(chance) {}

  void change()
  {
    names.clear();
    H5Ovisit2(file, H5_INDEX_NAME, H5_ITER_NATIVE, addName, &names, H5O_INFO_BASIC);
    if (names.empty())
      return;
    switch (below(8)) {
    case 0:
    case 1:
    case 2:
      return changeValues(any());
    case 3:
      return replaceDataset(any());
    case 4:
      H5Ldelete(file, any().c_str(), H5P_DEFAULT);
      return;
    case 5:
      return relink(any(), any());
    default:
      return changeAttribute(any());
    }
  }

private:
  static herr_t addName(hid_t, const char* name, const H5O_info_t*, void* to)
  {
    if (std::string(name) != ".")
      static_cast<std::vector<std::string>*>(to)->emplace_back(name);
    return 0;
  }

  std::size_t below(std::size_t count) { return random() % count; }
  const std::string& any() { return names[below(names.size())]; }
  template <typename Item, std::size_t kCount>
  Item anyOf(const std::array<Item, kCount>& items)
  {
    return items[below(kCount)];
  }

  double number()
  {
    constexpr double kGreat = std::numeric_limits<double>::max();
    return anyOf(std::array{0.0, 1.0, -1.0, 2.0, 3.0, 0.5, 1e-300, 4294967295.0, 4294967296.0, 9.3e18, -9.3e18, 1.9e19,
                            kGreat, -kGreat, std::numeric_limits<double>::infinity(),
                            std::numeric_limits<double>::quiet_NaN()});
  }

  /// Some bytes of all values, or one value.
  void changeValues(const std::string& name)
  {
    const hid_t dataset = H5Dopen2(file, name.c_str(), H5P_DEFAULT);
    if (dataset < 0)
      return;
    const hid_t type = H5Dget_type(dataset), space = H5Dget_space(dataset);
    const auto count = static_cast<hsize_t>(std::max<hssize_t>(0, H5Sget_simple_extent_npoints(space)));
    const H5T_class_t kind = H5Tget_class(type);
    if (count > 0 && count <= kMostValues && (kind == H5T_INTEGER || kind == H5T_FLOAT)) {
      if (below(2) == 0) {
        std::vector<std::uint8_t> bytes(count * H5Tget_size(type));
        H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data());
        LLVMFuzzerMutate(bytes.data(), bytes.size(), bytes.size());
        H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data());
      } else {
        std::vector<double> values(count);
        H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
        values[below(count)] = number();
        H5Dwrite(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
      }
    }
    H5Sclose(space);
    H5Tclose(type);
    H5Dclose(dataset);
  }

  hid_t anyType()
  {
    const hid_t type = H5Tcopy(anyOf(std::array{H5T_STD_I8LE, H5T_STD_U16BE, H5T_STD_I32LE, H5T_STD_U64LE,
                                                H5T_IEEE_F32LE, H5T_IEEE_F64BE, H5T_C_S1, H5T_STD_REF_OBJ}));
    if (H5Tget_class(type) == H5T_STRING)
      H5Tset_size(type, anyOf(std::array<std::size_t, 3>{1, 20, H5T_VARIABLE}));
    return type;
  }

  hid_t anySpace()
  {
    if (below(8) == 0)
      return H5Screate(below(2) == 0 ? H5S_SCALAR : H5S_NULL);
    std::array<hsize_t, 3> sizes{};
    for (hsize_t& size : sizes)
      size = anyOf(std::array<hsize_t, 7>{0, 1, 2, 3, 12, 13, std::uint64_t{1} << 40});
    return H5Screate_simple(static_cast<int>(1 + below(sizes.size())), sizes.data(), nullptr);
  }

  /// One of another type or shape, which is a fill value throughout.
  void replaceDataset(const std::string& name)
  {
    H5Ldelete(file, name.c_str(), H5P_DEFAULT);
    const hid_t type = anyType(), space = anySpace(), creation = H5Pcreate(H5P_DATASET_CREATE);
    const double fill = number();
    if (const H5T_class_t kind = H5Tget_class(type); kind == H5T_INTEGER || kind == H5T_FLOAT)
      H5Pset_fill_value(creation, H5T_NATIVE_DOUBLE, &fill);
    H5Pset_alloc_time(creation, H5D_ALLOC_TIME_LATE);
    const hid_t dataset = H5Dcreate2(file, name.c_str(), type, space, H5P_DEFAULT, creation, H5P_DEFAULT);
    if (dataset >= 0)
      H5Dclose(dataset);
    H5Pclose(creation);
    H5Sclose(space);
    H5Tclose(type);
  }

  void relink(const std::string& from, const std::string& to)
  {
    switch (below(4)) {
    case 0:
      H5Lmove(file, from.c_str(), file, (to + "x").c_str(), H5P_DEFAULT, H5P_DEFAULT);
      return;
    case 1:
      H5Ldelete(file, to.c_str(), H5P_DEFAULT);
      H5Lcreate_hard(file, from.c_str(), file, to.c_str(), H5P_DEFAULT, H5P_DEFAULT);
      return;
    case 2:
      H5Ldelete(file, to.c_str(), H5P_DEFAULT);
      H5Lcreate_soft(("/" + from).c_str(), file, to.c_str(), H5P_DEFAULT, H5P_DEFAULT);
      return;
    default:
      H5Ocopy(file, from.c_str(), file, (to + "y").c_str(), H5P_DEFAULT, H5P_DEFAULT);
    }
  }

  void changeAttribute(const std::string& name)
  {
    static constexpr std::array kNames = {"node_population",        "hinesight:step", "source_population",
                                          "destination_population", "magic",          "version"};
    const hid_t object = H5Oopen(file, name.c_str(), H5P_DEFAULT);
    if (object < 0)
      return;
    std::array<char, 100> attribute{};
    if (below(4) == 0 || H5Aget_name_by_idx(object, ".", H5_INDEX_NAME, H5_ITER_INC, below(20), attribute.data(),
                                            attribute.size(), H5P_DEFAULT) < 0)
      std::ranges::copy(std::string(anyOf(kNames)), attribute.begin());
    H5Adelete(object, attribute.data());
    if (below(4) > 0)
      addAttribute(object, attribute.data());
    H5Oclose(object);
  }

  void addAttribute(hid_t object, const char* name)
  {
    const hid_t type = anyType();
    const hid_t space = below(2) == 0 ? H5Screate(H5S_SCALAR) : anySpace();
    const hssize_t count = H5Sget_simple_extent_npoints(space);
    const hid_t attribute = count > static_cast<hssize_t>(kMostValues)
                                ? H5I_INVALID_HID
                                : H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    if (attribute >= 0 && H5Tget_class(type) == H5T_STRING && count == 1) {
      const std::string text = below(2) == 0 ? any() : std::to_string(number());
      const char* const pointer = text.c_str();
      std::vector<char> fixed(H5Tget_size(type) + text.size());
      std::ranges::copy(text, fixed.begin());
      H5Awrite(attribute, type, H5Tis_variable_str(type) > 0 ? static_cast<const void*>(&pointer) : fixed.data());
    } else if (attribute >= 0 && count > 0 && H5Tget_class(type) != H5T_STRING && H5Tget_class(type) != H5T_REFERENCE) {
      const std::vector<double> values(static_cast<std::size_t>(count), number());
      H5Awrite(attribute, H5T_NATIVE_DOUBLE, values.data());
    }
    if (attribute >= 0)
      H5Aclose(attribute);
    H5Sclose(space);
    H5Tclose(type);
  }

  hid_t file;
  std::mt19937& random;
  std::vector<std::string> names;
};

} // namespace

void mutateHdf5(const std::string& path, std::mt19937& random)
{
  constexpr std::size_t kMostChanges = 4;
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  if (file < 0)
    return;
  Mutation mutation(file, random);
  for (std::size_t changes = 1 + random() % kMostChanges; changes > 0; --changes)
    mutation.change();
  H5Fclose(file);
}

} // namespace hinesight::fuzz
