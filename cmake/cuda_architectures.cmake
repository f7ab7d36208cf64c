# What the CUDA code is compiled for.

# hinesight_every_cuda_architecture(OUT): machine code for every kind of GPU that nvcc knows of those below, and PTX of
# the newest, which drivers compile for what comes later. A GPU runs the code of an older one with the same first number:
# 8.6 and 8.9 that of 8.0.
function(hinesight_every_cuda_architecture out)
  execute_process(COMMAND "${CMAKE_CUDA_COMPILER}" --list-gpu-code OUTPUT_VARIABLE known ERROR_QUIET)
  set(architectures)
  foreach(architecture 75 80 90 100 120)
    if(known MATCHES "sm_${architecture}(\n|$)")
      list(APPEND architectures ${architecture}-real)
    endif()
  endforeach()
  list(POP_BACK architectures newest)
  string(REPLACE "-real" "" newest "${newest}")
  set(${out} ${architectures} ${newest} PARENT_SCOPE)
endfunction()

# hinesight_default_cuda_architectures(OUT): that of the first GPU of this machine, so that who works on the program
# builds it quickly; where there is none, every one.
function(hinesight_default_cuda_architectures out)
  find_program(HINESIGHT_NVIDIA_SMI nvidia-smi)
  if(HINESIGHT_NVIDIA_SMI)
    execute_process(COMMAND "${HINESIGHT_NVIDIA_SMI}" --query-gpu=compute_cap --format=csv,noheader
      OUTPUT_VARIABLE capabilities ERROR_QUIET)
    if(capabilities MATCHES "^([0-9]+)\\.([0-9]+)")
      set(${out} "${CMAKE_MATCH_1}${CMAKE_MATCH_2}" PARENT_SCOPE)
      return()
    endif()
  endif()
  hinesight_every_cuda_architecture(every)
  set(${out} ${every} PARENT_SCOPE)
endfunction()

# hinesight_describe_cuda_architectures(OUT): "7.5, 8.0, PTX 8.0" of CMAKE_CUDA_ARCHITECTURES. Ends the configuration
# where one of them is too old.
function(hinesight_describe_cuda_architectures out)
  set(least 75)
  set(given "${CMAKE_CUDA_ARCHITECTURES}")
  if(given STREQUAL "native")
    set(given "${CMAKE_CUDA_ARCHITECTURES_NATIVE}")
  elseif(given STREQUAL "all")
    set(given "${CMAKE_CUDA_ARCHITECTURES_ALL}")
  elseif(given STREQUAL "all-major")
    set(given "${CMAKE_CUDA_ARCHITECTURES_ALL_MAJOR}")
  endif()
  if(NOT given)
    set(given none) # no device here
  endif()
  set(code)
  set(ptx)
  foreach(architecture IN LISTS given)
    set(number 0)
    if(architecture MATCHES "^([0-9]+)([0-9])[af]?(-real|-virtual)?$")
      set(number "${CMAKE_MATCH_1}${CMAKE_MATCH_2}")
    endif()
    if(number LESS least)
      message(FATAL_ERROR "CMAKE_CUDA_ARCHITECTURES is ${CMAKE_CUDA_ARCHITECTURES}, but the CUDA backend needs compute "
        "capability 7.5: set it to ${least} or above, or build without CUDA by HINESIGHT_CUDA=OFF.")
    endif()
    set(capability "${CMAKE_MATCH_1}.${CMAKE_MATCH_2}")
    if(NOT CMAKE_MATCH_3 STREQUAL "-virtual")
      list(APPEND code "${capability}")
    endif()
    if(NOT CMAKE_MATCH_3 STREQUAL "-real")
      list(APPEND ptx "PTX ${capability}")
    endif()
  endforeach()
  list(APPEND code ${ptx})
  list(JOIN code ", " code)
  set(${out} "${code}" PARENT_SCOPE)
endfunction()
