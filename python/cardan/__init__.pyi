# __init__.pyi - written by tools/gen_stubs.py from the tables; do not edit
from collections.abc import Mapping, Sequence
from typing import Any

from . import _cardan as _cardan
from ._cli import cli as cli
from ._ivp import Solution as Solution
from ._ivp import solve_dae as solve_dae
from ._ivp import solve_mechanical as solve_mechanical
from ._ivp import solve_ode as solve_ode
from ._items import Item as Item
from ._items import Part as Part
from ._items import input as input
from ._law import Symbol as Symbol
from ._law import call as call
from ._law import fn as fn
from ._law import law as law
from ._law import where as where
from ._model import Check as Check
from ._model import Model as Model
from ._model import Simulation as Simulation
from ._results import Result as Result
from ._results import read as read
from ._show import Page as Page
from ._show import Svg as Svg
from ._talk import Error as Error

Real = float | str | Symbol
Vector = Sequence[Real] | Any
Function = float | str | Part | Mapping[str, Any] | Any

__version__: str

class Ground(Item):
    """The world: a body that does not move."""
    def __init__(self, name: str, *others: Item) -> None: ...

class MassPoint1D(Item):
    """Mass point that moves along a line; its axes do not turn."""
    position: Vector
    axis: Vector
    coordinate: Real
    velocity: Real
    mass: Real
    def __init__(self, name: str, *others: Item, position: Vector = ..., axis: Vector = ...,
                 coordinate: Real = ..., velocity: Real = ..., mass: Real = ...) -> None: ...

class MassPoint2D(Item):
    """Mass point that moves in the plane x, y; its axes do not turn."""
    position: Vector
    velocity: Vector
    mass: Real
    def __init__(self, name: str, *others: Item, position: Vector = ..., velocity: Vector = ...,
                 mass: Real = ...) -> None: ...

class MassPoint3D(Item):
    """Mass point that moves in space; its axes do not turn."""
    position: Vector
    velocity: Vector
    mass: Real
    def __init__(self, name: str, *others: Item, position: Vector = ..., velocity: Vector = ...,
                 mass: Real = ...) -> None: ...

class Rotor(Item):
    """Inertia that turns about an axis fixed in the world; its angle counts turns."""
    position: Vector
    axis: Vector
    angle: Real
    angular_velocity: Real
    inertia: Real
    def __init__(self, name: str, *others: Item, position: Vector = ..., axis: Vector = ...,
                 angle: Real = ..., angular_velocity: Real = ..., inertia: Real = ...) -> None: ...

class RigidBody2D(Item):
    """Rigid body that moves in the plane x, y; its angle counts turns."""
    position: Vector
    angle: Real
    velocity: Vector
    angular_velocity: Real
    mass: Real
    com: Vector
    inertia: Real
    inertia_at: Vector
    shape: Part | Mapping[str, Any] | None
    def __init__(self, name: str, *others: Item, position: Vector = ..., angle: Real = ...,
                 velocity: Vector = ..., angular_velocity: Real = ..., mass: Real = ...,
                 com: Vector = ..., inertia: Real = ..., inertia_at: Vector = ...,
                 shape: Part | Mapping[str, Any] | None = ...) -> None: ...

class RigidBody(Item):
    """Rigid body that moves in space."""
    position: Vector
    orientation: Vector
    velocity: Vector
    angular_velocity: Vector
    mass: Real
    com: Vector
    inertia: Sequence[Sequence[Real]] | Any
    inertia_at: Vector
    inertia_axes: Vector
    shape: Part | Mapping[str, Any] | None
    def __init__(self, name: str, *others: Item, position: Vector = ...,
                 orientation: Vector = ..., velocity: Vector = ...,
                 angular_velocity: Vector = ..., mass: Real = ..., com: Vector = ...,
                 inertia: Sequence[Sequence[Real]] | Any = ..., inertia_at: Vector = ...,
                 inertia_axes: Vector = ..., shape: Part | Mapping[str, Any] | None = ...) -> None: ...

class Marker(Item):
    """Frame at a constant place on a body."""
    body: Item | str | None
    position: Vector
    orientation: Vector
    def __init__(self, name: str, *others: Item, body: Item | str | None = ...,
                 position: Vector = ..., orientation: Vector = ...) -> None: ...

