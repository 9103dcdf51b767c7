"""choosing_a_method.py - every method that fits a model, its error and its time"""
import cardan as cd

from first_mechanism import build

REFERENCE = "dop853(rtol=1e-12, atol=1e-12)"


def main() -> None:
    m = build()
    exact = m.simulate(2, method=REFERENCE)["tip.y"][-1]
    tried = set()
    print(f"{'method':20s} {'error':>9s} {'steps':>7s} {'seconds':>9s}")
    for name, _, fits, _ in m.methods():
        if not fits or name in tried:
            continue
        tried.add(name)
        try:
            r = m.simulate(2, step=1e-3, method=name)
        except cd.Error as refused:
            print(f"{name:20s} {refused.code.lower()}")
            continue
        error = abs(r["tip.y"][-1] - exact)
        print(f"{name:20s} {error:9.1e} {r.stats['steps']:7d} {r.stats['wall_time']:9.4f}")


if __name__ == "__main__":
    main()
