"""Impact laws: impulses from the approach velocities of contacts.

One contact: Newton's restitution u_n+ = -e u_n-, and Coulomb's friction: the friction impulse stops the slip where
mu Lam_n suffices, and otherwise has that size against the slip that remains. Several contacts: ``sequential`` lets
them collide one after the other, the fastest approach first; ``simultaneous`` demands for all at once

    0 <= Lam_n  complementary to  u_n+ + e u_n- >= 0.

Both keep the energy where e = 1 and there is no friction, and both are right where the contacts are kinetically
orthogonal. Elsewhere the rigid model does not determine the outcome, and the two laws differ.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from cardan.linalg.complementarity import complementary
from cardan.simulation.contact.collision import shortest

Vector = NDArray[np.float64]
Block = Sequence[int]  # rows of one contact: the gap, then the slips

AT_REST = 1e-12  # approach below this times the largest possible one, sqrt(2 T D_ii), is none
MOST_ROUNDS = 2000
ANGLES = 90  # directions of slip that are tried


def one_contact(D: Vector, u: Vector, e: float, mu: float) -> Vector:
    """Impulses (normal, then along the slips) of a single contact that approaches with u[0] < 0."""
    if len(u) == 1 or mu == 0.0:
        found = np.zeros(len(u))
        found[0] = -(1.0 + e) * u[0] / D[0, 0]
        return found
    wanted = u.copy()
    wanted[0] *= 1.0 + e
    sticking = -shortest(D, wanted)
    if sticking[0] >= 0 and np.linalg.norm(sticking[1:]) <= mu * sticking[0]:
        return sticking
    return _sliding(D, u, e, mu, sticking[1:])


def _sliding(D: Vector, u: Vector, e: float, mu: float, held: Vector) -> Vector:
    """Friction of full size against the slip after the impact, whose direction is found by iteration."""
    size = float(np.linalg.norm(u[1:]))
    guess = u[1:] / size if size > 0 else -held / float(np.linalg.norm(held))
    if len(u) == 2:
        options = [guess, -guess]
        found = [_along(D, u, e, mu, d) for d in options]
        for d, impulse in zip(options, found, strict=True):
            if impulse is not None and float(d @ (u[1:] + D[1:] @ impulse)) >= 0:
                return impulse
        return _frictionless(D, u, e)
    turned = _direction(D, u, e, mu, guess)
    impulse = None if turned is None else _along(D, u, e, mu, turned)
    return _frictionless(D, u, e) if impulse is None else impulse


def _direction(D: Vector, u: Vector, e: float, mu: float, guess: Vector) -> Vector | None:
    """The direction of the slip that remains when friction acts against it, nearest to the guess; None if none is.

    Directions are tried all around; where slip and direction change sides, the angle is found by bisection.
    """
    first = float(np.arctan2(guess[1], guess[0]))
    angles = first + np.linspace(-np.pi, np.pi, ANGLES + 1)

    def sides(angle: float | Vector) -> tuple[Vector, Vector]:
        """How far the slip lies to the left of the direction, and along it."""
        c, s = np.cos(angle), np.sin(angle)
        gain = D[0, 0] - mu * (c * D[0, 1] + s * D[0, 2])
        push = np.where(gain > 1e-12 * D[0, 0], -(1.0 + e) * u[0] / np.where(gain == 0, 1.0, gain), np.nan)
        x = u[1] + push * (D[1, 0] - mu * (c * D[1, 1] + s * D[1, 2]))
        y = u[2] + push * (D[2, 0] - mu * (c * D[2, 1] + s * D[2, 2]))
        return c * y - s * x, c * x + s * y

    left, along = sides(angles)
    turns = np.flatnonzero((np.sign(left[:-1]) != np.sign(left[1:])) & (np.maximum(along[:-1], along[1:]) > 0))
    for k in sorted(turns, key=lambda k: abs(angles[k] - first)):
        low, high = float(angles[k]), float(angles[k + 1])
        for _ in range(60):
            middle = (low + high) / 2
            same = np.sign(sides(middle)[0]) == np.sign(left[k])
            low, high = (middle, high) if same else (low, middle)
        if sides(high)[1] >= 0:
            return np.array([np.cos(high), np.sin(high)])
    return None


def _along(D: Vector, u: Vector, e: float, mu: float, d: Vector) -> Vector | None:
    """Impulses with friction mu Lam_n against the unit direction d; None where they could not push the bodies apart."""
    shape = np.concatenate([[1.0], -mu * d])
    gain = float(D[0] @ shape)
    if not gain > 1e-12 * D[0, 0]:
        return None
    found: Vector = -(1.0 + e) * u[0] / gain * shape
    return found


def _frictionless(D: Vector, u: Vector, e: float) -> Vector:
    return one_contact(D, u, e, 0.0)


def sequential(
    D: Vector, u: Vector, blocks: Sequence[Block], e: Vector, mu: Vector, speed: float
) -> tuple[Vector, int]:
    """Impulses of all rows when contacts collide one after the other, and how many collisions there were.

    ``speed`` is sqrt(2 T): the largest rate that row i can have is speed sqrt(D_ii).
    """
    total, now = np.zeros(len(u)), u.copy()
    heads = np.array([block[0] for block in blocks])
    size = np.sqrt(np.maximum(D[heads, heads], 1e-300))
    rounds = 0
    while rounds < MOST_ROUNDS:
        approach = now[heads] / size
        k = int(np.argmin(approach))
        if approach[k] >= -AT_REST * speed:
            return total, rounds
        rows = list(blocks[k])
        impulse = one_contact(D[np.ix_(rows, rows)], now[rows], float(e[k]), float(mu[k]))
        total[rows] += impulse
        now = now + D[:, rows] @ impulse
        rounds += 1
    rest, more = simultaneous(D, now, blocks, np.zeros(len(blocks)), mu, speed)  # an endless sequence ends at once
    return total + rest, rounds + more


def simultaneous(
    D: Vector, u: Vector, blocks: Sequence[Block], e: Vector, mu: Vector, speed: float
) -> tuple[Vector, int]:
    """Impulses of all rows when all contacts that do not part already collide at once, and how often that happened.

    A contact that parts takes no share; where the others push it back it takes part in another collision.
    """
    total, now = np.zeros(len(u)), u.copy()
    heads = np.array([block[0] for block in blocks])
    size = np.sqrt(np.maximum(D[heads, heads], 1e-300))
    for rounds in range(MOST_ROUNDS):
        approach = now[heads] / size
        if not np.any(approach < -AT_REST * speed):
            return total, rounds
        share = e if rounds < MOST_ROUNDS // 2 else np.zeros(len(e))
        own = np.flatnonzero(approach <= AT_REST * speed).tolist()
        impulse = _at_once(D, now, [blocks[k] for k in own], share[own], mu[own])
        total += impulse
        now = now + D @ impulse
    return total, MOST_ROUNDS


def _at_once(D: Vector, u: Vector, blocks: Sequence[Block], e: Vector, mu: Vector) -> Vector:
    """Impulses of all rows in one collision of these contacts."""
    return unilateral(D, u, blocks, e * u[[block[0] for block in blocks]], mu)


def unilateral(D: Vector, u: Vector, blocks: Sequence[Block], rebound: Vector, mu: Vector) -> Vector:
    """Impulses with 0 <= Lam_n complementary to u_n + (D Lam)_n + rebound >= 0, and Coulomb's friction."""
    heads = [block[0] for block in blocks]
    total = np.zeros(len(u))
    if not np.any(mu > 0) or all(len(block) == 1 for block in blocks):
        W, q = D[np.ix_(heads, heads)], u[heads] + rebound
        found = complementary(W, q)
        total[heads] = _polish(W, q, found) if found is not None else shortest(W, -q).clip(0)
        return total
    return _by_relaxation(D, u, blocks, rebound, mu)


