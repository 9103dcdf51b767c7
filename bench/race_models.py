"""race_models.py - mechanisms of the suites 'exudyn' and 'growth': their data, and models of Cardan made of it.

Models are written line by line, so that a program that writes 100,000 bodies stays small: what it
starts inherits its peak of memory.
"""
import array
import json
import math
import typing

# ---- chain of masses, springs and dampers, fixed at one end, pushed at the other

MASS, STIFFNESS, DAMPING, FORCE = 1.0, 800.0, 2.0, 1.0


def chain(n):
    for i in range(n):
        yield {"class": "MassPoint1D", "name": f"m{i}", "mass": MASS}
        yield {"class": "CoordinateMarker", "name": f"x{i}", "body": f"m{i}", "coordinate": "s"}
        ends = {"marker_a": f"x{i - 1}", "marker_b": f"x{i}"} if i else {"marker_a": "x0"}
        yield {"class": "CoordinateSpringDamper", "name": f"s{i}", **ends, "stiffness": STIFFNESS, "damping": DAMPING}
    yield {"class": "CoordinateLoad", "name": "push", "marker": f"x{n - 1}", "force": FORCE}
    yield {"class": "Sensor", "name": "tip", "body": f"m{n - 1}"}


def chain_tip(n, t):
    """exact place of the last mass: modes of the chain, each a damped oscillator under a constant force"""
    terms = []
    for j in range(1, n + 1):
        angle = (2 * j - 1) * math.pi / (2 * n + 1)
        stiffness = 4 * STIFFNESS * math.sin(angle / 2) ** 2 / MASS
        decay = DAMPING / STIFFNESS * stiffness / 2
        turn = math.sqrt(stiffness - decay * decay)
        swing = math.cos(turn * t) + decay / turn * math.sin(turn * t)
        shape = math.sin(angle * n) ** 2 * 4 / (2 * n + 1)
        terms.append(shape * FORCE / MASS / stiffness * (1 - math.exp(-decay * t) * swing))
    return math.fsum(terms)


# ---- arms with six hinges (Puma 560), each hinge pulled to an angle of its own

GRAVITY = 9.81
# offset along z, length along x, twist about x (Denavit and Hartenberg); mass, inertia about the centre, centre
LINKS = [
    (0.0, 0.0, math.pi / 2, 20.0, (0.35, 0.35, 0.35), (0.0, 0.0, 0.0)),
    (0.0, 0.4318, 0.0, 17.4, (0.13, 0.524, 0.539), (-0.3638, 0.006, 0.2275)),
    (0.15, 0.0203, -math.pi / 2, 4.8, (0.07, 0.086, 0.0165), (-0.0203, -0.0141, 0.07)),
    (0.4318, 0.0, math.pi / 2, 0.82, (0.0018, 0.0013, 0.0018), (0.0, 0.019, 0.0)),
    (0.0, 0.0, -math.pi / 2, 0.34, (0.0003, 0.0004, 0.0003), (0.0, 0.0, 0.0)),
    (0.0, 0.0, 0.0, 0.09, (0.00015, 0.00015, 4e-5), (0.0, 0.0, 0.032)),
]
SERVO_STIFFNESS = (2000.0, 2000.0, 2000.0, 5.0, 5.0, 0.5)
SERVO_DAMPING = (200.0, 200.0, 50.0, 0.5, 0.5, 0.05)


def servo_angle(robot, joint):
    return 0.4 * math.sin(0.7 * joint + 0.37 * robot + 0.5)


