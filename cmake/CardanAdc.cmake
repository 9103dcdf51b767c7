# CardanAdc.cmake - derivatives of kernels: a list of items drives adc
#
#   cardan_add_kernels(TARGET LIST)
#
# LIST is an items.def: every line WORD(name, ...) names <folder of LIST>/name.c. For each of
# them that holds a line "// adc:" the header name.adc.h is written into the build folder by adc,
# and TARGET may include it. Adding a kernel is one line in the list. Other targets that include
# these headers, such as objects for one instruction set, add the folder <binary dir>/TARGET_adc
# to their include path and the custom target TARGET_adc to their dependencies.

set(CARDAN_ADC_INCLUDES ${CMAKE_SOURCE_DIR}/src)

function(cardan_add_kernels target list)
  get_filename_component(list ${list} ABSOLUTE)
  get_filename_component(folder ${list} DIRECTORY)
  set(out ${CMAKE_CURRENT_BINARY_DIR}/${target}_adc)
  file(MAKE_DIRECTORY ${out})
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${list})
  set(search)
  foreach(dir IN LISTS CARDAN_ADC_INCLUDES)
    list(APPEND search -I ${dir})
  endforeach()
  file(STRINGS ${list} lines REGEX "^ *[A-Za-z_]+\\([a-z0-9_]+")
  foreach(line IN LISTS lines)
    string(REGEX REPLACE "^ *[A-Za-z_]+\\(([a-z0-9_]+).*$" "\\1" name "${line}")
    set(source ${folder}/${name}.c)
    file(STRINGS ${source} directives REGEX "^ *// adc:")
    if(directives)
      set(header ${out}/${name}.adc.h)
      add_custom_command(OUTPUT ${header}
        COMMAND adc ${search} -MF ${header}.d -o ${header} ${source}
        DEPENDS adc ${source} DEPFILE ${header}.d
        COMMENT "adc ${name}" VERBATIM)
      list(APPEND headers ${header})
    endif()
  endforeach()
  add_custom_target(${target}_adc DEPENDS ${headers})
  add_dependencies(${target} ${target}_adc)
  target_include_directories(${target} PRIVATE ${out})
endfunction()

#   cardan_add_lanes(TARGET LIST)
#
# Files with a directive lanes(...) are compiled once more for every further instruction set
# (CardanSimd.cmake). Of these objects only the lanes are called, so their class is static (the word
# comes late, in the place of the name) and compilers leave out all the rest; what they offer is
# cdi_name_lanes with the suffix of the set. <stem of LIST>_lanes.def names the files: LANES(name).
function(cardan_add_lanes target list)
  get_filename_component(list ${list} ABSOLUTE)
  get_filename_component(folder ${list} DIRECTORY)
  get_filename_component(stem ${list} NAME_WE)
  set(out ${CMAKE_CURRENT_BINARY_DIR}/${target}_adc)
  set(lanes)
  set(names)
  file(STRINGS ${list} lines REGEX "^ *[A-Za-z_]+\\([a-z0-9_]+")
  foreach(line IN LISTS lines)
    string(REGEX REPLACE "^ *[A-Za-z_]+\\(([a-z0-9_]+).*$" "\\1" name "${line}")
    set(source ${folder}/${name}.c)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${source})
    file(STRINGS ${source} directives REGEX "^ *// adc: lanes\\(")
    if(directives)
      string(APPEND names "LANES(${name})\n")
      file(CONFIGURE OUTPUT ${out}/${name}.simd.c CONTENT
        "#include \"items/lanes.h\"
#define cd_${name} static of_isa
#include \"${source}\"
CdItemLanes CD_ISA_NAME(cdi_${name}_lanes)(void) {
    return lanes_of(&of_isa);
}
")
      list(APPEND lanes ${out}/${name}.simd.c)
    endif()
  endforeach()
  file(CONFIGURE OUTPUT ${out}/${stem}_lanes.def CONTENT "${names}")
  set_source_files_properties(${lanes} PROPERTIES COMPILE_OPTIONS
    "-Wno-unused-parameter;$<$<C_COMPILER_ID:GNU>:-Wno-old-style-declaration>")
  target_compile_definitions(${target} PRIVATE CD_LANES)
  foreach(isa IN LISTS CARDAN_ISAS)
    set(objects ${target}_simd_${isa})
    target_compile_definitions(${objects} PRIVATE CD_LANES)
    target_include_directories(${objects} PRIVATE ${out})
    add_dependencies(${objects} ${target}_adc)
    if(NOT isa STREQUAL base)
      target_sources(${objects} PRIVATE ${lanes})
    endif()
  endforeach()
endfunction()
