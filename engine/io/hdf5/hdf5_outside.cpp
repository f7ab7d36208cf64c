#include "io/hdf5/hdf5_outside.hpp"

#include <algorithm>
#include <array>
#include <deque>
#include <vector>

namespace hinesight::io {

namespace {

constexpr std::size_t kMostShown = 80; ///< characters of a name that somebody else chose

std::string quoted(const std::string& name)
{
  return "\"" + name.substr(0, kMostShown) + "\"";
}

/// What a soft or external link holds; empty where it cannot be read.
std::vector<char> valueOf(hid_t file, const std::string& link, std::size_t bytes)
{
  std::vector<char> value(bytes + 1, '\0'); // ends, whatever the file says
  if (H5Lget_val(file, link.c_str(), value.data(), bytes, H5P_DEFAULT) < 0)
    return {};
  return value;
}

std::string externalFile(hid_t file, const std::string& link, std::size_t bytes)
{
  const std::vector<char> value = valueOf(file, link, bytes);
  unsigned flags = 0;
  const char* name = nullptr;
  if (value.empty() || H5Lunpack_elink_val(value.data(), bytes, &flags, &name, nullptr) < 0 || !name)
    return {};
  return name;
}

/// The names of a path, those that come first at the front.
std::deque<std::string> namesOf(const std::string& path)
{
  std::deque<std::string> names;
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t end = std::min(path.find('/', begin), path.size());
    const std::string name = path.substr(begin, end - begin);
    if (!name.empty() && name != ".")
      names.push_back(name);
    begin = end + 1;
  }
  return names;
}

} // namespace

std::string whereValuesAre(hid_t dataset)
{
  const hid_t creation = H5Dget_create_plist(dataset);
  if (creation < 0)
    return {}; // damaged: whoever reads it hears so
  std::string where;
  std::array<char, kMostShown + 1> name{};
  if (H5Pget_external_count(creation) > 0) {
    H5Pget_external(creation, 0, kMostShown, name.data(), nullptr, nullptr);
    where = "in another file, " + quoted(name.data());
  } else if (H5Pget_layout(creation) == H5D_VIRTUAL) {
    where = "in other datasets (it is a virtual one)";
  }
  H5Pclose(creation);
  return where;
}

InnerPath followInside(hid_t file, const std::string& path)
{
  constexpr int kMostSoftLinks = 16; // as the HDF5 library follows
  std::deque<std::string> left = namesOf(path);
  std::string reached;
  for (int softLinks = 0; !left.empty();) {
    const std::string next = reached + '/' + left.front();
    left.pop_front();
    H5L_info_t link;
    if (H5Lexists(file, next.c_str(), H5P_DEFAULT) <= 0 || H5Lget_info(file, next.c_str(), &link, H5P_DEFAULT) < 0)
      return {};
    if (link.type == H5L_TYPE_HARD) {
      reached = next;
      continue;
    }
    if (link.type != H5L_TYPE_SOFT)
      return {{},
              next + " is a link into another file, " + quoted(externalFile(file, next, link.u.val_size)) +
                  ", which is not opened; copy what it names into this file"};
    if (++softLinks > kMostSoftLinks)
      return {{},
              next + " is a soft link that leads back to itself, or through too many others; name the object itself"};
    const std::vector<char> target = valueOf(file, next, link.u.val_size);
    if (target.empty())
      return {};
    const std::string named(target.data());
    if (named.starts_with('/'))
      reached.clear();
    const std::deque<std::string> names = namesOf(named);
    left.insert(left.begin(), names.begin(), names.end());
  }
  return {reached.empty() ? "/" : reached, {}};
}

} // namespace hinesight::io
