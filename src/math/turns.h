// turns.h - whole turns: pi, and angles and quaternions that go on where those before them were
//
// An angle is known up to 2 pi k, a quaternion up to its sign. Of all that mean the same rotation,
// the one nearest to what was before continues it.
#ifndef CARDAN_MATH_TURNS_H
#define CARDAN_MATH_TURNS_H

#include <math.h>

#define CD_PI 3.14159265358979323846
#define CD_TWO_PI (2 * CD_PI)

// what is to be added to an angle to come nearest to another one
static inline double turns_to(double angle, double last) {
    return CD_TWO_PI * round((last - angle) / CD_TWO_PI);
}

static inline void quat_continue(const double last[4], double q[4]) {
    double dot = 0;
    for (int i = 0; i < 4; i++) dot += q[i] * last[i];
    for (int i = 0; i < 4 && dot < 0; i++) q[i] = -q[i];
}

#endif
