# CardanSimd.cmake - one source, one object per instruction set, chosen at run time (base/isa.h)
#
# src/<layer>/<name>.simd.c is compiled with CD_ISA = base, avx2 and avx512; every function or table it
# exports carries that suffix through CD_ISA_NAME(). No object outside this list needs more than
# the baseline of the platform, so one binary runs everywhere.

set(CARDAN_ISA_FLAGS_base "")
set(CARDAN_ISA_FLAGS_avx2 -mavx2 -mfma)
set(CARDAN_ISA_FLAGS_avx512 -mavx2 -mfma -mavx512f -mavx512dq -mavx512vl -mprefer-vector-width=512)

if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$")
  set(CARDAN_ISAS base avx2 avx512)
else()
  set(CARDAN_ISAS base)
endif()

function(cardan_add_simd target)
  foreach(isa IN LISTS CARDAN_ISAS)
    set(objects ${target}_simd_${isa})
    if(ARGN)
      add_library(${objects} OBJECT ${ARGN})
      cardan_compile_options(${objects})
      target_compile_definitions(${objects} PRIVATE CD_ISA=${isa})
      target_compile_options(${objects} PRIVATE ${CARDAN_ISA_FLAGS_${isa}})
      # the same source: sanitizers see it once, where most machines run it and not for fuzzing, as they
      # take ten times as long to compile it
      if(CARDAN_FUZZ OR (CARDAN_SANITIZE AND isa MATCHES "base|avx512" AND NOT CARDAN_ISAS STREQUAL base))
        target_compile_options(${objects} PRIVATE -fno-sanitize=all)
      endif()
      target_include_directories(${objects} PRIVATE include src)
      set_target_properties(${objects} PROPERTIES POSITION_INDEPENDENT_CODE ON)
      target_sources(${target} PRIVATE $<TARGET_OBJECTS:${objects}>)
    endif()
  endforeach()
endfunction()
