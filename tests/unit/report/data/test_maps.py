"""A map of a study as a page reads it: which row a pixel is, and what a click changes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from sympy import cos

import cardan as cd
from cardan.errors import StoreError
from cardan.report.data.arrays import unpacked
from cardan.report.data.maps import Picture, map_entry, whole_run


@pytest.fixture(scope="module")
def study() -> cd.Study:
    s = cd.System("pendulum")
    a = s.coordinates("a", on="S1")
    length, g = s.parameters(l=1.0, g=9.81)
    s.lagrangian(length**2 * a.dot**2 / 2 + g * length * cos(a))
    return s.sweep(
        1.0, q={"a": [-1.0, 0.5, 2.0, 3.0]}, v={"a": [0.0, 1.0]}, parameters={"l": [0.8]},
        outputs=[cd.when(cos(a), ends=True, name="level"), cd.least(a.dot)], executor="serial",
    )  # fmt: skip


def test_a_pixel_is_a_row_and_a_change_of_its_run(study: cd.Study) -> None:
    entry = map_entry(Picture(study, "least a_dot", "q a", "v a", row=5))
    x, y = entry["x"], entry["y"]
    assert (x["group"], x["name"], y["group"], y["name"]) == ("q", "a", "v", "a_dot")
    assert entry["rest"] == [{"group": "values", "name": "l", "value": 0.8}]
    assert entry["chosen"] == [2, 1]
    values = unpacked(entry["values"])
    for k in range(4):
        for j in range(2):
            row = entry["first"] + x["stride"] * k + y["stride"] * j
            assert study.values[row].tolist() == [x["values"][k], y["values"][j], 0.8]
            assert values[j, k] == np.float32(study["least a_dot"].ravel()[row])
            assert entry["endings"][int(unpacked(entry["ends"])[j, k])] == study.status[row]


def test_the_run_that_comes_with_a_map_is_not_ended_by_outputs(study: cd.Study) -> None:
    row = study.number_of((2, 0, 0))
    assert study.status[row] == "event"
    assert study.ended[row] < 1.0
    run = whole_run(Picture(study, "level", "q a", "v a", row=row))
    assert run.t[-1] == 1.0
    assert run.q[0, 0] == 2.0


def test_rows_that_do_not_exist_are_refused(study: cd.Study) -> None:
    assert study.number_of((-1, -1, -1)) == study.number_of(-1) == 7
    for row in (8, (4, 0, 0), (1, 1)):
        with pytest.raises(StoreError, match="no row"):
            study.number_of(row)


def test_a_report_of_a_study_holds_its_map(study: cd.Study, tmp_path: Path) -> None:
    text = study.report(tmp_path / "map.html", "least a_dot", "q a", "v a", label="slowest").read_text("utf-8")
    assert '"label":"slowest"' in text
    assert "wasm-unsafe-eval" in text  # the page computes the run of a pixel
