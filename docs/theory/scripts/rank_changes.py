"""Evidence for ``docs/theory/rank-changes.md``: models without the rule converge to the motion that the rule gives.

python docs/theory/scripts/rank_changes.py [folder]      # prints the tables; writes the figure into the folder

A snake cart whose wheels may slip sideways against viscous friction c, without constraints, as c grows; and a four-bar
whose bars are springs of stiffness k, without constraints, as k grows.
"""

from __future__ import annotations

import sys
from math import cos, pi, sin
from pathlib import Path

import numpy as np
import sympy as sp

import cardan as cd
from cardan.report.figures.style import figure_style

LENGTH, MASS, INERTIA, WHEELS = 0.8, 2.6, 0.316, 0.01
LOAD = 10.0  # lateral, in newtons
FRICTIONS = (1e2, 1e4, 1e6, 1e8)
STIFFNESSES = (1e4, 1e6, 1e8)


def snake_cart(friction: float | None) -> cd.System:
    """Under a lateral load; wheels that do not slip (None), or that slip against friction."""
    s = cd.System("snake cart")
    x, y = s.coordinates("x y")
    theta, phi = s.coordinates("theta phi", on="S1")
    s.kinetic_energy(MASS * (x.dot**2 + y.dot**2) / 2 + INERTIA * theta.dot**2 / 2 + WHEELS * phi.dot**2)
    turn = LENGTH / 2 * sp.cos(phi) * theta.dot
    slips = [
        turn + sp.cos(theta + phi) * y.dot - sp.sin(theta + phi) * x.dot,
        turn - sp.cos(theta - phi) * y.dot + sp.sin(theta - phi) * x.dot,
    ]
    force = {x: -LOAD * sp.sin(theta), y: LOAD * sp.cos(theta), theta: sp.Integer(0)}
    for k, slip in enumerate(slips):
        if friction is None:
            s.constrain_velocity(slip, name=f"wheel{k}")
        else:
            force = {q: given - friction * slip * sp.diff(slip, q.dot) for q, given in force.items()}
    for q, given in force.items():
        s.generalized_force(q, given)
    return s


def lateral(run: cd.Run) -> np.ndarray:
    """w along a run."""
    return -np.sin(run["theta"]) * run["x_dot"] + np.cos(run["theta"]) * run["y_dot"]


def crossings() -> tuple[cd.Run, dict[float, cd.Run]]:
    """The cart turned through 90 degrees under load: by the rule, and for each friction."""
    phi, speed, theta = 0.9, 2.0, 0.3
    u = LENGTH / 2 * cos(phi) * speed
    start = {"q": [0, 0, theta, phi], "v": [u * cos(theta), u * sin(theta), sin(phi) * speed, 1.0]}
    rule = snake_cart(None).simulate(1.4, **start)
    slipping = {c: snake_cart(c).simulate(1.4, **start, rtol=1e-8, atol=1e-11, method="Radau") for c in FRICTIONS}
    return rule, slipping


def impulses() -> tuple[float, dict[float, float]]:
    """Kinetic energy just after a start at 90 degrees that slides and turns at once: by the rule, and by slipping."""
    start = {"q": [0, 0, 0, pi / 2], "v": [0, 1.0, 2.0, 1.0]}
    rule = snake_cart(None).simulate(0.5, **start).kinetic_energy[-1]
    slipping = {
        c: snake_cart(c).simulate(0.5, **start, rtol=1e-8, atol=1e-11, method="Radau").kinetic_energy[-1]
        for c in FRICTIONS
    }
    return float(rule), {c: float(value) for c, value in slipping.items()}


