// bouncing_ball.h - when the ball of bouncing_ball.c hits the ground
#ifndef CARDAN_PROBLEMS_BOUNCING_BALL_H
#define CARDAN_PROBLEMS_BOUNCING_BALL_H

#include "ivp.h"

double ivp_bounce_time(int n); // n = 1, 2, ...

#endif
