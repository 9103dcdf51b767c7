# CardanFlags.cmake - the compiler options that every target of the project gets

set(CMAKE_C_STANDARD 17)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

# same bits on every machine: no contraction to fma, no fast-math; errno and traps of libm unused
function(cardan_compile_options target)
  target_compile_options(${target} PRIVATE
    -Wall -Wextra -Wpedantic -Wshadow $<$<BOOL:${CARDAN_WERROR}>:-Werror>
    -ffp-contract=off -fno-math-errno -fno-trapping-math)
  if(CARDAN_SANITIZE)
    target_compile_options(${target} PRIVATE
      -fsanitize=${CARDAN_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    target_link_options(${target} PUBLIC -fsanitize=${CARDAN_SANITIZE})
  endif()
  if(CARDAN_FUZZ)
    target_compile_options(${target} PRIVATE -fsanitize=fuzzer-no-link)
    target_link_options(${target} PUBLIC -fsanitize=fuzzer-no-link)
  endif()
endfunction()
