"""R7: a bead on a wire x(s), by its arc length and by any other parameter."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
import sympy as sp
from sympy import cos, sin

import cardan as cd
from cardan.gallery.comparing import Pair, agreement, identity, near, same
from cardan.gallery.entry import Check, Entry
from cardan.gallery.pictures import panels, smooth
from cardan.gallery.printed import rows, solved
from cardan.gallery.sampling import column, dot, letters

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SIZE = 0.4
AMPLITUDES = (0.4, 1.5, 3.0)
RATE = float(np.sqrt(9.81 / (4 * SIZE)))  # of the cycloid: z = s^2 / (8 a), so that sdd = -g s / (4 a)

Wire: TypeAlias = Callable[..., list[sp.Expr]]  # x, y, z of a coordinate and of the parameters


def bead(wire: Wire, **values: float) -> cd.System:
    """A bead on wire(u, parameters...), pulled by a force along the world's axes."""
    s = cd.System("bead on a wire")
    u = s.coordinates("u")
    m, *parameters = s.parameters(m=1.7, **values)
    s.force("F", on=s.particle("P", mass=m, coordinates=cd.Curve(list(wire(u, *parameters)), u)))
    return s


def cycloid(u: sp.Symbol, a: sp.Symbol) -> list[sp.Expr]:
    return [a * (u + sin(u)), 0, a * (1 - cos(u))]


def helix(s: sp.Symbol, a: sp.Symbol, b: sp.Symbol) -> list[sp.Expr]:
    """By its arc length s."""
    length = sp.sqrt(a**2 + b**2)
    return [a * cos(s / length), a * sin(s / length), b * s / length]


def parabola(u: sp.Symbol, a: sp.Symbol) -> list[sp.Expr]:
    return [u, 0, a * u**2]


def knot(u: sp.Symbol, a: sp.Symbol) -> list[sp.Expr]:
    return [(2 + a * cos(3 * u)) * cos(2 * u), (2 + a * cos(3 * u)) * sin(2 * u), sin(3 * u)]


def system() -> cd.System:
    """The bead on a cycloid, under its weight."""
    s = bead(cycloid, a=SIZE)
    s.gravity(-9.81 * s.world.z)
    return s


def checks(s: cd.System) -> Iterator[Check]:
    by_arc = bead(helix, a=0.5, b=0.2)
    arc, m, a, b = letters(by_arc, "u m a b")
    e_t = column(*helix(arc, a, b)).diff(arc)
    F = column(*letters(by_arc, "F_x F_y F_z"))
    yield identity("kinetic energy by arc length", "3/27, ex 2", by_arc.equations().kinetic_energy, m * arc.dot**2 / 2)
    yield identity("m sdd = F . e_t", "3/27, ex 2", rows(by_arc.equations()), [m * arc.ddot - dot(F, e_t)])
    flat = bead(parabola, a=0.6)
    row = along(flat, parabola)
    yield identity("the same on a parabola, by any parameter", "3/27, ex 2", rows(flat.equations()), [row])
    for name, wire in (("parabola", parabola), ("knot", knot)):
        any_wire = bead(wire, a=0.6)
        pairs = solved(any_wire, [along(any_wire, wire)], [(-1.5, 1.5)])
        yield agreement(f"and in native code, {name}", "3/27, ex 2", pairs)
    for amplitude in AMPLITUDES:
        yield near(
            f"on a cycloid the arc swings harmonically, from u = {amplitude}", "3/27, ex 2", *swing(s, amplitude),
            within=1e-9, because="100 times rtol over two periods, arcs below 1.6 m",
        )  # fmt: skip
    yield near("the wire's force is across it", "3/18, Postulate A", *across(s), within=1e-12)
    yield from turning_hoop()


def along(s: cd.System, wire: Wire) -> sp.Expr:
    """|x'| times (m sdd - F . e_t) with ds/du = |x'|, so that sdd = |x'| udd + |x'|' ud^2."""
    u, m, a = letters(s, "u m a")
    F, x = column(*letters(s, "F_x F_y F_z")), column(*wire(u, a))
    first = x.diff(u)
    speed = sp.sqrt(dot(first, first))
    sdd = speed * u.ddot + speed.diff(u) * u.dot**2
    return speed * (m * sdd - dot(F, first) / speed)


def swing(s: cd.System, amplitude: float) -> Pair:
    """4 a sin(u/2) along the motion from rest, and its harmonic swing."""
    run = s.simulate(4 * np.pi / RATE, q=[amplitude], v=[0.0], rtol=1e-11, atol=1e-13)
    arc = 4 * SIZE * np.sin(run["u"] / 2)
    return arc, 4 * SIZE * np.sin(amplitude / 2) * np.cos(RATE * run.t)


