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


def motions(system: cd.System, rates: list[float]) -> list[cd.Run]:
    """The motions that leave the lowest place with these rates."""
    return [system.simulate(4.0, q=[np.pi - 1e-9], v=[rate]) for rate in rates]


def main() -> None:
    from cardan.report.figures.style import figure_style

    full = motions(bead(half=False), [sign * rate for rate in RATES for sign in (1, -1)])
    half = motions(bead(half=True), [-rate for rate in RATES])
    with figure_style() as easel:
        figure, axes = easel.subplots(1, 2, figsize=(10, 4.4), layout="constrained", sharey=True)
        panels = zip(axes, (full, half), ("(a) full gimbal", "(b) half-gimbal with elastic stops"), strict=True)
        for panel, runs, title in panels:
            runs[0].plot_phase("phi", others=runs[1:], axes=panel)
            panel.set_title(title)
        path = Path("output") / "gimbal_phase_portraits.png"
        path.parent.mkdir(exist_ok=True)
        figure.savefig(path)
    changes = [float(np.ptp(energy(run["phi"], run["phi_dot"]))) for run in (*full, *half)]
    print(f"picture: {path}")
    print(f"largest change of the Jacobi integral along any curve: {max(changes):.1e}")
    assert max(changes) < 1e-5
    print("All checks passed.")


if __name__ == "__main__":
    main()
