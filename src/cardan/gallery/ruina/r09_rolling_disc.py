"""R9: a disc that rolls, or slides without friction: its freedoms, its circles, and when it stays upright."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np
from sympy import cos

import cardan as cd
from cardan.gallery.comparing import Pair, agreement, near, same
from cardan.gallery.entry import Check, Entry, Start, Tolerances
from cardan.gallery.pictures import panels, smooth
from cardan.gallery.ruina.vectors import Array

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from cardan.analysis.linear import Linearization

m, r, g = 1.3, 0.5, 9.81
I_n, I_t = m * r**2 / 2, m * r**2 / 4  # printed 4/10, the axis n is the body's x
CRITICAL = float(np.sqrt(g / (3 * r)))  # spin of an upright disc
TIGHT: Tolerances = {"rtol": 1e-10, "atol": 1e-12}


def disc(rolling: bool = True, moments: tuple[float, float] = (I_n, I_t)) -> cd.System:
    """On 3-2-1 Euler angles phi, theta, psi; rolling, or on a floor without friction; a hoop has other moments."""
    s = cd.System("rolling disc" if rolling else "disc without friction")
    x, y, z = s.coordinates("x y z")
    phi, theta, psi = s.coordinates("phi theta psi")
    joint = cd.Free(x, y, z, cd.Euler("3-2-1", phi, theta, psi))
    body = s.body("disc", mass=m, inertia=(moments[0], moments[1], moments[1]), joint=joint)
    s.gravity(-g * s.world.z)
    if rolling:
        s.roll(body, on=s.world, shape=cd.Disc(r, axis="x"), name="roll")
    else:
        s.constrain(z - r * cos(theta), name="floor")
    return s


def system() -> cd.System:
    return disc()


def frames(phi: float, theta: float) -> tuple[Array, Array, Array, Array]:
    """k, e_t, n, lambda of 4/10: n = cos(theta) e_n - sin(theta) k, lambda = sin(theta) e_n + cos(theta) k."""
    k = np.array([0.0, 0.0, 1.0])
    e_n, e_t = np.array([np.cos(phi), np.sin(phi), 0]), np.array([-np.sin(phi), np.cos(phi), 0])
    return k, e_t, np.cos(theta) * e_n - np.sin(theta) * k, np.sin(theta) * e_n + np.cos(theta) * k


def by_hand(angles: Sequence[float] | Array, rates: Sequence[float] | Array) -> tuple[Array, Array, Array]:
    """(phidd, thetadd, psidd), v_G and the ground's force, from the printed balance about C:

    r lambda x (-m g k) = r lambda x m a_G + I . wd + w x (I . w), v_G = w x r lambda, I = I_n n n + I_t (...).
    """
    (phi, theta, _), (phid, thetad, psid) = angles, rates
    k, e_t, n, lam = frames(phi, theta)
    w_T = phid * k + thetad * e_t
    w = w_T + psid * n
    inertia = I_n * np.outer(n, n) + I_t * (np.outer(e_t, e_t) + np.outer(lam, lam))

    def acceleration(wd: Array) -> Array:
        return np.cross(wd, r * lam) + np.cross(w, np.cross(w_T, r * lam))

    def unbalance(wd: Array) -> Array:
        change = r * np.cross(lam, m * acceleration(wd)) + inertia @ wd + np.cross(w, inertia @ w)
        return np.asarray(change - r * np.cross(lam, -m * g * k))

    drift = np.cross(phid * k, thetad * e_t) + np.cross(w_T, psid * n)
    axes = np.stack([k, e_t, n], axis=1)
    rest = unbalance(drift)
    columns = np.stack([unbalance(drift + axis) - rest for axis in axes.T], axis=1)
    found: Array = np.asarray(np.linalg.solve(columns, -rest), dtype=np.float64)
    return found, np.cross(w, r * lam), m * acceleration(drift + axes @ found) + m * g * k


def state(angles: Sequence[float] | Array, rates: Sequence[float] | Array) -> tuple[Array, Array]:
    """q and v of a rolling disc whose contact is at the origin."""
    lam = frames(angles[0], angles[1])[3]
    return np.concatenate([r * lam, angles]), np.concatenate([by_hand(angles, rates)[1], rates])


def checks(s: cd.System) -> Iterator[Check]:
    report = s.constraints
    freedoms = (report.freedoms, report.velocity_freedoms)
    yield same("freedoms of configuration and velocity", "4/10", freedoms, (5, 3))
    rows = {row.name: row.is_integrable for row in report}
    rolling = {"roll_contact": True, "roll_slip1": False, "roll_slip2": False}
    yield same("only the contact is holonomic", "4/10", rows, rolling)
    yield agreement("balance about the contact: accelerations and the ground's force", "4/10, AMB/C", balances(s))
    yield from families(s)
    yield from critical()
    yield from any_motion(s)
    for theta, p in ((0.3, 2.0), (-0.5, 1.5)):
        yield near(
            f"rolls in a circle, tilt {theta}", "final project, (1)", *circles(s, theta, p), within=1e-7,
            because="1000 times rtol over 5 s",
        )  # fmt: skip
    for theta, p in ((0.3, 2.0), (0.8, 4.0)):
        yield near(
            f"without friction turns in place, tilt {theta}", "final project, (2)", *sliding(theta, p), within=1e-7,
            because="1000 times rtol over 5 s",
        )  # fmt: skip
    yield agreement(
        "motions that both share", "final project, (3)", shared(), within=1e-12, because="a solve with numbers of 200"
    )
    yield near(
        "energy of a general motion stays", "final project, (4)", *general(s), within=1e-8, because="100 times rtol"
    )
    for factor in (0.6, 0.9, 1.1):
        yield near(
            f"upright at {factor} of the critical speed", "final project, (4)", *upright(s, factor), within=1e-4,
            because="cubic terms 1e-14; atol 1e-15 over a tilt of 1e-7",
        )  # fmt: skip


def balances(s: cd.System) -> Iterator[Pair]:
    eq, kernel, draw = s.equations(), s.compile(), np.random.default_rng(0)
    for angles, rates in zip(draw.uniform(-1.2, 1.2, (12, 3)), draw.uniform(-3, 3, (12, 3)), strict=True):
        vd, _, ground = by_hand(angles, rates)
        q, v = state(angles, rates)
        at = eq.at(q, v)
        yield [*at.acceleration[3:], *at.reactions["disc"].force], [*vd, *ground]
        yield kernel.acceleration(q, v)[3:], vd


def families(s: cd.System) -> Iterator[Check]:
    """Steady motions at a tilt, found without a guess, in the balance of steady motions that spin_for solves."""
    theta = 0.3
    found = [one for one in s.steady_families(hold={"theta": theta}, seeds=12, members=40) if np.all(one["phi_dot"])]
    yield same("circles of both senses are found", "final project, (1)", len(found), 2)
    slides = [one for one in disc(rolling=False).steady_motions(hold={"theta": theta}, seeds=8) if one["phi_dot"]]
    yield same("and turns without friction", "final project, (2)", len(slides) >= 4, True)
    sliding_rates = [np.array([one[name] for one in slides]) for name in ("phi_dot", "psi_dot")]
    for name, J, (p, psid) in (
        *(("circles", I_n + m * r**2, (one["phi_dot"], one["psi_dot"])) for one in found),
        ("turns without friction", I_n, sliding_rates),
    ):
        spin = psid - p * np.sin(theta)
        needed = p * np.cos(theta) * (J * spin + I_t * p * np.sin(theta))
        yield near(
            f"every member carries its weight, {name}", "final project, (1) and (2)", needed,
            m * g * r * np.sin(theta) + 0 * p, within=1e-9, because="roots of Newton's method",
        )  # fmt: skip


def critical() -> Iterator[Check]:
    """Straight upright rolling: s^2 = m g r I_t / (I_n (I_n + m r^2)): g / (3 r) for a disc, g / (4 r) for a hoop."""
    for name, moments, printed in (("disc", (I_n, I_t), g / (3 * r)), ("hoop", (m * r**2, m * r**2 / 2), g / (4 * r))):
        s = disc(moments=moments)

        def upright_at(spin: float, s: cd.System = s) -> Linearization:
            return s.linearize({"z": r}, {"psi": spin, "y": -spin * r})

        found = cd.critical_value(upright_at, 0.3 * np.sqrt(printed), 3 * np.sqrt(printed))
        yield near(
            f"critical spin of the {name}", "final project, (4)", found, np.sqrt(printed), within=1e-9,
            because="where a pair of eigenvalues passes zero",
        )  # fmt: skip


def spin_for(theta: float, p: float, friction: bool) -> float:
    """psid of a steady motion at the rate p: m g r sin(theta) = p cos(theta) (J s + I_t p sin(theta)).

    s = psid - p sin(theta) is the spin about n; J is I_n + m r^2 where the disc rolls, I_n without friction.
    """
    J = I_n + m * r**2 if friction else I_n
    s = (m * g * r * np.tan(theta) / p - I_t * p * np.sin(theta)) / J
    return float(s + p * np.sin(theta))


def circles(s: cd.System, theta: float, p: float) -> Pair:
    """Tilt, heading, and distance of G from the centre of its circle, |r s / p|, along five seconds."""
    psid = spin_for(theta, p, friction=True)
    q, v = state([0.0, theta, 0.0], [p, 0.0, psid])
    run = s.simulate(5.0, q=q, v=v, times=np.linspace(0, 5, 51), **TIGHT)
    spin = psid - p * np.sin(theta)
    centre = q[:2] + r * spin / p * np.array([1.0, 0.0])  # v_G = -r s e_t = p k x (G - centre)
    distance = np.linalg.norm(run.q[:, :2] - centre, axis=1)
    expected = np.broadcast_to([theta, r * abs(spin / p)], (51, 2))
    return np.column_stack([run["theta"], distance, run["phi"]]), np.column_stack([expected, p * run.t])


def sliding(theta: float, p: float) -> Pair:
    """Tilt and place of G without friction: G drifts along a line."""
    q, psid = [0, 0, r * np.cos(theta), 0, theta, 0], spin_for(theta, p, friction=False)
    run = disc(rolling=False).simulate(5.0, q=q, v=[0.2, -0.1, 0, p, 0, psid], times=np.linspace(0, 5, 51), **TIGHT)
    line = np.outer(run.t, [0.2, -0.1])
    return np.column_stack([run["theta"], run.q[:, :2]]), np.column_stack([np.full(51, theta), line])


def shared() -> Iterator[Pair]:
    """s = 0 and p^2 = m g r / (I_t cos(theta)), a settling coin: no acceleration, and the ground carries the weight."""
    theta = 1.2
    p = np.sqrt(m * g * r / (I_t * np.cos(theta)))
    q, v = state([0.0, theta, 0.0], [p, 0.0, p * np.sin(theta)])
    for s in (disc(), disc(rolling=False)):
        at = s.equations().at(q, v)
        yield at.acceleration / p**2, np.zeros(6)
        yield at.reactions["disc"].force, [0, 0, m * g]


def general(s: cd.System) -> Pair:
    q, v = state([0.0, 0.25, 0.0], [0.4, -0.2, 7.0])
    run = s.simulate(3.0, q=q, v=v, **TIGHT)
    return run.energy, np.full(len(run), run.energy[0])


def any_motion(s: cd.System) -> Iterator[Check]:
    """Final project (4) and (5): the general motion from the printed balance, and the disc derived in another way."""
    from scipy.integrate import solve_ivp

    def slope(_: float, y: Array) -> Array:
        accelerations, v_G = by_hand(y[:3], y[3:6])[:2]
        return np.concatenate([y[3:6], accelerations, v_G])

    angles, rates, times = [0.0, 0.25, 0.0], [0.4, -0.2, 7.0], np.linspace(0.0, 2.0, 11)
    q, v = state(angles, rates)
    y = solve_ivp(slope, (0.0, 2.0), [*angles, *rates, *q[:3]], "DOP853", times, rtol=1e-10, atol=1e-12).y.T
    run = s.simulate(2.0, q=q, v=v, times=times, **TIGHT)
    because = "1000 times rtol over 2 s"
    yield near("any motion: angles and place of G", "final project, (4)", np.hstack([run.q[:, 3:], run.q[:, :3]]),
               np.hstack([y[:, :3], y[:, 6:]]), within=1e-7, because=because)  # fmt: skip
    forces = [by_hand(one[:3], one[3:6])[2] for one in y]
    yield near("and the ground's force along it", "4/10, AMB and LMB", run.reactions["disc"].force, forces, within=1e-6,
               because="accelerations of a run that is known to 1e-7")  # fmt: skip
    other = by_matrix()
    k, e_t, n, lam = frames(0.0, 0.25)
    w = rates[0] * k + rates[1] * e_t + rates[2] * n
    start = {"x": q[0], "y": q[1], "z": q[2], "e": (np.cos(0.125), 0.0, np.sin(0.125), 0.0)}
    R = np.stack([n, e_t, lam], axis=1)
    again = other.simulate(2.0, q=start, v={"x": v[0], "y": v[1], "z": v[2], "e": tuple(R.T @ w)}, times=times, **TIGHT)
    yield near("rotation matrix and constraints: the same motion", "final project, (5)", again.rotation("disc"),
               run.rotation("disc"), within=1e-7, because=because)  # fmt: skip
    yield near("and the same path", "final project, (5)", again.position("disc"), run.position("disc"), within=1e-7,
               because=because)  # fmt: skip


def by_matrix() -> cd.System:
    """The disc with its orientation as a rotation, and the constraint z_G = r cos(theta) from the axis n alone."""
    s = cd.System("disc by its rotation")
    x, y, z = s.coordinates("x y z")
    body = s.body("disc", mass=m, inertia=(I_n, I_t, I_t), joint=cd.Free(x, y, z, cd.Quaternion("e")))
    s.gravity(-g * s.world.z)
    s.roll(body, on=s.world, shape=cd.Disc(r, axis="x"), name="roll")
    return s


def upright(s: cd.System, factor: float) -> Pair:
    """theta / e from a tilt e, and cosh or cos of kt: critical spin^2 = g / (3 r), a speed of sqrt(g r / 3).

    (I_t + m r^2) thetadd = (m g r - I_n (I_n + m r^2) s^2 / I_t) theta, where I_t phid = I_n s theta.
    """
    spin, e = factor * CRITICAL, 1e-7
    rate = (m * g * r - I_n * (I_n + m * r**2) * spin**2 / I_t) / (I_t + m * r**2)
    q, v = state([0.0, e, 0.0], [I_n * spin * e / I_t, 0.0, spin])
    run = s.simulate(2.0, q=q, v=v, rtol=1e-12, atol=1e-15, times=np.linspace(0, 2, 21))
    k = np.sqrt(abs(rate)) * run.t
    expected = np.cosh(k) if rate > 0 else np.cos(k)
    return run["theta"] / e, expected


def picture(run: cd.Run) -> Figure:
    """Paths of the contact for a steady and a general motion, and tilts below and above the critical speed."""
    s = disc()
    with panels("contact on the floor", "upright disc, nudged", size=(9.4, 4.0)) as (figure, (floor, tilt)):
        at = smooth(run)
        for name, one in (("general", at), ("steady", smooth(s.simulate(6.0, **steady_start())))):
            lam = np.array([frames(a, b)[3] for a, b in one.q[:, 3:5]])
            floor.plot(*(one.q[:, :2] - r * lam[:, :2]).T, label=name)
        floor.set(xlabel="x [m]", ylabel="y [m]", aspect="equal")
        floor.legend(fontsize=9)
        for factor in (0.8, 0.95, 1.1, 1.5):
            spin = factor * CRITICAL
            q, v = state([0.0, 0.02, 0.0], [0.0, 0.0, spin])
            one = smooth(s.simulate(3.0, q=q, v=v))
            tilt.plot(one.t, np.degrees(one["theta"]), label=f"{factor:g} of $\\sqrt{{gr/3}}$")
        tilt.set(xlabel="time [s]", ylabel=r"tilt $\theta$ [degrees]", ylim=(-10, 60))
        tilt.legend(fontsize=9)
    return figure


def steady_start() -> Start:
    q, v = state([0.0, 0.3, 0.0], [2.0, 0.0, spin_for(0.3, 2.0, friction=True)])
    return {"q": q.tolist(), "v": v.tolist()}


def general_start() -> Start:
    q, v = state([0.0, 0.3, 0.0], [1.4, 0.0, 6.0])
    return {"q": q.tolist(), "v": v.tolist()}


ENTRY = Entry(
    id="R9",
    where="lectures 4/10 and 4/15 (final project)",
    lesson=(
        "Five numbers say where a rolling disc is, three how it moves: the contact costs one freedom of each kind, "
        "and not slipping two of velocity only, since a disc can be rolled to any place in any attitude. Taking "
        "moments about the contact keeps the unknown force of the ground out. Steady rolling and steady sliding each "
        "form a two-parameter family and share the motions of a settling coin, which has no spin about its own axis. "
        "Straight upright rolling is stable only above sqrt(g r / 3): below it the gyroscopic couple loses to "
        "gravity."
    ),
    system=system,
    checks=checks,
    start={"duration": 6.0, **general_start()},
    picture=picture,
    caption="Left: the contact of a steady and of a general motion. Right: an upright disc below and above its limit.",
    erratum="4/10: the inertia is built with n n, not with e_n e_n; the constant of the contact condition is zero.",
)
