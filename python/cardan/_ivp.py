"""_ivp.py - plain Python functions as problems: ODEs, DAEs and mechanical systems, any integrator"""
from __future__ import annotations

from typing import Any, Callable, Literal, Sequence

from . import _cardan
from ._cli import word
from ._talk import Error, keep_result

Function = Callable[..., Any]
# an event: times and states
_Met = list[tuple[float, Any]]
_ENDS = {0: "the end of the interval was reached", 1: "an event ended the run", -1: "the run failed"}
# the parts of a point in the order in which functions get them, after the time
_Q, _V, _Y, _X, _LAMBDA, _VDOT, _YDOT, _OUT = range(8)
# points that are told inside of a step
NODES = _cardan.nodes


class Dense:
    """The solution as a function of time: ``sol(0.5)`` is a state (of mechanical problems q, v and
    lam in a row), ``sol([0.5, 0.6])`` has a column for each time. Inside of a step it is the
    polynomial through the points that the method told there."""

    def __init__(self, points: Any) -> None:
        import numpy
        whole = len(points) // NODES * NODES  # a run may have failed inside of a step
        steps = points[:whole].reshape(-1, NODES, points.shape[1])
        angle = numpy.pi * (numpy.arange(NODES) + 0.5) / NODES
        self._x = -numpy.cos(angle)
        self._weight = numpy.sin(angle) * (-1.0) ** numpy.arange(NODES)
        self._y = steps[:, :, 1:]
        t = steps[:, :, 0]
        self._half = (t[:, -1] - t[:, 0]) / (self._x[-1] - self._x[0])
        self._middle = t[:, 0] - self._half * self._x[0]
        self.ts = numpy.append(self._middle - self._half, (self._middle + self._half)[-1:])
        self.t_min, self.t_max = (float(self.ts[k]) if whole else numpy.nan for k in (0, -1))

    def __call__(self, t: Any) -> Any:
        import numpy
        times = numpy.atleast_1d(_reals(t))
        slack = 1e-12 * max(abs(self.t_min), abs(self.t_max))
        if not numpy.all((times >= self.t_min - slack) & (times <= self.t_max + slack)):
            raise ValueError(f"the solution is known from {self.t_min:g} to {self.t_max:g}")
        step = numpy.clip(numpy.searchsorted(self.ts, times, side="right") - 1, 0, len(self._y) - 1)
        x = (times - self._middle[step]) / self._half[step]
        away = x[:, None] - self._x
        hit = away == 0
        factor = self._weight / numpy.where(hit, 1.0, away)
        factor = numpy.where(hit.any(axis=1)[:, None], hit, factor)
        factor /= factor.sum(axis=1)[:, None]
        y = numpy.einsum("ki,kin->nk", factor, self._y[step])
        return y[:, 0] if numpy.ndim(t) == 0 else y


class Solution:
    """``t`` and one column per time of ``y`` (or ``q``, ``v``, ``lam``), as in SciPy.

    ``success`` is False when the run failed; ``message`` says why, ``code`` names it. ``status`` is 0
    at the end of the interval, 1 if an event ended the run, -1 after a failure. ``t_events[i]`` are the
    times of event i, ``y_events[i]`` has a row of numbers for each (the state before the event changed
    it; of mechanical problems q and v). ``sol(t)`` is the solution at any time of the run, if it was
    asked for by ``dense_output=True``. ``stats`` counts the work, as do ``nfev``, ``njev``, ``nlu``.
    """

    def __init__(self, answer: Sequence[Any], sizes: dict[str, int], met: list[_Met]) -> None:
        import numpy
        table, ended, self.stats, self.code, said, between = answer
        array = numpy.asarray(table)
        self.t: Any = array[:, 0]
        at = 1
        for name, n in sizes.items():
            setattr(self, name, array[:, at:at + n].T)
            at += n
        self.success = self.code == "OK"
        self.status = (1 if ended else 0) if self.success else -1
        self.message = "\n".join(m["whole"] for m in said) or _ENDS[self.status]
        self.t_events = [numpy.array([t for t, _ in one]) for one in met]
        self.y_events = [numpy.array([y for _, y in one]) for one in met]
        self.sol = None if between is None else Dense(numpy.asarray(between))
        self.nfev: int = self.stats["evaluations"]
        self.njev: int = self.stats["jacobians"]
        self.nlu: int = self.stats["factors"]

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"the solution has no part '{name}'")

    def __repr__(self) -> str:
        end = "" if self.success else f", ended early: {self.message}"
        until = f" to t = {self.t[-1]:g}" if len(self.t) else ""
        return f"<Solution: {len(self.t)} times{until}, {self.stats['steps']} steps{end}>"


