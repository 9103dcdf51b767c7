// mechanisms.h - models of the tests on redundant constraints, as text
#ifndef CARDAN_TESTS_MECHANISMS_H
#define CARDAN_TESTS_MECHANISMS_H

#define MODEL(items) "{\"cardan\": 1, \"items\": [" items "]}"
#define GRAVITY "{\"class\": \"Gravity\", \"name\": \"g\", \"acceleration\": [0, -9.81, 0]},"
#define ROD(name, position, more)                                                     \
    "{\"class\": \"RigidBody\", \"name\": \"" name "\", \"position\": " position more \
    ", \"shape\": {\"class\": \"Cuboid\", \"size\": [1, 0.1, 0.1], \"density\": 100}},"
#define HINGE(name, a, b, at, axis)                                                            \
    "{\"class\": \"RevoluteJoint\", \"name\": \"" name "\", \"body_a\": " a ", \"body_b\": " b \
    ", \"at\": " at ", \"axis\": " axis "}"

// clang-format off
// a door with two hinges on one axis, hanging sideways: a pendulum with 5 constraints too many
#define DOOR MODEL(GRAVITY                                                        \
    ROD("door", "[0.5, 0, 0]", "")                                                \
    HINGE("lower", "null", "\"door\"", "[0, 0, -0.3]", "[0, 0, 1]") ","           \
    HINGE("upper", "null", "\"door\"", "[0, 0, 0.5]", "[0, 0, 1]"))

// a parallelogram of spatial hinges: arms of 1 m at -30 degrees, 3 constraints too many
#define TURNED(quat) ", \"orientation\": [" quat "]"
#define ARM_TURN TURNED("0.96592582628906831, 0, 0, -0.25881904510252074")
#define PARALLELOGRAM MODEL(GRAVITY                                                            \
    ROD("left", "[0.43301270189221935, -0.25, 0]", ARM_TURN)                                   \
    ROD("bar", "[1.3660254037844386, -0.5, 0]", "")                                            \
    ROD("right", "[1.4330127018922194, -0.25, 0]", ARM_TURN)                                   \
    HINGE("a", "null", "\"left\"", "[0, 0, 0]", "[0, 0, 1]") ","                               \
    HINGE("b", "\"left\"", "\"bar\"", "[0.8660254037844387, -0.5, 0]", "[0, 0, 1]") ","        \
    HINGE("c", "\"bar\"", "\"right\"", "[1.8660254037844386, -0.5, 0]", "[0, 0, 1]") ","       \
    HINGE("d", "\"right\"", "null", "[1, 0, 0]", "[0, 0, 1]"))

// A04: five rods between six hinges, 30 constraints of rank 29
#define HALF "0.7071067811865476"
#define BRICARD MODEL(GRAVITY                                          \
    ROD("r1", "[0.5, 0, 0]", "")                                       \
    ROD("r2", "[1, -0.5, 0]", TURNED(HALF ", 0, 0, -" HALF))           \
    ROD("r3", "[1, -1, 0.5]", TURNED(HALF ", 0, -" HALF ", 0"))        \
    ROD("r4", "[0.5, -1, 1]", "")                                      \
    ROD("r5", "[0, -0.5, 1]", TURNED(HALF ", 0, 0, " HALF))            \
    HINGE("j1", "null", "\"r1\"", "[0, 0, 0]", "[0, 1, 0]") ","        \
    HINGE("j2", "\"r1\"", "\"r2\"", "[1, 0, 0]", "[0, 0, 1]") ","      \
    HINGE("j3", "\"r2\"", "\"r3\"", "[1, -1, 0]", "[1, 0, 0]") ","     \
    HINGE("j4", "\"r3\"", "\"r4\"", "[1, -1, 1]", "[0, 1, 0]") ","     \
    HINGE("j5", "\"r4\"", "\"r5\"", "[0, -1, 1]", "[0, 0, 1]") ","     \
    HINGE("j6", "\"r5\"", "null", "[0, 0, 1]", "[1, 0, 0]"))
// clang-format on

#endif