class CoordinateMarker(Item):
    """Single coordinate of a body."""
    body: Item | str | None
    coordinate: str
    def __init__(self, name: str, *others: Item, body: Item | str | None = ...,
                 coordinate: str = ...) -> None: ...

class FixedJoint(Item):
    """Weld: two bodies keep their relative pose."""
    marker_a: Item | str | None
    marker_b: Item | str | None
    body_a: Item | str | None
    body_b: Item | str | None
    at: Vector
    axis: Vector
    across: Vector
    def __init__(self, name: str, *others: Item, marker_a: Item | str | None = ...,
                 marker_b: Item | str | None = ..., body_a: Item | str | None = ...,
                 body_b: Item | str | None = ..., at: Vector = ..., axis: Vector = ...,
                 across: Vector = ...) -> None: ...

class RevoluteJoint(Item):
    """Hinge: bodies turn about a common axis."""
    marker_a: Item | str | None
    marker_b: Item | str | None
    body_a: Item | str | None
    body_b: Item | str | None
    at: Vector
    axis: Vector
    across: Vector
    start: Sequence[Real]
    start_rate: Sequence[Real]
    def __init__(self, name: str, *others: Item, marker_a: Item | str | None = ...,
                 marker_b: Item | str | None = ..., body_a: Item | str | None = ...,
                 body_b: Item | str | None = ..., at: Vector = ..., axis: Vector = ...,
                 across: Vector = ..., start: Sequence[Real] = ...,
                 start_rate: Sequence[Real] = ...) -> None: ...

class PrismaticJoint(Item):
    """Slider: bodies slide along a common axis without turning."""
    marker_a: Item | str | None
    marker_b: Item | str | None
    body_a: Item | str | None
    body_b: Item | str | None
    at: Vector
    axis: Vector
    across: Vector
    start: Sequence[Real]
    start_rate: Sequence[Real]
    def __init__(self, name: str, *others: Item, marker_a: Item | str | None = ...,
                 marker_b: Item | str | None = ..., body_a: Item | str | None = ...,
                 body_b: Item | str | None = ..., at: Vector = ..., axis: Vector = ...,
                 across: Vector = ..., start: Sequence[Real] = ...,
                 start_rate: Sequence[Real] = ...) -> None: ...

class CylindricalJoint(Item):
    """Bodies turn about and slide along a common axis."""
    marker_a: Item | str | None
    marker_b: Item | str | None
    body_a: Item | str | None
    body_b: Item | str | None
    at: Vector
    axis: Vector
    across: Vector
    start: Sequence[Real]
    start_rate: Sequence[Real]
    def __init__(self, name: str, *others: Item, marker_a: Item | str | None = ...,
                 marker_b: Item | str | None = ..., body_a: Item | str | None = ...,
                 body_b: Item | str | None = ..., at: Vector = ..., axis: Vector = ...,
                 across: Vector = ..., start: Sequence[Real] = ...,
                 start_rate: Sequence[Real] = ...) -> None: ...

class SphericalJoint(Item):
    """Ball joint: two points coincide."""
    marker_a: Item | str | None
    marker_b: Item | str | None
    body_a: Item | str | None
    body_b: Item | str | None
    at: Vector
    axis: Vector
    across: Vector
    start: Sequence[Real]
    start_rate: Sequence[Real]
    def __init__(self, name: str, *others: Item, marker_a: Item | str | None = ...,
                 marker_b: Item | str | None = ..., body_a: Item | str | None = ...,
                 body_b: Item | str | None = ..., at: Vector = ..., axis: Vector = ...,
                 across: Vector = ..., start: Sequence[Real] = ...,
                 start_rate: Sequence[Real] = ...) -> None: ...

class UniversalJoint(Item):
    """Cardan joint: two crossing axes stay perpendicular."""
    marker_a: Item | str | None
    marker_b: Item | str | None
    body_a: Item | str | None
    body_b: Item | str | None
    at: Vector
    axis: Vector
    across: Vector
    start: Sequence[Real]
    start_rate: Sequence[Real]
    def __init__(self, name: str, *others: Item, marker_a: Item | str | None = ...,
                 marker_b: Item | str | None = ..., body_a: Item | str | None = ...,
                 body_b: Item | str | None = ..., at: Vector = ..., axis: Vector = ...,
                 across: Vector = ..., start: Sequence[Real] = ...,
                 start_rate: Sequence[Real] = ...) -> None: ...