def four_bar(stiffness: float | None) -> cd.System:
    """Point masses at the pins of a parallelogram (ground 2, cranks 1); bars that are rigid (None), or springs."""
    s = cd.System("four-bar")
    x1, y1, x2, y2 = s.coordinates("x1 y1 x2 y2")
    s.kinetic_energy((1.9 * (x1.dot**2 + y1.dot**2) + 3.0 * (x2.dot**2 + y2.dot**2)) / 2)
    weight = 9.81 * (1.9 * y1 + 3.0 * y2)
    bars = [x1**2 + y1**2 - 1, (x2 - 2) ** 2 + y2**2 - 1, (x2 - x1) ** 2 + (y2 - y1) ** 2 - 4]
    s.potential(weight if stiffness is None else weight + stiffness * sum(bar**2 for bar in bars) / 8)
    if stiffness is None:
        for k, bar in enumerate(bars):
            s.constrain(bar / 2, name=f"bar{k}")
    return s


def folds() -> tuple[cd.Run, dict[float, cd.Run]]:
    """The linkage let go at 60 degrees, down through its fold."""
    a, rate = pi / 3, -1.0
    start = {
        "q": [cos(a), sin(a), 2 + cos(a), sin(a)],
        "v": [-rate * sin(a), rate * cos(a), -rate * sin(a), rate * cos(a)],
    }
    rule = four_bar(None).simulate(1.0, **start)
    elastic = {k: four_bar(k).simulate(1.0, **start, rtol=1e-9, atol=1e-12) for k in STIFFNESSES}
    return rule, elastic


def report() -> None:
    """The tables of the page."""
    rule, slipping = crossings()
    print("friction c      largest |w|     error of the velocity at the end")
    for c, run in slipping.items():
        print(
            f"{c:8.0e}        {np.max(np.abs(lateral(run))):.1e}         {np.max(np.abs(run.v[-1] - rule.v[-1])):.1e}"
        )
    energy, found = impulses()
    print("\nfriction c      kinetic energy after sliding and turning at once")
    for c, value in found.items():
        print(f"{c:8.0e}        {value:.6f}")
    print(f"rule            {energy:.6f}")
    straight, elastic = folds()
    print("\nstiffness k     error of the pins at t = 1     largest stretch")
    for k, run in elastic.items():
        stretch = np.max(np.abs(np.hypot(run["x1"], run["y1"]) - 1))
        print(f"{k:8.0e}        {np.max(np.abs(run.q[-1] - straight.q[-1])):.1e}                        {stretch:.1e}")


def draw(folder: Path) -> None:
    """Both limits as one figure: what is left of the slip, and of the elasticity, the stiffer the model is."""
    folder.mkdir(parents=True, exist_ok=True)
    rule, slipping = crossings()
    straight, elastic = folds()
    with figure_style() as easel:
        figure, (cart, bars) = easel.subplots(1, 2, figsize=(10, 3.8), layout="constrained")
        times = np.linspace(0, rule.t[-1], 1500)
        for c, run in slipping.items():
            cart.semilogy(times, np.abs(lateral(run.at(times))), label=f"c = {c:.0e} N s/m")
        crossing = next(event.t for event in rule.events if event.kind == "rank-change")
        cart.axvline(crossing, color="0.4", linestyle=":", label="90 degrees")
        cart.set(xlabel="t [s]", ylabel="slip |w| [m/s]", title="Snake cart with slipping wheels", ylim=(1e-8, 1e4))
        times = np.linspace(0, 1, 1000)
        for k, run in elastic.items():
            away = np.max(np.abs(run.at(times).q - straight.at(times).q), axis=1)
            bars.semilogy(times, away, label=f"k = {k:.0e} N/m")
        fold = next(event.t for event in straight.events if event.kind == "rank-change")
        bars.axvline(fold, color="0.4", linestyle=":", label="fold")
        bars.set(xlabel="t [s]", ylabel="distance from the rigid motion [m]", title="Four-bar with elastic bars")
        for axis in (cart, bars):
            axis.legend(loc="upper left", fontsize=9)
        bars.set_ylim(1e-8, 1e1)
        figure.savefig(folder / "rank-changes.png")


if __name__ == "__main__":
    report()
    if len(sys.argv) > 1:
        draw(Path(sys.argv[1]))
