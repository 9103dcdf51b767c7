# CardanPage.cmake - the page that plays a run (web/viewer), inside the library
#
#   cardan_add_page(TARGET SOURCE)      SOURCE includes the bytes of CD_PAGE_FILE
#
# With node and the packages of web/package-lock.json (./do web installs them by npm ci) the page is
# bundled when it is built. Without them the committed bundle is taken, web/dist/viewer.html, which
# is the same byte for byte: a test compares them.

find_program(CARDAN_NODE node)
set(CARDAN_WEB ${CMAKE_SOURCE_DIR}/web)

function(cardan_add_page target source)
  set(page ${CARDAN_WEB}/dist/viewer.html)
  if(CARDAN_NODE AND EXISTS ${CARDAN_WEB}/node_modules/esbuild)
    file(GLOB sources CONFIGURE_DEPENDS ${CARDAN_WEB}/viewer/*)
    set(page ${CMAKE_CURRENT_BINARY_DIR}/viewer.html)
    add_custom_command(OUTPUT ${page}
      COMMAND ${CARDAN_NODE} build.mjs ${page}
      WORKING_DIRECTORY ${CARDAN_WEB}
      DEPENDS ${sources} ${CARDAN_WEB}/build.mjs ${CARDAN_WEB}/package-lock.json
      COMMENT "bundling the viewer" VERBATIM)
    target_sources(${target} PRIVATE ${page})
    set_source_files_properties(${page} PROPERTIES HEADER_FILE_ONLY ON GENERATED ON)
  endif()
  set_source_files_properties(${source} PROPERTIES
    COMPILE_DEFINITIONS "CD_PAGE_FILE=\"${page}\"" OBJECT_DEPENDS ${page})
endfunction()
