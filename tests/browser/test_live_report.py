"""A report that computes: in a real browser with the network off, sliders give the motions that native code gives, to
the last bit."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

import cardan as cd
from cardan.api.viewing import moved
from cardan.gallery.catalogue import TITLES
from cardan.gallery.index import entry
from cardan.geometry import quaternion
from cardan.report.live.module import first_mode, level_of
from cardan.report.live.reasons import obstacle
from cardan.simulation.protocol import Watch
from cardan.simulation.solve import integrate
from cardan.trajectory.settings import ATOL
from cardan.trajectory.tolerances import LARGE, SMALL, sizes_at_start
from cardan.viewer.notebook import Embedded
from cardan.viewer.session import Change
from support.close import assert_close
from support.report_systems import suspension, typed

STARTERS = Path(cd.__file__).parent / "formats" / "starters"
Opening = Callable[..., Any]
LIVE = "Boolean(window.cardan?.live)"
MOVED = (0.037, -0.061, 0.083)  # how far three sliders are moved, as a share of their ranges


def steps_of_fixed_length() -> cd.Run:
    run = typed()
    return run.system.simulate(2.0, q=[2.0, 1.0], method=cd.RK4(step=1e-3))


def tumbling() -> cd.Run:
    """A free body whose orientation is a quaternion, pushed at a corner."""
    s = cd.System("tumbling box")
    x, y, z = s.coordinates("x y z")
    m = s.parameters(m=2.0)
    box = s.body("box", mass=m, inertia=(0.1, 0.2, 0.3), joint=cd.Free(x, y, z, cd.Quaternion("e")))
    s.force("F", on=box.point(0.1, 0.2, 0.3), along=box.x)
    s.gravity(-9.81 * s.world.z)
    return s.simulate(2.0, q={"e": (1, 0, 0, 0)}, v={"z": 3.0}, loads={"F": 1.0})


def driven() -> cd.Run:
    """A cart on a spring, pushed by a load that depends on time; steps are held to a share of the run."""
    s = cd.System("driven cart")
    x = s.coordinates("x")
    m, k = s.parameters(m=1.3, k=20.0)
    cart = s.body("cart", mass=m, joint=cd.Prismatic("x", x))
    s.spring(cart, s.world.origin, stiffness=k, length=0.5, name="spring")
    s.force("F", on=cart, along=s.world.x)
    return s.simulate(3.0, q=[1.0], v=[0.2], loads={"F": 0.3 / (1 + s.time**2)})


def drawn() -> cd.Run:
    """A Lagrangian with things that are only drawn: their places are functions of the coordinates."""
    from sympy import cos, sin

    s = cd.System("drawn pendulum")
    a = s.coordinates("a", on="S1")
    g = s.parameters(g=9.81)
    s.lagrangian(a.dot**2 / 2 + g * cos(a))
    tip = (sin(a), 0, -cos(a))
    s.draw("point", tip, name="bob")
    s.draw("spring", (0.5, 0, 0), tip, name="coil")
    s.draw("disc", (0, 0, 0), axis="y", angle=a, name="wheel")
    return s.simulate(2.0, q=[1.0])


def linkage(b: float = 2.0) -> cd.Run:
    """A four-bar whose crank turns all the way round (Grashof), so that it never folds."""
    s = cd.System("four-bar")
    crank, coupler, rocker = s.coordinates("crank coupler rocker", on="S1")
    m = s.parameters(m=2.0)
    rod: dict[str, Any] = {"inertia": 1 / 12, "com": (0.5, 0, 0)}
    first = s.body("first", mass=1.0, **rod, joint=cd.Revolute("z", crank))
    second = s.body("second", mass=m, **rod, at=(1, 0, 0), joint=cd.Revolute("z", coupler), parent=first)
    third = s.body("third", mass=1.0, **rod, at=(2, 0, 0), joint=cd.Revolute("z", rocker))
    s.connect(second.point(b, 0, 0), third.point(1.2, 0, 0), cd.Revolute("z"), name="pin")
    s.gravity(-9.81 * s.world.y)
    return s.simulate(1.0, q={"crank": 1.5}, v={"crank": 0.5})


def loop_in_space() -> cd.Run:
    """A free body with a quaternion on a rod of constant length."""
    s = cd.System("body on a rod")
    x, y, z = s.coordinates("x y z")
    body = s.body("body", mass=1.3, inertia=(0.1, 0.2, 0.25), joint=cd.Free(x, y, z, cd.Quaternion("e")))
    s.distance(body.point(0.1, 0.2, 0.3), s.world.origin, 1.5, name="rod")
    s.gravity(-9.81 * s.world.z)
    return s.simulate(1.0, q={"x": 1.0, "z": -1.0, "e": (1, 0, 0, 0)}, v={"y": 1.0})


def skate() -> cd.Run:
    """A sleigh, whose blade is no constraint on where it is."""
    s = cd.System("sleigh")
    x, y, turn = s.coordinates("x y turn")
    m = s.parameters(m=1.5)
    plate = s.body("plate", mass=m, inertia=0.4, com=(0.3, 0, 0), joint=cd.Planar(x, y, turn))
    s.no_slip(on=plate, point=plate.point(0, 0, 0), along=plate.y, name="blade")
    return s.simulate(2.0, v={"x": 1.0, "turn": 1.0})


CONSTRAINED = {"linkage": linkage, "quaternion on a rod": loop_in_space, "sleigh": skate}
CASES = {
    "Lagrangian": typed,
    "gimbals under a load": suspension,
    "RK4": steps_of_fixed_length,
    "quaternion": tumbling,
    "load of time": driven,
}


def end_by_native_code(run: cd.Run, request: dict[str, Any]) -> np.ndarray[Any, np.dtype[np.float64]]:
    signals = request["loads"] | request["inputs"]
    other = moved(run, Change(request["values"], request["q"], request["v"], signals))
    return np.asarray(other.solution.y_final)


def request_of(controls: list[dict[str, Any]]) -> dict[str, Any]:
    """Three sliders of the page moved."""
    request: dict[str, Any] = {"values": {}, "q": {}, "v": {}, "loads": {}, "inputs": {}}
    for one, share in zip(controls[:: max(1, len(controls) // 3)], MOVED, strict=False):
        group = "values" if one["group"] == "parameters" else one.get("of", one["group"])
        request[group][one["name"]] = one["value"] + share * (one["maximum"] - one["minimum"])
    return request


def compare(see: Opening, run: cd.Run, folder: Path) -> Any:
    seen = see(run.report(folder / "live.html", remedies=False).as_uri(), offline=True)
    seen.until(LIVE)
    assert_itself(seen, run)
    request = request_of(seen.page.evaluate("window.cardan.document.model.controls"))
    end = seen.page.evaluate("request => window.cardan.live.end(request)", request)
    if end["why"]:  # more sliders than freedoms were moved, or Python decides something on the way
        assert end["t"] < run.settings.t0 + run.settings.duration
        return seen
    expected = from_there(run, request, end["from"]) if run.kernel.m else end_by_native_code(run, request)
    assert np.array_equal(end["y"], expected), f"{end['y']} beside {expected.tolist()}"
    assert not np.array_equal(end["y"], run.solution.y_final), "the sliders change the motion"
    return seen


def assert_itself(seen: Any, run: cd.Run) -> dict[str, Any]:
    """The run itself, as far as its first interruption."""
    first: dict[str, Any] = seen.page.evaluate("window.cardan.live.end({})")
    reached = run.solution.segments[0].rows[-1]
    assert first["t"] == reached[0]
    assert np.array_equal(first["y"], reached[1 : run.kernel.nq + run.kernel.nv + 1]), "the run itself"
    return first


def from_there(run: cd.Run, request: dict[str, Any], y: list[float]) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Native code from the start that the page has put on the constraints, measured as the run was."""
    places = {str(symbol): k for k, symbol in enumerate([*run.model.parameters, *run.model.signals])}
    p = np.array(first_mode(run).parameters)
    for name, value in (request["values"] | request["loads"] | request["inputs"]).items():
        p[places[name]] = value
    mode, start, t0 = first_mode(run).with_parameters(p), np.array(y), float(run.settings.t0)
    asked = cast(Any, SimpleNamespace(t0=t0, end=t0 + run.settings.duration))
    sizes = sizes_at_start(cast(Any, SimpleNamespace(y=start, kernel=run.kernel)), asked, mode)
    edge = [Watch(mode.nearness, -1, terminal=True, start_sign=1, exact=False)] if level_of(run) else []
    asked_atol = run.settings.atol
    atol = ATOL * sizes / np.clip(sizes, SMALL, LARGE) if asked_atol is None else np.asarray(asked_atol, dtype=float)
    return integrate(mode, t0, asked.end, start, rtol=run.settings.rtol, atol=atol, events=edge).y_final


