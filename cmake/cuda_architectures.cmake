# hinesight_require_cuda_architectures(ARCHITECTURE...): ends the configuration where one of them is older than the code
# can be compiled for: clusters of blocks (resident solver), bulk copies and asynchronous barriers (tridiagonal solver)
# begin with Hopper. Takes what CMAKE_CUDA_ARCHITECTURES takes: 90, 90a, 90-real, 100-virtual, native, all, all-major.
set(HINESIGHT_LEAST_CUDA_ARCHITECTURE 90)

function(hinesight_require_cuda_architectures)
  foreach(given IN LISTS ARGN)
    set(architectures "${given}")
    if(given STREQUAL "native")
      set(architectures "${CMAKE_CUDA_ARCHITECTURES_NATIVE}")
    elseif(given STREQUAL "all")
      set(architectures "${CMAKE_CUDA_ARCHITECTURES_ALL}")
    elseif(given STREQUAL "all-major")
      set(architectures "${CMAKE_CUDA_ARCHITECTURES_ALL_MAJOR}")
    endif()
    if(NOT architectures)
      set(architectures none) # no device here
    endif()
    foreach(architecture IN LISTS architectures)
      string(REGEX MATCH "^[0-9]+" number "${architecture}")
      if(NOT number OR number LESS HINESIGHT_LEAST_CUDA_ARCHITECTURE)
        message(FATAL_ERROR "CMAKE_CUDA_ARCHITECTURES is ${given}, but the CUDA backend needs compute capability 9.0: "
          "set it to ${HINESIGHT_LEAST_CUDA_ARCHITECTURE} or above, or build without CUDA by HINESIGHT_CUDA=OFF.")
      endif()
    endforeach()
  endforeach()
endfunction()
