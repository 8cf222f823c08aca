"""R4: a rotation matrix integrated number by number falls apart, unless held together or replaced by a quaternion."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

import cardan as cd
from cardan.gallery.comparing import Pair, agreement, near, same
from cardan.gallery.entry import Check, Entry
from cardan.gallery.pictures import RED, panels
from cardan.gallery.ruina.vectors import Array, skew

if TYPE_CHECKING:
    from matplotlib.figure import Figure

I_REF = np.array([[0.5, 0.04, -0.03], [0.04, 0.4, 0.05], [-0.03, 0.05, 0.3]])
W_0 = np.array([0.4, 2.0, -0.7])
DURATION, STEP, GAIN = 4.0, 0.02, 5.0
Straighten = Callable[[Array], Array]


def system() -> cd.System:
    """The free body by a unit quaternion, whose step stays on the group of rotations."""
    s = cd.System("free body by a quaternion")
    s.body("body", mass=1.0, inertia=I_REF, joint=cd.Ball(cd.Quaternion("e")))
    return s


def gram_schmidt(R: Array) -> Array:
    """The three printed lines of 3/4."""
    R1 = R[:, 0] / np.linalg.norm(R[:, 0])
    R2 = R[:, 1] - (R[:, 1] @ R1) * R1
    R2 = R2 / np.linalg.norm(R2)
    R3 = R[:, 2] - (R[:, 2] @ R1) * R1 - (R[:, 2] @ R2) * R2
    return np.stack([R1, R2, R3 / np.linalg.norm(R3)], axis=1)


def polar(R: Array) -> Array:
    """R_new = U V^T of R = U S V^T."""
    U, _, Vt = np.linalg.svd(R)
    return np.asarray(U @ Vt)


def leave(R: Array) -> Array:
    return R


def derivative(y: Array, feedback: float = 0.0) -> Array:
    """Rd = S(w) R + c (R_new - R) and wd = I^-1 (-w x I w) with I = R I_ref R^T, in the fixed frame."""
    R, w = y[:9].reshape(3, 3), y[9:]
    inertia = R @ I_REF @ R.T
    Rd = skew(w) @ R + (feedback * (polar(R) - R) if feedback else 0.0)
    return np.concatenate([Rd.ravel(), np.linalg.solve(inertia, -np.cross(w, inertia @ w))])


@cache
def march(h: float, straighten: Straighten = leave) -> Array:
    """R after every step of Heun's method, second order."""
    y, found = np.concatenate([np.eye(3).ravel(), W_0]), [np.eye(3)]
    for _ in range(round(DURATION / h)):
        first = derivative(y)
        y = y + h / 2 * (first + derivative(y + h * first))
        y[:9] = straighten(y[:9].reshape(3, 3)).ravel()
        found.append(y[:9].reshape(3, 3).copy())
    return np.array(found)


@cache
def euler(feedback: float) -> Array:
    """R after every step of Euler's method, which stretches R across w by 1 + (h w)^2 / 2 each time."""
    y, found = np.concatenate([np.eye(3).ravel(), W_0]), [np.eye(3)]
    for _ in range(round(DURATION / STEP)):
        y = y + STEP * derivative(y, feedback)
        found.append(y[:9].reshape(3, 3).copy())
    return np.array(found)


@cache
def on_the_group(h: float) -> Array:
    """R after every step R -> exp(h w) R with w from the middle of the step: second order, and a rotation always."""
    R, w = np.eye(3), W_0
    found = [R]
    for _ in range(round(DURATION / h)):
        half_w = w + h / 2 * derivative(np.concatenate([R.ravel(), w]))[9:]
        half_R = about_vector(h / 2 * w) @ R
        w = w + h * derivative(np.concatenate([half_R.ravel(), half_w]))[9:]
        R = about_vector(h * half_w) @ R
        found.append(R)
    return np.array(found)


def about_vector(turn: Array) -> Array:
    """exp(S(turn)), the rotation of a rotation vector."""
    return np.array(cd.rotations.from_vector(turn.tolist()).matrix)


def off(R: Array) -> Array:
    """Largest entry of R^T R - 1, for every R."""
    return np.asarray(np.abs(np.einsum("tji,tjk->tik", R, R) - np.eye(3)).max(axis=(1, 2)))


