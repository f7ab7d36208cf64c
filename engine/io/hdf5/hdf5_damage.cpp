#include "io/hdf5/hdf5_damage.hpp"

#include "io/hdf5/hdf5_outside.hpp"

#include <cerrno>
#include <csignal>
#include <unordered_set>
#include <vector>

#include <fcntl.h>
#include <hdf5.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace hinesight::io {

namespace {

void readTexts(hid_t attribute)
{
  const hid_t type = H5Aget_type(attribute);
  if (H5Tget_class(type) == H5T_STRING) {
    const hid_t space = H5Aget_space(attribute);
    const bool isVariable = H5Tis_variable_str(type) > 0;
    const hssize_t count = H5Sget_simple_extent_npoints(space);
    const std::size_t size = isVariable ? sizeof(char*) : H5Tget_size(type);
    if (count == 1) {
      std::vector<char> value(size);
      if (H5Aread(attribute, type, value.data()) >= 0 && isVariable)
        H5Dvlen_reclaim(type, space, H5P_DEFAULT, value.data());
    }
    H5Sclose(space);
  }
  H5Tclose(type);
}

herr_t walkAttribute(hid_t object, const char* name, const H5A_info_t*, void*)
{
  const hid_t attribute = H5Aopen(object, name, H5P_DEFAULT);
  if (attribute >= 0)
    readTexts(attribute);
  H5Aclose(attribute);
  return 0;
}

void walkDataset(hid_t dataset)
{
  if (!whereValuesAre(dataset).empty())
    return;
  const hid_t space = H5Dget_space(dataset);
  hsize_t chunks = 0;
  H5Dget_num_chunks(dataset, space, &chunks);
  H5Dget_storage_size(dataset);
  H5Sclose(space);
}

/// The objects of a file, by their places in it. Nothing recurses: groups may be nested as deeply as they like.
struct Objects
{
  std::vector<haddr_t> waiting;
  std::unordered_set<haddr_t> known;

  void add(haddr_t place)
  {
    if (known.insert(place).second)
      waiting.push_back(place);
  }
};

/// Other links than hard ones are not followed.
herr_t addObject(hid_t, const char*, const H5L_info_t* link, void* objects)
{
  if (link->type == H5L_TYPE_HARD)
    static_cast<Objects*>(objects)->add(link->u.address);
  return 0;
}

void walkObject(hid_t object, Objects& objects)
{
  for (const H5_index_t order : {H5_INDEX_CRT_ORDER, H5_INDEX_NAME}) {
    hsize_t at = 0;
    H5Aiterate2(object, order, H5_ITER_INC, &at, walkAttribute, nullptr);
  }
  H5Aexists(object, "none");
  switch (H5Iget_type(object)) {
  case H5I_DATASET:
    walkDataset(object);
    break;
  case H5I_GROUP:
    H5Literate(object, H5_INDEX_NAME, H5_ITER_INC, nullptr, addObject, &objects);
    break;
  default:
    break;
  }
}

void walkFile(hid_t file)
{
  Objects objects;
  H5O_info_t root;
  if (H5Oget_info_by_name2(file, "/", &root, H5O_INFO_BASIC, H5P_DEFAULT) < 0)
    return;
  objects.add(root.addr);
  while (!objects.waiting.empty()) {
    const haddr_t place = objects.waiting.back();
    objects.waiting.pop_back();
    const hid_t object = H5Oopen_by_addr(file, place);
    if (object < 0)
      continue;
    walkObject(object, objects);
    H5Oclose(object);
  }
}

/// What the child does: a crash is to end it, without a trace of it on the disk or in the terminal.
[[noreturn]] void walkAndEnd(const std::string& path)
{
  for (const int deadly : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGXCPU})
    std::signal(deadly, SIG_DFL);
  if (const int nowhere = ::open("/dev/null", O_WRONLY); nowhere >= 0)
    ::dup2(nowhere, STDERR_FILENO); // for what the allocator says of a damaged heap
  const rlimit noCore{0, 0}, time{kMostWalkSeconds, kMostWalkSeconds + 1};
  ::setrlimit(RLIMIT_CORE, &noCore);
  ::setrlimit(RLIMIT_CPU, &time);
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  if (file >= 0) {
    walkFile(file);
    H5Fclose(file);
  }
  ::_exit(0);
}

Walk walkOnce(const std::string& path)
{
  const pid_t child = ::fork();
  if (child < 0)
    return Walk::Done;
  if (child == 0)
    walkAndEnd(path);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0)
    if (errno != EINTR)
      return Walk::Done;
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
    return Walk::Done;
  return WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU ? Walk::Endless : Walk::Crashed;
}

// Unlike the C library's, the allocator of AddressSanitizer is not locked for a fork: a child may spin, until its time
// is over, for what another thread held.
#ifdef __SANITIZE_ADDRESS__
constexpr int kTries = 4;
#else
constexpr int kTries = 1;
#endif

} // namespace

Walk walkThrough(const std::string& path)
{
  Walk walk = walkOnce(path);
  for (int tried = 1; walk == Walk::Endless && tried < kTries; ++tried)
    walk = walkOnce(path);
  return walk;
}

} // namespace hinesight::io
