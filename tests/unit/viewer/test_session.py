"""Requests of a page: what is refused and how, and that a motion with other values is the one simulate gives."""

from __future__ import annotations

import base64
import json
import time
from functools import partial
from importlib.resources import as_file, files
from typing import Any

import numpy as np
import pytest

import cardan as cd
from cardan.api.viewing import moved
from cardan.viewer.session import PATIENCE, Change, Refused, Request, Session, encoded, refusal, spelled
from support.close import assert_close


def pendulum() -> cd.System:
    s = cd.System("pendulum")
    a = s.coordinates("a", on="S1")
    m, l, g = s.parameters(m=1.0, l=1.0, g=9.81)  # noqa: E741 - the letter of the formula
    bob = s.body("bob", mass=m, inertia=(0.0, 0.0, 0.0), com=(0, 0, -l), joint=cd.Revolute("y", a))
    s.gravity(-g * s.world.z)
    s.moment("M", on=bob, along=s.world.y)
    return s


def session_of(run: cd.Run) -> Session:
    """A session that simulates again."""
    return Session(run, partial(moved, run))


@pytest.fixture(scope="module")
def session() -> Session:
    return session_of(pendulum().simulate(2.0, q={"a": 0.5}, v={"a": 0.1}))


def numbers(array: dict[str, Any]) -> Any:
    key = "f64" if "f64" in array else "f32"
    raw = np.frombuffer(base64.b64decode(array[key]), "<f8" if key == "f64" else "<f4")
    return raw.reshape(array["shape"])


def series(motion: dict[str, Any], name: str) -> Any:
    return next(numbers(one["values"]) for one in motion["series"] if one["name"] == name)


def answer(session: Session, **request: Any) -> dict[str, Any]:
    return json.loads(session.answer(session.read(json.dumps({"type": "run", "serial": 1, **request}))))  # type: ignore[no-any-return]


# --- what is refused ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "null",
        '"run"',
        "{}",
        '{"type":"run"}',
        '{"type":"stop","serial":1}',
        '{"type":"run","serial":-1}',
        '{"type":"run","serial":1.5}',
        '{"type":"run","serial":"1"}',
        '{"type":"run","serial":1,"path":"/etc/passwd"}',
        '{"type":"run","serial":1,"values":{"l":NaN}}',
        '{"type":"run","serial":1,"values":{"l":Infinity}}',
        '{"type":"run","serial":1,"values":{"l":1e999}}',
        '{"type":"run","serial":1,"values":{"l":"2"}}',
        '{"type":"run","serial":1,"values":{"l":null}}',
        '{"type":"run","serial":1,"values":{"l":[1]}}',
        '{"type":"run","serial":1,"values":{"__class__":1}}',
        '{"type":"run","serial":1,"values":{"a":1}}',
        '{"type":"run","serial":1,"q":{"l":1}}',
        '{"type":"run","serial":1,"loads":{"nothing":1}}',
        '{"type":"run","serial":1,"duration":0}',
        '{"type":"run","serial":1,"duration":1e9}',
        '{"type":"run","serial":1,"quality":"best"}',
        "[" * 100_000,
        '{"type":"run","serial":1,"values":{' + ",".join(f'"x{k}":1' for k in range(2000)) + "}}",
    ],
)
def test_a_message_that_is_no_request_is_refused_at_once(session: Session, text: str) -> None:
    begun = time.thread_time()
    with pytest.raises(Refused) as caught:
        session.read(text)
    assert time.thread_time() - begun < 0.5
    said = json.loads(refusal(caught.value))
    assert said["type"] == "error"
    assert 0 < len(said["what"]) < 2000


def test_a_value_that_no_model_can_have_is_an_answer(session: Session) -> None:
    """The mass of a body cannot be negative; the model says so, and the next request works."""
    with pytest.raises(Refused, match="mass") as caught:
        answer(session, values={"m": -1.0})
    assert caught.value.serial == 1
    assert answer(session)["type"] == "motion"


# --- what is answered ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("quality", ["drag", "full"])
def test_the_motion_is_that_of_simulate_with_the_same_values(session: Session, quality: str) -> None:
    content = answer(session, values={"l": 1.5}, q={"a": 0.25}, v={"a_dot": -0.5}, loads={"M": 2.0}, quality=quality)
    assert (content["type"], content["serial"], content["quality"]) == ("motion", 1, quality)
    expected = pendulum().with_values(l=1.5).simulate(2.0, q=[0.25], v=[-0.5], loads={"M": 2.0})
    times = numbers(content["motion"]["times"])
    assert_close(times[-1], 2.0, within=0, because="the same number")
    found = series(content["motion"], "a")
    assert_close(found, expected.at(times)["a"], within=1e-6, because="sent as float32, of size below 1")


def test_the_duration_may_be_changed(session: Session) -> None:
    assert numbers(answer(session, duration=3.5, quality="drag")["motion"]["times"])[-1] == 3.5


