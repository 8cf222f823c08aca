"""Symplectic steps of fixed length: compositions of the variational midpoint rule (`midpoint.py`)."""

from __future__ import annotations

from dataclasses import dataclass

from cardan.native.language import f64, i64, native
from cardan.simulation.common import all_finite, copy, observe, settle_state
from cardan.simulation.layout import NON_FINITE, N, T
from cardan.simulation.ledger import Ledger
from cardan.simulation.methods import fixed
from cardan.simulation.methods.fixed import FixedWork, fixed_loop
from cardan.simulation.methods.method import Method, NoKernels
from cardan.simulation.methods.midpoint import (
    Mechanical,
    mechanical,
    midpoint_step,
    midpoint_work,
    momenta_in,
    velocity,
)


@dataclass(frozen=True, eq=False)
class Composition:
    """A step as midpoint steps: each covers a fraction of it."""

    fractions: tuple[float, ...]

    @property
    def count(self) -> int:
        """How many there are."""
        return len(self.fractions)


MIDPOINT = Composition((1.0,))  # replaced by the longer ones
S4 = 1.0 / (4.0 - 4.0 ** (1.0 / 3.0))  # [Hairer, Lubich, Wanner, Geometric Numerical Integration, II.4 eq. (4.5)]
SUZUKI = Composition((S4, S4, 1.0 - 4.0 * S4, S4, S4))
K6 = (  # [Kahan, Li 1997, Math. Comp. 66, table 6, s = 9]
    0.39216144400731413928,
    0.33259913678935943860,
    -0.70624617255763935981,
    0.08221359629355080023,
)
KAHAN_LI = Composition((*K6, 1.0 - 2.0 * sum(K6), *reversed(K6)))


@native
def begin(book: Ledger, own: Mechanical, w: FixedWork) -> i64:
    """Momenta at the start, and the velocity there as the first guess of the mean one."""
    m = book.size[N] // 2
    momenta = momenta_in(m, w.own)
    copy(m, w.y[m:], momenta.v)
    return observe(own.momentum, book.field, book.control[T], w.y, momenta.p0)


@native
def keep(book: Ledger, w: FixedWork) -> None:
    """The momenta behind a step are those before the next."""
    m = book.size[N] // 2
    momenta = momenta_in(m, w.own)
    copy(m, momenta.p1, momenta.p0)


@native
def symplectic_step(book: Ledger, own: Mechanical, t: f64, h: f64, w: FixedWork) -> i64:
    """State and momenta after midpoint steps that add up to h."""
    n, field, y, y_new = book.size[N], book.field, w.y, w.y_new
    m = n // 2
    momenta = momenta_in(m, w.own)
    v, p1 = momenta.v, momenta.p1
    copy(m, momenta.p0, p1)
    copy(m, y, y_new)
    for i in range(m):
        if MIDPOINT.count == 1:
            v[i] = 2.0 * y[m + i] - v[i]  # the last mean velocity, continued to the next midpoint
        else:
            v[i] = y[m + i]
    q = y_new
    now = t
    for s in range(MIDPOINT.count):
        part = MIDPOINT.fractions[s] * h
        status = midpoint_step(own, field, now, part, m, q, momenta)
        if status != 0:
            return status
        now += part
    status = velocity(own, field, t + h, m, q, momenta, y_new)
    if status != 0:
        return status
    if all_finite(n, y_new) == 0:
        return NON_FINITE
    return settle_state(book, t + h, y_new, w.scratch)


def symplectic(name: str, order: int, composition: Composition) -> Method:
    """The method of a composition."""
    loop = fixed_loop(
        name, symplectic_step, (MIDPOINT, composition), (NoKernels, Mechanical), (fixed.begin, begin),
        (fixed.keep, keep), kernels=mechanical, needs=Mechanical._fields, own_work=midpoint_work,
    )  # fmt: skip
    return Method(
        name, order, min(order, 4), loop, is_adaptive=False, is_symplectic=True, needs_own_coordinates=True,
        solves_friction=False,
    )  # fmt: skip


SECOND = symplectic("symplectic", 2, MIDPOINT)
FOURTH = symplectic("symplectic-4", 4, SUZUKI)
SIXTH = symplectic("symplectic-6", 6, KAHAN_LI)
