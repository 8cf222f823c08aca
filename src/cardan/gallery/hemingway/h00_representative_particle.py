"""H0: the representative particle of a bead on a turning arm: its place, basis, mass, and how a load stands to it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
import sympy as sp
from sympy import cos, sin

import cardan as cd
from cardan.gallery.comparing import agreement, identity, near, same
from cardan.gallery.entry import Check, Entry
from cardan.gallery.hemingway.columns import about_z, skwt
from cardan.gallery.motion import motion
from cardan.gallery.pictures import BLUE, GREEN, PALE, RED, VIOLET, panels, smooth
from cardan.gallery.sampling import ANGLE, Array, body_of, column, dot, letters, numbers, particle_of, states

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

RANGES = [ANGLE, (-2.0, 2.0)]
E_3 = column(0, 0, 1)
HELD = ("arm_moment_y", "arm_moment_x", "arm_force_y", "arm_force_x", "P_force_y", "P_force_z")


def system() -> cd.System:
    """The arm turns freely on a post that is moved up and down, z = f(t); `push` acts on the bead across the arm."""
    s = cd.System("bead on a turning arm")
    nu, r, z = s.coordinates("nu", on="S1"), s.coordinates("r"), s.coordinates("z")
    m, M, c, J1, J2, J3, J12, a = s.parameters(m=1.7, M=2.3, c=0.2, J1=0.2, J2=0.3, J3=0.4, J12=0.02, a=0.3)
    inertia, shape = ((J1, J12, 0), (J12, J2, 0), (0, 0, J3)), cd.Bar((-1.2, 0, 0), (1.2, 0, 0), 0.03)
    arm = s.body("arm", mass=M, inertia=inertia, com=(c, 0, 0), joint=cd.Cylindrical("z", nu, z), shape=shape)
    P = s.particle("P", mass=m, frame=arm, position=arm.vector(r, 0, 0))
    s.prescribe(z, a * sin(s.time))
    s.force("push", on=P, along=arm.y)
    return s


class Printed:
    """Sections 2 and 3 for this system, in world components: partial velocities, r, a_J and the inner product."""

    def __init__(self, s: cd.System) -> None:
        nu, r, m, M, c, J1, J2, J3, J12, a = letters(s, "nu r m M c J1 J2 J3 J12 a")
        self.Q, nil = about_z(nu), sp.zeros(3, 1)
        e_1, e_2 = self.Q[:, 0], self.Q[:, 1]
        self.e_1, self.e_2, height = e_1, e_2, a * sin(s.time) * E_3
        turn = (r * e_2, c * e_2, E_3)  # dv, dvbar and dw per unit rate
        of_joint = [(-r * E_3, -c * E_3, e_2), (nil, nil, e_1), (e_2, e_2, nil), (e_1, e_1, nil)]
        self.partial = [turn, (e_1, nil, nil), (E_3, E_3, nil), *of_joint, (e_2, nil, nil), (E_3, nil, nil)]
        self.names = ("nu", "r", "z", *HELD)
        self.r = self.stacked(r * e_1 + height, c * e_1 + height, self.Q)  # (15)
        self.a = {
            name: self.stacked(v, v_bar, skwt(w) * self.Q)
            for name, (v, v_bar, w) in zip(self.names, self.partial, strict=True)
        }  # (16)
        self.mass, J = m + M, sp.Matrix([[J1, J12, 0], [J12, J2, 0], [0, 0, J3]])
        euler = J.trace() / 2 * sp.eye(3) - J
        self.weights = sp.diag(m * sp.eye(3), M * sp.eye(3), euler, euler, euler) / self.mass
        self.J = self.Q * J * self.Q.T

    def stacked(self, x: sp.Matrix, x_bar: sp.Matrix, Q: sp.Matrix) -> sp.Matrix:
        """A vector of C^15; the tensor row by row."""
        return column(*x, *x_bar, *Q)


def checks(s: cd.System) -> Iterator[Check]:
    s.force("F", on=particle_of(s, "P"))
    s.moment("M_a", on=body_of(s, "arm"))
    printed, particle = Printed(s), s.representative_particle()
    nu, r, m, M, c, J3, push = letters(s, "nu r m M c J3 push")
    yield identity("position of the particle, fifteen components", "(15)", particle.position, printed.r)
    basis = [part for name in printed.names for part in particle.basis[name]]
    yield identity(
        "all nine basis vectors", "(16)", basis, [part for name in printed.names for part in printed.a[name]]
    )
    yield same(
        "which are free, prescribed, held",
        "(1), (7)",
        list(particle.kinds.values()),
        ["free"] * 2 + ["prescribed"] + ["held"] * 6,
    )
    yield identity("its mass", "before (15)", particle.mass, printed.mass)
    yield from energy(s, printed)
    yield from forces(s, printed)
    yield from dual(s, printed)
    yield from orthogonal(s)
    yield from catenoid(s)
    moved, F, M_a = J3 + M * c**2, column(*letters(s, "F_x F_y F_z")), column(*letters(s, "M_a_x M_a_y M_a_z"))
    F += push * printed.e_2
    f = [2 * m * r * r.dot * nu.dot, -m * r * nu.dot**2]
    Q = [dot(F, r * printed.e_2) + dot(M_a, E_3), dot(F, printed.e_1)]
    yield from motion(s, "(13), (14)", M=sp.diag(moved + m * r**2, m), f=f, Q=Q, ranges=RANGES)


def energy(s: cd.System, printed: Printed) -> Iterator[Check]:
    """m [rd, rd] / 2 is the energy of bead and arm, M_AB = m [a_A, a_B]; T = T2 + T0, for z is given."""
    nu, r, m, M, c, J3, a = letters(s, "nu r m M c J3 a")
    particle, zd = s.representative_particle(), a * cos(s.time)
    rates = {"nu": nu.dot, "r": r.dot, "z": zd}
    rd = sum((particle.basis[name] * rate for name, rate in rates.items()), sp.zeros(15, 1))
    T = m * (r.dot**2 + r**2 * nu.dot**2 + zd**2) / 2 + M * (c**2 * nu.dot**2 + zd**2) / 2 + J3 * nu.dot**2 / 2
    yield identity("m [rd, rd] / 2 = T*", "(4), (5)", particle.mass * particle.inner(rd, rd) / 2, T)
    vectors = [particle.basis[name] for name in ("nu", "r")]
    metric = [particle.mass * particle.inner(u, w) for u in vectors for w in vectors]
    yield identity("M_AB = m [a_A, a_B]", "(9), after (22)", metric, [J3 + M * c**2 + m * r**2, 0, 0, m])
    split = [T - (m + M) * zd**2 / 2, 0, (m + M) * zd**2 / 2]
    yield identity("T2, T1, T0", "(8)", s.equations().kinetic_energy_split, split)


def forces(s: cd.System, printed: Printed) -> Iterator[Check]:
    """Q_J = Phi . a_J = F . dv/dqd^J + M . dw/dqd^J for every J; those of the constraints vanish for the free ones."""
    eq, found, normal, vectors = s.equations(), [], [], []
    partial = numbers(s, sp.Matrix.vstack(*(sp.Matrix.hstack(*one).T for one in zip(*printed.partial, strict=True))))
    phi = {
        "F": printed.mass / letters(s, "m")[0] * column(*letters(s, "F_x F_y F_z")),
        "M_a": printed.mass * skwt(printed.J.inv() * column(*letters(s, "M_a_x M_a_y M_a_z"))) * printed.Q,
    }
    typed = {"F": numbers(s, list(phi["F"])), "M_a": numbers(s, list(phi["M_a"]))}
    for at in states(s, RANGES, count=6):
        v, v_bar, w = partial(at).reshape(3, 9, 3)
        F, moment = (np.array([at.signals[f"{name}_{axis}"] for axis in "xyz"]) for name in ("F", "M_a"))
        for name, value, powers, place in (("F", F, v @ F, slice(0, 3)), ("M_a", moment, w @ moment, slice(6, 15))):
            here = s.load_geometry(name, value.tolist()).at(at.q, at.t)
            found.append(([here.generalized_forces[one] for one in printed.names], powers))
            vectors.append((here.force[place], typed[name](at)))
        one = eq.at(at.q, at.v, at.t, loads=at.signals).reactions
        power = v @ one["P"].force + v_bar @ one["arm"].force + w @ one["arm"].moment
        normal.append((power[:2], np.zeros(2)))
    yield agreement("Q_J = Phi . a_J for all nine J", "(11), (17)", found)
    yield agreement("Phi, with m rdd = Phi", "before (15)", vectors)
    yield agreement("constraint forces are normal to the manifold", "(12), after (17)", normal)


def dual(s: cd.System, printed: Printed) -> Iterator[Check]:
    """a^J = grad q^J: along the manifold a_A / [a_A, a_A], for nu and r are orthogonal; and reciprocal for all nine."""
    particle, expected, found, reciprocal = s.representative_particle(), [], [], []
    r, m, M, c, J3 = letters(s, "r m M c J3")
    scaled = [printed.a["nu"] * printed.mass / (J3 + M * c**2 + m * r**2), printed.a["r"] * printed.mass / m]
    typed, weights = numbers(s, [part for one in scaled for part in one]), numbers(s, printed.weights)
    for at in states(s, RANGES, count=4):
        here = particle.at(at.q, at.t)
        along, all_nine, W = here.dual(here.free), here.dual(), weights(at).reshape(15, 15)
        found.append(np.concatenate([along["nu"], along["r"]]))
        expected.append(typed(at))
        table = [[all_nine[j] @ W @ here.basis[k] for k in printed.names] for j in printed.names]
        reciprocal.append((table, np.eye(9)))
    yield agreement("contravariant vectors on the manifold", "(16)", zip(found, expected, strict=True))
    yield agreement(
        "[a^J, a_K] = delta for all nine", "(16)", reciprocal, within=1e-11, because="a metric of condition 100"
    )


def orthogonal(s: cd.System) -> Iterator[Check]:
    """Gimbal lock, seen: cos(angle of Phi to M) = |r| sqrt(m / (J + m r^2)), J = J3 + M c^2, zero where r is."""
    geometry, J = s.load_geometry("push", 2.0), 0.4 + 2.3 * 0.2**2
    angles = [
        (geometry.at([0.4, r]).angle, np.arccos(abs(r) * np.sqrt(1.7 / (J + 1.7 * r**2)))) for r in (-1.3, 0.2, 0.9)
    ]
    yield agreement("angle between the push and the manifold", "(18)", angles)
    lock = geometry.at([0.4, 0.0])
    yield near("90 degrees at r = 0", "(18)", np.degrees(lock.angle), 90.0)
    yield same("which is what gimbal lock says", "(18), section 3", lock.is_orthogonal, True)
    forces = [lock.generalized_forces[name] for name in ("nu", "r", *HELD)]
    yield near("and joint and arm carry it there", "(17), (18)", forces, [0, 0, 0, 0, 2.0, 0, 2.0, 0])
    yield near("what acts is m_P r^2 of J + m_P r^2 of Phi^2", "(18)", geometry.at([0.4, 0.9]).share ** 2,
               1.7 * 0.81 / (J + 1.7 * 0.81))  # fmt: skip
    ranks = [
        one.representative_particle().at([0.4, 0.0]).rank for one in (s, s.with_values(M=0, J1=0, J2=0, J3=0, J12=0))
    ]
    yield same("rank of the basis at r = 0, with an arm that has inertia and without", "section 3", ranks, [2, 1])
    yield same("manifold", "section 3", str(s.manifold()), "E^1 x S^1")


def on_the_catenoid(nu: Array | float, r: Array | float) -> tuple[Array, Array, Array]:
    """The configuration manifold in space without distortion.

    Its metric [a_A, a_B] is that of the catenoid rho = k cosh(h / k), whose neck has the radius k of (J + m r^2) / m at
    r = 0: the inertia of the arm is what keeps it open.
    """
    J, total = 0.4 + 2.3 * 0.2**2, 4.0
    k = np.sqrt(J / total)
    h = k * np.arcsinh(np.asarray(r) * np.sqrt(1.7 / J))
    rho = k * np.cosh(h / k)
    return rho * np.cos(nu), rho * np.sin(nu), h


def catenoid(s: cd.System) -> Iterator[Check]:
    """[a_A, a_B] of the manifold, and the metric of the catenoid from the slopes of its points."""
    h, pairs = 1e-3, []
    for nu, r in ((0.3, -1.2), (2.0, 0.0), (-1.0, 0.7)):
        steps = ((-2, 1), (-1, -8), (1, 8), (2, -1))
        along = sum(w * np.array(on_the_catenoid(nu + k * h, r)) for k, w in steps) / (12 * h)
        across = sum(w * np.array(on_the_catenoid(nu, r + k * h)) for k, w in steps) / (12 * h)
        slopes = np.array([along, across])
        pairs.append((s.representative_particle().at([nu, r]).metric(("nu", "r")), slopes @ slopes.T))
    yield agreement(
        "the manifold is a catenoid", "(9); after (47): the inertia controls its radius", pairs, within=1e-10,
        because="differences of order h^4 over h = 1e-3: 1e-12 and rounding of 1e-13",
    )  # fmt: skip


def picture(run: cd.Run) -> Figure:
    """Fig. 3: the particle on its manifold with the push in its two parts; and the angle between them along r."""
    along = smooth(run)
    geometry = run.system.load_geometry("push", 1.0)
    titles = ("the manifold, without distortion", "angle of the push to the manifold")
    with panels(*titles, ratios=(1.15, 1), spatial=(0,)) as (figure, (space, angle)):
        turn, reach = np.meshgrid(np.linspace(0, 2 * np.pi, 61), np.linspace(-1.6, 1.6, 31))
        space.plot_surface(*on_the_catenoid(turn, reach), color=PALE, alpha=0.3, linewidth=0)
        space.plot(*on_the_catenoid(np.linspace(0, 2 * np.pi, 121), 0.0), color=RED, lw=1.8, label="gimbal lock")
        space.plot(*on_the_catenoid(along["nu"], along["r"]), color=BLUE, lw=1.2, label="motion")
        for r in (1.1, 0.0):
            draw_push(space, geometry.at([-0.45, r]), -0.45, r)
        space.set_axis_off()
        space.view_init(22, -60)
        space.set_box_aspect((1, 1, 0.8), zoom=1.35)
        figure.legend(*space.get_legend_handles_labels(), loc="outside lower left", ncols=2, fontsize=9)
        reach = np.linspace(-2, 2, 161)
        angle.plot(reach, np.degrees(geometry.angles("r", reach)))
        angle.axhline(90, color=RED, lw=0.9, ls=":")
        angle.set(xlabel="r [m]", ylabel="angle [degrees]", ylim=(0, 95))
    return figure


def draw_push(space: Axes, here: cd.LoadAt, nu: float, r: float) -> None:
    """Phi at a point of the manifold: its part along it in the tangent plane, the rest across, lengths as they are."""
    x = np.array(on_the_catenoid(nu, r))
    tangent = np.array(on_the_catenoid(nu + 1e-6, r)) - x
    other = np.array(on_the_catenoid(nu, r + 1e-6)) - x
    across = np.cross(tangent, other)
    acts, carried = 0.35 * np.array(here.sizes)
    u, n = tangent / np.linalg.norm(tangent), across / np.linalg.norm(across)
    for vector, colour in ((acts * u, GREEN), (carried * n, RED), (acts * u + carried * n, VIOLET)):
        if np.linalg.norm(vector) > 1e-6:
            space.quiver(*x, *vector, color=colour, lw=1.6, arrow_length_ratio=0.15)
    space.plot(*x[:, None], "o", color=VIOLET, ms=5)


ENTRY = Entry(
    id="H0",
    where="sections 2 and 3, equations (1) to (18), Fig. 3",
    lesson=(
        "A whole mechanism is one particle in a space of many dimensions. Its place is the list of all places and "
        "rotations, its mass is that of the system, and an inner product weighs the parts so that half of m [rd, rd] "
        "is the kinetic energy. What joints allow is a surface in that space, and coordinates are lines on it, "
        "singular where their tangents do not span, which is a matter of drawing. A load is a vector Phi at the "
        "particle. The part along the surface moves the system, the part across is carried by the joints. In gimbal "
        "lock all of Phi is across. For a bead on an arm the surface is a catenoid, whose neck is as wide as the arm "
        "has inertia; on the neck a push across the arm moves nothing."
    ),
    system=system,
    checks=checks,
    start={
        "duration": 2.4,
        "q": {"nu": -1.9, "r": -1.2},
        "v": {"nu": 0.5, "r": 1.5},
        "loads": {"push": 0.3},
    },
    picture=picture,
    sketched=True,
    caption="Violet: the push as a force on the particle; green: what acts; red: what is carried. All is at the neck.",
)
