# CardanEmbed.cmake - writes starters.c of the files given: cmake -DOUT=... -DFILES=a;b -P CardanEmbed.cmake

set(arrays "")
set(rows "")
set(names "")
foreach(file IN LISTS FILES)
  get_filename_component(name ${file} NAME_WE)
  string(MAKE_C_IDENTIFIER ${name} word)
  file(READ ${file} hex HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
  string(REGEX REPLACE "(0x[0-9a-f][0-9a-f],0x[0-9a-f][0-9a-f],0x[0-9a-f][0-9a-f],0x[0-9a-f][0-9a-f],)" "\\1\n"
         bytes "${bytes}")
  string(APPEND arrays "static const char ${word}[] = {\n${bytes}};\n")
  string(APPEND rows "    {\"${name}\", ${word}, sizeof ${word}},\n")
  string(APPEND names "    \"${name}\",\n")
endforeach()
file(WRITE ${OUT} "// starters.c - written by cmake/CardanEmbed.cmake\n#include \"starters.h\"\n\n${arrays}\n\
const CliStarter cli_starters[] = {\n${rows}    {0}};\n\nconst char *const cli_starter_names[] = {\n${names}    NULL};\n")
