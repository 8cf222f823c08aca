"""The progress bar and the two meanings of Ctrl-C."""

from __future__ import annotations

import pytest

from cardan.cli import progress
from cardan.cli.progress import Progress


def test_a_bar_appears_after_a_second_and_shows_the_part_done(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "is_watched", lambda: True)
    one = Progress(10.0, 40.0, quiet=False)
    one.heard(12.0)
    assert one.bar is None, "it has only begun"
    one.begun -= 2 * progress.PATIENCE
    one.heard(20.0)
    assert one.bar is not None
    assert one.bar.tasks[0].completed == 0.25
    one.close()


def test_nothing_is_shown_where_nobody_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "is_watched", lambda: True)
    assert not Progress(0.0, 1.0, quiet=True).shows
    monkeypatch.setattr(progress, "is_watched", lambda: False)
    assert not Progress(0.0, 1.0, quiet=False).shows


def test_the_first_interruption_stops_the_motion_and_the_second_the_command() -> None:
    one = Progress(0.0, 1.0, quiet=True)
    with pytest.raises(KeyboardInterrupt):
        one.interrupt(2, None)  # nothing has moved yet
    assert one.heard(0.1)
    one.interrupt(2, None)
    assert not one.heard(0.2)
    with pytest.raises(KeyboardInterrupt):
        one.interrupt(2, None)
