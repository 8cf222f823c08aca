"""An order of the velocities in which the entries of M and A that are not zero stand close together.

By the method of Cuthill and McKee (1969), backwards [George, Liu 1981, chapter 4]: velocities that occur together in an
entry of M or in a row of A are neighbours; from one at the rim its neighbours follow, then theirs.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from cardan.graph import Node, is_zero


def narrow_order(M: Sequence[Sequence[Node | float]], A: Iterable[Sequence[Node | float]], n: int) -> list[int]:
    """Which velocity comes first, second, ...; A may have no rows."""
    beside: list[set[int]] = [set() for _ in range(n)]
    for together in (_occurring(row) | {i} for i, row in enumerate(M)):
        _join(beside, together)
    for row in A:
        _join(beside, _occurring(row))
    order: list[int] = []
    left = set(range(n))
    while left:
        start = _at_the_rim(beside, min(left, key=lambda i: (len(beside[i]), i)))
        for level in _levels(beside, start):
            order += level
            left -= set(level)
    return order[::-1]


def _occurring(row: Sequence[Node | float]) -> set[int]:
    return {j for j, entry in enumerate(row) if not is_zero(entry)}


def _join(beside: list[set[int]], together: set[int]) -> None:
    for i in together:
        beside[i] |= together - {i}


def _levels(beside: list[set[int]], start: int) -> list[list[int]]:
    """The start, its neighbours, theirs and so on, each in the order in which it is reached, few neighbours first."""
    seen, levels = {start}, [[start]]
    while True:
        following: list[int] = []
        for i in levels[-1]:
            new = sorted(beside[i] - seen, key=lambda j: (len(beside[j]), j))
            following += new
            seen |= set(new)
        if not following:
            return levels
        levels.append(following)


def _at_the_rim(beside: list[set[int]], start: int) -> int:
    """A velocity that is as far from others as can be found by going to the end and back."""
    levels = _levels(beside, start)
    while True:
        end = min(levels[-1], key=lambda i: (len(beside[i]), i))
        further = _levels(beside, end)
        if len(further) <= len(levels):
            return start
        start, levels = end, further
