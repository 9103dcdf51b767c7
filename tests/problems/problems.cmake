# problems.cmake - every folder of problems/ with a check.json is a test, every make.py too

file(GLOB checks CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/problems/*/check.json)
foreach(check IN LISTS checks)
  get_filename_component(folder ${check} DIRECTORY)
  get_filename_component(code ${folder} NAME)
  add_test(NAME problem.${code}
    COMMAND ${CARDAN_PYTHON} ${CMAKE_CURRENT_LIST_DIR}/score.py $<TARGET_FILE:cardan_cli>
            ${CMAKE_SOURCE_DIR}/problems ${code})
  set_tests_properties(problem.${code} PROPERTIES TIMEOUT 600)
endforeach()

file(GLOB makers CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/problems/*/make.py)
foreach(maker IN LISTS makers)
  get_filename_component(folder ${maker} DIRECTORY)
  get_filename_component(code ${folder} NAME)
  add_test(NAME problem.${code}.fresh COMMAND ${CARDAN_PYTHON} ${maker} --check)
endforeach()
