"""parameter_sweep.py - one model, many lengths: runs side by side in threads, one number from each"""
import concurrent.futures
import math

import numpy as np

import cardan as cd

LENGTHS = [0.25, 0.5, 1.0, 2.0]


def build() -> cd.Model:
    m = cd.Model(gravity=[0, -9.81, 0])
    L = m.parameter("L", 1.0)
    bob = m.add(cd.MassPoint3D("bob", mass=1, position=[0.05 * L, -L * math.sqrt(1 - 0.05**2), 0]))
    m.add(cd.Marker("pivot", m.ground))
    m.add(cd.Marker("eye", bob))
    m.add(cd.DistanceJoint("rope", marker_a="pivot", marker_b="eye", length=L))
    m.add(cd.Sensor("bob_at", bob, quantity="position"))
    return m


def period(r: cd.Result) -> float:
    """between the first and the third passage through the middle"""
    x = r["bob_at.x"]
    k = np.nonzero(x[:-1] * x[1:] < 0)[0][:3]
    at = r.t[k] - x[k] * (r.t[k + 1] - r.t[k]) / (x[k + 1] - x[k])
    return float(at[2] - at[0])


def main() -> None:
    m = build()

    def run(length: float) -> cd.Result:
        return m.simulate(6, step=1e-3, interval=1e-3, parameters={"L": length})

    with concurrent.futures.ThreadPoolExecutor() as pool:
        for length, r in zip(LENGTHS, pool.map(run, LENGTHS)):
            small = 2 * math.pi * math.sqrt(length / 9.81)
            print(f"L = {length:5.2f} m: period {period(r):.4f} s, for small angles {small:.4f} s")

    # the same in one simulation that is started again: nothing is assembled twice
    sim = m.start("gen-alpha(step=0.001, adaptive=false)")
    for length in LENGTHS:
        sim.restart(L=length)
        r = sim.record(6, 1e-3)
        print(f"L = {length:5.2f} m: period {period(r):.4f} s")


if __name__ == "__main__":
    main()
