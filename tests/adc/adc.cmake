# adc.cmake - tests of adc beyond the programs that tests/CMakeLists.txt finds by itself

set(adc_dir ${CMAKE_CURRENT_SOURCE_DIR}/adc)

# the witness computes the kernels themselves in quadruple precision
set_source_files_properties(adc/witness.c adc/lanes_error.c PROPERTIES
  COMPILE_OPTIONS -Wno-pedantic)
add_library(adc_cases STATIC adc/witness.c adc/cases.c adc/points.c)
cardan_compile_options(adc_cases)
target_include_directories(adc_cases PRIVATE ${adc_dir}/kernels ${CMAKE_CURRENT_SOURCE_DIR})
target_link_libraries(adc_cases PRIVATE cardan_test PUBLIC quadmath)
cardan_add_kernels(adc_cases adc/kernels/kernels.def)
target_link_libraries(adc_kernels PRIVATE adc_cases)

# the lane code, once per instruction set
set(tables)
foreach(isa base avx2 avx512)
  if(isa IN_LIST CARDAN_ISAS)
    add_library(adc_lanes_${isa} OBJECT adc/lanes_isa.c)
    cardan_compile_options(adc_lanes_${isa})
    target_compile_options(adc_lanes_${isa} PRIVATE -Wno-unused-function ${CARDAN_ISA_FLAGS_${isa}})
    target_compile_definitions(adc_lanes_${isa} PRIVATE CD_ISA=${isa})
    target_include_directories(adc_lanes_${isa} PRIVATE ${adc_dir}/kernels ${CMAKE_SOURCE_DIR}/src
      ${CMAKE_CURRENT_BINARY_DIR}/adc_cases_adc)
    add_dependencies(adc_lanes_${isa} adc_cases_adc)
    target_sources(adc_lanes PRIVATE $<TARGET_OBJECTS:adc_lanes_${isa}>)
    list(APPEND tables "&lane_table_${isa}")
  endif()
endforeach()
list(JOIN tables "," tables)
target_compile_definitions(adc_lanes PRIVATE "LANE_TABLES=${tables}")
target_sources(adc_lanes PRIVATE adc/lanes_error.c)
target_link_libraries(adc_lanes PRIVATE adc_cases)

# the words of math/ are kernels that others may call
foreach(word vec3 mat3 angle quat so3 se3)
  add_test(NAME adc.math.${word}
    COMMAND adc --check -I ${CMAKE_SOURCE_DIR}/src ${CMAKE_SOURCE_DIR}/src/math/${word}.h)
endforeach()

find_package(Python3 COMPONENTS Interpreter REQUIRED)
set(adc_work ${CMAKE_CURRENT_BINARY_DIR}/adc_work)
add_test(NAME adc.messages COMMAND ${Python3_EXECUTABLE} ${adc_dir}/tool.py messages
  $<TARGET_FILE:adc> ${adc_dir}/bad.txt ${adc_work}/messages)
add_test(NAME adc.output COMMAND ${Python3_EXECUTABLE} ${adc_dir}/tool.py output $<TARGET_FILE:adc>
  ${adc_dir}/kernels ${adc_work}/output)
add_test(NAME adc.again COMMAND ${Python3_EXECUTABLE} ${adc_dir}/tool.py again $<TARGET_FILE:adc>
  ${CMAKE_C_COMPILER} ${adc_dir}/kernels ${adc_work}/again)
# one build tries them all, the others some
set(adc_programs 1200)
if(CARDAN_SANITIZE OR NOT CMAKE_C_COMPILER_ID STREQUAL "GNU")
  set(adc_programs 200)
endif()
add_test(NAME adc.random COMMAND ${Python3_EXECUTABLE} ${adc_dir}/random_programs.py
  $<TARGET_FILE:adc> ${CMAKE_C_COMPILER} ${adc_programs} 1 ${adc_work}/random)
set_tests_properties(adc.messages adc.output adc.again adc.random PROPERTIES TIMEOUT 600)
# both compilers at all levels: once is enough
if(NOT CARDAN_SANITIZE AND CMAKE_C_COMPILER_ID STREQUAL "GNU")
  add_test(NAME adc.compile COMMAND ${adc_dir}/compile_matrix.sh ${CMAKE_SOURCE_DIR}
    ${CMAKE_CURRENT_BINARY_DIR}/adc_cases_adc $<TARGET_FILE:cardan> ${adc_work}/compile)
  set_tests_properties(adc.compile PROPERTIES TIMEOUT 900)
endif()

# the crash of the prototype's beam under gcc 12 -O3 -march=native -fno-tree-slp-vectorize
add_test(NAME adc.beam_crash_found
  COMMAND ${Python3_EXECUTABLE} ${adc_dir}/alignment.py --self-test)
if(NOT CARDAN_SANITIZE AND CMAKE_C_COMPILER_ID STREQUAL "GNU"
   AND CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$")
  foreach(march sapphirerapids haswell)
    add_test(NAME adc.beam_crash_${march} COMMAND ${Python3_EXECUTABLE} ${adc_dir}/alignment.py
      ${CMAKE_C_COMPILER} ${adc_dir}/cases.c -O3 -march=${march} -mtune=generic
      -fno-tree-slp-vectorize -fno-math-errno -I${adc_dir}/kernels
      -I${CMAKE_CURRENT_BINARY_DIR}/adc_cases_adc)
  endforeach()
endif()

if(TARGET suite_adc)
  add_test(NAME adc.suite COMMAND suite_adc --quick --json)
endif()
