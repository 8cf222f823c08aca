"""Pictures of special motions: `python -m tools.special_pictures FOLDER` writes them as PNG.

Rests of a bead on a turning hoop over the closed form, precessions of a heavy top at several tilts, and circles of a
rolling disc with their stability.
"""

from __future__ import annotations

import sys
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

from cardan.gallery.ruina.r05_steady_precession import by_angles
from cardan.gallery.ruina.r07_bead_on_a_wire import SIZE, hoop
from cardan.gallery.ruina.r09_rolling_disc import disc

COLOURS = {True: "#1f6f8b", False: "#c0392b"}


def pitchfork(path: Path) -> None:
    """Rests that are found, as dots, over cos(theta) = g / (R Omega^2)."""
    figure, axes = plt.subplots(figsize=(6.4, 4.2), layout="constrained")
    speeds = np.linspace(2, 12, 400)
    limit = np.sqrt(9.81 / SIZE)
    angle = np.degrees(np.arccos(np.clip((limit / speeds) ** 2, None, 1)))
    axes.plot(speeds, angle, "k-", lw=1, label="closed form")
    axes.plot(speeds, -angle, "k-", lw=1)
    for speed in np.linspace(2.2, 12, 15):
        for one in hoop().with_values(Omega=float(speed)).equilibria({"theta": (-2.5, 2.5)}, seeds=30):
            stable = one.stability.verdict != "unstable"
            axes.plot(speed, np.degrees(one["theta"]), "o", color=COLOURS[stable], ms=5)
    for stable, label in ((True, "stable, found"), (False, "unstable, found")):
        axes.plot([], [], "o", color=COLOURS[stable], label=label)
    axes.set(
        xlabel="speed of the hoop [rad/s]", ylabel="angle from the bottom [degrees]", title="Bead on a turning hoop"
    )
    axes.legend()
    figure.savefig(path, dpi=110)


def precessions(path: Path) -> None:
    """Spin and precession of a heavy top, one curve for each tilt."""
    figure, axes = plt.subplots(figsize=(6.4, 4.2), layout="constrained")
    s = by_angles()
    for k, tilt in enumerate((0.3, 0.7, 1.1, 1.5)):
        for j, family in enumerate(s.steady_families(hold={"tilt": tilt}, seeds=8, members=60)):
            label = f"{np.degrees(tilt):.0f} degrees" if j == 0 else None
            axes.plot(family["psi_dot"], family["phi_dot"], color=plt.cm.viridis(k / 3.5), label=label)
    axes.set(xlabel="spin [rad/s]", ylabel="precession [rad/s]", title="Steady precession of a heavy top")
    axes.legend(title="tilt from the vertical")
    figure.savefig(path, dpi=110)


def circles(path: Path) -> None:
    """Circles of the rolling disc: rate of turning over spin, for a few tilts."""
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
    figure.savefig(path, dpi=110)


def main() -> None:
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    folder.mkdir(parents=True, exist_ok=True)
    for draw in (circles, pitchfork, precessions):
        draw(folder / f"{draw.__name__}.png")


if __name__ == "__main__":
    main()
