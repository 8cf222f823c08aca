"""Phase portraits of a bead on a turning gimbal, Hemingway & O'Reilly Fig. 6.

The gimbal turns at a constant rate Omega about the vertical, and the bead slides on it under gravity, eq. (73). On the
full gimbal the angle phi_e goes round; on the half-gimbal elastic stops at phi = 0 and pi send the bead back, eq. (74).
Folding the first portrait at the stops gives the second.

    python examples/gimbal_phase_portraits.py
"""

from pathlib import Path

import numpy as np

import cardan as cd

OMEGA, GRAVITY, RADIUS = 2.0, 9.81, 1.0


def bead(half: bool) -> cd.System:
    """The bead on a full gimbal, or on a half-gimbal with elastic stops."""
    s = cd.System("half-gimbal" if half else "full gimbal")
    nu, phi = s.coordinates("nu phi", on="S1")
    s.particle("bead", mass=1.0, coordinates=cd.PolarSpherical(RADIUS, phi, nu))
    s.gravity(-GRAVITY * s.world.z)
    s.prescribe(nu, OMEGA * s.time)
    if half:
        s.stop(phi, restitution=1, name="top")
        s.stop(np.pi - phi, restitution=1, name="bottom")
    return s


def energy(phi: np.ndarray, rate: np.ndarray) -> np.ndarray:
    """The Jacobi integral per unit mass and radius squared: constant along every curve of the portrait."""
    return rate**2 / 2 - OMEGA**2 / 2 * np.sin(phi) ** 2 + GRAVITY / RADIUS * np.cos(phi)


RATES = (0.8, 2.0, 3.5, 5.0, 6.0, 6.6, 7.2, 8.2, 9.2)  # at the lowest place, phi = pi


def motion(system: cd.System, rate: float) -> tuple[np.ndarray, np.ndarray]:
    """(phi, rate of phi) of the motion that leaves the lowest place with the given rate."""
    run = system.simulate(4.0, q=[np.pi - 1e-9], v=[rate], times=np.linspace(0.0, 4.0, 2001))
    return run["phi"], run["phi_dot"]


def broken(x: np.ndarray, y: np.ndarray, where: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """A curve with gaps after the marked points."""
    at = np.flatnonzero(where) + 1
    return np.insert(x, at, np.nan), np.insert(y, at, np.nan)


def main() -> None:
    import matplotlib

    matplotlib.use("Agg")
    from cardan.report.style import COLOURS, figure_style

    full, half = bead(half=False), bead(half=True)
    changes = []
    with figure_style() as plt:
        figure, axes = plt.subplots(1, 2, figsize=(10, 4.4), layout="constrained", sharey=True)
        for k, speed in enumerate(RATES):
            look = {"color": COLOURS[k % len(COLOURS)], "linewidth": 1.4}
            for rate in (speed, -speed):
                phi, phi_dot = motion(full, rate)
                changes.append(float(np.ptp(energy(phi, phi_dot))))
                round_ = np.mod(phi, 2 * np.pi)
                axes[0].plot(*broken(round_, phi_dot, np.abs(np.diff(round_)) > np.pi), **look)
            phi, phi_dot = motion(half, -speed)
            changes.append(float(np.ptp(energy(phi, phi_dot))))
            axes[1].plot(*broken(phi, phi_dot, np.abs(np.diff(phi_dot)) > 0.3), **look)
        titles = ("(a) full gimbal", "(b) half-gimbal with elastic stops")
        for panel, title, end in zip(axes, titles, (2, 1), strict=True):
            panel.set_title(title)
            panel.set_xlim(0, end * np.pi)
            panel.set_xticks([k * np.pi / 2 for k in range(2 * end + 1)])
            panel.set_xticklabels(["0", "π/2", "π", "3π/2", "2π"][: 2 * end + 1])
            for lock in range(end + 1):
                style = {"linewidth": 2.4} if end == 1 else {"linewidth": 1.0, "linestyle": "--"}
                panel.axvline(lock * np.pi, color="#c8553d", **style)
        axes[0].set_xlabel("φₑ [rad]")
        axes[1].set_xlabel("φ [rad]")
        axes[0].set_ylabel("rate of φ [rad/s]")
        path = Path("output") / "gimbal_phase_portraits.png"
        path.parent.mkdir(exist_ok=True)
        figure.savefig(path)
    print(f"picture: {path}")
    print(f"largest change of the Jacobi integral along any curve: {max(changes):.1e}")
    assert max(changes) < 1e-5
    print("All checks passed.")


if __name__ == "__main__":
    main()