@pytest.mark.parametrize("case", CASES)
def test_sliders_give_the_bits_of_native_code_with_the_network_off(see: Opening, case: str, tmp_path: Path) -> None:
    compare(see, CASES[case](), tmp_path)


@pytest.mark.parametrize("case", CONSTRAINED)
def test_constrained_motions_have_the_bits_of_native_code(see: Opening, case: str, tmp_path: Path) -> None:
    compare(see, CONSTRAINED[case](), tmp_path)


def test_a_linkage_starts_closed_where_a_slider_puts_it(see: Opening, tmp_path: Path) -> None:
    """The loop by trigonometry; the motion from there by a run of its own."""
    run = linkage()
    seen = see(run.report(tmp_path / "linkage.html", remedies=False).as_uri(), offline=True)
    seen.until(LIVE)
    end = seen.page.evaluate("window.cardan.live.end({q: {rocker: 2.1}, v: {rocker_dot: -0.3}})")
    a, b, c = end["from"][:3]
    a_dot, b_dot, c_dot = end["from"][3:]
    assert end["t"] == 1.0
    assert_close([c, c_dot], [2.1, -0.3], within=1e-9, because="the page accepts no start that is farther away")
    ends = np.exp(1j * a) + 2 * np.exp(1j * (a + b)), 2 + 1.2 * np.exp(1j * c)
    assert_close(abs(ends[0] - ends[1]), 0.0, within=1e-14, because="lengths of order one, projected until still")
    rates = 1j * (a_dot * np.exp(1j * a) + 2 * (a_dot + b_dot) * np.exp(1j * (a + b))), 1.2j * c_dot * np.exp(1j * c)
    assert_close(abs(rates[0] - rates[1]), 0.0, within=1e-14, because="rates of order one, projected twice")
    other = run.system.simulate(1.0, q=end["from"][:3], v=end["from"][3:])
    assert_close(end["y"], other.solution.y_final, within=1e-7, because="two runs at rtol 1e-9 over a swing")
    nowhere = seen.page.evaluate("window.cardan.live.answer({q: {rocker: 12.0}})")
    assert nowhere["status"] == "stopped"
    assert "satisfies the constraints" in nowhere["message"]


