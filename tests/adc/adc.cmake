# adc.cmake - tests of adc beyond the programs that tests/CMakeLists.txt finds by itself

# the witness computes the kernels themselves in quadruple precision
set_source_files_properties(adc/witness.c PROPERTIES COMPILE_OPTIONS -Wno-pedantic)
target_sources(adc_kernels PRIVATE adc/witness.c adc/cases.c)
target_include_directories(adc_kernels PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/adc/kernels)
target_link_libraries(adc_kernels PRIVATE quadmath)
cardan_add_kernels(adc_kernels adc/kernels/kernels.def)
