"""What native loops pass around: the model, the arrays shared with Python, and a step that has been made."""

from __future__ import annotations

from typing import NamedTuple

from cardan.native.language import Array, Callback, IntArray, Kernel, f64, i64


class Field(NamedTuple):
    """A model as machine code sees it: its right-hand side, what refreshes the inputs before it, p, and counters."""

    rhs: Kernel
    before: Callback
    p: Array
    counts: IntArray


class Ledger(NamedTuple):
    """What a loop shares with Python; `layout.py` names the entries of the arrays."""

    field: Field
    events: Kernel
    project: Kernel
    size: IntArray
    flags: IntArray
    control: Array
    atol: Array
    samples: Array
    sign: Array
    found: Array
    rows: Array


class Rows(NamedTuple):
    """Many motions: starts with their parameters (``width`` of them) and tolerances; then states at requested times,
    first zeros of events, and how each ended (status, time, number of requested times reached, state)."""

    width: i64
    y: Array
    p: Array
    atol: Array
    states: Array
    zeros: Array
    ends: Array


class Span(NamedTuple):
    """A step from t to t + h, from y to y_new, with the terms F of its interpolant and room for a state on it."""

    t: f64
    h: f64
    terms: i64
    y: Array
    y_new: Array
    F: Array
    state: Array
