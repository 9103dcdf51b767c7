"""own_law.py - a ball on a stop: the same force traced (runs in C) and called (runs in Python)"""
import time
from typing import Any

import cardan as cd


def stop(t: Any, y: Any, v: Any) -> Any:
    """a spring that only pushes, with damping while it touches"""
    return cd.where(y < 0, -1e4 * y - 20 * v, 0.0)


def build(force: object) -> cd.Model:
    m = cd.Model(gravity=[0, -9.81, 0])
    ball = m.add(cd.MassPoint3D("ball", mass=1, position=[0, 0.5, 0]))
    m.add(cd.Sensor("at", ball, quantity="position"))
    m.add(cd.Sensor("speed", ball, quantity="velocity"))
    m.add(cd.Force("stop", ball, y=force))
    return m


def main() -> None:
    traced = cd.law(stop, y="at.y", v="speed.vy")
    print(f"the law as an expression: {traced.text}")
    for name, force in (("traced", traced), ("called", cd.call(stop, y="at.y", v="speed.vy"))):
        m = build(force)
        before = time.perf_counter()
        r = m.simulate(2, step=1e-4, method="rk4")
        print(f"{name}: ball at {r['at.y'][-1]:.9f} m after {time.perf_counter() - before:.3f} s")


if __name__ == "__main__":
    main()