def test_the_page_ends_where_python_decides_and_says_what(see: Opening, tmp_path: Path) -> None:
    """A ball falls for sqrt(2 h / g); a parallelogram swings to its fold."""
    s = cd.System("ball")
    z = s.coordinates("z")
    s.particle("ball", mass=1.0, position=z * s.world.z)
    s.gravity(-9.81 * s.world.z)
    s.stop(z, restitution=0.8, name="floor")
    seen = see(s.simulate(2.0, q=[1.0]).report(tmp_path / "ball.html", remedies=False).as_uri(), offline=True)
    seen.until(LIVE)
    end = seen.page.evaluate("window.cardan.live.end({q: {z: 2.0}})")
    assert_close(end["t"], np.sqrt(4.0 / 9.81), within=1e-14, because="a parabola, met to rounding")
    assert "stop" in end["why"]
    assert "stop" in seen.page.evaluate("window.cardan.live.end({q: {z: -1.0}}).why")
    folding = cd.load(STARTERS / "folding_linkage.yaml")
    run = folding.simulate(**folding.plan)
    assert any(event.kind == "rank-change" for event in run.events)
    seen = see(run.report(tmp_path / "fold.html", remedies=False).as_uri(), offline=True)
    seen.until(LIVE)
    assert "loss of rank" in assert_itself(seen, run)["why"]


def test_a_slider_moves_the_picture(see: Opening, tmp_path: Path) -> None:
    """The drawn bodies are where the motion with the new value has them."""
    run = suspension()
    seen = see(run.report(tmp_path / "live.html", remedies=False).as_uri(), offline=True)
    seen.until(LIVE)
    slider = seen.page.locator('input[type=range][data-control="gamma_dot"]')
    before = seen.page.evaluate("window.cardan.document.motion.series.map(s => s.values[s.values.length - 1])")
    slider.evaluate("e => { e.value = 4; e.dispatchEvent(new Event('input')); }")
    seen.until("window.cardan.requests.atRest")
    after = seen.page.evaluate("window.cardan.document.motion.series.map(s => s.values[s.values.length - 1])")
    assert before != after
    value = float(slider.input_value())
    other = moved(run, Change(v={"gamma_dot": value}))
    seen.goto(1.0)
    place = seen.times()
    t = min(place, key=lambda one: abs(one - 1.0))
    seen.goto(t)
    drawn = np.array(quaternion.matrix(tuple(seen.poses()["platform"]["quaternion"])), dtype=float)
    within = 8 * float(np.finfo(np.float32).eps)
    assert_close(drawn, other.at([t]).rotation("platform")[0], within=within, because="a frame, kept as float32")


