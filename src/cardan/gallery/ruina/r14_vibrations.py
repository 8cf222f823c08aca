"""R14: vibrations of discrete systems, and of strings, rods and beams made discrete."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
import sympy as sp
from numpy.typing import ArrayLike
from sympy import cos

import cardan as cd
from cardan.gallery.comparing import Pair, agreement, identity, near, same
from cardan.gallery.entry import Check, Entry, Tolerances
from cardan.gallery.pictures import DARK, panels, smooth
from cardan.gallery.printed import rows
from cardan.gallery.ruina import chains
from cardan.gallery.ruina.chains import Array, neighbours
from cardan.gallery.sampling import letters

if TYPE_CHECKING:
    from matplotlib.figure import Figure

T, RHO, LENGTH, N = 80.0, 0.02, 1.5, 12
SPEED = float(np.sqrt(T / RHO))  # c of the wave equation, as corrected
EXACT = cd.String(length=LENGTH, tension=T, rho=RHO)
X, z = sp.Symbol("x"), sp.Symbol("z", positive=True)
TIGHT: Tolerances = {"rtol": 1e-10, "atol": 1e-14}


def string(parts: int) -> cd.System:
    """Beads of mass rho dx on a light string of tension T, both ends held; small transverse motions."""
    s = cd.System("lumped string")
    tension, rho, length = s.parameters(T=T, rho=RHO, L=LENGTH)
    dx = length / parts
    u = s.coordinates(" ".join(f"u{k}" for k in range(1, parts)))
    for k, one in enumerate(u, start=1):
        s.particle(f"bead{k}", mass=rho * dx, position=s.world.vector(k * dx, one, 0))
    s.potential(tension / (2 * dx) * sum((b - a) ** 2 for a, b in neighbours(u)))
    return s


def system() -> cd.System:
    return string(N)


def lumped(n: ArrayLike, parts: int, c: float, length: float = LENGTH) -> Array:
    """Frequencies of a chain of equal parts with both ends held: (2 c / dx) sin(n pi / 2 N)."""
    return np.asarray(2 * c * parts / length * np.sin(np.asarray(n) * np.pi / (2 * parts)))


def checks(s: cd.System) -> Iterator[Check]:
    n = np.arange(1, N)
    tension, rho, length, u6, u7, u8 = letters(s, "T rho L u6 u7 u8")
    dx = length / N
    bead = rho * dx * u7.ddot - ((u8 - u7) / dx * tension - (u7 - u6) / dx * tension)
    yield identity("one bead of the lumped string", "5/13, LMB", rows(s.equations())[6], bead)
    ringing = s.modes()
    M, K = ringing.linear.M, ringing.linear.K
    second = 2 * np.eye(N - 1) - np.eye(N - 1, k=1) - np.eye(N - 1, k=-1)
    step = LENGTH / N
    yield agreement(
        "its M and K", "5/13, matrices", [(M, RHO * step * np.eye(N - 1)), (K / 1e3, T / step * second / 1e3)]
    )
    frequencies, shapes = ringing.frequencies, ringing.shapes
    yield near("lumped frequencies", "by hand from 5/13", frequencies / SPEED, lumped(n, N, 1.0))
    sines = np.sin(np.outer(n, n) * np.pi / N)
    along = np.abs(np.sum(shapes * sines, axis=0)) / np.linalg.norm(shapes, axis=0) / np.linalg.norm(sines, axis=0)
    yield near("mode shapes are samples of sin(n pi x / L)", "5/13, mode shapes", along, np.ones(N - 1))
    yield near("the string made discrete", "5/13, version 1", EXACT.lumped(N).frequencies(N - 1), frequencies,
               within=1e-8, because="round-off of 1000")  # fmt: skip
    order = EXACT.convergence("lumped", counts=(8, 16)).orders[0]
    yield near("the first tends to pi c / L as dx^2", "5/13, w_n = n pi c / L", order, 2.0, within=0.01,
               because="next order: (pi / 16)^2 / 20 of the leading one")  # fmt: skip
    yield from continuous()
    yield near("a standing wave", "5/13, separation of variables", *standing(s), within=1e-7, because="1000 times rtol")
    yield near(
        "a pulse travels as f(x - ct)", "5/13, d'Alembert", *travelling(), within=0.02,
        because="errors of order dx^2: the ratio of two steps is 4, with the next order",
    )  # fmt: skip
    yield from assumed()
    yield from same_equation()
    yield from beams()
    yield near("double pendulum: w^2 = (2 -+ sqrt 2) g / l", "5/13, M qdd + K q = 0", *double_pendulum())


def standing(s: cd.System) -> Pair:
    """Beads started in the third shape, and cos(w_3 t) times it."""
    shape = np.sin(3 * np.pi * np.arange(1, N) / N)
    run = s.simulate(0.02, q=shape, v=np.zeros(N - 1), **TIGHT)
    return run.q, np.outer(np.cos(lumped(3, N, SPEED) * run.t), shape)


def pulse() -> sp.Expr:
    """A smooth bump at a third of the string."""
    return sp.exp(-(((X - LENGTH / 3) / 0.15) ** 2))


def travelling() -> Pair:
    """Ratio of the errors of 30 and of 60 parts after the pulse moved by a quarter of the string, and 4."""
    errors = []
    v0 = -SPEED * sp.diff(pulse(), X)  # u_t = -c f' goes to the right only
    waves = EXACT.dalembert(pulse(), v0)
    for parts in (30, 60):
        x = LENGTH * np.arange(1, parts) / parts
        start, rate = (sp.lambdify(X, one, "numpy")(x) for one in (pulse(), v0))
        duration = LENGTH / 4 / SPEED
        run = string(parts).simulate(duration, q=start, v=rate, **TIGHT)
        errors.append(np.max(np.abs(run.q[-1] - waves(x, duration))))
    return errors[0] / errors[1], 4.0


def continuous() -> Iterator[Check]:
    """The string itself: roots of sin z = 0, a series, and two waves with reflections."""
    n = np.arange(1, 51)
    yield near("frequencies of the string, all below the fiftieth", "5/13, w_n = n pi c / L",
               EXACT.frequencies(50) / SPEED, n * np.pi / LENGTH)  # fmt: skip
    yield identity("its characteristic equation", "5/13, sin(lambda L) = 0", EXACT.characteristic.lhs, sp.sin(z))
    x, t = np.linspace(0, LENGTH, 41), np.linspace(0, 3 * LENGTH / SPEED, 13)
    series, waves = EXACT.response(pulse(), modes=50), EXACT.dalembert(pulse())
    yield near("the general solution is the sum of two waves", "5/13, general solution and d'Alembert",
               series(x, t), waves(x, t), within=2e-4,
               because="the bump is 1.5e-5 at the fixed end, a step that fifty modes cannot follow")  # fmt: skip
    yield near("a plucked string by separation of variables", "5/13, general solution",
               EXACT.response(plucked(), modes=40)(x, t), separated(x, t, 40))  # fmt: skip
    yield near(
        "and by d'Alembert, kinks and all", "5/13, d'Alembert", EXACT.dalembert(plucked())(x, t), two_waves(x, t)
    )


HELD, ASIDE = LENGTH / 4, 5e-3  # where a string is held aside, and how far


def plucked() -> sp.Expr:
    return sp.Piecewise((ASIDE * X / HELD, X < HELD), (ASIDE * (LENGTH - X) / (LENGTH - HELD), True))


def separated(x: Array, t: Array, terms: int) -> Array:
    """Sum of C_n cos(n pi c t / L) sin(n pi x / L), C_n = 2 h L^2 / (n^2 pi^2 a (L - a)) sin(n pi a / L)."""
    n = np.arange(1, terms + 1) * np.pi / LENGTH
    C = 2 * ASIDE / (n**2 * HELD * (LENGTH - HELD)) * np.sin(n * HELD)
    return np.asarray(np.einsum("n,tn,xn->tx", C, np.cos(np.outer(t, n * SPEED)), np.sin(np.outer(x, n))))


def two_waves(x: Array, t: Array) -> Array:
    """(F(x - ct) + F(x + ct)) / 2, F the start continued as an odd function of period 2 L."""

    def wave(place: Array) -> Array:
        inside = np.mod(place + LENGTH, 2 * LENGTH) - LENGTH
        side = np.interp(np.abs(inside), [0.0, HELD, LENGTH], [0.0, ASIDE, 0.0])
        return np.asarray(np.sign(inside) * side)

    gone = SPEED * t[:, None]
    return (wave(x - gone) + wave(x + gone)) / 2


def assumed() -> Iterator[Check]:
    """u = q(t) f(x): the sine gives pi c / L; a parabola sqrt(10) c / L, from above (Rayleigh)."""
    for name, f, expected in (
        ("sine", sp.sin(sp.pi * X / LENGTH), np.pi),
        ("parabola", X * (LENGTH - X), np.sqrt(10)),
    ):
        found = EXACT.rayleigh(f, x=X) * LENGTH / SPEED
        yield near(f"assumed shape: {name}", "5/13, version 2", found, expected)


def same_equation() -> Iterator[Check]:
    """Rod, gas column, shear layers and shaft: one chain, and the same continuum made discrete, with its own c."""
    n, length = np.arange(1, chains.PARTS), chains.LENGTH
    for name, build, continuum in (
        ("rod", chains.rod, cd.Rod(length=length, EA=200.0, rho_A=0.03, right="fixed")),
        ("gas column", chains.gas_column, cd.GasColumn(length=length, pressure=1e5, density=1.2, right="closed")),
        ("shear waves", chains.shear_layers, cd.Rod.shear_layer(length=length, GA=90.0, rho_A=0.04, right="fixed")),
        ("torsion of a round bar", chains.shaft, cd.Shaft(length=length, GJ=1.6, rho_J=1e-3, right="fixed")),
    ):
        s, c = build()
        found = s.modes().frequencies
        expected = lumped(n, chains.PARTS, 1.0, length)
        yield near(f"the same equation: {name}", "5/13, string equation", found / c, expected, within=1e-10,
                   because="an eigenvalue problem with a condition number of 40")  # fmt: skip
        yield near(f"{name}: n pi c / L", "5/13, string equation", continuum.frequencies(20) / c,
                   np.arange(1, 21) * np.pi / length)  # fmt: skip
        beads = continuum.lumped(chains.PARTS).frequencies(chains.PARTS - 1)
        yield near(f"{name} as a continuum made discrete", "5/13, string equation", beads / c, expected, within=1e-10,
                   because="an eigenvalue problem with a condition number of 40")  # fmt: skip


def beams() -> Iterator[Check]:
    """Pinned: 4 sqrt(EI/rho) / dx^2 sin^2(n pi / 2N), tending to (n pi / L)^2 sqrt(EI/rho); clamped: cos cosh = -1."""
    n, parts = np.arange(1, chains.PARTS), chains.PARTS
    s, stiff = chains.pinned_beam()
    found = s.modes().frequencies
    expected = 4 * (parts / chains.LENGTH) ** 2 * np.sin(n * np.pi / (2 * parts)) ** 2
    yield near("beam of links, pinned", "5/13, beams, sign corrected", found / np.sqrt(stiff), expected, within=1e-10,
               because="eigenvalues of the square of a chain: condition number 1600")  # fmt: skip
    pinned = cd.Beam(length=chains.LENGTH, EI=stiff, rho_A=1.0, left="pinned", right="pinned")
    orders = pinned.convergence("lumped", counts=(16, 32, 64)).orders
    yield near("which tends to u_tt = -(EI/rho) u_xxxx as dx^2", "5/13, beams", orders[-1], 2.0, within=0.01,
               because="next order: (pi / 32)^2 / 10 of the leading one")  # fmt: skip
    cantilever = cd.Beam(length=1.0, EI=1.0, rho_A=1.0)
    ritz = chains.cantilever().modes().frequencies
    roots = cantilever.frequencies(2)
    yield near("cos b cosh b = -1", "no printed roots: by hand from 5/13, beams",
               np.cos(np.sqrt(roots)) * np.cosh(np.sqrt(roots)), [-1.0, -1.0])  # fmt: skip
    yield near("cantilever by five assumed shapes", "no printed roots: cos b cosh b = -1", ritz[:2] / roots, [1.0, 1.0],
               within=3e-4, because="Rayleigh-Ritz with polynomials: the second root has the larger error")  # fmt: skip
    yield same("from above, as Rayleigh says", "5/13, assumed shapes", bool(np.all(ritz[:2] >= roots)), True)
    elements = cantilever.convergence(counts=(8, 16, 32)).orders[-1]
    yield near("finite elements of the beam", "5/13, finite elements", elements, 4.0, within=0.02,
               because="next order: (1.9 / 16)^2 of the leading one")  # fmt: skip


def double_pendulum() -> Pair:
    """Two equal masses on equal rods, at rest: w^2 l / g."""
    s = cd.System("double pendulum at rest")
    a, b = s.coordinates("a b", on="S1")
    s.lagrangian(a.dot**2 + b.dot**2 / 2 + a.dot * b.dot * cos(a - b) + 2 * cos(a) + cos(b))
    return s.modes([0.0, 0.0]).squares, [2 - np.sqrt(2), 2 + np.sqrt(2)]


def picture(run: cd.Run) -> Figure:
    """The plucked string in space and time, the first shapes, and lumped frequencies beside the string's own."""
    with panels("plucked string", "first shapes", "frequencies", size=(11.5, 3.7)) as (figure, (motion, shape, graph)):
        at = smooth(run, 300)
        x = np.linspace(0, LENGTH, N + 1)
        u = np.pad(at.q, ((0, 0), (1, 1))) * 1e3
        image = motion.pcolormesh(at.t * 1e3, x, u.T, cmap="RdBu_r", shading="gouraud", vmin=-5, vmax=5)
        figure.colorbar(image, ax=motion, label="u [mm]")
        motion.set(xlabel="time [ms]", ylabel="x [m]")
        ringing = run.system.modes()
        found, vectors = ringing.frequencies, ringing.shapes
        for k in range(3):
            column = np.pad(vectors[:, k] * np.sign(vectors[0, k]), 1)
            column = column / np.max(np.abs(column))
            shape.plot(x, column, "-o", ms=3, label=f"n = {k + 1}")
        shape.set(xlabel="x [m]", ylabel="shape")
        shape.legend(fontsize=9)
        n = np.arange(1, N)
        graph.plot(n, EXACT.frequencies(N - 1) / (2 * np.pi), "-", color=DARK, label=r"string, $n c / 2L$")
        graph.plot(n, found / (2 * np.pi), "o", label=f"{N - 1} beads")
        graph.set(xlabel="mode n", ylabel="frequency [Hz]")
        graph.legend(fontsize=9)
    return figure


