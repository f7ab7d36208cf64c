# What makes a build quick: a fast linker, a compiler cache, and headers that nearly every file reads, read once.
find_program(MOLD_PROGRAM mold)
if(MOLD_PROGRAM AND NOT HINESIGHT_SANITIZE)
  add_link_options($<$<LINK_LANGUAGE:CXX>:-fuse-ld=mold>)
endif()

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM)
  # Precompiled headers are part of what is cached. Paths below the sources count as relative: all clones and all presets
  # with the same flags share what they compile.
  set(launcher env CCACHE_SLOPPINESS=pch_defines,time_macros CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=1
    "${CCACHE_PROGRAM}")
  set(CMAKE_C_COMPILER_LAUNCHER ${launcher})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${launcher})
  set(CMAKE_CUDA_COMPILER_LAUNCHER ${launcher})
endif()

set(HINESIGHT_STANDARD_HEADERS <algorithm> <array> <atomic> <bit> <charconv> <cmath> <cstddef> <cstdint> <cstring>
  <filesystem> <fstream> <functional> <limits> <map> <memory> <mutex> <numeric> <optional> <set> <span> <sstream> <string>
  <string_view> <thread> <type_traits> <unordered_map> <utility> <variant> <vector>)

# hinesight_precompile(TARGET HEADER... | REUSE_FROM TARGET): reads these headers once for all C++ sources of the target.
# Every file still includes what it uses (a build with CMAKE_DISABLE_PRECOMPILE_HEADERS=ON shows it).
function(hinesight_precompile target)
  if(ARGV1 STREQUAL "REUSE_FROM")
    target_precompile_headers(${target} REUSE_FROM ${ARGV2})
    return()
  endif()
  set(headers)
  foreach(header IN LISTS ARGN)
    list(APPEND headers "$<$<COMPILE_LANGUAGE:CXX>:${header}>")
  endforeach()
  target_precompile_headers(${target} PRIVATE ${headers})
  # ccache can cache what reads them only where the preprocessor leaves a word of it.
  target_compile_options(${target} PRIVATE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-fpch-preprocess>)
endfunction()

# hinesight_optimize(TARGET LEVEL): for what does not compute: it compiles sooner, and runs as fast as anybody can tell.
function(hinesight_optimize target level)
  target_compile_options(${target} PRIVATE $<$<AND:$<CONFIG:Release>,$<COMPILE_LANGUAGE:CXX>>:${level}>)
endfunction()
