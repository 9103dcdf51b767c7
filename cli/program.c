// program.c - the program cardan; the command line itself is also part of the Python package
#include "cli.h"

int main(int argc, char **argv) {
    return cli_main(argc, argv);
}
