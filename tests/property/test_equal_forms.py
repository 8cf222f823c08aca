"""One mechanism in several forms: joints as coordinates, as constraints on free bodies, redundant, massless.

Chains are drawn as in `random_models.py`; poses and velocities of their bodies come from `lagrange_by_plan.py`.
"""

from __future__ import annotations

from math import asin, atan2

import numpy as np
import pytest
from sympy import cos, sin

import cardan as cd
from support.build_models import build, magnitudes
from support.close import assert_close
from support.lagrange_by_plan import Lagrangian
from support.random_models import Plan, draw

FORMS = 1e-10  # relative: the demand; condition of the systems below 1e4
BECAUSE = "1e-10 of the largest: rounding of two forms of the equations"
KINDS = ("Fixed", "Revolute", "Prismatic", "Cylindrical", "Universal", "Planar", "BallQuaternion")


# --- joints as constraints on free bodies ------------------------------------------------------------


def straightened(plan: Plan) -> Plan:
    """The plan with placements that turn nothing, so that a joint's axes are the same in both of its bodies."""
    for k, body in enumerate(plan.bodies):
        steps = tuple(
            type(step)("place", position=step.position) if step.kind == "place" else step for step in body.steps
        )
        plan.bodies[k] = type(body)(
            body.name, body.parent, body.joint, body.options, steps, body.mass, body.inertia, body.com
        )
    return plan


def free_bodies(plan: Plan, orientation: str) -> tuple[cd.System, list[float], list[float]]:
    """Every body with six freedoms, every joint of the plan as a connection; and the plan's state."""
    s, motion = cd.System("free bodies"), Lagrangian(plan)
    bodies: list = []
    q: list[float] = []
    v: list[float] = []
    for k, body in enumerate(plan.bodies):
        x, y, z = s.coordinates(f"x{k} y{k} z{k}")
        R, p = motion.poses[k]
        R = motion.numbers(list(np.ravel(R))).reshape(3, 3)
        w = motion.numbers(list(motion.spin(k)))
        q += motion.numbers(list(p)).tolist()
        v += motion.numbers(motion.rates(list(p))).tolist()
        if orientation == "quaternion":
            turned = cd.Quaternion(f"e{k}")
            q += quaternion(R).tolist()
            v += w.tolist()
        else:
            turned = cd.Euler("1-2-3", *s.coordinates(f"a{k} b{k} c{k}"))
            angles, rates = euler_123(R, w)
            q += angles
            v += rates
        bodies.append(
            s.body(body.name, mass=body.mass, inertia=body.inertia, com=body.com, joint=cd.Free(x, y, z, turned))
        )
    s.gravity(s.world.vector(*plan.gravity))
    carriers = [*bodies, s.world]
    for k, body in enumerate(plan.bodies):
        place = body.steps[0].position if body.steps and body.steps[0].kind == "place" else (0.0, 0.0, 0.0)
        s.connect(carriers[body.parent].point(*place), bodies[k].origin, joint_of(body), name=f"joint{k}")
    for spring in plan.springs:
        ends = carriers[spring.first].point(*spring.here), carriers[spring.second].point(*spring.there)
        s.spring(*ends, stiffness=spring.coefficient, length=spring.length)
    for load in plan.loads:
        along = carriers[load.carrier].vector(*load.direction)
        if load.kind == "force":
            s.force(load.name, on=bodies[load.body].point(*load.point), along=along)
        else:
            s.moment(
                load.name, on=bodies[load.body], along=along,
                against=None if load.against is None else carriers[load.against],
            )  # fmt: skip
    for damper in plan.dampers:
        ends = carriers[damper.first].point(*damper.here), carriers[damper.second].point(*damper.there)
        s.damper(*ends, coefficient=damper.coefficient)
    return s, q, v


def joint_of(body) -> cd.Ball:
    o = body.options
    match body.joint:
        case "Fixed":
            return cd.Fixed()
        case "Revolute":
            return cd.Revolute(o["axis"])
        case "Prismatic":
            return cd.Prismatic(o["axis"])
        case "Cylindrical":
            return cd.Cylindrical(o["axis"])
        case "Universal":
            return cd.Universal(o["axes"][0], None, o["axes"][1], None)
        case "Planar":
            return cd.Planar(normal=o["normal"])
    return cd.Ball()


def quaternion(R: np.ndarray) -> np.ndarray:
    """(w, x, y, z), from the eigenvector of Bar-Itzhack's matrix."""
    K = np.array(
        [
            [np.trace(R), R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]],
            [R[2, 1] - R[1, 2], 2 * R[0, 0] - np.trace(R), R[0, 1] + R[1, 0], R[0, 2] + R[2, 0]],
            [R[0, 2] - R[2, 0], R[0, 1] + R[1, 0], 2 * R[1, 1] - np.trace(R), R[1, 2] + R[2, 1]],
            [R[1, 0] - R[0, 1], R[0, 2] + R[2, 0], R[1, 2] + R[2, 1], 2 * R[2, 2] - np.trace(R)],
        ]
    )
    return np.linalg.eigh(K)[1][:, -1]


def euler_123(R: np.ndarray, w: np.ndarray) -> tuple[list[float], list[float]]:
    """Angles of R = Rx(a) Ry(b) Rz(c) and their rates, from body angular velocity w."""
    a, b, c = atan2(-R[1, 2], R[2, 2]), asin(R[0, 2]), atan2(-R[0, 1], R[0, 0])
    cb, sb, cc, sc = np.cos(b), np.sin(b), np.cos(c), np.sin(c)
    B = np.array([[cb * cc, sc, 0.0], [-cb * sc, cc, 0.0], [sb, 0.0, 1.0]])
    return [a, b, c], np.linalg.solve(B, w).tolist()


