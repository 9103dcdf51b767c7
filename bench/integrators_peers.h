// integrators_peers.h - two published problems, and other programs that solve them
#ifndef CARDAN_BENCH_INTEGRATORS_PEERS_H
#define CARDAN_BENCH_INTEGRATORS_PEERS_H

#include <stdbool.h>
#include <stddef.h>

#define PEER_STATES_MAX 28

typedef struct Peer {
    const char *name;
    int n;
    bool stiff;
    double t_end;
    const double *start, *end; // published end values
    void (*rate)(const double *y, double *f);
    void (*jacobian)(const double *y, double *J); // column-major; NULL: not stiff
} Peer;

extern const Peer peer_pleiades, peer_vdpol;

// largest error at the end, relative to the largest end value of its kind
double peer_error(const Peer *peer, const double *y);

// one point of a work-precision diagram
typedef struct PeerPoint {
    char method[32];
    double tol, error, us;
} PeerPoint;

// CVODE of SUNDIALS called directly: Adams with fixed-point iteration, or BDF with dense Newton
bool peer_cvode(const Peer *peer, double tol, PeerPoint *point);
// SciPy's solve_ivp at several tolerances; returns the number of points, 0 if there is no SciPy
size_t peer_scipy(const Peer *peer, const char *script, PeerPoint *points, size_t max);

#endif
