"""Bundles and variants of native functions: the same results as plain arguments and plain constants give."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pytest

from cardan.errors import CompileError
from cardan.native.language import Array, IntArray, Kernel, carve, f64, i64, native


class Line(NamedTuple):
    """y = slope x + offset."""

    slope: f64
    offset: f64


class Job(NamedTuple):
    """A bundle with a bundle inside."""

    kernel: Kernel
    line: Line
    out: Array


class Work(NamedTuple):
    first: Array
    second: Array
    end: i64


class Weight(NamedTuple):
    untold: complex


@native
def doubled(t: f64, y: Array, p: Array, out: Array) -> i64:
    out[0] = 2.0 * y[0] + t
    return 0


@native
def steeper(line: Line, factor: f64) -> Line:
    """A bundle that is made and returned."""
    return Line(offset=line.offset, slope=factor * line.slope)


@native
def value(line: Line, x: f64) -> f64:
    return line.slope * x + line.offset


@native
def apply(job: Job, x: f64) -> i64:
    """A field that is called, an inner bundle that is passed on, and a local bundle that changes."""
    line = job.line
    for _ in range(3):
        line = steeper(line, 2.0)
    job.out[1] = value(line, x)
    job.out[2] = job.line.slope
    return int(job.kernel(1.0, job.out[1:], job.out, job.out))


@native
def lay_out(n: i64, work: Array) -> Work:
    return carve(Work, work, n, 2 * n)


@native
def fill(n: i64, work: Array) -> i64:
    """Ones, then twos; returns how much is laid out."""
    parts = lay_out(n, work)
    for i in range(n):
        parts.first[i] = 1.0
    for i in range(2 * n):
        parts.second[i] = 2.0
    return parts.end


def test_a_bundle_is_passed_field_by_field():
    for call in (apply, apply.python):
        out = np.zeros(3)
        assert call(Job(doubled, Line(0.5, 3.0), out), 10.0) == 0
        assert out.tolist() == [2 * 43.0 + 1.0, 43.0, 0.5]


def test_a_layout_says_where_everything_stands_and_how_much_it_takes():
    for call in (fill, fill.python):
        work = np.zeros(10)
        assert call(3, work) == 9
        assert work.tolist() == [1.0] * 3 + [2.0] * 6 + [0.0]
    assert lay_out.python(3, np.zeros(0)).end == 9


@dataclass(frozen=True)
class Table:
    count: int
    weights: tuple[float, ...]


TABLE = Table(2, (1.0, 10.0))


@native
def weigh(i: i64, x: f64) -> f64:
    return TABLE.weights[i] * x


@native
def scale(x: f64) -> f64:
    return x


@native
def weighted(x: Array) -> f64:
    total = 0.0
    for i in range(TABLE.count):
        total += weigh(i, scale(x[i]))
    return total


@native
def halve(x: f64) -> f64:
    return 0.5 * x


def test_a_variant_means_other_things_by_the_same_names():
    other = weighted.given("other", (TABLE, Table(3, (1.0, 2.0, 4.0))), (scale, halve))
    x = np.array([2.0, 4.0, 6.0])
    for plain, changed in ((weighted, other), (weighted.python, other.python)):
        assert plain(x) == 2.0 + 40.0
        assert changed(x) == 0.5 * (2.0 + 8.0 + 24.0)


def test_what_a_variant_does_not_change_is_shared():
    other = weighted.given("other", (scale, halve))
    assert other.scope["weigh"] is weigh
    assert other.scope["scale"] is halve


@native
def wrong_bundle(job: Job) -> f64:
    return value(job, 1.0)


@native
def missing_field(x: f64) -> f64:
    return value(Line(x), 1.0)


@native
def changed_field(line: Line) -> f64:
    line.slope = 1.0
    return line.slope


@native
def wrong_lengths(n: i64, work: Array) -> i64:
    parts = carve(Work, work, n)
    return parts.end


@native
def unknown_field(line: Line) -> f64:
    return line.height


@native
def untold(weight: Weight, kinds: IntArray) -> i64:
    return kinds[0]


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (wrong_bundle, "argument 1 of 'value' is a Line, but Job is given. Pass a Line"),
        (missing_field, "bundle 'Line' has the fields slope, offset. Give each of them once"),
        (changed_field, "only names and array entries can be assigned"),
        (wrong_lengths, "'Work' has the fields first, second, end. Give 2 lengths"),
        (unknown_field, "name 'line.height' is neither a local assigned before nor a constant"),
        (untold, "Field 'untold' of bundle 'Weight' has no native type"),
    ],
)
def test_a_mistake_with_bundles_is_named(function, message):
    with pytest.raises(CompileError, match=message):
        function.ir()


def test_a_bundle_cannot_be_returned_to_python():
    with pytest.raises(CompileError, match="a bundle cannot be returned to Python"):
        steeper(Line(1.0, 2.0), 3.0)