class PlanarJoint(Item):
    """A plane of one body slides on a plane of the other."""
    marker_a: Item | str | None
    marker_b: Item | str | None
    body_a: Item | str | None
    body_b: Item | str | None
    at: Vector
    axis: Vector
    across: Vector
    start: Sequence[Real]
    start_rate: Sequence[Real]
    def __init__(self, name: str, *others: Item, marker_a: Item | str | None = ...,
                 marker_b: Item | str | None = ..., body_a: Item | str | None = ...,
                 body_b: Item | str | None = ..., at: Vector = ..., axis: Vector = ...,
                 across: Vector = ..., start: Sequence[Real] = ...,
                 start_rate: Sequence[Real] = ...) -> None: ...

class GenericJoint(Item):
    """Joint whose fixed directions are chosen one by one."""
    marker_a: Item | str | None
    marker_b: Item | str | None
    body_a: Item | str | None
    body_b: Item | str | None
    at: Vector
    axis: Vector
    across: Vector
    x: bool
    y: bool
    z: bool
    rx: bool
    ry: bool
    rz: bool
    start: Sequence[Real]
    start_rate: Sequence[Real]
    def __init__(self, name: str, *others: Item, marker_a: Item | str | None = ...,
                 marker_b: Item | str | None = ..., body_a: Item | str | None = ...,
                 body_b: Item | str | None = ..., at: Vector = ..., axis: Vector = ...,
                 across: Vector = ..., x: bool = ..., y: bool = ..., z: bool = ...,
                 rx: bool = ..., ry: bool = ..., rz: bool = ..., start: Sequence[Real] = ...,
                 start_rate: Sequence[Real] = ...) -> None: ...

class DistanceJoint(Item):
    """Massless rod: two points keep a fixed distance."""
    marker_a: Item | str | None
    marker_b: Item | str | None
    body_a: Item | str | None
    body_b: Item | str | None
    at: Vector
    axis: Vector
    across: Vector
    length: Real
    def __init__(self, name: str, *others: Item, marker_a: Item | str | None = ...,
                 marker_b: Item | str | None = ..., body_a: Item | str | None = ...,
                 body_b: Item | str | None = ..., at: Vector = ..., axis: Vector = ...,
                 across: Vector = ..., length: Real = ...) -> None: ...

class PlanarRevoluteJoint(Item):
    """Hinge between bodies that move in a plane."""
    marker_a: Item | str | None
    marker_b: Item | str | None
    body_a: Item | str | None
    body_b: Item | str | None
    at: Vector
    axis: Vector
    across: Vector
    start: Sequence[Real]
    start_rate: Sequence[Real]
    def __init__(self, name: str, *others: Item, marker_a: Item | str | None = ...,
                 marker_b: Item | str | None = ..., body_a: Item | str | None = ...,
                 body_b: Item | str | None = ..., at: Vector = ..., axis: Vector = ...,
                 across: Vector = ..., start: Sequence[Real] = ...,
                 start_rate: Sequence[Real] = ...) -> None: ...

class PlanarPrismaticJoint(Item):
    """Slider between bodies that move in a plane."""
    marker_a: Item | str | None
    marker_b: Item | str | None
    body_a: Item | str | None
    body_b: Item | str | None
    at: Vector
    axis: Vector
    across: Vector
    start: Sequence[Real]
    start_rate: Sequence[Real]
    def __init__(self, name: str, *others: Item, marker_a: Item | str | None = ...,
                 marker_b: Item | str | None = ..., body_a: Item | str | None = ...,
                 body_b: Item | str | None = ..., at: Vector = ..., axis: Vector = ...,
                 across: Vector = ..., start: Sequence[Real] = ...,
                 start_rate: Sequence[Real] = ...) -> None: ...

class JointMotion(Item):
    """Drive: a coordinate of a joint follows a function of time."""
    joint: Item | str | None
    coordinate: str
    motion: Function
    def __init__(self, name: str, *others: Item, joint: Item | str | None = ...,
                 coordinate: str = ..., motion: Function = ...) -> None: ...

class CoordinateCoupling(Item):
    """Coordinates of bodies keep a linear relation: gear, rack, belt."""
    markers: Sequence[Item | str | None]
    factors: Sequence[Real]
    offset: Function
    def __init__(self, name: str, *others: Item, markers: Sequence[Item | str | None] = ...,
                 factors: Sequence[Real] = ..., offset: Function = ...) -> None: ...

