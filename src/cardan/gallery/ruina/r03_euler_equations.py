"""R3: Euler's equations and their special solutions: spins about principal axes, and what they need to stay."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import sympy as sp

import cardan as cd
from cardan.errors import ModelError
from cardan.gallery.comparing import Pair, agreement, identity, near, refused, same
from cardan.gallery.entry import Check, Entry, Tolerances
from cardan.gallery.pictures import DARK, panels
from cardan.gallery.ruina.vectors import Array, about
from cardan.gallery.sampling import letters

if TYPE_CHECKING:
    from matplotlib.figure import Figure

IDENTITY = [1.0, 0.0, 0.0, 0.0]
SPIN, SMALL = 2.0, 1e-6
MOMENTS = (0.9, 0.7, 1.3)  # I2 < I1 < I3: the first axis is the intermediate one
TIGHT: Tolerances = {"rtol": 1e-12, "atol": 1e-18}


def system(moments: tuple[float, ...] = MOMENTS) -> cd.System:
    """A body about its centre of mass, with a moment along each of its axes."""
    s = cd.System("free body along its principal axes")
    I1, I2, I3 = s.parameters(I1=moments[0], I2=moments[1], I3=moments[2])
    body = s.body("body", mass=1.0, inertia=(I1, I2, I3), joint=cd.Ball(cd.Quaternion("e")))
    for name, axis in zip("xyz", (body.x, body.y, body.z), strict=True):
        s.moment(f"M{name}", on=body, along=axis)
    return s


def checks(s: cd.System) -> Iterator[Check]:
    I1, I2, I3, *M = letters(s, "I1 I2 I3 Mx My Mz")
    w1, w2, w3 = s.model.v
    eq = s.equations()
    box = [
        M[0] / I1 + (I2 - I3) * w2 * w3 / I1,
        M[1] / I2 + (I3 - I1) * w1 * w3 / I2,
        M[2] / I3 + (I1 - I2) * w1 * w2 / I3,
    ]
    right = np.array(list(eq.generalized_forces.values())[:3]) - np.array(list(eq.velocity_terms))
    found = [right[k] / eq.mass_matrix[k, k] for k in range(3)]
    yield identity("Euler's equations", "2/27, last box with 1/I_i", found, box)
    kinds = [s.linearize(IDENTITY, 3.0 * axis).about for axis in np.eye(3)]
    yield same("spins about principal axes are steady", "2/27, (2)", kinds, ["steady"] * 3)
    yield from spins()
    for spin in ([1, 1, 0], [0, 1, 1]):
        yield refused(
            "other free spins are not", "2/27, (2)", partial(s.linearize, IDENTITY, spin), ModelError,
            because="no steady motion, and so no linear equations of one",
        )  # fmt: skip
    D = slope(MOMENTS)
    yield same("D > 0 for the intermediate axis", "2/27", D > 0, True)
    lin = s.linearize(IDENTITY, [SPIN, 0.0, 0.0])
    yield near("its neighbours leave at sqrt(D)", "2/27", lin.eigenvalues.real.max(), np.sqrt(D))
    yield same("and the verdict says so", "2/27", lin.stability.kind, "divergence")
    yield near(
        "it grows as exp(sqrt(D) t)", "2/27", *growth(s, D), within=1e-9,
        because="dropped terms of order (small e^8)^2 = 1e-5 of small enter squared; 1e-12 per step",
    )  # fmt: skip
    for moments, which in (((1.3, 0.9, 0.7), "largest"), ((0.7, 0.9, 1.3), "smallest")):
        seen = system(moments).linearize(IDENTITY, [SPIN, 0.0, 0.0])
        yield near(f"about the {which} axis nothing grows", "2/27", seen.eigenvalues.real.max(), 0.0)
        wobbles = float(np.min(np.abs(np.sort(seen.frequencies) - np.sqrt(-slope(moments)))))
        yield near(f"and one frequency is sqrt(-D), {which} axis", "2/27", wobbles, 0.0)
        yield near(
            f"the {which} axis wobbles at sqrt(-D)", "2/27", *wobble(moments), within=1e-9,
            because="terms of second order in small, 1e-12, and 1e-12 per step",
        )  # fmt: skip
    yield agreement("moment that holds a fixed-axis spin", "2/27, (3)", held())
    yield from examples()


def spins() -> Iterator[Check]:
    """All steady spins at one rate, found without a guess in angles of two kinds; neither kind sees its own poles:

    their axes are the principal ones, and only the intermediate one grows, at sqrt(D).
    """
    axes, rates = set[int](), dict[int, set[float]]()
    for convention in ("3-2-3", "3-2-1"):
        s = cd.System(f"free body by {convention} angles")
        phi, theta, psi = s.coordinates("phi theta psi", on="S1")
        body = s.body("body", mass=1.0, inertia=MOMENTS, joint=cd.Ball(cd.Euler(convention, phi, theta, psi)))
        up = sp.Matrix([(body.vector(*unit)).express(s.world)[2] for unit in np.eye(3, dtype=int).tolist()])
        for one in s.steady_motions(hold={"phi_dot": SPIN}, seeds=60):
            along = np.array(up.subs(dict(zip(s.model.q, one.q, strict=True))), dtype=float).ravel()
            which = int(np.argmax(np.abs(along)))
            yield near(f"a spin that is found is about principal axis {which + 1}", "2/27, (2)", abs(along[which]), 1.0)
            axes.add(which)
            rates.setdefault(which, set()).add(round(float(one.linear.eigenvalues.real.max()), 9))
    yield same("all three are found", "2/27, (2)", axes, {0, 1, 2})
    growing = {which: max(found) for which, found in rates.items()}
    yield near("and the intermediate one alone grows", "2/27", [growing[k] for k in range(3)],
               [np.sqrt(slope(MOMENTS)), 0.0, 0.0], within=1e-8, because="rounded to nine digits")  # fmt: skip


def slope(moments: tuple[float, ...], spin: float = SPIN) -> float:
    """D of the notes: wdd_y = D w_y near a spin about the first axis."""
    a, b, c = moments
    return spin**2 * (c - a) * (a - b) / (b * c)


def growth(s: cd.System, D: float) -> Pair:
    """log(w_y / small) along the growing solution, and sqrt(D) t; there rate w_y = (I3 - I1)/I2 spin w_z."""
    rate, (a, b, c), small = float(np.sqrt(D)), MOMENTS, 1e-9
    run = s.simulate(8 / rate, q=IDENTITY, v=[SPIN, small, small * rate * b / ((c - a) * SPIN)], **TIGHT)
    return np.log(run.v[:, 1] / small), rate * run.t


def wobble(moments: tuple[float, ...]) -> Pair:
    """w_y / small for three wobbles, and cos(sqrt(-D) t)."""
    rate = float(np.sqrt(-slope(moments)))
    run = system(moments).simulate(6 * np.pi / rate, q=IDENTITY, v=[SPIN, SMALL, 0.0], **TIGHT)
    return run.v[:, 1] / SMALL, np.cos(rate * run.t)


def held() -> Iterator[Pair]:
    """With M = w^2 (0, -I_xz, I_xy) a spin about x stays, and inverse dynamics asks for just that."""
    inertia, spin = np.array([[1.4, 0.2, -0.1], [0.2, 1.1, 0.3], [-0.1, 0.3, 0.9]]), 2.5
    s = cd.System("unbalanced rotor")
    rotor = s.body("rotor", mass=1.0, inertia=inertia, joint=cd.Ball(cd.Quaternion("e")))
    for name, axis in zip("xyz", (rotor.x, rotor.y, rotor.z), strict=True):
        s.moment(f"M{name}", on=rotor, along=axis)
    M = spin**2 * np.array([0.0, -inertia[0, 2], inertia[0, 1]])
    kernel = s.compile()
    loads = dict(zip(("Mx", "My", "Mz"), M, strict=True))
    yield kernel.acceleration(IDENTITY, [spin, 0, 0], loads=loads), np.zeros(3)
    yield kernel.inverse_dynamics(IDENTITY, [spin, 0, 0], np.zeros(3)), M


RATE = 2.5  # of the examples of 3/6, about e_3


def spun(masses: list[tuple[float, tuple[float, float, float]]]) -> cd.System:
    """Particles on a light frame that is turned about e_3 at a constant rate."""
    s = cd.System("spun at a constant rate")
    inertia = cd.geometry.inertia.point_masses(masses)
    mass, com = float(inertia.mass), tuple(float(one) for one in inertia.com)
    held = s.frame("shaft", joint=cd.Revolute("z", RATE * s.time))
    x = s.coordinates("x")  # a freedom of something else, so that there is motion
    s.particle("other", mass=1.0, position=x * s.world.x)
    s.body("object", mass=mass, inertia=np.array(inertia.inertia, dtype=float), com=com, parent=held, joint=cd.Fixed())
    return s


def examples() -> Iterator[Check]:
    """3/6: a dumbbell aslant on its shaft needs torque, a sheet about its middle line and a disc about n do not."""
    a, b = 0.3, 0.4
    aslant = [(0.5, (0.0, a, b)), (0.5, (0.0, -a, -b))]
    sheet = [(0.25, (i * a, 0.0, j * b)) for i in (-1, 1) for j in (-1, 1)]
    flat = [(m, (x, y, 0.0)) for m, x, y in ((0.7, 0.3, 0.1), (0.2, -0.5, -0.25), (0.4, -0.275, -0.05))]
    expected = {
        "dumbbell, aslant": [-(RATE**2) * -(2 * 0.5 * a * b), 0.0, 0.0],  # -w^2 I_23 with I_23 = - sum m y z
        "thin sheet, about a middle line": [0.0, 0.0, 0.0],
        "planar object, about its normal": [0.0, 0.0, 0.0],
    }
    for (name, torque), masses in zip(expected.items(), (aslant, sheet, flat), strict=True):
        eq = spun(masses).equations()
        found = eq.at([0.0], [0.0], 0.0).reactions["object"].moment
        yield near(f"torque of a constant spin: {name}", "3/6, examples", found, torque)
    turned = eq_moment(aslant, 0.7)
    R = about([0, 0, 1], RATE * 0.7)
    yield near("it turns with the object", "3/6", turned, R @ expected["dumbbell, aslant"])


def eq_moment(masses: list[tuple[float, tuple[float, float, float]]], t: float) -> Array:
    """The moment on the object at a later time, in space."""
    return np.asarray(spun(masses).equations().at([0.0], [0.0], t).reactions["object"].moment)


def picture(run: cd.Run) -> Figure:
    """The flips, and the growth of the disturbance on a logarithmic scale."""
    with panels("angular velocity in the body", "the disturbance grows", size=(9.0, 3.7)) as (figure, (spin, growing)):
        at = run.at(np.linspace(0, run.t[-1], 1500))
        for k, name in enumerate("xyz"):
            spin.plot(at.t, at.v[:, k], label=rf"$\omega_{name}$")
        spin.set(xlabel="time [s]", ylabel="angular velocity [rad/s]")
        spin.legend(fontsize=9, loc="upper center")
        early = at.t < 24
        growing.semilogy(at.t[early], np.abs(at.v[early, 1]), label=r"$|\omega_y|$")
        rate = np.sqrt(slope(MOMENTS))
        line = SMALL / 2 * np.exp(rate * at.t[early])
        growing.semilogy(at.t[early], line, "--", color=DARK, label=r"$e^{\sqrt{D}\,t}$")
        growing.set(xlabel="time [s]", ylabel=r"$|\omega_y|$ [rad/s]", ylim=(1e-7, 10))
        growing.legend(fontsize=9, loc="lower right")
    return figure


ENTRY = Entry(
    id="R3",
    where="lectures 2/27 and 3/6",
    lesson=(
        "Euler's equations have exactly three kinds of steady free spin, one for each principal axis, and only two "
        "of them can be seen. Linearised about a spin, a disturbance obeys an oscillator whose stiffness is a "
        "product of two differences of moments: negative D for the axes of largest and smallest moment, which "
        "wobble, positive for the one in between, which leaves at the rate sqrt(D). A disturbance of a millionth is "
        "enough; what the linear theory cannot say is that the body comes back, head over heels, again and again. A "
        "spin about an axis that is not principal can be kept, but only by bearings that carry w x I w."
    ),
    system=system,
    checks=checks,
    start={"duration": 90.0, "q": IDENTITY, "v": [SPIN, SMALL, 0.0], "rtol": 1e-11, "atol": 1e-15},
    picture=picture,
    caption="A spin about the intermediate axis with a disturbance of 1e-6: it grows as predicted, then flips.",
    erratum="2/27: the last box of Euler's equations lacks the factors 1/I_i in its second column.",
)
