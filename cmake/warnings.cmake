# hinesight_options: the warnings, sanitizers and floating-point rules that every target of ours is built with.
add_library(hinesight_options INTERFACE)
target_compile_options(hinesight_options INTERFACE
  # No contraction into fused multiply-adds: CPU and CUDA then evaluate the same correctly rounded operations.
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -ffp-contract=off>
  # GCC 12 warns of overlapping copies inside std::string's operator+ that cannot happen (GCC bug 105329).
  # It does so under three names.
  $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-restrict -Wno-stringop-overflow -Wno-array-bounds>
  $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-Wall,-Wextra,-ffp-contract=off --fmad=false>)
if(HINESIGHT_WERROR)
  target_compile_options(hinesight_options INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-Werror> $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-Werror --Werror=all-warnings>)
endif()
if(HINESIGHT_SANITIZE)
  target_compile_options(hinesight_options INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-fsanitize=${HINESIGHT_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all>)
  target_link_options(hinesight_options INTERFACE -fsanitize=${HINESIGHT_SANITIZE})
endif()
