# compare_output.cmake - run PROGRAM with ARGS and compare what it prints with the file EXPECTED;
# a difference is left in the file GOT
separate_arguments(ARGS)
execute_process(COMMAND ${PROGRAM} ${ARGS} OUTPUT_VARIABLE got RESULT_VARIABLE code)
file(READ ${EXPECTED} expected)
if(NOT code EQUAL 0)
  message(FATAL_ERROR "exit code ${code}\n${got}")
endif()
if(NOT got STREQUAL expected)
  file(WRITE ${GOT} "${got}")
  execute_process(COMMAND diff -u ${EXPECTED} ${GOT})
  message(FATAL_ERROR "the output differs from ${EXPECTED}")
endif()