def across(s: cd.System) -> Pair:
    """e_t . (constraint force) along a motion, and zero."""
    run = s.simulate(2.0, q=[2.0], v=[0.0])
    u = run["u"]
    tangent = np.stack([1 + np.cos(u), np.zeros_like(u), np.sin(u)], axis=1)
    tangent /= np.linalg.norm(tangent, axis=1)[:, None]
    return np.einsum("ti,ti->t", tangent, run.reactions["P"].force), np.zeros(len(run))


def hoop() -> cd.System:
    """A bead on a circular wire that turns about its vertical diameter; theta from the bottom."""
    s = cd.System("bead on a turning hoop")
    theta = s.coordinates("theta")
    m, radius, turning, g = s.parameters(m=1.7, R=SIZE, Omega=6.0, g=9.81)
    plane = s.body("hoop", inertia=0, joint=cd.Revolute("z", turning * s.time))
    s.particle("P", mass=m, position=plane.vector(radius * sin(theta), 0, -radius * cos(theta)))
    s.gravity(-g * s.world.z)
    return s


def turning_hoop() -> Iterator[Check]:
    """cos(theta) = g / (R Omega^2) above Omega^2 = g / R, with the frequency Omega sin(theta): a pitchfork."""
    s, limit = hoop(), float(np.sqrt(9.81 / SIZE))
    found = cd.critical_value(lambda speed: s.with_values(Omega=speed).linearize([0.0]), 1.0, 20.0)
    yield near(
        "the bottom is left at Omega^2 = g / R", "closed form", found, limit, within=1e-9, because="a simple root"
    )
    for speed in (0.8 * limit, 1.3 * limit, 2.0 * limit):
        rests = s.with_values(Omega=speed).equilibria(seeds=60)
        aside = [one for one in rests if 1e-6 < abs(one["theta"]) < np.pi - 1e-6]
        name = f"at {speed / limit:.1f} of it"
        yield same(f"rests {name}", "closed form", len(rests), 4 if speed > limit else 2)
        angles = np.array([abs(one["theta"]) for one in aside])
        expected = np.full(len(aside), np.arccos(min(1.0, (limit / speed) ** 2)))
        yield near(f"their place {name}", "closed form", angles, expected, within=1e-9, because="Newton's method")
        rates = np.array([one.linear.frequencies[0] for one in aside])
        yield near(f"their frequency {name}", "closed form", rates, speed * np.sin(expected), within=1e-9)


def picture(run: cd.Run) -> Figure:
    """The wire with three starts, and their arcs in time."""
    s = system()
    with panels("cycloid", "arc from the lowest point", size=(9.0, 3.4)) as (figure, (wire, graph)):
        u = np.linspace(-np.pi, np.pi, 300)
        wire.plot(SIZE * (u + np.sin(u)), SIZE * (1 - np.cos(u)), color="#b0b0b0")
        for amplitude in AMPLITUDES:
            at = smooth(s.simulate(run.t[-1], q=[amplitude], v=[0.0]))
            graph.plot(at.t, 4 * SIZE * np.sin(at["u"] / 2), label=f"from u = {amplitude}")
            wire.plot([SIZE * (amplitude + np.sin(amplitude))], [SIZE * (1 - np.cos(amplitude))], "o")
        wire.set(xlabel="x [m]", ylabel="z [m]", aspect="equal")
        graph.set(xlabel="time [s]", ylabel="arc s [m]")
        figure.legend(*graph.get_legend_handles_labels(), loc="outside lower center", ncols=3, fontsize=9)
    return figure


ENTRY = Entry(
    id="R7",
    where="lecture 3/27, example 2",
    lesson=(
        "On a wire there is one question, how far along, and one equation, the component of F = m a along the wire. "
        "Measured by arc length the wire's shape enters only through the direction of its tangent; by any other "
        "parameter the inertia varies along it and a velocity term appears, which is the same equation in worse "
        "clothes. The wire that makes gravity's pull proportional to the arc is the cycloid, and on it every bead "
        "takes the same time, whatever its start. That the wire may push sideways but never along is Postulate A, "
        "and it is what no friction means."
    ),
    system=system,
    checks=checks,
    start={"duration": 4 * float(np.pi) / RATE, "q": [3.0], "v": [0.0]},
    picture=picture,
    caption="Beads let go on a cycloid: three amplitudes, one period.",
    erratum="3/27: with a potential, Lagrange's equation has - dV/dq on the right.",
)
