"""own_ode.py - plain Python functions with any integrator: an ODE, events, a DAE, a mechanical system"""
import math
from typing import Any

import numpy as np

import cardan as cd

Array = Any


def van_der_pol(t: float, y: Array) -> list[float]:
    return [y[1], 1000 * ((1 - y[0]**2) * y[1]) - y[0]]


def main() -> None:
    # a stiff ODE
    s = cd.solve_ode(van_der_pol, [2, 0], (0, 2000), method="radau5", rtol=1e-6, atol=1e-6)
    print(s)

    # an event that ends the run
    class Ground:
        terminal = True

        def __call__(self, t: float, y: Array) -> float:
            return float(y[0])

    fall = cd.solve_ode(lambda t, y: [y[1], -9.81], [1, 0], (0, 10), events=Ground())
    print(f"it hits the ground at {fall.t[-1]:.6f} s, exact {math.sqrt(2 / 9.81):.6f} s")

    # a pendulum in x and y with its constraint: M q'' = f - G^T lam, g = 0
    p = cd.solve_mechanical(lambda t, q, v: [0, -9.81], [1, 0], [0, 0], (0, 2), mass=np.eye(2),
                            constraint=lambda t, q: [(q @ q - 1) / 2], jacobian=lambda t, q: [q],
                            rtol=1e-8, atol=1e-8)
    print(f"length of the pendulum stays within {np.max(np.abs(np.hypot(*p.q) - 1)):.1e}")


if __name__ == "__main__":
    main()