def test_the_document_comes_with_sliders(session: Session) -> None:
    content = json.loads(session.document)["document"]
    assert (content["format"], content["kind"]) == ("cardan-page/1", "viewer")
    assert [one["name"] for one in content["model"]["controls"]] == ["m", "l", "g", "a", "a_dot", "M"]


def test_a_longer_rod_is_drawn_longer() -> None:
    """The pivot is at the origin of the body and the mass at -l: something of its shape reaches as far as that."""

    def reach(content: dict[str, Any]) -> float:
        return max(
            abs(x) for shape in content["bodies"][0]["shapes"] for x in shape.get("to", shape.get("position", [0]))
        )

    session = session_of(pendulum().simulate(1.0, q={"a": 0.5}))
    first = json.loads(session.document)["document"]["model"]
    longer = answer(session, values={"l": 2.0}, quality="drag")["motion"]
    assert_close(reach(longer["shapes"]) / reach(first), 2.0, within=0.1, because="the rod; its bead adds a little")
    assert "shapes" not in answer(session, q={"a": 0.7}, quality="drag")["motion"], "as they were"
    assert "shapes" not in answer(session, quality="drag")["motion"]


def test_values_equal_to_the_first_ones_change_nothing(session: Session) -> None:
    seen: list[Change] = []
    watching = Session(session.run, lambda change: seen.append(change) or session.move(change))  # type: ignore[func-returns-value]
    answer(watching, values={"m": 1.0, "l": 2.0}, q={"a": 0.5}, v={"a_dot": 0.1}, quality="drag")
    assert (dict(seen[0].values), seen[0].q, seen[0].v) == ({"l": 2.0}, {}, {})


def test_constrained_starts_follow_the_slider() -> None:
    """A four-bar linkage: the coordinate that is set stays, the others close the loop near where they were."""
    with as_file(files("cardan.formats") / "starters" / "four_bar.yaml") as path:
        s = cd.load(path)
    run = s.simulate(0.1, q={"crank": 1.0}, v={"crank": 1.0})
    again = moved(run, Change(q={"crank": 1.1}))
    assert_close(again.q[0][0], 1.1, within=1e-12, because="held")
    assert np.max(np.abs(again.q[0] - run.q[0])) < 0.5, "the same assembly"
    assert_close(again.constraint_error[:, 0], 0.0, within=1e-9, because="starts are projected to round-off")
    longer = moved(run, Change(values={"d": 2.3}))
    assert_close(longer.q[0][0], 1.0, within=1e-12, because="the first run named it")
    assert_close(longer.constraint_error[:, 0], 0.0, within=1e-9, because="starts are projected to round-off")


def test_a_motion_that_nobody_wants_ends_early(session: Session) -> None:
    asked: list[int] = []

    def is_wanted() -> bool:
        asked.append(1)
        return False

    content = json.loads(session.answer(Request(type="run", serial=1, duration=1000.0, quality="drag"), is_wanted))
    assert asked
    assert content["motion"]["status"] == "interrupted"


def test_a_full_motion_is_given_up_between_its_parts(session: Session) -> None:
    finished = Session(session.run, lambda change: session.run)
    wanted = iter([True, True, False])
    with pytest.raises(Refused, match="newer"):
        finished.answer(Request(type="run", serial=1), lambda: next(wanted))
    assert next(wanted, None) is None, "asked three times, and not again"


def test_a_motion_that_takes_too_long_is_shown_as_far_as_it_came(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(PATIENCE, "drag", 0.0)
    content = json.loads(session.answer(Request(type="run", serial=1, duration=1000.0, quality="drag")))
    assert content["motion"]["status"] == "interrupted"
    assert numbers(content["motion"]["times"])[-1] < 1000.0


def test_closing_ends_what_is_being_computed(session: Session) -> None:
    closed = Session(session.run, session.move)
    closed.close()
    with pytest.raises(Refused, match="closed"):
        _ = closed.document
    content = json.loads(closed.answer(Request(type="run", serial=1, duration=1000.0, quality="drag")))
    assert content["motion"]["status"] == "interrupted"


def test_numbers_that_are_not_finite_become_null() -> None:
    assert json.loads(encoded({"a": [1.0, float("nan")], "b": float("inf")})) == {"a": [1.0, None], "b": None}


def test_names_of_errors_are_words() -> None:
    assert spelled("StartError") == "Start error"


def test_view_serves_the_run_and_returns(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", lambda url: bool(opened.append(url)) or True)
    s = pendulum()
    s.plan = {"duration": 0.1, "q": {"a": 0.5}}
    with s.view(block=False) as viewer:
        assert viewer.is_running
        assert opened == [f"http://127.0.0.1:{viewer.port}/open/{viewer.keys.ticket}"]
        assert viewer.keys.token not in opened[0], "others see it in the list of processes"
    assert not viewer.is_running
    with pytest.raises(cd.CardanError, match="no plan"):
        pendulum().view()
