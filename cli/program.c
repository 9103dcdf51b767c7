// program.c - the program cardan; the command line itself is also part of the Python package
#include "cli.h"

const bool cli_linked_static = CARDAN_LINKED_STATIC;

int main(int argc, char **argv) {
    return cli_main(argc, argv);
}
