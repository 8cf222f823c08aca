"""pipeline.py is the code that runs: ``simulate`` passes through every stage that the page names, in its order."""

from __future__ import annotations

import inspect
import sys
from types import FrameType

import pytest
import sympy as sp

import cardan as cd
from cardan import pipeline
from cardan.api.system import System


def called(work) -> list[str]:
    """Names of the functions of pipeline.py, and of those it calls directly, in the order of their first call."""
    found: list[str] = []
    page = pipeline.__file__

    def look(frame: FrameType, event: str, _: object) -> None:
        if event != "call":
            return
        here, before = frame.f_code, frame.f_back
        if here.co_filename == page or (before is not None and before.f_code.co_filename == page):
            found.append(here.co_name)

    sys.setprofile(look)
    try:
        work()
    finally:
        sys.setprofile(None)
    return list(dict.fromkeys(found))


def pendulum() -> cd.System:
    s = cd.System("pendulum")
    a = s.coordinates("a", on="S1")
    s.body("rod", mass=1, inertia=1 / 12, com=(0.5, 0, 0), joint=cd.Revolute("z", a))
    s.gravity(-9.81 * s.world.y)
    return s


def test_simulate_takes_the_road_of_the_page():
    s = pendulum()
    road = ["simulate", "prepare", "derive", "compile_native", "read_request", "enter", "follow", "leave", "of"]
    seen = [name for name in called(lambda: s.simulate(0.1, q=[1.0])) if name in road]
    assert seen == road


def test_nothing_on_the_page_is_dead(tmp_path):
    """Every function of pipeline.py is called by what a user calls."""

    def work() -> None:
        s = pendulum()
        s.equations()
        cd.load_run(s.simulate(0.1, q=[1.0]).save(tmp_path / "run.zarr"))

    written = {
        name for name, one in vars(pipeline).items() if inspect.isfunction(one) and one.__module__ == "cardan.pipeline"
    }
    assert written <= set(called(work))


def test_simulate_of_the_public_system_only_hands_its_arguments_on():
    body = inspect.getsource(System.simulate).split('"""')[-1].strip().splitlines()
    assert len(body) <= 25


@pytest.mark.parametrize(
    ("make", "options", "coordinates"),
    [
        (pendulum, {}, "Typed"),
        (lambda: ball(cd.Euler), {}, "Regular"),
        (lambda: ball(cd.Euler), {"chart": "typed"}, "Typed"),
        (lambda: ball(cd.Quaternion), {"method": "RATTLE", "step": 0.01}, "Plain"),
        (lambda: polar(), {}, "Declared"),
        (lambda: polar(), {"chart": "typed"}, "Typed"),
    ],
)
def test_the_first_coordinates_that_suit_are_taken(make, options, coordinates: str):
    from cardan.trajectory.request import read_request
    from cardan.trajectory.settings import Settings

    s = make()
    request = read_request(s.kernels.user, Settings(1.0, **options))
    assert type(s.kernels.coordinates(request)).__name__ == coordinates


def ball(orientation) -> cd.System:
    s = cd.System("ball")
    turned = cd.Quaternion("e")
    if orientation is cd.Euler:
        turned = cd.Euler("3-1-3", *s.coordinates("psi theta phi", on="S1"))
    s.body("B", mass=1, inertia=(1, 2, 3), joint=cd.Ball(turned))
    return s


def polar() -> cd.System:
    s = cd.System("polar")
    r, theta = s.coordinates("r theta")
    s.kinetic_energy((r.dot**2 + r**2 * theta.dot**2) / 2)
    x, y = s.chart_coordinates("x y")
    s.chart("Cartesian", (x, y), {r: sp.sqrt(x**2 + y**2), theta: sp.atan2(y, x)})
    return s