class SpringDamper(Item):
    """Spring and damper along the line between two points."""
    marker_a: Item | str | None
    marker_b: Item | str | None
    body_a: Item | str | None
    body_b: Item | str | None
    at: Vector
    axis: Vector
    across: Vector
    length: Real
    stiffness: Real
    damping: Real
    elastic: Function
    viscous: Function
    def __init__(self, name: str, *others: Item, marker_a: Item | str | None = ...,
                 marker_b: Item | str | None = ..., body_a: Item | str | None = ...,
                 body_b: Item | str | None = ..., at: Vector = ..., axis: Vector = ...,
                 across: Vector = ..., length: Real = ..., stiffness: Real = ...,
                 damping: Real = ..., elastic: Function = ..., viscous: Function = ...) -> None: ...

class TorsionalSpringDamper(Item):
    """Spring and damper about an axis, over any number of turns."""
    marker_a: Item | str | None
    marker_b: Item | str | None
    body_a: Item | str | None
    body_b: Item | str | None
    at: Vector
    axis: Vector
    across: Vector
    angle: Real
    stiffness: Real
    damping: Real
    elastic: Function
    viscous: Function
    def __init__(self, name: str, *others: Item, marker_a: Item | str | None = ...,
                 marker_b: Item | str | None = ..., body_a: Item | str | None = ...,
                 body_b: Item | str | None = ..., at: Vector = ..., axis: Vector = ...,
                 across: Vector = ..., angle: Real = ..., stiffness: Real = ...,
                 damping: Real = ..., elastic: Function = ..., viscous: Function = ...) -> None: ...

class CartesianSpringDamper(Item):
    """Springs and dampers along the three axes of a marker."""
    marker_a: Item | str | None
    marker_b: Item | str | None
    body_a: Item | str | None
    body_b: Item | str | None
    at: Vector
    axis: Vector
    across: Vector
    offset: Vector
    stiffness: Vector
    damping: Vector
    elastic_x: Function
    elastic_y: Function
    elastic_z: Function
    viscous_x: Function
    viscous_y: Function
    viscous_z: Function
    def __init__(self, name: str, *others: Item, marker_a: Item | str | None = ...,
                 marker_b: Item | str | None = ..., body_a: Item | str | None = ...,
                 body_b: Item | str | None = ..., at: Vector = ..., axis: Vector = ...,
                 across: Vector = ..., offset: Vector = ..., stiffness: Vector = ...,
                 damping: Vector = ..., elastic_x: Function = ..., elastic_y: Function = ...,
                 elastic_z: Function = ..., viscous_x: Function = ..., viscous_y: Function = ...,
                 viscous_z: Function = ...) -> None: ...

class Bushing(Item):
    """Springs and dampers along and about the three axes of a marker."""
    marker_a: Item | str | None
    marker_b: Item | str | None
    body_a: Item | str | None
    body_b: Item | str | None
    at: Vector
    axis: Vector
    across: Vector
    stiffness: Vector
    damping: Vector
    angular_stiffness: Vector
    angular_damping: Vector
    elastic_x: Function
    elastic_y: Function
    elastic_z: Function
    elastic_rx: Function
    elastic_ry: Function
    elastic_rz: Function
    viscous_x: Function
    viscous_y: Function
    viscous_z: Function
    viscous_rx: Function
    viscous_ry: Function
    viscous_rz: Function
    def __init__(self, name: str, *others: Item, marker_a: Item | str | None = ...,
                 marker_b: Item | str | None = ..., body_a: Item | str | None = ...,
                 body_b: Item | str | None = ..., at: Vector = ..., axis: Vector = ...,
                 across: Vector = ..., stiffness: Vector = ..., damping: Vector = ...,
                 angular_stiffness: Vector = ..., angular_damping: Vector = ...,
                 elastic_x: Function = ..., elastic_y: Function = ..., elastic_z: Function = ...,
                 elastic_rx: Function = ..., elastic_ry: Function = ...,
                 elastic_rz: Function = ..., viscous_x: Function = ...,
                 viscous_y: Function = ..., viscous_z: Function = ...,
                 viscous_rx: Function = ..., viscous_ry: Function = ...,
                 viscous_rz: Function = ...) -> None: ...

