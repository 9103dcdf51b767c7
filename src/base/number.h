// number.h - doubles to text and back: exact, shortest, and the same in every locale
#ifndef CARDAN_BASE_NUMBER_H
#define CARDAN_BASE_NUMBER_H

#include <stdbool.h>
#include <stddef.h>

#define CD_NUMBER_MAX 32 // room for any number as text, with its NUL

// the shortest decimal that reads back as the same double, the closest of those; as JSON allows
// ("0.1", "1e-7", "-0.0", "123456789"); "nan", "inf", "-inf" for the rest. Returns the length.
size_t cdi_number_write(double x, char buf[CD_NUMBER_MAX]);

// read the longest JSON number ([-]digits[.digits][e[+-]digits]) at the start of text[0..n),
// correctly rounded. Returns its length, 0 if there is none; overflow gives an infinity, underflow
// 0.
size_t cdi_number_read(const char *text, size_t n, double *x);

#endif
