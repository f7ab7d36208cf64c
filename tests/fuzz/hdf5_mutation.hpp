#pragma once

#include <cstdint>
#include <random>
#include <string>

namespace hinesight::fuzz {

/// Changes a sound HDF5 file through the HDF5 library: values, types and shapes of datasets, attributes, names and
/// links. What comes out is a sound file of another content.
void mutateHdf5(const std::string& path, std::mt19937& random);

} // namespace hinesight::fuzz