class LinearActuator(Item):
    """Drive along an axis with position control."""
    marker_a: Item | str | None
    marker_b: Item | str | None
    body_a: Item | str | None
    body_b: Item | str | None
    at: Vector
    axis: Vector
    across: Vector
    along: str
    target: Function
    gain: Real
    rate_gain: Real
    elastic: Function
    viscous: Function
    force: Function
    limit: Real
    def __init__(self, name: str, *others: Item, marker_a: Item | str | None = ...,
                 marker_b: Item | str | None = ..., body_a: Item | str | None = ...,
                 body_b: Item | str | None = ..., at: Vector = ..., axis: Vector = ...,
                 across: Vector = ..., along: str = ..., target: Function = ...,
                 gain: Real = ..., rate_gain: Real = ..., elastic: Function = ...,
                 viscous: Function = ..., force: Function = ..., limit: Real = ...) -> None: ...

class TorsionalActuator(Item):
    """Drive about an axis with position control."""
    marker_a: Item | str | None
    marker_b: Item | str | None
    body_a: Item | str | None
    body_b: Item | str | None
    at: Vector
    axis: Vector
    across: Vector
    target: Function
    gain: Real
    rate_gain: Real
    elastic: Function
    viscous: Function
    torque: Function
    limit: Real
    def __init__(self, name: str, *others: Item, marker_a: Item | str | None = ...,
                 marker_b: Item | str | None = ..., body_a: Item | str | None = ...,
                 body_b: Item | str | None = ..., at: Vector = ..., axis: Vector = ...,
                 across: Vector = ..., target: Function = ..., gain: Real = ...,
                 rate_gain: Real = ..., elastic: Function = ..., viscous: Function = ...,
                 torque: Function = ..., limit: Real = ...) -> None: ...

class CoordinateSpringDamper(Item):
    """Spring and damper on a coordinate, or between two."""
    marker_a: Item | str | None
    marker_b: Item | str | None
    length: Real
    stiffness: Real
    damping: Real
    elastic: Function
    viscous: Function
    def __init__(self, name: str, *others: Item, marker_a: Item | str | None = ...,
                 marker_b: Item | str | None = ..., length: Real = ..., stiffness: Real = ...,
                 damping: Real = ..., elastic: Function = ..., viscous: Function = ...) -> None: ...

class GearedRotor(Item):
    """Rotor of a geared motor: inertia of the relative rotation about an axis."""
    marker_a: Item | str | None
    marker_b: Item | str | None
    body_a: Item | str | None
    body_b: Item | str | None
    at: Vector
    axis: Vector
    across: Vector
    inertia: Real
    damping: Real
    ratio: Real
    def __init__(self, name: str, *others: Item, marker_a: Item | str | None = ...,
                 marker_b: Item | str | None = ..., body_a: Item | str | None = ...,
                 body_b: Item | str | None = ..., at: Vector = ..., axis: Vector = ...,
                 across: Vector = ..., inertia: Real = ..., damping: Real = ...,
                 ratio: Real = ...) -> None: ...

class Gravity(Item):
    """Uniform field of gravity on every mass."""
    acceleration: Vector
    def __init__(self, name: str, *others: Item, acceleration: Vector = ...) -> None: ...

class Force(Item):
    """Force on a point, as functions of time."""
    marker: Item | str | None
    body: Item | str | None
    point: Vector
    x: Function
    y: Function
    z: Function
    axes: str
    def __init__(self, name: str, *others: Item, marker: Item | str | None = ...,
                 body: Item | str | None = ..., point: Vector = ..., x: Function = ...,
                 y: Function = ..., z: Function = ..., axes: str = ...) -> None: ...

class Torque(Item):
    """Torque on a body, as functions of time."""
    marker: Item | str | None
    body: Item | str | None
    point: Vector
    x: Function
    y: Function
    z: Function
    axes: str
    def __init__(self, name: str, *others: Item, marker: Item | str | None = ...,
                 body: Item | str | None = ..., point: Vector = ..., x: Function = ...,
                 y: Function = ..., z: Function = ..., axes: str = ...) -> None: ...

class CoordinateLoad(Item):
    """Force on a single coordinate, as a function of time."""
    marker: Item | str | None
    force: Function
    def __init__(self, name: str, *others: Item, marker: Item | str | None = ...,
                 force: Function = ...) -> None: ...

class Sensor(Item):
    """Place, motion or rotation of a marker."""
    marker: Item | str | None
    body: Item | str | None
    point: Vector
    quantity: str
    axes: str
    def __init__(self, name: str, *others: Item, marker: Item | str | None = ...,
                 body: Item | str | None = ..., point: Vector = ..., quantity: str = ...,
                 axes: str = ...) -> None: ...

