"""test_solve.py - problems of plain Python functions, against exact solutions"""
import math
import unittest

import numpy as np

import cardan as cd

HERE = cd.cli.doctor()["integrators"]  # cvode and ida may be left out
EXPLICIT = [name for name in ("dopri5", "dop853", "cvode") if name in HERE]
VAN_DER_POL_2000 = 1.706167732170483  # y at 2 for eps = 1e-6, IVP test set; here in the time of mu


def oscillator(t, y):
    return [y[1], -y[0]]


class Solve(unittest.TestCase):
    def test_an_ode_by_every_kind_of_method(self):
        for method in ("rk4", "radau5", *EXPLICIT):
            options = {"step": 1e-3} if method == "rk4" else {"rtol": 1e-9, "atol": 1e-11}
            s = cd.solve_ode(oscillator, [1, 0], (0, 10), method, **options)
            self.assertTrue(s.success)
            self.assertAlmostEqual(s.y[0, -1], math.cos(10), delta=2e-7, msg=method)
            self.assertEqual(s.t[-1], 10)

    def test_functions_count_with_the_smallest_numbers(self):
        seen = set()

        def f(t, y):
            seen.add(float(np.float64(5e-324) * np.float64(1.0)))
            return [-y[0]]

        cd.solve_ode(f, [1], (0, 1), "rk4", step=0.1)
        self.assertEqual(seen, {5e-324})
        self.assertEqual(float(np.float64(5e-324) * np.float64(1.0)), 5e-324)

    def test_jacobians_are_used(self):
        mu = 1000.0

        def f(t, y):
            return [y[1], mu * (1 - y[0]**2) * y[1] - y[0]]

        def jac(t, y):
            return [[0, 1], [-2 * mu * y[0] * y[1] - 1, mu * (1 - y[0]**2)]]

        plain = cd.solve_ode(f, [2, 0], (0, 2000), "radau5", rtol=1e-8, atol=1e-8)
        given = cd.solve_ode(f, [2, 0], (0, 2000), "radau5", rtol=1e-8, atol=1e-8, jac=jac)
        self.assertAlmostEqual(given.y[0, -1], VAN_DER_POL_2000, delta=1e-6)
        self.assertLess(given.stats["evaluations"], plain.stats["evaluations"])
        by = [cd.solve_ode(oscillator, [1, 0], (0, 3), "radau5", jac=j, mass=np.eye(2)).nfev
              for j in ([[0, 1], [-1, 0]], lambda t, y: [[0, 1], [-1, 0]])]
        self.assertEqual(by[0], by[1])

    def test_times_are_met_on_dense_output(self):
        times = np.linspace(0, 3, 7)
        s = cd.solve_ode(oscillator, [1, 0], (0, 3), "dop853", t_eval=times, rtol=1e-10, atol=1e-12)
        np.testing.assert_array_equal(s.t, times)
        np.testing.assert_allclose(s.y[0], np.cos(times), atol=1e-9)

    def test_dense_output_is_a_function_of_time(self):
        times = np.linspace(0, 10, 333)
        for method in ("rk4", "radau5", *EXPLICIT):
            options = {"step": 1e-3} if method == "rk4" else {"rtol": 1e-9, "atol": 1e-11}
            s = cd.solve_ode(oscillator, [1, 0], (0, 10), method, dense_output=True, **options)
            told = cd.solve_ode(oscillator, [1, 0], (0, 10), method, t_eval=times, **options)
            self.assertIsNone(told.sol)
            np.testing.assert_allclose(s.sol(times), told.y, atol=1e-10, err_msg=method)
            np.testing.assert_allclose(s.sol(s.t), s.y, atol=2e-8, err_msg=method)
            np.testing.assert_allclose(s.sol.ts, s.t, atol=1e-12)
            self.assertEqual((s.sol(0.5).shape, s.sol([0.5]).shape), ((2,), (2, 1)))
            for outside in (-0.1, 10.1, math.nan):
                with self.assertRaisesRegex(ValueError, "the solution is known from 0 to 10"):
                    s.sol(outside)

    def test_dense_output_jumps_with_events(self):
        def floor(t, y):
            return y[0]

        def bounce(t, y):
            y[1] = -y[1]

        floor.direction, floor.handle = -1, bounce
        s = cd.solve_ode(lambda t, y: [y[1], -2.0], [1, 0], (0, 3.5), "dopri5", events=floor,
                         dense_output=True, rtol=1e-10, atol=1e-12)
        # up and down in 2 s, on the ground at 1 and 3
        t = np.array([0, 0.5, 1 - 1e-9, 1 + 1e-9, 1.5, 2, 2.5, 3.25])
        since = (t + 1) % 2 - 1
        expected = [1 - since**2, -2 * since]
        np.testing.assert_allclose(s.sol(t), expected, atol=1e-8)
        s = cd.solve_ode(lambda t, y: [y[1], -2.0], [1, 0], (0, 3.5), "dopri5", events=floor, t_eval=t,
                         rtol=1e-10, atol=1e-12)
        np.testing.assert_allclose(s.y, expected, atol=1e-8)
        np.testing.assert_array_equal(s.t, t)

    def test_events_end_and_change_a_run(self):
        def ground(t, y):
            return y[0]

        ground.terminal = True
        s = cd.solve_ode(lambda t, y: [y[1], -9.81], [1, 0], (0, 10), events=ground)
        self.assertAlmostEqual(s.t_events[0][0], math.sqrt(2 / 9.81), delta=1e-12)
        np.testing.assert_allclose(s.y_events[0], [[0, -math.sqrt(2 * 9.81)]], atol=1e-12)
        self.assertEqual((s.success, s.status, s.code, s.message), (True, 1, "OK", "an event ended the run"))
        self.assertGreater(s.nfev, 0)
        ground.direction, ground.terminal = 1, False  # it comes from above
        s = cd.solve_ode(lambda t, y: [y[1], -9.81], [1, 0], (0, 10), events=[ground])
        self.assertEqual((s.status, len(s.t_events[0]), len(s.y_events[0]), s.t[-1]), (0, 0, 0, 10))

        def bounce(t, q, v):
            return q[0]

        def handle(t, q, v):
            v[0] *= -0.5

        bounce.handle, bounce.direction = handle, -1
        s = cd.solve_mechanical(lambda t, q, v: [-9.81], [1], [0], (0, 1), "dopri5", events=bounce)
        first = math.sqrt(2 / 9.81)
        np.testing.assert_allclose(s.t_events[0], [first, 2 * first], atol=1e-10)
        # places and velocities before they bounced
        np.testing.assert_allclose(s.y_events[0], [[0, -9.81 * first], [0, -9.81 * first / 2]], atol=1e-9)

    def test_terminal_may_be_a_number_and_events_may_be_none(self):
        def zero(t, y):
            return y[:1]

        for zero.terminal, n in ((3, 3), (True, 1), (False, 10)):
            s = cd.solve_ode(oscillator, [1, 0], (0, 30), events=zero, rtol=1e-8, atol=1e-10)
            np.testing.assert_allclose(s.t_events[0], np.pi * (np.arange(n) + 0.5), atol=1e-6)
            self.assertEqual(s.status, 1 if zero.terminal else 0)
        self.assertEqual(cd.solve_ode(oscillator, [1, 0], (0, 1), events=[]).t_events, [])
        s = cd.solve_ode(oscillator, [1, 0], (0, 2), events=(f for f in (zero, oscillator)[:1]))
        self.assertEqual(len(s.t_events[0]), 1)
        with self.assertRaisesRegex(ValueError, "a function returned 2 numbers where 1 are needed"):
            cd.solve_ode(oscillator, [1, 0], (0, 1), events=oscillator)

    def test_every_form_of_a_problem_bounces_alike(self):
        g, first = 9.81, math.sqrt(2 / 9.81)

        def floor(t, y):
            return y[0]

        def bounce(t, y):
            y[:] = [0, -0.5 * y[1]]

        def fall(t, y):
            return np.array([y[1], -g])

        floor.direction, floor.handle = -1, bounce
        times = np.linspace(0, 1.5 * first, 30)
        height = np.where(times < first, 1 - g * times**2 / 2,
                          (times - first) * (g * first / 2 - g / 2 * (times - first)))
        forms = {"ode": lambda **o: cd.solve_ode(fall, [1, 0], (0, 1), **o),
                 "mass": lambda **o: cd.solve_ode(lambda t, y: [2, 3] * fall(t, y), [1, 0], (0, 1),
                                                  mass=np.diag([2, 3]), **o),
                 "dae": lambda **o: cd.solve_dae(lambda t, y, yd: yd - fall(t, y), [1, 0], (0, 1), **o)}
        for method in ("gen-alpha", "hht", "newmark", "trapezoidal", "radau5"):
            for form, solve in forms.items():
                s = solve(method=method, events=floor, t_eval=times, rtol=1e-8, atol=1e-10)
                np.testing.assert_allclose(s.t_events[0], [first, 2 * first], atol=1e-5, err_msg=method + form)
                np.testing.assert_allclose(s.y[0], height, atol=1e-5, err_msg=method + form)

    def test_a_pendulum_with_its_constraint(self):
        def energy(s):
            return 0.5 * (s.v**2).sum(axis=0) + 9.81 * s.q[1]

        for method in ("gen-alpha", "radau5"):
            s = cd.solve_mechanical(lambda t, q, v: [0, -9.81], [1, 0], [0, 0], (0, 2), method,
                                    constraint=lambda t, q: [(q @ q - 1) / 2],
                                    jacobian=lambda t, q: [q], rtol=1e-7, atol=1e-9)
            np.testing.assert_allclose((s.q**2).sum(axis=0), 1, atol=1e-6)
            np.testing.assert_allclose(energy(s), 0, atol=2e-3)
            self.assertEqual(s.lam.shape, (1, len(s.t)))

    def test_a_dae_and_a_singular_matrix(self):
        s = cd.solve_dae(lambda t, y, yd: [yd[0] + y[0] - y[1], y[1] - math.sin(t)], [0, 0], (0, 3),
                         rtol=1e-9, atol=1e-11)
        exact = (math.sin(3) - math.cos(3) + math.exp(-3)) / 2
        self.assertAlmostEqual(s.y[0, -1], exact, delta=1e-7)
        s = cd.solve_ode(lambda t, y: [y[1] - y[0], y[1] - math.sin(t)], [0, 0], (0, 3), "radau5",
                         mass=[[1, 0], [0, 0]], rtol=1e-9, atol=1e-11)
        self.assertAlmostEqual(s.y[0, -1], exact, delta=1e-7)

    def test_any_integrator_takes_what_fits_it(self):
        circle = {"constraint": lambda t, q: [(q @ q - 1) / 2], "jacobian": lambda t, q: [q]}
        problems = {
            "ode": lambda method: cd.solve_ode(oscillator, [1, 0], (0, 1), method).y[0, -1] - math.cos(1),
            "free": lambda method: cd.solve_mechanical(lambda t, q, v: -q, [1], [0], (0, 1), method).q[0, -1]
            - math.cos(1),
            "held": lambda method: np.linalg.norm(cd.solve_mechanical(
                lambda t, q, v: [0, -9.81], [1, 0], [0, 0], (0, 1), method, **circle).q[:, -1]) - 1,
            "dae": lambda method: cd.solve_dae(lambda t, y, yd: [yd[0] + y[0] - y[1], y[1] - np.sin(t)],
                                               [0, 0], (0, 1), method).y[1, -1] - math.sin(1)}
        solved = dict.fromkeys(problems, 0)
        for name in cd.cli.methods()["integrator"]:
            for problem, solve in problems.items():
                try:
                    error = solve(name)
                except cd.Error as refused:
                    if "needs a step" not in str(refused):
                        self.assertRegex(str(refused), "; use ")
                        continue
                    try:
                        error = solve(f"{name}(step=5e-3)")
                    except cd.Error as again:
                        self.assertRegex(str(again), "; use ")
                        continue
                self.assertLess(abs(error), 5e-3, f"{name} {problem}")
                solved[problem] += 1
        self.assertGreaterEqual(min(solved.values()), 5)

    def test_exceptions_of_functions_come_through(self):
        with self.assertRaises(ZeroDivisionError):
            cd.solve_ode(lambda t, y: 1 / 0, [1], (0, 1))
        with self.assertRaises(ValueError):
            cd.solve_ode(lambda t, y: [1, 2], [1], (0, 1))

    def test_misuse(self):
        for f, y0 in ((oscillator, [1, 1j]), (lambda t, y: 1j * y, [1, 0]), (lambda t, y: [y[1], 2j], [1, 0])):
            with self.assertRaisesRegex(TypeError, "complex numbers cannot be taken"):
                cd.solve_ode(f, y0, (0, 1))
        for given in (1.0, [1.0], [1, 2, 3], [[1, 2], [3, 4]]):
            with self.assertRaisesRegex(ValueError, r"a function returned \d numbers where 2 are needed"):
                cd.solve_ode(lambda t, y: given, [1, 0], (0, 1))
        with self.assertRaisesRegex(cd.Error, "did you mean 'dopri5'"):
            cd.solve_ode(oscillator, [1, 0], (0, 1), "dopr5")
        with self.assertRaisesRegex(cd.Error, "rtoll"):
            cd.solve_ode(oscillator, [1, 0], (0, 1), rtoll=1)
        with self.assertRaisesRegex(cd.Error, "field 'atol': must be a number, .* not an array"):
            cd.solve_ode(oscillator, [1, 0], (0, 1), atol=np.array([1e-6, 1e-8]))
        self.assertTrue(cd.solve_ode(oscillator, [1, 0], (0, 1), atol=np.array(1e-6), rtol=None).success)
        with self.assertRaisesRegex(TypeError, "does a function return nothing"):
            cd.solve_ode(lambda t, y: None, [1], (0, 1))
        for span in ((1, 0), (1, 1), (0, math.inf), (-math.inf, 0), (0, math.nan)):
            with self.assertRaisesRegex(ValueError, "after its beginning"):
                cd.solve_ode(oscillator, [1, 0], span)
        for times in ([0.5, 0.1], [0, math.nan, 1], [math.nan], [-0.1], [0.5, 1.1], [[0.1, 0.2]], 2):
            with self.assertRaisesRegex(ValueError, "t_eval must rise"):
                cd.solve_ode(oscillator, [1, 0], (0, 1), t_eval=times)
        self.assertEqual(cd.solve_ode(oscillator, [1, 0], (0, 1), t_eval=0.5).t, [0.5])
        with self.assertRaisesRegex(ValueError, "a function returned 3 numbers where 2 are needed"):
            cd.solve_mechanical(lambda t, q, v: [0, -1], [1, 0], [0, 0], (0, 1), constraint=lambda t, q: q @ q - 1,
                                jacobian=lambda t, q: [1, 2, 3])
        with self.assertRaisesRegex(TypeError, "needs its jacobian"):
            cd.solve_mechanical(oscillator, [1], [0], (0, 1), constraint=lambda t, q: q)

    def test_mechanical_states_between_steps(self):
        s = cd.solve_mechanical(lambda t, q, v: -q, [1.0], [0.0], (0, 3), "gen-alpha", step=1e-3,
                                adaptive=False, dense_output=True)
        np.testing.assert_allclose(s.sol([0.7505, 2.0005]),
                                   [np.cos([0.7505, 2.0005]), -np.sin([0.7505, 2.0005])], atol=1e-6)

    def test_a_run_that_fails_keeps_what_it_has(self):
        s = cd.solve_ode(lambda t, y: y**2, [1], (0, 2), "dopri5")
        self.assertFalse(s.success)
        self.assertAlmostEqual(s.t[-1], 1, delta=1e-2)
        self.assertIn("step", s.message)


if __name__ == "__main__":
    unittest.main()
