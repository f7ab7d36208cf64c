# Sets HINESIGHT_CUDA_ENABLED and enables the CUDA language when it is wanted and there is a compiler for it.
set(HINESIGHT_CUDA_ENABLED OFF)
if(NOT HINESIGHT_CUDA STREQUAL "OFF")
  find_program(HINESIGHT_NVCC nvcc HINTS "$ENV{CUDA_HOME}/bin" /usr/local/cuda/bin)
  if(HINESIGHT_NVCC)
    set(CMAKE_CUDA_COMPILER "${HINESIGHT_NVCC}" CACHE FILEPATH "CUDA compiler")
    if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
      # Machine code for Hopper and PTX that the driver compiles for anything newer.
      set(CMAKE_CUDA_ARCHITECTURES 90)
    endif()
    enable_language(CUDA)
    # CMake 3.25 does not know that nvcc speaks C++20.
    if(NOT DEFINED CMAKE_CUDA20_STANDARD_COMPILE_OPTION)
      set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION "-std=c++20")
      set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION "-std=c++20")
    endif()
    # Static: a built program runs on a GPU machine that has only the driver.
    set(CMAKE_CUDA_RUNTIME_LIBRARY Static)
    set(HINESIGHT_CUDA_ENABLED ON)
  elseif(HINESIGHT_CUDA STREQUAL "ON")
    message(FATAL_ERROR "HINESIGHT_CUDA=ON, but nvcc was not found. Put it on PATH or set CUDA_HOME.")
  endif()
endif()
message(STATUS "CUDA backend: ${HINESIGHT_CUDA_ENABLED}")
