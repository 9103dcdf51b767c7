# CardanSuiteSparse.cmake - finds KLU with its orderings; Debian's libsuitesparse-dev has no config files

find_path(SUITESPARSE_INCLUDE_DIR suitesparse/klu.h REQUIRED)
add_library(cardan_suitesparse INTERFACE)
target_include_directories(cardan_suitesparse SYSTEM INTERFACE ${SUITESPARSE_INCLUDE_DIR})
foreach(name klu btf amd colamd suitesparseconfig)
  find_library(SUITESPARSE_${name}_LIBRARY ${name} REQUIRED)
  target_link_libraries(cardan_suitesparse INTERFACE ${SUITESPARSE_${name}_LIBRARY})
endforeach()