def _array(view: Any) -> Any:
    import numpy
    return numpy.frombuffer(view, dtype=float)


def _reals(value: Any) -> Any:
    """an array of real numbers"""
    import numpy
    array = numpy.asarray(value)
    if array.dtype.kind == "O" and None in array.ravel():
        raise TypeError("None is no number; does a function return nothing?")
    if array.dtype.kind == "c":
        raise TypeError("complex numbers cannot be taken; solve for the real and the imaginary part")
    return array.astype(float, copy=False)


def _fill(view: Any, value: Any, order: Literal["C", "F"] = "C") -> None:
    """what a function of the user's returned, in place"""
    out = _array(view)
    out[:] = _sized(value, out.size).ravel(order)


def _sized(value: Any, size: int) -> Any:
    given = _reals(value)
    if given.size != size:
        raise ValueError(f"a function returned {given.size} numbers where {size} are needed")
    return given


def _method(name: str, options: dict[str, Any]) -> str:
    """as text: name(rtol=1e-8); options that are None are left out"""
    options = {k: v for k, v in options.items() if v is not None}
    if not options:
        return name
    if "(" in name:
        raise ValueError(f"options stand in the method '{name}' already; give all of them there")
    return f"{name}({', '.join(f'{k}={word(v)}' for k, v in options.items())})"


def _start(span: Sequence[float], t_eval: Any, between: bool,
           **values: Any) -> tuple[float, float, dict[str, Any]]:
    import numpy
    t0, t1 = (float(t) for t in span)
    start: dict[str, Any] = {"between": bool(between)}
    for name, value in values.items():
        if value is not None:
            start[name] = numpy.atleast_1d(_reals(value)).ravel().tolist()
    if t_eval is not None:
        times = numpy.atleast_1d(_reals(t_eval))
        if times.ndim > 1 or not numpy.all(numpy.diff(times, prepend=t0, append=t1) >= 0):
            raise ValueError("t_eval must rise and lie within t_span")
        start["times"] = times.tolist()
    return t0, t1, start


def _events(events: Any, get: Callable[[Sequence[Any]], tuple[Any, ...]]) -> dict[str, Any]:
    """event functions with the attributes of SciPy: terminal (or after how many), direction; and
    handle(t, ...), which may change the state in place"""
    import numpy
    if events is None:
        return {}
    functions = [events] if callable(events) else list(events)
    if not functions:
        return {}
    met: list[_Met] = [[] for _ in functions]

    def fill(t: float, *parts: Any) -> None:
        out = _array(parts[_OUT])
        for i, f in enumerate(functions):
            out[i] = _sized(f(t, *get(parts)), 1).item()

    def handle(t: float, *parts: Any) -> bool:
        stop = False
        for i, now in parts[_OUT]:
            direction = getattr(functions[i], "direction", 0)
            if direction * (1 if now else -1) < 0:
                continue
            met[i].append((t, numpy.concatenate(get(parts))))
            if hasattr(functions[i], "handle"):
                # on copies, which a function may keep
                state = get(parts)
                copies = tuple(part.copy() for part in state)
                functions[i].handle(t, *copies)
                for part, new in zip(state, copies):
                    part[:] = new
            times = int(getattr(functions[i], "terminal", False))
            stop = stop or 0 < times <= len(met[i])
        return stop

    return {"nz": len(functions), "events": fill, "handle_event": handle, "met": met}


def _solve(problem: dict[str, Any], method: str, span: tuple[float, float, dict[str, Any]],
           sizes: dict[str, int]) -> Solution:
    t0, t1, start = span
    if not 0 < t1 - t0 < float("inf"):
        raise ValueError(f"the end of t_span must lie after its beginning; it is ({t0:g}, {t1:g})")
    met: list[_Met] = problem.pop("met", [])
    try:
        answer = _cardan.solve(problem, method, t0, t1, start)
    except BaseException as error:
        keep_result(error, lambda *answer: Solution(answer, sizes, met))
        raise
    solution = Solution(answer, sizes, met)
    if not solution.success and len(solution.t) == 0:
        raise Error(solution.code, answer[4])
    return solution


