"""Systems that the tests of pictures draw, with singular sets known in closed form, and how figures are read back."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from sympy import cos, sin

import cardan as cd


@cache
def gimbal(is_half: bool = False) -> Any:
    """A bead on a gimbal with inertia (H8), pushed across it; on the half-gimbal between elastic stops."""
    s = cd.System("half-gimbal" if is_half else "full gimbal")
    nu, phi = s.coordinates("nu phi_e", on="S1")
    body = s.body("gimbal", inertia=0.4, joint=cd.Revolute("z", nu))
    bead = s.particle("P", mass=1.7, frame=body, position=body.vector(0.6 * sin(phi), 0, 0.6 * cos(phi)))
    s.force("F", on=bead, along=body.y)
    if is_half:
        s.stop(phi, restitution=1, name="top")
        s.stop(np.pi - phi, restitution=1, name="bottom")
    return s


@cache
def moved(is_half: bool = False) -> Any:
    """A motion that passes phi_e = 0 and pi, or hits both stops."""
    return gimbal(is_half).simulate(6.0, q=[0.2, 0.6], v=[1.1, 1.7])


@cache
def suspension() -> Any:
    """Three gimbals (H12) with a moment on the platform along the inner gimbal's y axis."""
    s = cd.System("Cardan suspension")
    alpha, beta, gamma = s.coordinates("alpha beta gamma", on="S1")
    outer = s.body("outer", inertia=0.3, joint=cd.Revolute("z", alpha))
    inner = s.body("inner", inertia=0.2, joint=cd.Revolute("x", beta), parent=outer)
    platform = s.body("platform", inertia=0.1, joint=cd.Revolute("z", gamma), parent=inner)
    s.moment("M", on=platform, along=inner.y)
    return s


def lines_labelled(axes: Any, word: str) -> list[Any]:
    """Lines of the legend entry that holds the word, and those that look the same."""
    first = [line for line in axes.lines if word in str(line.get_label())]
    looks = {(line.get_color(), line.get_linewidth()) for line in first}
    return [line for line in axes.lines if (line.get_color(), line.get_linewidth()) in looks]


def legend_texts(axes: Any) -> list[str]:
    legend = axes.get_legend()
    return [] if legend is None else [text.get_text() for text in legend.get_texts()]
