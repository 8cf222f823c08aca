"""The four closed mechanisms of the work-precision benchmark. One degree of freedom each, regular all the way."""

from __future__ import annotations

from dataclasses import replace

from benchmarks.mechanism import GROUND, Link, Mechanism, Pin, Spring, Triple, closed

Z: Triple = (0.0, 0.0, 1.0)
X_WAY: Triple = (1.0, 0.0, 0.0)
DENSITY = 2.0  # kg per metre of rod
THIN = 1e-4  # rotary inertia of a rod about itself, kg m^2; MuJoCo and Drake want it positive


def rod(length: float, parent: int, at: Triple, axis: Triple = Z) -> Link:
    """A thin uniform rod along x."""
    m = DENSITY * length
    J = m * length**2 / 12
    return Link(parent, at, axis, m, (length / 2, 0.0, 0.0), (THIN, J, J))


def four_bar() -> Mechanism:
    """Crank-rocker of three rods: the crank turns all the way round."""
    ground, crank, coupler, rocker = 1.0, 0.4, 0.9, 0.8
    links = (
        rod(crank, GROUND, (0.0, 0.0, 0.0)),
        rod(coupler, 0, (crank, 0.0, 0.0)),
        rod(rocker, GROUND, (ground, 0.0, 0.0)),
    )
    pins = (Pin(1, (coupler, 0.0, 0.0), 2, (rocker, 0.0, 0.0)),)
    return closed(Mechanism("four-bar", links, pins, (1.0, -0.5, 1.5), (), 5.0), rate=8.0)


def slider_crank() -> Mechanism:
    """A crank, a connecting rod and a slider along x."""
    crank, coupler = 0.3, 0.8
    links = (
        rod(crank, GROUND, (0.0, 0.0, 0.0)),
        rod(coupler, 0, (crank, 0.0, 0.0)),
        Link(GROUND, (0.0, 0.0, 0.0), X_WAY, 1.0, (0.0, 0.0, 0.0), (1e-3, 1e-3, 1e-3), slides=True),
    )
    pins = (Pin(1, (coupler, 0.0, 0.0), 2, (0.0, 0.0, 0.0)),)
    return closed(Mechanism("slider-crank", links, pins, (1.0, -1.3, 0.9), (), 5.0), rate=10.0)


def five_bar() -> Mechanism:
    """Four rods in space on hinges askew, the last one on a ball joint: a closed chain of five bars."""
    axes: tuple[Triple, ...] = (Z, (0.28, 0.96, 0.0), (0.0, 0.352, 0.936), (-0.48, 0.8, 0.36))
    lengths = (0.4, 0.7, 0.6, 0.8)
    links = [rod(lengths[0], GROUND, (0.0, 0.0, 0.0), axes[0])]
    for k in (1, 2, 3):
        links.append(rod(lengths[k], k - 1, (lengths[k - 1], 0.0, 0.0), axes[k]))
    pins = (Pin(3, (lengths[3], 0.0, 0.0), GROUND, (0.9, 0.3, 0.3)),)
    return closed(
        Mechanism("five-bar in space", links, pins, (0.5, 2.2, -2.8, -0.9), (), 5.0, (0.0, 0.0, -9.81), planar=False),
        rate=8.0,
    )


def squeezer() -> Mechanism:
    """Andrews' squeezing mechanism, seven bodies and three loops; data of the Test Set for IVP Solvers."""
    m = (0.04325, 0.00365, 0.02373, 0.00706, 0.0705, 0.00706, 0.05498)
    J = (2.194e-6, 4.41e-7, 5.255e-6, 5.667e-7, 1.169e-5, 5.667e-7, 1.912e-5)
    d, da, e, ea, rr, ra = 0.028, 0.0115, 0.02, 0.01421, 0.007, 0.00092
    ss, sa, sb, sc, sd = 0.035, 0.01874, 0.01043, 0.018, 0.02
    ta, tb, u, ua, ub, zf, zt, fa = 0.02308, 0.00916, 0.04, 0.01228, 0.00449, 0.02, 0.04, 0.01421
    A, B, C = (-0.06934, -0.00227, 0.0), (-0.03635, 0.03273, 0.0), (0.014, 0.072, 0.0)
    origin: Triple = (0.0, 0.0, 0.0)

    def link(k: int, parent: int, at: Triple, com: Triple) -> Link:
        return Link(parent, at, Z, m[k - 1], com, (J[k - 1],) * 3)

    links = (  # beta, Theta, gamma, delta, Phi, epsilon, Omega
        link(1, GROUND, origin, (ra, 0.0, 0.0)),
        link(2, 0, (rr, 0.0, 0.0), (-da, 0.0, 0.0)),
        link(3, GROUND, B, (-sb, -sa, 0.0)),
        link(5, GROUND, A, (ta, tb, 0.0)),
        link(4, 3, (zt, 0.0, 0.0), (0.0, ea - e, 0.0)),
        link(7, GROUND, A, (ub, -ua, 0.0)),
        link(6, 5, (0.0, -u, 0.0), (zf - fa, 0.0, 0.0)),
    )
    F: Triple = (-d, 0.0, 0.0)  # of the second link
    pins = (
        Pin(2, (0.0, -ss, 0.0), 1, F),
        Pin(4, (0.0, -e, 0.0), 1, F),
        Pin(6, (zf, 0.0, 0.0), 1, F),
    )
    start = (
        -0.0617138900142764, 0.0, 0.45527981916307, 0.48736497954384, 0.22266839016589, 1.23054744454982,
        -0.22266839016589,
    )  # fmt: skip
    spring = Spring(2, (sd, -sc, 0.0), C, 4530.0, 0.07785)
    at_rest = Mechanism("Andrews squeezer", links, pins, start, (), 0.03, origin, (spring,), drive=0.033, size=0.04)
    return closed(replace(at_rest, reference_tolerance=1e-11), rate=0.0)  # below that, rounding makes it no better


ALL = {"four_bar": four_bar, "slider_crank": slider_crank, "squeezer": squeezer, "five_bar": five_bar}
