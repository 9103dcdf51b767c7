# CardanSundials.cmake - finds CVODE and IDA of SUNDIALS with their serial vectors
#
# The headers we include need no MPI, though Debian builds SUNDIALS with it, and both libraries
# carry the nonlinear solvers they use, so nothing else of SUNDIALS is linked.

find_path(SUNDIALS_INCLUDE_DIR cvode/cvode.h)
foreach(name cvode ida nvecserial)
  find_library(SUNDIALS_${name}_LIBRARY sundials_${name})
endforeach()
if(NOT SUNDIALS_INCLUDE_DIR OR NOT SUNDIALS_cvode_LIBRARY OR NOT SUNDIALS_ida_LIBRARY
   OR NOT SUNDIALS_nvecserial_LIBRARY)
  message(FATAL_ERROR "SUNDIALS is missing; install the package libsundials-dev (Debian), or give "
                      "its place with -DCMAKE_PREFIX_PATH=...")
endif()

# the way of calling it changed with 6 (contexts) and with 7 (types, error handlers)
file(STRINGS ${SUNDIALS_INCLUDE_DIR}/sundials/sundials_config.h sundials_version
     REGEX "^#define SUNDIALS_VERSION_M(AJOR|INOR) ")
string(REGEX REPLACE ".*MAJOR ([0-9]+).*MINOR ([0-9]+).*" "\\1.\\2" sundials_version
       "${sundials_version}")
if(sundials_version VERSION_LESS 6.0 OR NOT sundials_version VERSION_LESS 7.0)
  message(FATAL_ERROR "SUNDIALS 6 is needed (Debian 12 has 6.4), found ${sundials_version} in "
                      "${SUNDIALS_INCLUDE_DIR}")
endif()

add_library(cardan_sundials INTERFACE)
target_include_directories(cardan_sundials SYSTEM INTERFACE ${SUNDIALS_INCLUDE_DIR})
target_link_libraries(cardan_sundials INTERFACE
  ${SUNDIALS_cvode_LIBRARY} ${SUNDIALS_ida_LIBRARY} ${SUNDIALS_nvecserial_LIBRARY})