def test_what_is_only_drawn_moves_with_the_sliders(see: Opening, tmp_path: Path) -> None:
    """By the geometry of a pendulum: the bob is at (sin a, 0, -cos a), the wheel is turned by a about y."""
    run = drawn()
    seen = see(run.report(tmp_path / "drawn.html", remedies=False).as_uri(), offline=True)
    seen.until(LIVE)
    first = seen.page.evaluate("window.cardan.document.motion.poses.map(p => Array.from(p.position.slice(-3)))")
    other = moved(run, Change(values={"g": 4.0}))
    asked = "window.cardan.live.answer({values: {g: 4.0}}).poses"
    here = seen.page.evaluate(f"{asked}.map(p => Array.from(p.position.slice(-3)))")
    assert here != first
    a = float(other["a"][-1])
    names = [one["name"] for one in seen.page.evaluate("window.cardan.document.model.bodies")]
    within = 4 * float(np.finfo(np.float32).eps)
    bob = here[names.index("bob")]
    assert_close(bob, [np.sin(a), 0, -np.cos(a)], within=within, because="a frame, kept as float32")
    turned = seen.page.evaluate(f"{asked}.map(p => Array.from(p.quaternion.slice(-4)))")[names.index("wheel")]
    stretch = seen.page.evaluate(f"{asked}.map(p => p.stretch ? p.stretch[p.stretch.length - 1] : 0)")
    span, length = np.hypot(np.sin(a) - 0.5, np.cos(a)), float(f"{np.hypot(np.sin(1.0) - 0.5, np.cos(1.0)):.2g}")
    assert_close(stretch[names.index("coil")], span / length, within=8 * within, because="as float32")
    R = np.array(quaternion.matrix(tuple(turned)), dtype=float)
    assert_close(R[:, 2], [0, 1, 0], within=8 * within, because="the axis of the wheel, as float32")
    seen_twice = seen.page.evaluate("window.cardan.document.motion.poses.map(p => Array.from(p.quaternion.slice(-4)))")
    shown = np.array(quaternion.matrix(tuple(seen_twice[names.index("wheel")])), dtype=float)
    expected = float(run["a"][-1])
    turn = np.arctan2((shown.T @ R)[1, 0], (shown.T @ R)[0, 0])
    assert_close(np.cos(turn), np.cos(a - expected), within=1e-5, because="two quaternions as float32")


def test_a_cell_of_a_notebook_computes_in_its_frame(browser: Any, tmp_path: Path) -> None:
    """The frame of ``run.view()`` may run scripts and compile their code, and nothing else."""
    run = typed()
    page = tmp_path / "cell.html"
    page.write_text(f"<!doctype html><title>cell</title>{Embedded(run)._repr_html_()}", encoding="utf-8")
    outside = browser.new_page()
    outside.goto(page.as_uri())
    frame = outside.frames[1]
    for _ in range(600):
        if frame.evaluate(LIVE):
            break
        outside.wait_for_timeout(50)
    assert np.array_equal(frame.evaluate("window.cardan.live.end({})")["y"], run.solution.y_final)
    outside.close()


def test_a_frozen_report_has_no_sliders_and_may_not_compile(see: Opening, tmp_path: Path) -> None:
    page = typed().report(tmp_path / "frozen.html", live=False, remedies=False)
    assert "wasm" not in page.read_text(encoding="utf-8").partition("<title>")[0]
    seen = see(page.as_uri())
    assert seen.page.locator("input[type=range][data-control]").count() == 0


def test_where_coordinates_become_singular_the_page_stops_and_says_so(see: Opening, tmp_path: Path) -> None:
    """A spherical pendulum typed by its energies, thrown straight over its pole."""
    from sympy import cos, sin

    s = cd.System("spherical pendulum")
    theta, phi = s.coordinates("theta phi")
    s.lagrangian((theta.dot**2 + sin(theta) ** 2 * phi.dot**2) / 2 + 9.81 * cos(theta))
    run = s.simulate(1.0, q=[1.0, 0.0], v=[0.0, 2.0])
    seen = see(run.report(tmp_path / "pole.html", remedies=False).as_uri(), offline=True)
    seen.until(LIVE)
    motion = seen.page.evaluate(
        "(({status, message}) => ({status, message}))(window.cardan.live.answer({v: {phi_dot: 0}}))"
    )
    assert motion["status"] == "stopped"
    assert "singular" in motion["message"]
    reached = s.simulate(1.0, q=[1.0, 0.0], throw=False)
    assert reached.status == "stopped"
    end = seen.page.evaluate("window.cardan.live.end({v: {phi_dot: 0}}).t")
    assert abs(end - reached.t[-1]) < 1e-6, "native code measures the edge by sizes around the changed start"


@pytest.mark.long
@pytest.mark.parametrize("name", TITLES)
def test_every_smooth_entry_of_the_gallery_gives_the_bits_of_native_code(
    see: Opening, name: str, tmp_path: Path
) -> None:
    one = entry(name)
    run = one.ready().simulate(**one.start)
    if not obstacle(run) and len(run.solution.segments) > 1:
        seen = see(run.report(tmp_path / "live.html", remedies=False).as_uri(), offline=True)
        seen.until(LIVE)
        assert assert_itself(seen, run)["why"], "Python has decided something there"
        return
    if obstacle(run):
        page = run.report(tmp_path / "frozen.html", remedies=False).read_text(encoding="utf-8")
        assert "computes again" in page
        return
    compare(see, run, tmp_path)
