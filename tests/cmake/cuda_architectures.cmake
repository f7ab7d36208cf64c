# cmake -P: which values of CMAKE_CUDA_ARCHITECTURES the build takes. Each is tried in a cmake of its own, since a
# refusal ends it.
if(DEFINED TRIED)
  include("${CMAKE_CURRENT_LIST_DIR}/../../cmake/cuda_architectures.cmake")
  # As CMake sets them for a compiler of CUDA 13 and a machine with an older and a newer device.
  set(CMAKE_CUDA_ARCHITECTURES_ALL 75 80 86 89 90 100 120)
  set(CMAKE_CUDA_ARCHITECTURES_ALL_MAJOR 80 90 100 120)
  set(CMAKE_CUDA_ARCHITECTURES_NATIVE 86-real 90-real)
  hinesight_require_cuda_architectures(${TRIED})
  return()
endif()

function(try architectures wanted)
  execute_process(COMMAND "${CMAKE_COMMAND}" "-DTRIED=${architectures}" -P "${CMAKE_SCRIPT_MODE_FILE}"
    RESULT_VARIABLE status ERROR_VARIABLE message)
  if(wanted STREQUAL "taken" AND NOT status EQUAL 0)
    message(SEND_ERROR "${architectures} is refused: ${message}")
  elseif(wanted STREQUAL "refused" AND NOT message MATCHES "CMAKE_CUDA_ARCHITECTURES is")
    message(SEND_ERROR "${architectures} is not refused in words: ${message}")
  endif()
endfunction()

foreach(architectures IN ITEMS 90 90a 90-real 100-virtual "90;100;120" 121)
  try("${architectures}" taken)
endforeach()
foreach(architectures IN ITEMS 75 80-real 86-virtual "90;89" native all all-major OFF)
  try("${architectures}" refused)
endforeach()
