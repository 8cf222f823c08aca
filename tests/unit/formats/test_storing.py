"""Result files: the old one or the whole new one, never a part; and Ctrl-C keeps what there is."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from cardan.errors import CardanError, Interrupted, SimulationError, StoreError
from cardan.formats.storing import written_beside

SLOW = """
import sys, pathlib, time
from cardan.formats.storing import written_beside
with written_beside(sys.argv[1]) as part:
    with part.open("wb") as file:
        file.write(b"new" * 1000); file.flush()
        print("half way", flush=True)
        time.sleep(60)
        file.write(b"end")
"""


@pytest.mark.parametrize("before", [b"the old one", None])
def test_killed_while_writing_the_old_file_is_left_or_none(tmp_path: Path, before: bytes | None) -> None:
    target = tmp_path / "motion.csv"
    if before is not None:
        target.write_bytes(before)
    writer = subprocess.Popen([sys.executable, "-c", SLOW, str(target)], stdout=subprocess.PIPE)
    assert writer.stdout is not None
    assert writer.stdout.readline() == b"half way\n"
    writer.send_signal(signal.SIGKILL)
    writer.communicate()
    assert (target.read_bytes() if target.exists() else None) == before


def test_a_failure_leaves_the_old_file_and_nothing_beside(tmp_path: Path) -> None:
    target = tmp_path / "motion.npz"
    target.write_bytes(b"old")

    def fails() -> None:
        with written_beside(target) as part:
            part.write_bytes(b"new")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fails()
    assert [(one.name, one.read_bytes()) for one in tmp_path.iterdir()] == [("motion.npz", b"old")]
    with written_beside(target) as part:
        part.write_bytes(b"new")
        assert part.suffix == ".npz"  # some writers choose their format by it
    assert [(one.name, one.read_bytes()) for one in tmp_path.iterdir()] == [("motion.npz", b"new")]
    umask = os.umask(0)
    os.umask(umask)
    assert stat.S_IMODE(target.stat().st_mode) == 0o666 & ~umask


def test_a_link_stays_a_link_and_what_cannot_be_written_is_refused_by_name(tmp_path: Path) -> None:
    real, link = tmp_path / "real.csv", tmp_path / "link.csv"
    real.write_text("old")
    link.symlink_to(real)
    with written_beside(link) as part:
        part.write_text("new")
    assert link.is_symlink()
    assert real.read_text() == "new"
    with pytest.raises(StoreError, match=r"nowhere.*cannot be written"), written_beside(tmp_path / "nowhere" / "a.csv"):
        pass


PENDULUM = """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)  # a test runner may have turned it off
import sys, threading, _thread, time
import sympy as sp
import cardan as cd
s = cd.System("pendulum")
a = s.coordinates("a")
s.lagrangian(a.dot**2 / 2 + 9.81 * sp.cos(a))
s.simulate(0.1, q={"a": 1.0})
print("ready", flush=True)
try:
    s.simulate(1e7, q={"a": 1.0}, times=[0.0, 1e7])
except KeyboardInterrupt as stop:
    run = stop.trajectory
    print(type(stop).__name__, run.status, bool(0 < stop.t < 1e7), flush=True)
"""


def test_ctrl_c_in_simulate_keeps_what_was_computed() -> None:
    working = subprocess.Popen([sys.executable, "-c", PENDULUM], stdout=subprocess.PIPE, text=True)
    assert working.stdout is not None
    assert working.stdout.readline() == "ready\n"
    time.sleep(1.0)
    working.send_signal(signal.SIGINT)
    said, _ = working.communicate(timeout=60)
    assert said == "Interrupted interrupted True\n"


def test_ctrl_c_in_the_audit_keeps_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    import cardan as cd

    def interrupted(_: object, **_how: object) -> None:
        raise KeyboardInterrupt

    s = cd.System("free")
    x = s.coordinates("x")
    s.kinetic_energy(x.dot**2 / 2)
    run = s.simulate(1.0, v=[1.0])
    monkeypatch.setattr("cardan.audit.lines.audit_of", interrupted)
    with pytest.raises(Interrupted) as caught:
        run.audit()
    assert caught.value.trajectory is run
    assert np.all(caught.value.trajectory.t == run.t)
    assert issubclass(Interrupted, (SimulationError, CardanError))
    assert issubclass(Interrupted, KeyboardInterrupt)