def checks(s: cd.System) -> Iterator[Check]:
    run = s.simulate(DURATION, q=[1, 0, 0, 0], v=W_0, rtol=1e-11, atol=1e-13)
    coarse, fine = off(march(STEP))[-1], off(march(STEP / 2))[-1]
    yield same("nine numbers leave the rotations", "3/4, (1)", 1e-5 < coarse < 1e-2, True, because="stated range")
    yield near(
        "as the cube of the step, over a time", "3/4, (1)", coarse / fine, 8.0, within=0.25,
        because="Heun stretches by 1 + (h w)^4 / 8 per step; higher orders in h w = 0.04",
    )  # fmt: skip
    for name, straighten in (("Gram-Schmidt", gram_schmidt), ("polar decomposition", polar)):
        yield near(
            f"{name} keeps R^T R = 1", "3/4, (5)", off(march(STEP, straighten))[-1], 0.0, within=1e-14,
            because="a few dozen roundings",
        )  # fmt: skip
    yield agreement("Cardan straightens as printed", "3/4, (5)", straightened())
    yield same("the polar factor is the nearest rotation", "3/4, (5b)", nearest(), True)
    yield near(
        "feedback holds the drift near h w^2 / c", "3/4, last line", off(euler(GAIN))[-1],
        STEP * float(W_0 @ W_0) / GAIN, within=1e-3, because="h c times the stretch balances (h w)^2 / 2, first order",
    )  # fmt: skip
    yield near(
        "Cardan's quaternion is a rotation at every step", "3/4, (3)", off(run.rotation("body")), 0.0, within=1e-14,
        because="a dozen roundings",
    )  # fmt: skip
    yield near(
        "so is a step on the group, R to exp(h w) R", "beside 3/4", off(on_the_group(STEP))[-1], 0.0, within=1e-13,
        because="a rounding of 1e-16 in each of 200 steps",
    )  # fmt: skip
    exact = run.rotation("body")[-1]
    far, nearer = (np.abs(on_the_group(h)[-1] - exact).max() for h in (STEP, STEP / 2))
    yield near(
        "which comes to Cardan's motion with the square of the step", "beside 3/4", far / nearer, 4.0, within=0.2,
        because="second order; the next order is h w = 0.04 of it, times a few",
    )  # fmt: skip
    for name, straighten in (("Heun", leave), ("Heun, Gram-Schmidt", gram_schmidt), ("Heun, polar", polar)):
        far, nearer = (np.abs(march(h, straighten)[-1] - exact).max() for h in (STEP, STEP / 2))
        yield near(
            f"{name} comes to Cardan's motion with the square of the step", "3/4", far / nearer, 4.0, within=0.2,
            because="second order; the next order is h w = 0.04 of it, times a few",
        )  # fmt: skip


def straightened() -> Iterator[Pair]:
    """Cardan's two ways of straightening a drifted R, and the printed ones."""
    R = march(STEP)[-1]
    yield cd.rotations.straighten(R.tolist(), by="gram-schmidt").matrix, gram_schmidt(R)
    yield cd.rotations.straighten(R.tolist()).matrix, polar(R)


def nearest() -> bool:
    """|R - polar(R)| is least among Gram-Schmidt and rotations near it."""
    R = march(STEP)[-1]
    best = np.linalg.norm(R - polar(R))
    turns: list[Array] = [about_vector(1e-3 * e) for e in [*np.eye(3), *-np.eye(3)]]
    others = [np.linalg.norm(R - gram_schmidt(R)), *(np.linalg.norm(R - turn @ polar(R)) for turn in turns)]
    return bool(all(best < one for one in others))


def picture(run: cd.Run) -> Figure:
    """Drift of R^T R for every way, and the error of R against the tight run."""
    with panels("how far from a rotation", "how far from the motion", size=(9.4, 3.9)) as (figure, (drift, error)):
        times = np.linspace(0, DURATION, round(DURATION / STEP) + 1)
        exact = run.at(times).rotation("body")
        ways = {
            "Euler": euler(0.0),
            "Euler, feedback": euler(GAIN),
            "Heun": march(STEP),
            "Heun, Gram-Schmidt": march(STEP, gram_schmidt),
            "Heun, polar": march(STEP, polar),
            "on the group": on_the_group(STEP),
        }
        for name, R in ways.items():
            drift.semilogy(times[1:], np.maximum(off(R)[1:], 1e-17), label=name)
            error.semilogy(times[1:], np.abs(R - exact).max(axis=(1, 2))[1:])
        drift.semilogy(times[1:], np.maximum(off(exact)[1:], 1e-17), ":", color=RED, label="Cardan, quaternion")
        drift.set(xlabel="time [s]", ylabel="largest entry of $R^T R - 1$", ylim=(3e-17, 3))
        error.set(xlabel="time [s]", ylabel="largest entry of $R - R_{exact}$")
        figure.legend(*drift.get_legend_handles_labels(), loc="outside lower center", ncols=4, fontsize=9)
    return figure


ENTRY = Entry(
    id="R4",
    where="lecture 3/4",
    lesson=(
        "Nine numbers that should obey six constraints will not, once an integrator has moved them: every step "
        "stretches R a little, and after a while it is no rotation. Straightening by Gram-Schmidt or by the polar "
        "decomposition repairs the constraint to rounding; feedback only holds the drift at a level set by its gain. "
        "None of them makes the motion itself more accurate, as the right picture shows: being a rotation and being "
        "the right rotation are two things. A step that multiplies R by a rotation has nothing to repair. Cardan "
        "carries a unit quaternion, four numbers with one constraint, and keeps its length."
    ),
    system=system,
    checks=checks,
    start={"duration": DURATION, "q": [1, 0, 0, 0], "v": W_0.tolist(), "rtol": 1e-11, "atol": 1e-13},
    picture=picture,
    caption="The same free body with steps of 0.02 s: who stays a rotation, and who stays near the true motion.",
)
