# HDF5 as an archive: its shared library brings curl and thirty more libraries along, for files on the web, and
# hinesight-cli is to travel with a few. What the archive needs in turn is linked only where it is used.
set(HDF5_USE_STATIC_LIBRARIES ON)
find_package(HDF5 REQUIRED COMPONENTS C)
add_library(hinesight_hdf5 INTERFACE)
target_include_directories(hinesight_hdf5 SYSTEM INTERFACE ${HDF5_C_INCLUDE_DIRS})
target_link_libraries(hinesight_hdf5 INTERFACE ${HDF5_C_LIBRARIES})
# VTK may load a shared HDF5 of its own: the two must not see each other.
target_link_options(hinesight_hdf5 INTERFACE -Wl,--as-needed -Wl,--exclude-libs,libhdf5.a)
