# cmake -P: which values of CMAKE_CUDA_ARCHITECTURES the build takes. Each is tried in a cmake of its own, since a
# refusal ends it.
if(DEFINED TRIED)
  include("${CMAKE_CURRENT_LIST_DIR}/../../cmake/cuda_architectures.cmake")
  # As CMake sets them for a compiler of CUDA 12 and a machine with an older and a newer device.
  set(CMAKE_CUDA_ARCHITECTURES_ALL 50-real 75-real 80-real 90)
  set(CMAKE_CUDA_ARCHITECTURES_ALL_MAJOR 50-real 80-real 90)
  set(CMAKE_CUDA_ARCHITECTURES_NATIVE 75-real 90-real)
  set(CMAKE_CUDA_ARCHITECTURES ${TRIED})
  hinesight_describe_cuda_architectures(code)
  message("code for ${code}")
  return()
endif()

# `wanted`: what the program has then; or "refused".
function(try architectures wanted)
  execute_process(COMMAND "${CMAKE_COMMAND}" "-DTRIED=${architectures}" -P "${CMAKE_SCRIPT_MODE_FILE}"
    RESULT_VARIABLE status ERROR_VARIABLE message)
  if(wanted STREQUAL "refused")
    if(NOT message MATCHES "CMAKE_CUDA_ARCHITECTURES is")
      message(SEND_ERROR "${architectures} is not refused in words: ${message}")
    endif()
  elseif(NOT status EQUAL 0 OR NOT message STREQUAL "code for ${wanted}\n")
    message(SEND_ERROR "${architectures} gives: ${message}")
  endif()
endfunction()

try(90 "9.0, PTX 9.0")
try(90a "9.0, PTX 9.0")
try(75-real "7.5")
try(80-virtual "PTX 8.0")
try("75-real;86-real;90-real;120" "7.5, 8.6, 9.0, 12.0, PTX 12.0")
try(native "7.5, 9.0")
foreach(architectures IN ITEMS 70 52-real "90;61" all all-major OFF)
  try("${architectures}" refused)
endforeach()
