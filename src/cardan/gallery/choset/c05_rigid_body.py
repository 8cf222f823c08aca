"""C5: a rigid body: translation, planar rotation, Euler's equation in both frames, Euler rates, inertia."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
import sympy as sp

import cardan as cd
from cardan.gallery.choset.densities import densities, principal
from cardan.gallery.choset.planar_bodies import invariance, planar_rotation
from cardan.gallery.choset.solids import solids
from cardan.gallery.choset.turning_frames import euler_rates, frames, hat
from cardan.gallery.comparing import Pair, identity, near
from cardan.gallery.entry import Check, Entry, Start
from cardan.gallery.sampling import Array, letter, letters
from cardan.report.figures.style import figure_style

if TYPE_CHECKING:
    from matplotlib.figure import Figure

INERTIA = np.array([[1.4, 0.2, -0.1], [0.2, 1.1, 0.3], [-0.1, 0.3, 0.9]])
MASS = 1.7
START: Start = {
    "q": {"x": 0, "y": 0, "z": 0, "e": (1, 0, 0, 0)},
    "v": {"x": 1.0, "y": 0.2, "z": 0.0, "e": (0.3, 2.5, 0.4)},
}


def system() -> cd.System:
    """A free body, its orientation by a quaternion, pushed by a force and turned by a torque along the world's axes."""
    s = cd.System("free rigid body")
    x, y, z = s.coordinates("x y z")
    m = s.parameters(m=MASS)
    body = s.body("body", mass=m, inertia=INERTIA, joint=cd.Free(x, y, z, cd.Quaternion("e")))
    s.force("f", on=body)
    s.moment("tau", on=body)
    return s


def checks(s: cd.System) -> Iterator[Check]:
    m, f = letter(s, "m"), letters(s, "f_x f_y f_z")
    eq = s.equations()
    v = list(s.model.v)
    w, inertia = sp.Matrix(v[3:]), sp.Matrix(INERTIA).applyfunc(lambda one: sp.nsimplify(one, rational=True))
    K = m * (v[0] ** 2 + v[1] ** 2 + v[2] ** 2) / 2 + (w.T * inertia * w)[0, 0] / 2  # (10.29) and before (10.43)
    yield identity("kinetic energy of translation and rotation", "(10.29), (10.44)", eq.kinetic_energy, K)
    yield identity("M is the Hessian of K", "(10.14)", eq.mass_matrix, sp.hessian(K, v))
    yield identity("K = qd^T M qd / 2", "(10.13)", K, (sp.Matrix(v).T * eq.mass_matrix * sp.Matrix(v))[0, 0] / 2)
    alone = (m * sp.eye(3)).row_join(sp.zeros(3))
    yield identity("translation", "(10.29)", [*eq.mass_matrix[:3, :], *eq.velocity_terms[:3, :]], [*alone, 0, 0, 0])
    forces = list(eq.generalized_forces.values())[:3]
    yield identity("and its force", "(10.29)", forces, f)
    yield from frames(s, INERTIA)
    yield from euler_rates(INERTIA)
    yield from planar_rotation()
    yield from invariance()
    yield from solids()
    yield from densities()
    yield from principal()
    yield near(
        "rate of the inertia in space", "before (10.37), corrected", *inertia_rate(s), within=1e-6,
        because="differences of order h^4 of a run to 1e-9, over h = 1e-2",
    )  # fmt: skip
    yield near(
        "momentum and energy stay, the angular velocity does not", "after (10.45)", *kept(s), within=1e-8,
        because="ten times the tolerance of the run",
    )  # fmt: skip


def kept(s: cd.System) -> Pair:
    """P = I_s w_s and K at the end of a free motion, and at its start."""
    run = s.simulate(6.0, **START)
    R, w_s = run.rotation("body"), run.omega("body", expressed_in="world")
    P = np.einsum("tij,jk,tlk,tl->ti", R, INERTIA, R, w_s)
    return [*P[-1], run.energy[-1]], [*P[0], run.energy[0]]


def inertia_rate(s: cd.System) -> Pair:
    """d/dt of I_s = R I R^T along a run, and w^ I_s - I_s w^."""
    run, h = s.simulate(6.0, **START, rtol=1e-11, atol=1e-13), 1e-2
    times = np.linspace(0.1, 5.9, 20)

    def spatial(t: Array) -> Array:
        R = run.at(t).rotation("body")
        return np.asarray(np.einsum("tij,jk,tlk->til", R, INERTIA, R))

    slope = (spatial(times - 2 * h) - 8 * spatial(times - h) + 8 * spatial(times + h) - spatial(times + 2 * h)) / (
        12 * h
    )
    w = np.array([hat(one) for one in run.at(times).omega("body", expressed_in="world")])
    return slope, w @ spatial(times) - spatial(times) @ w


def picture(run: cd.Run) -> Figure:
    """Angular velocity along the body axes, and the momentum along the world's."""
    with figure_style() as easel:
        figure, (spin, momentum) = easel.subplots(1, 2, figsize=(9, 3.5), layout="constrained")
        at = run.at(np.linspace(0, run.t[-1], 600))
        R, w = at.rotation("body"), at.omega("body")
        H = np.einsum("tij,jk,tk->ti", R, INERTIA, w)
        for k, name in enumerate("xyz"):
            spin.plot(at.t, w[:, k], label=rf"$\omega_{name}$")
            momentum.plot(at.t, H[:, k], label=f"$P_{{{name}_s}}$")
        spin.set(xlabel="time [s]", ylabel="angular velocity in the body [rad/s]")
        momentum.set(xlabel="time [s]", ylabel="angular momentum in space [kg m²/s]")
        for axis in (spin, momentum):
            axis.legend(ncols=3, loc="upper center", fontsize=9)
            axis.margins(y=0.2)
    return figure


ENTRY = Entry(
    id="C5",
    where="section 10.4, equations (10.13), (10.14) and (10.29) to (10.49), figure 10.5",
    lesson=(
        "Everything about a free body is in its mass, its centre of mass and its inertia matrix. Translation is "
        "Newton's law. Rotation is not its copy: in space the inertia matrix turns with the body, in the body the "
        "frame is not inertial, and Euler's equation has the same form in both because each of the two effects gives "
        "the term w x I w. So a body without torque keeps its momentum and its energy but not its angular velocity. "
        "Inertia matrices of parts can be moved by the parallel-axis theorem, turned, and added; three Euler angles "
        "give a smaller set of equations at the price of a singularity."
    ),
    system=system,
    checks=checks,
    start={"duration": 6.0, **START},
    picture=picture,
    caption="No torque acts: the angular momentum in space is constant, the angular velocity in the body is not.",
    erratum=(
        "After (10.31) the factor is m/V; dI_s/dt = w^ I_s - I_s w^; in figure 10.5 the third moment of ellipsoid "
        "and box is printed with a and c and is I_yy, so that I_zz = m(a^2 + b^2)/5 and m(a^2 + b^2)/12 are checked."
    ),
)