class JointSensor(Item):
    """Relative coordinates, reactions or residuals of a joint."""
    joint: Item | str | None
    quantity: str
    def __init__(self, name: str, *others: Item, joint: Item | str | None = ...,
                 quantity: str = ...) -> None: ...

class ConnectorSensor(Item):
    """Deformation, rate and force of a connector."""
    connector: Item | str | None
    def __init__(self, name: str, *others: Item, connector: Item | str | None = ...) -> None: ...

class SystemSensor(Item):
    """Energies, momentum or residuals of the whole system."""
    quantity: str
    def __init__(self, name: str, *others: Item, quantity: str = ...) -> None: ...

class ExpressionSensor(Item):
    """Number computed from time, parameters and other sensors."""
    value: Function
    unit: str
    delay: bool
    start: Real
    def __init__(self, name: str, *others: Item, value: Function = ..., unit: str = ...,
                 delay: bool = ..., start: Real = ...) -> None: ...

class Cuboid(Part):
    """Box with its centre at the origin."""
    density: Real
    size: Vector
    def __init__(self, size: Vector, *, density: Real = ...) -> None: ...

class Cylinder(Part):
    """Solid cylinder about z with its centre at the origin."""
    density: Real
    radius: Real
    length: Real
    def __init__(self, radius: Real, length: Real, *, density: Real = ...) -> None: ...

class Tube(Part):
    """Hollow cylinder about z with its centre at the origin."""
    density: Real
    radius: Real
    inner_radius: Real
    length: Real
    def __init__(self, radius: Real, inner_radius: Real, length: Real, *, density: Real = ...) -> None: ...

class Rod(Part):
    """Solid round bar between two points."""
    density: Real
    begin: Vector
    end: Vector
    radius: Real
    def __init__(self, end: Vector, radius: Real, *, density: Real = ..., begin: Vector = ...) -> None: ...

class Cone(Part):
    """Cone with its base in the plane z = 0 and its tip on the axis z."""
    density: Real
    radius: Real
    height: Real
    def __init__(self, radius: Real, height: Real, *, density: Real = ...) -> None: ...

class Sphere(Part):
    """Solid ball with its centre at the origin."""
    density: Real
    radius: Real
    def __init__(self, radius: Real, *, density: Real = ...) -> None: ...

class Constant(Part):
    """The same value everywhere."""
    value: Real
    def __init__(self, value: Real) -> None: ...

class Polynomial(Part):
    """Sum of the powers of x, each with its coefficient."""
    coefficients: Sequence[Real]
    def __init__(self, coefficients: Sequence[Real]) -> None: ...

class Harmonic(Part):
    """offset + amplitude sin(omega x + phase)."""
    amplitude: Real
    omega: Real
    phase: Real
    offset: Real
    def __init__(self, amplitude: Real, omega: Real, *, phase: Real = ..., offset: Real = ...) -> None: ...

class Table(Part):
    """Through given points, as straight lines or a natural cubic spline."""
    points: Sequence[Sequence[Real]] | Any
    interpolation: str
    beyond: str
    def __init__(self, points: Sequence[Sequence[Real]] | Any, *, interpolation: str = ...,
                 beyond: str = ...) -> None: ...

class Expression(Part):
    """A formula in the variable, t unless the field says otherwise."""
    text: str
    def __init__(self, text: str) -> None: ...

class Include(Part):
    """Items of another model file, with a prefix to their names and moved by a pose."""
    file: str
    prefix: str
    position: Vector
    orientation: Vector
    parameters: Mapping[str, Real]
    def __init__(self, file: str, *, prefix: str = ..., position: Vector = ...,
                 orientation: Vector = ..., parameters: Mapping[str, Real] = ...) -> None: ...

class Run(Part):
    """One simulation of a model."""
    analysis: str
    begin: str
    duration: Real
    step: Real
    interval: Real
    decimation: int | str
    method: str
    channels: Sequence[str]
    scene: bool
    checkpoint: Real
    threads: int | str
    def __init__(self, duration: Real, *, analysis: str = ..., begin: str = ...,
                 step: Real = ..., interval: Real = ..., decimation: int | str = ...,
                 method: str = ..., channels: Sequence[str] = ..., scene: bool = ...,
                 checkpoint: Real = ..., threads: int | str = ...) -> None: ...