def _polish(W: Vector, q: Vector, z: Vector) -> Vector:
    """z with its positive entries solved for once more."""
    active = np.flatnonzero(z > 0)
    better = z.copy()
    better[active] = shortest(W[np.ix_(active, active)], -q[active])
    return better if np.all(better >= 0) else z


def _by_relaxation(D: Vector, u: Vector, blocks: Sequence[Block], rebound: Vector, mu: Vector) -> Vector:
    """With friction: contact by contact, over and over, until nothing changes [Jean1999, section 6]."""
    total = np.zeros(len(u))
    for _ in range(MOST_ROUNDS):
        change = 0.0
        for k, block in enumerate(blocks):
            rows = list(block)
            own = D[np.ix_(rows, rows)]
            rate = u[rows] + D[rows] @ total - own @ total[rows]  # without this contact's own impulse
            rate[0] += rebound[k]
            new = one_contact(own, rate, 0.0, float(mu[k])) if rate[0] < 0 else np.zeros(len(rows))
            change = max(change, float(np.max(np.abs(new - total[rows]))))
            total[rows] = new
        if change <= 1e-14 * float(np.max(np.abs(total), initial=0.0)):
            break
    return total


def kinetic_cosines(D: Vector, heads: Sequence[int]) -> float:
    """The largest |cos| of the kinetic angle between two of the contacts; 0 where they are orthogonal."""
    W = D[np.ix_(heads, heads)]
    size = np.sqrt(np.maximum(np.diag(W), 1e-300))
    cosines = np.abs(W / np.outer(size, size))
    np.fill_diagonal(cosines, 0.0)
    return float(np.max(cosines, initial=0.0))
