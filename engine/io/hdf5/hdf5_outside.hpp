#pragma once

#include <optional>
#include <string>

#define H5_USE_110_API // newer versions have the calls of 1.10 too, under these names
#include <hdf5.h>

// An HDF5 file may point to others: by external links, by datasets whose values lie in other files, by virtual datasets
// that are put together from others. A file from somebody else must not choose what is opened here, which may be a pipe
// without an end, or somebody's secret: nothing outside of a file is ever opened. For .cpp files of this folder only.

namespace hinesight::io {

/// Where the values of a dataset are, in words, such as `in another file, "a.bin"`; empty: in the file itself. Opens
/// nothing.
std::string whereValuesAre(hid_t dataset);

/// A path of hard links alone.
struct InnerPath
{
  std::optional<std::string> path; ///< none: there is no such object
  std::string refusal;             ///< why it cannot be followed, a sentence; empty: it can
};

/// Follows hard and soft links from one name to the next, and no other link: the path may then be opened.
InnerPath followInside(hid_t file, const std::string& path);

} // namespace hinesight::io
