"""Runs that are empty, backward, broken off or strange have pages as well, and these say so."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
import sympy as sp

import cardan as cd
from cardan.diagnosis.findings import Finding
from cardan.report.data import words
from cardan.report.data.arrays import unpacked
from cardan.report.data.document import document, motion
from cardan.report.data.provenance import statements
from support.close import assert_close
from support.report_systems import KINDS, run_of


def rod() -> cd.System:
    s = cd.System("rod")
    a = s.coordinates("a", on="S1")
    u = s.input("u")
    body = s.body("rod", mass=1.0, inertia=0.1, com=(1, 0, 0), joint=cd.Revolute("z", a))
    s.gravity(-9.81 * s.world.y)
    s.generalized_force(a, u)
    s.moment("M", on=body)
    return s


def sliding() -> cd.Run:
    s = cd.System("block on a slope")
    x = s.coordinates("x")
    s.body("block", mass=1.0, joint=cd.Prismatic("x", x))
    s.gravity(s.world.vector(3, 0, -9))
    s.friction(x, coefficient=0.3, normal=9.0)
    return s.simulate(1.0, q=[0.0], v=[-1.0])


def quartic() -> cd.Run:
    s = cd.System("quartic")
    x = s.coordinates("x")
    s.lagrangian(x.dot**4 / 4 + x.dot**2 / 2 - x**2 / 2)
    return s.simulate(1.0, q=[1.0])


def lifted() -> cd.Run:
    s = cd.System("ball over a lift")
    x, z, h = s.coordinates("x z h")
    floor = s.frame("floor", joint=cd.Prismatic("z", h))
    ball = s.body("ball", mass=1.0, inertia=0.01, joint=cd.Planar(z, x, 0, normal="y"))
    s.prescribe(h, sp.sin(s.time))
    s.gravity(-9.81 * s.world.z)
    s.contact(ball, on=floor, shape=cd.Sphere(0.1), restitution=0.5, name="contact")
    return s.simulate(0.5, q={"z": 1.0})


UNUSUAL = {
    "no time at all": lambda: rod().simulate(0.0, q=[1.0]),
    "backward": lambda: rod().simulate(-1.0, q=[1.0]),
    "an input that is a function": lambda: rod().simulate(1.0, q=[1.0], inputs={"u": lambda t, q, v: -v[0]}),
    "a moment with three components": lambda: rod().simulate(1.0, q=[1.0], loads={"M": (0.0, 0.0, 1.0)}),
    "friction": sliding,
    "an energy that is not quadratic": quartic,
    "a floor that moves": lifted,
}


@pytest.mark.parametrize("name", UNUSUAL)
def test_it_has_a_page(name: str) -> None:
    run = UNUSUAL[name]()
    page = document(run, frames=31)
    json.dumps(page, allow_nan=False)
    assert np.all(np.diff(unpacked(page["motion"]["times"])) > 0)
    assert len(motion(run, "drag")["poses"]) == len(page["model"]["bodies"])


def test_a_backward_run_is_shown_forward() -> None:
    run = UNUSUAL["backward"]()
    page = document(run, frames=11)
    times = unpacked(page["motion"]["times"])
    assert (times[0], times[-1]) == (-1.0, 0.0)
    a = next(one for one in page["motion"]["series"] if one["name"] == "a")
    assert_close(unpacked(a["values"])[-1], 1.0, within=1e-7, because="the start, in 24 bits")


def test_a_run_that_broke_off_says_why() -> None:
    run = rod().simulate(10.0, q=[1.0], max_steps=5, throw=False)
    page = document(run, frames=11)
    first = page["model"]["verdict"][0]
    assert first["tone"] == "bad"
    assert first["value"].startswith("stopped at")
    assert run.message.rstrip(".") in first["detail"]
    assert page["motion"]["status"] == "too-many-steps"


def test_where_no_set_could_be_told_none_is_claimed() -> None:
    rows: dict[str, Any] = {one["label"]: one for one in document(quartic(), frames=11)["model"]["verdict"]}
    assert rows["Singular sets"]["value"] == "not determined"
    assert "x_dot" in rows["Singular sets"]["detail"]


@pytest.mark.parametrize("kind", KINDS)
def test_a_model_is_told_without_addresses(kind: str) -> None:
    """Its fingerprint is the same in every process."""
    assert not [line for line in statements(run_of(kind).model) if " at 0x" in line]


def test_many_findings_are_told_in_few_rows() -> None:
    """Twenty loads, each lost or nearly lost once: what was lost comes first."""
    findings = [
        Finding("gimbal-lock", (f"M{k}", "body"), 1e-9, 1e-8, "lost", "orthogonal", is_near=k % 2 == 0, t=0.1 * k)
        for k in range(20)
    ]
    rows = words.finding_rows(findings)
    assert len(rows) == words.MOST_FINDINGS + 1
    assert rows[0]["label"] == "Gimbal lock of M1 on body"
    assert [one["tone"] for one in rows[:-1]] == ["bad"] * 6
    assert rows[-1]["value"] == str(20 - words.MOST_FINDINGS)
