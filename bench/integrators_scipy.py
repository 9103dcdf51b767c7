"""integrators_scipy.py - solve_ivp of SciPy on a problem of the suite 'integrators'.

usage: integrators_scipy.py pleiades|vdpol     prints: method tolerance error microseconds
"""
import sys
import time

try:
    import numpy as np
    from scipy.integrate import solve_ivp
except ImportError:
    sys.exit("integrators_scipy.py: no SciPy; pip install scipy brings it")

MASS = np.arange(1.0, 8.0)


def pleiades(_, y):
    x, p, v = y[:7], y[7:14], y[14:]
    dx, dy = x[None, :] - x[:, None], p[None, :] - p[:, None]
    d2 = dx * dx + dy * dy
    np.fill_diagonal(d2, 1.0)
    w = MASS[None, :] / (d2 * np.sqrt(d2))
    np.fill_diagonal(w, 0.0)
    return np.concatenate((v, (w * dx).sum(axis=1), (w * dy).sum(axis=1)))


def vdpol(_, y):
    return [y[1], 1000.0 * (1 - y[0] * y[0]) * y[1] - y[0]]


def vdpol_jacobian(_, y):
    return [[0.0, 1.0], [-2000.0 * y[0] * y[1] - 1, 1000.0 * (1 - y[0] * y[0])]]


PROBLEMS = {
    "pleiades": (pleiades, None, 3.0, ("DOP853", "RK45", "LSODA"),
                 [3, 3, -1, -3, 2, -2, 2, 3, -3, 2, 0, 0, -4, 4,
                  0, 0, 0, 0, 0, 1.75, -1.5, 0, 0, 0, -1.25, 1, 0, 0],
                 [
                  0.3706139143970502, 3.237284092057233, -3.222559032418324, 0.659709145577531,
                  0.3425581707156584, 1.562172101400631, -0.7003092922212495, -3.943437585517392,
                  -3.27138097397255, 5.225081843456543, -2.59061243497747, 1.198213693392275,
                  -0.2429682344935824, 1.09144924042898, 3.417003806314313, 1.354584501625501,
                  -2.590065597810775, 2.025053734714242, -1.155815100160448, -0.8072988170223021,
                  0.595239635420871, -3.74124496123401, 0.377345968575063, 0.9386858869551074,
                  0.3667922227200571, -0.347404635380849, 2.344915448180937, -1.947020434263292]),
    "vdpol": (vdpol, vdpol_jacobian, 2000.0, ("Radau", "LSODA", "BDF"), [2.0, 0.0],
              [1.706167732170469, -0.8928097010248125e-3]),
}


def main():
    f, jacobian, t_end, methods, start, end = PROBLEMS[sys.argv[1]]
    end = np.array(end)
    for method in methods:
        more = {"jac": jacobian} if jacobian else {}
        for tol in (1e-5, 1e-7, 1e-9):
            best = float("inf")
            for _ in range(2):
                begin = time.perf_counter()
                s = solve_ivp(f, (0, t_end), start, method=method, rtol=tol, atol=tol, **more)
                best = min(best, time.perf_counter() - begin)
            error = np.max(np.abs(s.y[:, -1] - end) / np.maximum(np.abs(end), 1e-3))
            print(method, tol, error, best * 1e6, flush=True)


main()
