"""Cardan: multibody dynamics. Model in Python, simulate in C.

    import cardan as cd
    m = cd.Model(gravity=[0, -9.81, 0])
    link = m.add(cd.RigidBody("link", shape=cd.Cuboid(size=[1, .1, .1]), position=[.5, 0, 0]))
    m.add(cd.RevoluteJoint("hinge", m.ground, link, at=[0, 0, 0], axis=[0, 0, 1]))
    r = m.simulate(4, step=1e-3)

Every class of a model file is a class here; ``help(cd.RigidBody)`` shows its fields.
"""
from . import _cardan
from ._cli import cli
from ._items import Item, Part
from ._items import classes as _classes
from ._items import input
from ._ivp import Solution, solve_dae, solve_mechanical, solve_ode
from ._law import Symbol, call, fn, law, where
from ._model import Check, Model, Simulation
from ._results import Result, read
from ._show import Page, Svg
from ._talk import Error

__version__ = _cardan.version
globals().update(_classes)
__all__ = ["Check", "Error", "Item", "Model", "Page", "Part", "Result", "Simulation", "Solution", "Svg",
           "Symbol", "call", "cli", "fn", "input", "law", "read", "solve_dae", "solve_mechanical", "solve_ode",
           "where", *_classes]