def robot_base(robot):
    return [2.0 * (robot % 10), 2.0 * (robot // 10), 0.0]


def link_frame(link):
    """from the frame before to that of the link, at angle zero: rotation about x, and where"""
    d, a, twist = link[:3]
    c, s = math.cos(twist), math.sin(twist)
    return [[1, 0, 0], [0, c, -s], [0, s, c]], [a, 0, d]


def times(a, b):
    return [[sum(a[i][k] * b[k][j] for k in range(3)) for j in range(3)] for i in range(3)]


def turned(a, v):
    return [sum(a[i][k] * v[k] for k in range(3)) for i in range(3)]


def moved(p, v):
    return [x + y for x, y in zip(p, v)]


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def diagonal(v):
    return [[v[i] if i == j else 0 for j in range(3)] for i in range(3)]


def about_x(angle):
    return [math.cos(angle / 2), math.sin(angle / 2), 0, 0]


def robots(numbers):
    """arms with these numbers; sensors at the last. All twists are about x, so that they add up."""
    yield {"class": "Gravity", "name": "g", "acceleration": [0, 0, -GRAVITY]}
    for r in numbers:
        rotation, place, twist, before = diagonal((1, 1, 1)), robot_base(r), 0.0, {}
        for i, link in enumerate(LINKS):
            hinge = {**before, "body_b": f"r{r}b{i}", "at": place, "axis": turned(rotation, [0, 0, 1])}
            turn, step = link_frame(link)
            place, rotation, twist = moved(place, turned(rotation, step)), times(rotation, turn), twist + link[2]
            yield {"class": "RigidBody", "name": f"r{r}b{i}", "position": place, "orientation": about_x(twist),
                   "mass": link[3], "inertia": diagonal(link[4]), "com": link[5]}
            yield {"class": "RevoluteJoint", "name": f"r{r}j{i}", **hinge}
            yield {"class": "TorsionalSpringDamper", "name": f"r{r}s{i}", **hinge, "angle": servo_angle(r, i),
                   "stiffness": SERVO_STIFFNESS[i], "damping": SERVO_DAMPING[i]}
            before = {"body_a": f"r{r}b{i}"}
    for i in range(len(LINKS)):
        yield {"class": "JointSensor", "name": f"q{i}", "joint": f"r{numbers[-1]}j{i}"}


# ---- bodies and hinges that grow: every body 1 kg, its frame at its centre. Not stretched over kilometres, where Jacobians are
# renewed in nearly every step. Folded to and fro, at rest, a heap yields to no side: the first hinges drag all of it along with
# them, and models get harder as they grow. Coiled, and every body turning as fast as the next, they only get larger

WEIGHT = {"class": "Gravity", "name": "g", "acceleration": [0, -GRAVITY, 0]}
FOLDED = ((0, 0), (1, 0))
COILED = (*FOLDED, (0.5, math.sqrt(0.75)))
ORIGIN = (0.0, 0.0, 0.0)


def still(_):
    return 0.0


def turning(i):
    """rad/s of body i, between -0.5 and 0.5: multiples of the golden ratio, whose sums stay small"""
    return (i * (math.sqrt(5) - 1) / 2) % 1 - 0.5


def body(name, *place):
    return {"class": "RigidBody", "name": name, "mass": 1, "inertia": diagonal((1, 1, 1)), "position": place}


def flying(item, velocity, spin):
    """the same body, in motion"""
    return {**item, "velocity": velocity, "angular_velocity": spin} if any(velocity) or any(spin) else item


def hinge(name, a, b, *at, axis=(0, 0, 1)):
    ends = {"body_a": a, "body_b": b} if a else {"body_b": b}
    return {"class": "RevoluteJoint", "name": name, **ends, "at": at, "axis": axis}


class Link(typing.NamedTuple):
    """of a row of bodies, from corner to corner, turning about z"""
    begin: tuple
    end: tuple
    end_velocity: tuple
    velocity: list  # of its middle
    spin: list

    def body(self, name, above=0.0):
        x, y = ((a + b) / 2 for a, b in zip(self.begin, self.end))
        return flying(body(name, x, y + above, 0), self.velocity, self.spin)


def links(n, corners, speed):
    """each begins where the one before ends, as fast as that"""
    fast = (0.0, 0.0)
    for i in range(n):
        begin, end = (corners[k % len(corners)] for k in (i, i + 1))
        before, spin = fast, speed(i)
        fast = (before[0] - spin * (end[1] - begin[1]), before[1] + spin * (end[0] - begin[0]))
        yield Link(begin, end, fast, [*((a + b) / 2 for a, b in zip(before, fast)), 0.0], [0.0, 0.0, spin])


def bodies_chain(n, corners=FOLDED, speed=still):
    """one after the other from corner to corner, hinges about z"""
    yield WEIGHT
    for i, link in enumerate(links(n, corners, speed)):
        yield link.body(f"b{i}")
        yield hinge(f"j{i}", f"b{i - 1}" if i else None, f"b{i}", *link.begin, 0)


def pendulums(n):
    """bodies on hinges that know nothing of each other, each of its own length"""
    yield WEIGHT
    for i in range(n):
        yield body(f"b{i}", 0.5 + 0.01 * i, 0, 2.0 * i)
        yield hinge(f"j{i}", None, f"b{i}", 0, 0, 2.0 * i)


def bodies_tree(n, speed=still):
    """every body carries two, their hinges about x and z in turn; the speed is that about the own hinge"""
    yield WEIGHT
    known = array.array("d")  # place, velocity and spin
    for i in range(n):
        parent = (i - 1) // 2
        at, velocity, (x, _, z) = (known[k:k + 3] if i else ORIGIN for k in range(9 * parent, 9 * parent + 9, 3))
        place = (at[0] + (1 if i % 2 else -1), at[1] - 1, at[2]) if i else (0.0, -1.0, 0.0)
        spin = (speed(i), 0.0, z) if i % 2 else (x, 0.0, speed(i))
        velocity = moved(velocity, cross(spin, [b - a for a, b in zip(at, place)]))
        known.extend([*place, *velocity, *spin])
        yield flying(body(f"b{i}", *place), velocity, spin)
        yield hinge(f"j{i}", f"b{parent}" if i else None, f"b{i}", *at, axis=(1, 0, 0) if i % 2 else (0, 0, 1))


def bodies_ladder(n, corners=FOLDED, speed=still):
    """two rails and a rung per cell, a loop each; the fourth corner only holds in the plane, the rest follows"""
    yield WEIGHT
    for i, rail in enumerate(links(n // 3, corners, speed)):
        a, b, rung = f"a{i}", f"b{i}", f"r{i}"
        begin, (x, y) = rail.begin, rail.end
        yield rail.body(a)
        yield rail.body(b, above=1.0)
        yield flying(body(rung, x, y + 0.5, 0), [*rail.end_velocity, 0.0], ORIGIN)
        yield hinge(f"ja{i}", f"a{i - 1}" if i else None, a, *begin, 0)
        yield hinge(f"jb{i}", f"b{i - 1}" if i else None, b, begin[0], begin[1] + 1, 0)
        yield hinge(f"jr{i}", a, rung, x, y, 0)
        yield {"class": "GenericJoint", "name": f"pin{i}", "body_a": b, "body_b": rung, "at": [x, y + 1, 0],
               "z": False, "rx": False, "ry": False, "rz": False}


SHAPES = {"chain": bodies_chain, "ladder": bodies_ladder, "tree": bodies_tree}
MOVING = {"chain": lambda n: bodies_chain(n, COILED, turning), "ladder": lambda n: bodies_ladder(n, COILED, turning),
          "tree": lambda n: bodies_tree(n, turning)}


def write(path, items):
    with open(path, "w", encoding="utf-8") as file:
        file.write('{"cardan": 1, "items": [')
        comma = "\n"
        for item in items:
            file.write(comma + json.dumps(item))
            comma = ",\n"
        file.write("\n]}\n")
