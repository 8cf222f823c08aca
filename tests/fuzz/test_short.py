"""Fuzzing in short: some inputs of every kind, and that its machinery can tell what is wrong."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path

import pytest
from tools.fuzz.__main__ import KINDS
from tools.fuzz.expressions import EXPRESSIONS
from tools.fuzz.judging import LOADED, MOST_SECONDS, REFUSED, SLOW, UNTYPED, judge
from tools.fuzz.robots import MJCF
from tools.fuzz.table import Counts, lines, read, write

from cardan.errors import FileError

COUNTS = {"expressions": 300, "model files": 200, "robots in URDF": 60, "robots in MJCF": 40}
FIRST = 10**7  # numbers that no long run has come to


@pytest.mark.parametrize("kind", KINDS, ids=lambda one: one.name)
def test_random_inputs_are_loaded_or_refused(kind) -> None:
    if kind is MJCF:
        pytest.importorskip("mujoco", reason="MJCF is read with the extra `robots`")
    outcomes = []
    for number in range(FIRST, FIRST + COUNTS[kind.name]):
        outcome = judge(kind, kind.case(number))
        assert outcome.kind in (LOADED, REFUSED), f"{kind.name} {number}: {outcome.words}"
        outcomes.append(outcome.kind)
    assert outcomes.count(LOADED) > len(outcomes) / 50, "hardly any was valid, so little was tried"


def test_an_input_is_the_same_whenever_it_is_drawn() -> None:
    for kind in KINDS:
        assert kind.case(3) == kind.case(3) != kind.case(4)


def test_what_is_wrong_is_told_apart() -> None:
    def slow(content: bytes) -> None:
        begun = time.process_time()
        while time.process_time() - begun < 1.1 * MOST_SECONDS:
            pass

    def refuse(content: bytes) -> None:
        raise FileError("no")

    def outcome(load) -> str:
        return judge(replace(EXPRESSIONS, load=load), b"").kind

    assert outcome(lambda content: None) == LOADED
    assert outcome(refuse) == REFUSED
    assert outcome(lambda content: 1 / 0) == UNTYPED
    assert outcome(slow) == SLOW


def test_counts_go_on_where_the_last_run_ended(tmp_path: Path) -> None:
    path = tmp_path / "fuzz.json"
    counts = Counts()
    counts.add(judge(EXPRESSIONS, b"1 + x"), 7)
    counts.add(judge(EXPRESSIONS, b"1 +"), 8)
    write("expressions", counts, path)
    write("model files", Counts(), path)
    found = read(path)
    assert found["expressions"].next == 9
    row = lines(KINDS, found)[2]
    assert row.startswith(f"| expressions | {EXPRESSIONS.about} | 2 | 1 | 1 | 0 | 0 |")
