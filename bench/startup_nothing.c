// startup_nothing.c - the program that does nothing, for suite_startup
int main(void) {
    return 0;
}