@pytest.mark.parametrize("orientation", ["quaternion", "euler"])
@pytest.mark.parametrize("kind", KINDS)
def test_a_joint_as_coordinates_and_as_a_connection_of_free_bodies(kind, orientation):
    """Every body feels the same force and moment in both forms, so it has the same acceleration in both."""
    plan = straightened(draw(KINDS.index(kind), [kind, "Revolute", kind], plain=True))
    minimal = build(plan).equations().at(plan.q, plan.v, plan.t, loads=magnitudes(plan))
    s, q, v = free_bodies(plan, orientation)
    maximal = s.equations().at(q, v, loads=magnitudes(plan))
    assert_close(list(maximal.phi.values()), 0.0, within=1e-13, because="the connections hold, rounded")
    assert_close(maximal.A @ v, 0.0, within=1e-12, because="and so do their rates")
    for body in plan.bodies:
        one, other = minimal.reactions[body.name], maximal.reactions[body.name]
        size = max(1.0, *np.abs(one.force), *np.abs(one.moment))
        assert_close(other.force, one.force, within=FORMS * size, because=BECAUSE)
        assert_close(other.moment, one.moment, within=FORMS * size, because=BECAUSE)


# --- redundant and massless --------------------------------------------------------------------------


def four_bar(joint, *, tilt: float = 0.0) -> cd.System:
    """A four-bar in the plane z = 0, closed by the given joint; gravity may lean out of the plane."""
    s = cd.System("four-bar")
    a, b, c = s.coordinates("a b c", on="S1")
    crank = s.body("crank", mass=1, inertia=(0.1, 0.2, 0.15), com=(0.5, 0, 0), joint=cd.Revolute("z", a))
    coupler = s.body(
        "coupler", mass=2, inertia=(0.1, 0.7, 0.7), com=(1, 0.1, 0), parent=crank, at=(1, 0, 0),
        joint=cd.Revolute("z", b),
    )  # fmt: skip
    rocker = s.body(
        "rocker", mass=1.5, inertia=(0.1, 0.5, 0.5), com=(1, 0, 0), at=(2.5, 0, 0), joint=cd.Revolute("z", c)
    )
    s.gravity(s.world.vector(0, -9.81, tilt))
    end, pin = coupler.point(2, 0, 0), rocker.point(2, 0, 0)
    if joint is None:
        s.constrain(cos(a) + 2 * cos(a + b) - 2.5 - 2 * cos(c), name="loop_x")
        s.constrain(sin(a) + 2 * sin(a + b) - 2 * sin(c), name="loop_y")
    else:
        s.connect(end, pin, joint, name="loop")
    return s


@pytest.mark.parametrize("joint", [cd.Ball(), cd.Revolute("z")])
def test_redundant_connections_of_a_planar_loop_give_the_planar_motion(joint):
    """A hinge in space closes the loop with five rows of which two count; the typed loop has just these two.

    The crank starts at 1 and turns; both runs start in the same assembly.
    """
    planar, spatial = four_bar(None), four_bar(joint, tilt=3.0)
    start = min(planar.assemble({"a": 1.0}), key=lambda one: one.q[1]).q
    runs = [
        s.simulate(2.0, q=start, v={"a": 3.0}, rtol=1e-11, atol=1e-13, times=np.linspace(0, 2, 9))
        for s in (planar, spatial)
    ]
    assert_close(runs[1].q, runs[0].q, within=1e-8, because="the sum of local errors of 1e-11 over two seconds")
    assert_close(runs[1].v, runs[0].v, within=1e-7, because="the same, rates of ten")
    because = "projected after every step; the last output is the end of a step"
    assert_close(runs[1].constraint_error[-1, 0], 0.0, within=1e-14, because=because)
    for name in ("loop_x", "loop_y"):
        assert_close(runs[1].multipliers[name], -runs[0].multipliers[name], within=1e-5, because="forces of hundreds")


def test_a_massless_link_restrained_at_both_ends_is_a_rod():
    """A bob on a distance, and the same bob pinned to a link without mass or inertia: the same pendulum."""

    def bob(s: cd.System):
        x, y = s.coordinates("x y")
        s.gravity(-9.81 * s.world.y)
        return s.particle("bob", mass=2, position=s.world.vector(x, y, 0))

    rod = cd.System("rod")
    rod.distance(rod.world.origin, bob(rod), 1.5, name="rod")
    link = cd.System("link")
    mass = bob(link)
    angle = link.coordinates("angle")
    arm = link.body("arm", joint=cd.Revolute("z", angle))
    link.connect(arm.point(1.5, 0, 0), mass, cd.Ball(), name="pin")
    options = {"rtol": 1e-11, "atol": 1e-13, "times": np.linspace(0, 3, 7)}
    one = rod.simulate(3.0, q=[1.5, 0.0], v=[0.0, 0.0], **options)
    other = link.simulate(3.0, q=[1.5, 0.0, 0.0], v=[0.0, 0.0, 0.0], **options)
    assert_close(other.q[:, :2], one.q, within=1e-8, because="the sum of local errors of 1e-11 over three seconds")
    tension = np.column_stack([other.multipliers["pin_x"], other.multipliers["pin_y"]])
    along = one.q / 1.5
    assert_close(tension, one.multipliers["rod"][:, None] * along, within=1e-6, because="forces of sixty")
