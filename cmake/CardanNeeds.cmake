# CardanNeeds.cmake - what building takes; all that is missing is told at once, before anything fails
#
# A C compiler is needed, and Python's header for its extension. Libraries of others may be left out
# (src/base/libraries.def says what is lost), by CARDAN_WITHOUT or because they are missing; tests
# and benches want all of them.
#
#   cardan_needs           the libraries that are here, and CARDAN_LAPACK ... as 0 or 1
#   CARDAN_LEFT_OUT        regular expression of the sources that are not compiled
#   CARDAN_LEFT_OUT_NAMES  libraries that were left out

# a row per thing: what it is, its packages for Debian, Fedora and Homebrew
macro(cardan_missing list what debian fedora brew)
  list(APPEND ${list}_what "${what}")
  list(APPEND ${list}_debian ${debian})
  list(APPEND ${list}_fedora ${fedora})
  list(APPEND ${list}_brew ${brew})
endmacro()

# the lines to run, in `text`
function(cardan_install_lines list text)
  string(REPLACE ";" " " debian "${${list}_debian}")
  string(REPLACE ";" " " fedora "${${list}_fedora}")
  string(REPLACE ";" " " brew "${${list}_brew}")
  set(${text} "  Debian, Ubuntu:  sudo apt-get install -y ${debian}\n  Fedora:          sudo dnf install -y ${fedora}\n  macOS:           brew install ${brew}" PARENT_SCOPE)
endfunction()

# ---- compiler, Python

include(CheckLanguage)
check_language(C)
if(CMAKE_C_COMPILER)
  enable_language(C)
else()
  cardan_missing(needed "a C compiler that works" "gcc;libc6-dev" "gcc" "gcc")
endif()

if(CARDAN_EXTENSION)
  find_package(Python3 3.11 COMPONENTS Interpreter)
  if(Python3_FOUND)
    execute_process(COMMAND ${Python3_EXECUTABLE} -c
      "import os, sysconfig; print(os.path.join(sysconfig.get_path('include'), 'Python.h'))"
      OUTPUT_VARIABLE header OUTPUT_STRIP_TRAILING_WHITESPACE)
  endif()
  if(NOT Python3_FOUND OR NOT EXISTS "${header}")
    cardan_missing(needed "Python.h of CPython 3.11 or later" "python3-dev" "python3-devel" "python")
  endif()
endif()

# ---- libraries

add_library(cardan_needs INTERFACE)
set(CARDAN_LEFT_OUT "^$")

function(cardan_use library)
  target_compile_definitions(cardan_needs INTERFACE CARDAN_${library}=1)
  target_link_libraries(cardan_needs INTERFACE ${ARGN})
endfunction()

# those that stand in for a library, or need it: not compiled
macro(cardan_leave library sources)
  target_compile_definitions(cardan_needs INTERFACE CARDAN_${library}=0)
  string(APPEND CARDAN_LEFT_OUT "|${sources}")
  list(APPEND CARDAN_LEFT_OUT_NAMES ${library})
endmacro()

if(CMAKE_C_COMPILER AND NOT "lapack" IN_LIST CARDAN_WITHOUT)
  find_package(LAPACK)
endif()
if(LAPACK_FOUND)
  cardan_use(LAPACK LAPACK::LAPACK)
  string(APPEND CARDAN_LEFT_OUT "|/math/lapack_own[.]c$")
else()
  cardan_leave(LAPACK "^$")
  cardan_missing(wanted "LAPACK" "liblapack-dev;libblas-dev" "lapack-devel" "lapack")
endif()

# a project without config files: its header, its libraries. PROJECT_INCLUDE_DIR, and in `libraries` all
# of them; nothing if one is missing or the project is not wanted
macro(cardan_find project header)
  string(TOLOWER ${project} word)
  find_path(${project}_INCLUDE_DIR ${header})
  set(libraries)
  foreach(name ${ARGN})
    find_library(${project}_${name}_LIBRARY ${name})
    list(APPEND libraries ${${project}_${name}_LIBRARY})
  endforeach()
  if("${word}" IN_LIST CARDAN_WITHOUT OR NOT ${project}_INCLUDE_DIR OR "${libraries}" MATCHES NOTFOUND)
    set(libraries)
  endif()
endmacro()

# KLU with its orderings
cardan_find(SUITESPARSE suitesparse/klu.h klu btf amd colamd suitesparseconfig)
if(libraries)
  target_include_directories(cardan_needs SYSTEM INTERFACE ${SUITESPARSE_INCLUDE_DIR})
  cardan_use(SUITESPARSE ${libraries})
else()
  cardan_leave(SUITESPARSE "/linalg/linsol_klu[.]c$")
  cardan_missing(wanted "SuiteSparse" "libsuitesparse-dev" "suitesparse-devel" "suite-sparse")
endif()

# CVODE and IDA of SUNDIALS with their serial vectors. The headers we include need no MPI, though
# Debian builds SUNDIALS with it, and both libraries carry the nonlinear solvers they use. The way of
# calling it changed with 6 (contexts) and with 7 (types, error handlers).
cardan_find(SUNDIALS cvode/cvode.h sundials_cvode sundials_ida sundials_nvecserial)
set(version)
if(libraries)
  file(STRINGS ${SUNDIALS_INCLUDE_DIR}/sundials/sundials_config.h version
       REGEX "^#define SUNDIALS_VERSION_M(AJOR|INOR) ")
  string(REGEX REPLACE ".*MAJOR ([0-9]+).*MINOR ([0-9]+).*" "\\1.\\2" version "${version}")
endif()
if(libraries AND version VERSION_GREATER_EQUAL 6.0 AND version VERSION_LESS 7.0)
  target_include_directories(cardan_needs SYSTEM INTERFACE ${SUNDIALS_INCLUDE_DIR})
  cardan_use(SUNDIALS ${libraries})
else()
  cardan_leave(SUNDIALS "/integrators/(integrator_cvode|integrator_ida|sundials)[.]c$")
  set(found)
  if(libraries)
    set(found ", not ${version} as in ${SUNDIALS_INCLUDE_DIR}")
  endif()
  cardan_missing(wanted "SUNDIALS 6${found}" "libsundials-dev" "sundials-devel" "sundials")
endif()

# ---- all that is missing

if(CARDAN_TESTS OR CARDAN_BENCH)
  foreach(column what debian fedora brew)
    list(APPEND needed_${column} ${wanted_${column}})
    unset(wanted_${column})
  endforeach()
endif()
list(JOIN needed_what ", " needed)
list(JOIN wanted_what ", " wanted)
cardan_install_lines(wanted wanted_lines)
set(wanted_text "Cardan works without ${wanted}, and does more with them (cardan doctor tells what):\n${wanted_lines}")
if(needed)
  cardan_install_lines(needed needed_lines)
  set(text "Before Cardan can be built, install what is missing: ${needed}\n${needed_lines}")
  if(wanted)
    string(APPEND text "\n${wanted_text}")
  endif()
  message(FATAL_ERROR "${text}")
elseif(wanted)
  message("${wanted_text}")
endif()