def solve_ode(f: Function, y0: Any, t_span: Sequence[float], method: str = "auto", *,
              t_eval: Any = None, jac: Any = None, mass: Any = None,
              events: Any = None, dense_output: bool = False, **options: Any) -> Solution:
    """y' = f(t, y), or mass y' = f(t, y) with a constant matrix that may be singular.

    ``options`` are those of the method: rtol, atol, step ... ``jac(t, y)`` returns df/dy; it may be
    a constant matrix.
    """
    import numpy
    y0 = numpy.atleast_1d(_reals(y0))
    n = y0.size

    def rate(t: float, *parts: Any) -> None:
        _fill(parts[_OUT], f(t, _array(parts[_Y])))

    problem: dict[str, Any] = {"ny": n, "rate": rate}
    if jac is not None:
        lead = numpy.eye(n) if mass is None else _reals(mass)
        slope = jac if callable(jac) else lambda t, y, constant=_reals(jac): constant

        def derivatives(t: float, *parts: Any) -> None:
            m, c, k = parts[_OUT:]
            if m is not None:
                _fill(m, lead, "F")
            if c is not None:
                _fill(c, -_reals(slope(t, _array(parts[_Y]))), "F")
            if k is not None:
                _array(k)[:] = 0

        problem["derivatives"] = derivatives
    if mass is not None:
        problem["leading"] = _reals(mass).ravel(order="F").tolist()
    problem.update(_events(events, lambda parts: (_array(parts[_Y]),)))
    start = _start(t_span, t_eval, dense_output, y=y0)
    return _solve(problem, _method(method, options), start, {"y": n})


def solve_dae(f: Function, y0: Any, t_span: Sequence[float], method: str = "auto", *,
              ydot0: Any = None, index: Any = None, t_eval: Any = None, events: Any = None,
              dense_output: bool = False, **options: Any) -> Solution:
    """0 = f(t, y, y'). ``index`` says for every y which index it has (1, 2, 3); y' at the start is
    found if it is not given."""
    import numpy
    y0 = numpy.atleast_1d(_reals(y0))

    def implicit(t: float, *parts: Any) -> None:
        _fill(parts[_OUT], f(t, _array(parts[_Y]), _array(parts[_YDOT])))

    problem: dict[str, Any] = {"ny": y0.size, "implicit": implicit}
    if index is not None:
        problem["index"] = [int(i) for i in index]
    problem.update(_events(events, lambda parts: (_array(parts[_Y]),)))
    start = _start(t_span, t_eval, dense_output, y=y0, ydot=ydot0)
    return _solve(problem, _method(method, options), start, {"y": y0.size})


def solve_mechanical(force: Function, q0: Any, v0: Any, t_span: Sequence[float],
                     method: str = "auto", *, mass: Any = None,
                     constraint: Function | None = None, jacobian: Function | None = None,
                     t_eval: Any = None, events: Any = None, dense_output: bool = False,
                     **options: Any) -> Solution:
    """M q'' = force(t, q, v) - G^T lam, 0 = constraint(t, q), G = jacobian(t, q).

    ``mass`` is a matrix or a function of (t, q); left out, it is the identity.
    """
    import numpy
    q0 = numpy.atleast_1d(_reals(q0))
    n = q0.size

    def fill_force(t: float, *parts: Any) -> None:
        _fill(parts[_OUT], force(t, _array(parts[_Q]), _array(parts[_V])))

    problem: dict[str, Any] = {"nv": n, "force": fill_force}
    if mass is not None:
        given = mass if callable(mass) else lambda t, q, m=_reals(mass): m

        def fill_mass(t: float, *parts: Any) -> None:
            _fill(parts[_OUT], given(t, _array(parts[_Q])), "F")

        problem["mass"] = fill_mass
    ng = 0
    if constraint is not None:
        if jacobian is None:
            raise TypeError("a constraint needs its jacobian(t, q) too")
        ng = numpy.atleast_1d(constraint(float(t_span[0]), q0)).size

        def fill_constraint(t: float, *parts: Any) -> None:
            _fill(parts[_OUT], constraint(t, _array(parts[_Q])))

        def fill_jacobian(t: float, *parts: Any) -> None:
            _fill(parts[_OUT], _sized(jacobian(t, _array(parts[_Q])), ng * n).reshape(ng, n), "F")

        problem.update(ng=ng, constraint=fill_constraint, constraint_jacobian=fill_jacobian)
    problem.update(_events(events, lambda parts: (_array(parts[_Q]), _array(parts[_V]))))
    start = _start(t_span, t_eval, dense_output, q=q0, v=v0)
    return _solve(problem, _method(method, options), start, {"q": n, "v": n, "lam": ng})


__all__ = ["Dense", "Error", "Solution", "solve_dae", "solve_mechanical", "solve_ode"]
