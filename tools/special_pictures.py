"""Pictures of special motions: `python -m tools.special_pictures FOLDER [NAME ...]` writes them.

Precessions of a heavy top, circles of a rolling disc with their stability, rests of a bead on a hoop over the closed
form, a root locus, a Campbell diagram, dispersion curves, and waves on a string with their reflections as a film. Each
function is what somebody would type; docs/special-motions.md and docs/continua.md explain the calls.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import sympy as sp

import cardan as cd
from cardan.gallery.ruina.r05_steady_precession import by_angles
from cardan.gallery.ruina.r07_bead_on_a_wire import SIZE, hoop
from cardan.gallery.ruina.r09_rolling_disc import disc

COLOURS = {True: "#1f6f8b", False: "#c0392b"}


def pitchfork(folder: Path) -> Path:
    """Rests that are followed, over cos(theta) = g / (R Omega^2)."""
    families = hoop().equilibrium_families("Omega", 2.0, 12.0, box={"theta": (-2.5, 2.5)}, seeds=12)
    figure = families.plot("Omega", "theta")
    axes = figure.axes[0]
    speeds = np.linspace(np.sqrt(9.81 / SIZE), 12, 200)
    angle = np.arccos(9.81 / (SIZE * speeds**2))
    for sign in (1, -1):
        axes.plot(speeds[::12], sign * angle[::12], "k.", ms=5, label="closed form" if sign > 0 else None)
    axes.legend(loc="best")
    return _saved(figure, folder / "pitchfork.png")


def precession_surface(folder: Path) -> Path:
    """Spin and precession of a heavy top over its tilt: the surface of all steady motions, from its families."""
    s = by_angles()
    figure = plt.figure(figsize=(7.0, 5.2), layout="constrained")
    axes = figure.add_subplot(projection="3d")
    for tilt in np.linspace(0.15, 1.45, 14):
        for family in s.steady_families(hold={"tilt": float(tilt)}, seeds=8, members=60):
            spin, turning = family["psi_dot"], family["phi_dot"]
            seen = (np.abs(spin) < 500) & (np.abs(turning) < 120)
            axes.plot(
                np.where(seen, spin, np.nan), np.full(len(spin), np.degrees(tilt)), np.where(seen, turning, np.nan),
                color=plt.cm.viridis(tilt / 1.6), lw=1.1,
            )  # fmt: skip
    axes.set(xlabel="spin [rad/s]", ylabel="tilt from the vertical [degrees]", zlabel="precession [rad/s]")
    axes.set_title("Steady precession of a heavy top")
    axes.view_init(24, -58)
    return _saved(figure, folder / "precession_surface.png")


def circles(folder: Path) -> Path:
    """Circles of the rolling disc: rate of turning over spin, for a few tilts, with stability."""
    s = disc()
    figure, axes = plt.subplots(figsize=(6.4, 4.2), layout="constrained")
    for tilt in (0.1, 0.3, 0.6):
        for family in s.steady_families(hold={"theta": tilt}, seeds=8, members=40):
            if not np.all(family["phi_dot"]):
                continue
            for stable in (True, False):
                chosen = np.where(family.is_stable == stable, family["phi_dot"], np.nan)
                axes.plot(family["psi_dot"], chosen, color=COLOURS[stable], ls="-" if stable else "--")
            end = int(np.argmin(np.abs(np.abs(family["phi_dot"]) - 13)))
            axes.annotate(f"{np.degrees(tilt):.0f}°", (family["psi_dot"][end], family["phi_dot"][end]))
    for stable, label in ((True, "no eigenvalue grows"), (False, "unstable")):
        axes.plot([], [], color=COLOURS[stable], ls="-" if stable else "--", label=label)
    axes.set(xlabel="spin [rad/s]", ylabel="turning [rad/s]", title="Circles of a rolling disc, by tilt")
    axes.set(xlim=(-15, 15), ylim=(-15, 15))
    axes.legend()
    return _saved(figure, folder / "circles.png")


def wing() -> cd.System:
    """A wing section with two freedoms in an air stream."""
    s = cd.System("wing section")
    h, twist = s.coordinates("h twist")
    speed = s.parameters(speed=1.0)
    s.kinetic_energy((h.dot**2 + 0.4 * h.dot * twist.dot + twist.dot**2 / 4) / 2)
    s.potential((0.3 * h**2 + 0.25 * twist**2) / 2)
    s.generalized_force(h, -0.2 * speed**2 * twist - 0.05 * speed * h.dot)
    s.generalized_force(twist, 0.08 * speed**2 * twist - 0.02 * speed * twist.dot)
    return s


def root_locus(folder: Path) -> Path:
    """Eigenvalues of a wing section as the air gets faster: two meet, and one of them grows."""
    path = folder / "root_locus.png"
    wing().root_locus("speed", np.linspace(0, 1.6, 400)).plot(path)
    return path


def campbell(folder: Path) -> Path:
    """A rotor with an overhung disc: whirls part as it turns, and cross the lines of its speed."""
    s = cd.System("overhung rotor")
    x, y, a, b = s.coordinates("x y a b")
    speed = s.parameters(speed=1.0)
    axial, across = 0.6, 0.35
    s.kinetic_energy(
        (x.dot**2 + y.dot**2 + across * (a.dot**2 + b.dot**2)) / 2 + axial * speed * (a.dot * b - b.dot * a) / 2
    )
    s.potential((4 * (x**2 + y**2) + 2.2 * (a**2 + b**2)) / 2 + 1.1 * (x * b - y * a))
    path = folder / "campbell.png"
    s.root_locus("speed", np.linspace(0, 6, 240)).campbell(orders=(1, 2), path=path)
    return path


def dispersion(folder: Path) -> Path:
    """Both branches of a Timoshenko beam, with phase and group speeds."""
    path = folder / "dispersion.png"
    cd.Beam(length=1.0, EI=1.0, rho_A=1.0, kappa_GA=40.0, rho_I=0.01).plot_dispersion(path=path)
    return path


def reflections(folder: Path) -> Path:
    """A bump on a string, free at its right end: it comes back upright there, and upside down from the left."""
    x = sp.Symbol("x")
    string = cd.String(length=1.5, tension=80.0, rho=0.02, right="free")
    waves = string.dalembert(sp.exp(-(((x - 0.5) / 0.1) ** 2)))
    waves.plot(path=folder / "reflections.png")
    path = folder / "reflections.gif"
    waves.animate(path, pictures=90)
    return path


def _saved(figure: plt.Figure, path: Path) -> Path:
    figure.savefig(path, dpi=110)
    return path


PICTURES: dict[str, Callable[[Path], Path]] = {
    one.__name__: one for one in (pitchfork, precession_surface, circles, root_locus, campbell, dispersion, reflections)
}


def main() -> None:
    folder, *names = (*sys.argv[1:], ".")[: max(1, len(sys.argv) - 1)]
    place = Path(folder)
    place.mkdir(parents=True, exist_ok=True)
    for name in names or PICTURES:
        print(PICTURES[name](place))


if __name__ == "__main__":
    main()
