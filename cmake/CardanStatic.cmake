# CardanStatic.cmake - links a program without shared libraries: it starts three times as fast, and
# gives the same bits whatever BLAS a machine has chosen
#
# Loading LAPACK, BLAS, libgfortran, SuiteSparse and SUNDIALS takes more time than all else that a
# short command does (bench/README.md, startup). Debian's development packages hold the archives too;
# where they are missing, or a sanitizer wants to be loaded first, shared libraries are taken.

option(CARDAN_STATIC "link the program cardan without shared libraries, where possible" ON)

set(CARDAN_STATIC_LINK -static-pie)
set(CARDAN_STATIC_FORTRAN ${CMAKE_SOURCE_DIR}/cli/static/fortran.c)

# archives in the order they are looked through, in `result`; empty: not possible here
function(cardan_find_archives result)
  set(archives)
  if(CARDAN_LEFT_OUT_NAMES)
    message(STATUS "cardan is linked with shared libraries: some were left out")
    return()
  endif()
  foreach(name sundials_cvode sundials_ida sundials_nvecserial klu btf amd colamd suitesparseconfig
               lapack blas)
    find_library(CARDAN_ARCHIVE_${name} lib${name}.a)
    if(NOT CARDAN_ARCHIVE_${name})
      message(STATUS "cardan is linked with shared libraries: there is no lib${name}.a")
      return()
    endif()
    list(APPEND archives ${CARDAN_ARCHIVE_${name}})
  endforeach()
  # all that the library calls, so that what is missing is found here
  try_compile(CARDAN_STATIC_LINKS ${CMAKE_BINARY_DIR}/static
    SOURCES ${CMAKE_SOURCE_DIR}/cmake/static_try.c ${CARDAN_STATIC_FORTRAN}
    CMAKE_FLAGS "-DINCLUDE_DIRECTORIES=${SUITESPARSE_INCLUDE_DIR};${SUNDIALS_INCLUDE_DIR};${CMAKE_SOURCE_DIR}/src"
                -DCMAKE_POSITION_INDEPENDENT_CODE=ON
    LINK_OPTIONS ${CARDAN_STATIC_LINK} LINK_LIBRARIES ${archives} m
    OUTPUT_VARIABLE said)
  if(NOT CARDAN_STATIC_LINKS)
    message(STATUS "cardan is linked with shared libraries: the archives do not fit together\n${said}")
    return()
  endif()
  set(${result} ${archives} PARENT_SCOPE)
endfunction()

# the program `target` of the library cardan; with CARDAN_LINKED_STATIC defined as 1 or 0
function(cardan_link_program target)
  set(archives)
  if(CARDAN_STATIC AND NOT CARDAN_SANITIZE AND NOT CARDAN_FUZZ)
    cardan_find_archives(archives)
  endif()
  if(archives)
    target_sources(${target} PRIVATE ${CARDAN_STATIC_FORTRAN})
    target_include_directories(${target} PRIVATE
      $<TARGET_PROPERTY:cardan,INTERFACE_INCLUDE_DIRECTORIES>)
    target_include_directories(${target} SYSTEM PRIVATE
      ${SUITESPARSE_INCLUDE_DIR} ${SUNDIALS_INCLUDE_DIR})
    target_link_options(${target} PRIVATE ${CARDAN_STATIC_LINK})
    target_link_libraries(${target} PRIVATE $<TARGET_FILE:cardan> ${archives} m)
    add_dependencies(${target} cardan)
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON
      LINK_DEPENDS $<TARGET_FILE:cardan>)
    target_compile_definitions(${target} PRIVATE CARDAN_LINKED_STATIC=1)
  else()
    target_link_libraries(${target} PRIVATE cardan)
    target_compile_definitions(${target} PRIVATE CARDAN_LINKED_STATIC=0)
  endif()
endfunction()
