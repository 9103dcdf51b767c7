# linsol.cmake - solvers of others for suite_linsol, each if it is installed

target_sources(suite_linsol PRIVATE linsol_matrix.c linsol_peers.c)

find_library(LDL_LIBRARY ldl)
find_library(CHOLMOD_LIBRARY cholmod)
find_library(UMFPACK_LIBRARY umfpack)
if(LDL_LIBRARY AND CHOLMOD_LIBRARY AND UMFPACK_LIBRARY)
  target_compile_definitions(suite_linsol PRIVATE HAVE_SUITESPARSE_MORE)
  target_link_libraries(suite_linsol PRIVATE ${LDL_LIBRARY} ${CHOLMOD_LIBRARY} ${UMFPACK_LIBRARY})
endif()

find_path(SUPERLU_INCLUDE_DIR superlu/slu_ddefs.h)
find_library(SUPERLU_LIBRARY superlu)
if(SUPERLU_INCLUDE_DIR AND SUPERLU_LIBRARY)
  target_sources(suite_linsol PRIVATE linsol_superlu.c)
  target_compile_definitions(suite_linsol PRIVATE HAVE_SUPERLU)
  target_link_libraries(suite_linsol PRIVATE ${SUPERLU_LIBRARY})
endif()

find_library(MUMPS_LIBRARY dmumps_seq)
find_path(MUMPS_INCLUDE_DIR dmumps_c.h)
if(MUMPS_LIBRARY AND MUMPS_INCLUDE_DIR)
  target_compile_definitions(suite_linsol PRIVATE HAVE_MUMPS)
  target_link_libraries(suite_linsol PRIVATE ${MUMPS_LIBRARY})
endif()

# Eigen is C++; it is compiled for the processor at hand, as Exudyn's fast module is
find_path(EIGEN_INCLUDE_DIR Eigen/SparseLU PATH_SUFFIXES eigen3)
include(CheckLanguage)
check_language(CXX)
if(EIGEN_INCLUDE_DIR AND CMAKE_CXX_COMPILER)
  enable_language(CXX)
  target_sources(suite_linsol PRIVATE linsol_eigen.cpp)
  set_source_files_properties(linsol_eigen.cpp PROPERTIES
    COMPILE_OPTIONS "-O3;-DNDEBUG;-mavx2;-mfma;-ffp-contract=fast;-w"
    INCLUDE_DIRECTORIES ${EIGEN_INCLUDE_DIR})
  target_compile_definitions(suite_linsol PRIVATE HAVE_EIGEN)
endif()
