#!/usr/bin/env python3
"""laws.py - what a law of one's own costs beside a built-in one: springs with damping in a row

    laws.py [SPRINGS]        the best of five, interleaved; microseconds per step and spring
"""
import sys

try:
    import numpy  # noqa: F401  results are its arrays

    import cardan as cd
except ImportError as missing:
    sys.exit(f"laws.py: {missing}; see bench/README.md, Python")

REPEAT = 5
STIFFNESS, DAMPING, STEP, DURATION = 100.0, 0.5, 1e-3, 0.2


def law(t, x, v):
    return -STIFFNESS * (x - 1) - DAMPING * v


def build(n, kind):
    m = cd.Model()
    m.add(cd.Marker("wall", m.ground))
    for i in range(n):
        ball = m.add(cd.MassPoint3D(f"ball{i}", mass=1, position=[1.5, 0, 0]))
        m.add(cd.Sensor(f"at{i}", ball, quantity="position"))
        m.add(cd.Sensor(f"speed{i}", ball, quantity="velocity"))
        if kind == "built in":
            m.add(cd.Marker(f"eye{i}", ball))
            m.add(cd.SpringDamper(f"spring{i}", marker_a="wall", marker_b=f"eye{i}", stiffness=STIFFNESS,
                                  damping=DAMPING, length=1))
        else:
            make = cd.law if kind == "traced" else cd.call
            m.add(cd.Force(f"spring{i}", ball, x=make(law, x=f"at{i}.x", v=f"speed{i}.vx")))
    return m


def main():
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 50
    for method in (f"rk4(step={STEP})", f"gen-alpha(step={STEP}, adaptive=false)"):
        models = {kind: build(n, kind) for kind in ("built in", "traced", "called")}
        best, end = dict.fromkeys(models, float("inf")), {}
        for _ in range(REPEAT):
            for kind, m in models.items():
                r = m.simulate(DURATION, method=method, interval=DURATION, threads=1)
                best[kind] = min(best[kind], r.stats["wall_time"])
                end[kind] = r["at0.x"][-1]
        assert max(end.values()) - min(end.values()) < 1e-6, end
        for kind, seconds in best.items():
            print(f"{method:40s} {kind:9s} {1e6 * seconds / (n * DURATION / STEP):8.3f} us "
                  f"{seconds / best['built in']:7.2f} x built in")


if __name__ == "__main__":
    main()