PLUCK = [ASIDE * min(k / 3, (N - k) / (N - 3)) for k in range(1, N)]  # a string held aside at a quarter

ENTRY = Entry(
    id="R14",
    where="lecture 5/13",
    lesson=(
        "Near an equilibrium every conservative system is M qdd + K q = 0, with M its mass matrix and K the second "
        "derivatives of its potential there, and its motions are sums of modes. A string made of beads shows what "
        "happens in the limit: the low modes are sines with frequencies n pi c / L, the high ones too slow, since a "
        "chain of beads cannot follow a wave shorter than its spacing. Rods, columns of gas, shear layers and "
        "twisted shafts are the same chain under other names. A guessed shape gives one frequency from above, and a "
        "good guess a good one. Beside the chains stand the string, rod, shaft and beam themselves: roots of their "
        "characteristic equations, d'Alembert's waves with reflections, and the same made discrete."
    ),
    system=system,
    checks=checks,
    start={"duration": 2 * LENGTH / SPEED, "q": PLUCK, "v": [0.0] * (N - 1)},
    picture=picture,
    caption="Eleven beads plucked at a quarter: kinks run and reflect, and the high modes lag behind the string's.",
    erratum="5/13: c = sqrt(T/rho); for the beam u_tt = -(EI/rho) u_xxxx; higher orders are dropped, not kept.",
)
