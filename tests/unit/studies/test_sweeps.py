"""Sweeps: rows, samplers, outputs, failures, executors, stores that are resumed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Thread

import numpy as np
import pytest
from scipy.special import ellipk
from sympy import cos, log, sin

import cardan as cd
from cardan.errors import Interrupted, ModelError, StoreError, UnknownName
from cardan.studies.merging import merged
from cardan.studies.pending import Pending
from cardan.studies.store import Reader
from support.close import assert_close


def pendulum() -> cd.System:
    s = cd.System("pendulum")
    a = s.coordinates("a", on="S1")
    l, g = s.parameters(l=1.0, g=9.81)  # noqa: E741
    s.lagrangian(l**2 * a.dot**2 / 2 + g * l * cos(a))
    return s


GRID = {"q": {"a": [0.1, 1.0, 2.0]}, "parameters": {"l": [0.5, 1.0]}}


@pytest.fixture(scope="module")
def swept() -> cd.Study:
    s = pendulum()
    a = s.model.q[0]
    outputs = [cd.final(), cd.least(a.dot), cd.when(a, name="first zero"), cd.states([0.5, 1.0])]
    return s.sweep(1.0, **GRID, outputs=outputs, executor="serial")


def numbers(study: cd.Study) -> list[bytes]:
    return [study[name].tobytes() for name in study.names]


def test_rows_are_what_theory_says(swept: cd.Study) -> None:
    """The first zero of a released pendulum is a quarter of its period; its largest speed follows from energy."""
    a0, length = swept["a"], swept["l"]
    quarter = np.sqrt(length / 9.81) * ellipk(np.sin(a0 / 2) ** 2)
    reached = quarter < 1.0
    assert swept.shape == (3, 2)
    assert np.isnan(swept["first zero"])[~reached].all()
    assert_close(
        swept["first zero"][reached], quarter[reached], within=1e-8, because="rtol 1e-9 over a swing of order one"
    )
    speed = np.sqrt(2 * 9.81 / length * (1 - np.cos(a0)))
    missed = 0.5 * (0.0025 * np.sqrt(9.81 / length)) ** 2  # the moment is at most half of 1/200 s off one that is seen
    ratio = (-swept["least a_dot"] / speed)[reached]
    assert (ratio <= 1 + 1e-8).all()
    assert (ratio >= 1 - missed[reached] - 1e-8).all()


def test_a_row_repeated_alone_has_the_same_bits(swept: cd.Study) -> None:
    run = swept.run((2, 1))
    assert run.q[-1, 0] == swept["final a"][2, 1]
    assert np.array_equal(run.at(0.5).q[0], swept.states[5, 0, :1])
    assert run.status == "finished"


@pytest.mark.parametrize("executor", ["threads", "processes", "foreign"])
def test_rows_have_the_same_bits_wherever_they_run(swept: cd.Study, executor: str, tmp_path: Path) -> None:
    s = pendulum()
    a = s.model.q[0]
    outputs = [cd.final(), cd.least(a.dot), cd.when(a, name="first zero"), cd.states([0.5, 1.0])]
    pool = ThreadPoolExecutor(2) if executor == "foreign" else executor
    study = s.sweep(1.0, **GRID, outputs=outputs, executor=pool, workers=2, store=tmp_path / "s.zarr")
    assert numbers(study) == numbers(swept)
    again = cd.load_study(tmp_path / "s.zarr")
    assert numbers(again) == numbers(swept)
    assert np.array_equal(again.states, swept.states)
    assert again.verify() == []


def test_failures_are_rows_with_reasons(tmp_path: Path) -> None:
    """A force without a value, a blow-up in finite time, a refused start; the sweep goes on."""
    s = cd.System("trouble")
    x = s.coordinates("x")
    k = s.parameters(k=0.0)
    s.particle("P", mass=1, position=x * s.world.x)
    s.generalized_force(x, k * x**3 + 0 * log(x))
    s.generalized_force(x, log(x) * 1e-3)
    study = s.sweep(
        4.0, q={"x": [1.0, -1.0]}, parameters={"k": [0.0, 50.0]}, outputs=[cd.final(), cd.largest(x)],
        executor="serial", store=tmp_path / "s.zarr", max_steps=20_000,
    )  # fmt: skip
    assert study.status.tolist()[0] == "finished"
    failures = study.failures()
    assert set(failures.rows) == {1, 2, 3}  # x = +-a / (a - t): ends before t = 4; log of a negative number
    assert all(failures.reasons[int(row)] for row in failures.rows)
    assert len(failures.groups) <= 3
    assert study["largest x"][0, 1] > 1.0  # as far as it went
    assert study.ended[1] < 4.0
    assert cd.load_study(tmp_path / "s.zarr").failures().reasons == failures.reasons


def test_samplers_fill_their_ranges_and_repeat() -> None:
    for sampling in (cd.Sobol(64, rng=3), cd.Halton(64, rng=3), cd.LatinHypercube(64, rng=3), cd.MonteCarlo(64, rng=3)):
        table, shape = sampling.rows(["x", "y"], [(0, 2), (-1, 1)])
        assert shape == (64,)
        assert np.array_equal(table, sampling.rows(["x", "y"], [(0, 2), (-1, 1)])[0])
        assert (table.min(axis=0) >= [0, -1]).all()
        assert (table.max(axis=0) <= [2, 1]).all()
        assert_close(table.mean(axis=0), [1.0, 0.0], within=0.3, because="3.5 standard errors of 64 random points")
    slices = np.sort((cd.LatinHypercube(64, rng=1).rows(["x"], [(0, 64)])[0][:, 0]).astype(int))
    assert slices.tolist() == list(range(64))  # one point in every slice
    assert cd.Rows().rows(["x", "y"], [[1, 2], [3, 4]])[0].tolist() == [[1, 3], [2, 4]]
    with pytest.raises(ModelError, match="equal lengths"):
        cd.Rows().rows(["x", "y"], [[1, 2], [3]])


def test_tasks_cover_every_row_once() -> None:
    done = np.zeros(1000, dtype=bool)
    done[10:20] = done[900:] = True
    pending, seen, lost = Pending(done), [], set()
    pending.tell(100, 1e-3)
    while (task := pending.take(2)) is not None:
        seen += range(*task)
        if task[0] not in lost and len(lost) < 3:  # its worker dies
            lost.add(task[0])
            seen = seen[: -(task[1] - task[0])]
            pending.give_back(task, "its worker died")
            pending.tell(1, 0.1)
    assert sorted(seen) == np.flatnonzero(~done).tolist()
    assert len(pending.news()) == 3
    assert not pending.news()  # each loss is told once


def test_names_and_studies_that_do_not_fit_are_refused(tmp_path: Path) -> None:
    s = pendulum()
    with pytest.raises(UnknownName, match="'lenght'"):
        s.sweep(1.0, parameters={"lenght": [1, 2]}, executor="serial")
    s.sweep(0.1, q={"a": [0.1, 0.2]}, executor="serial", store=tmp_path / "s.zarr")
    with pytest.raises(StoreError, match="something else"):
        s.sweep(0.2, q={"a": [0.1, 0.2]}, executor="serial", store=tmp_path / "s.zarr")
    with pytest.raises(StoreError, match="exists"):
        s.sweep(0.1, q={"a": [0.1, 0.2]}, executor="serial", store=tmp_path / "s.zarr", resume=False)


def test_a_second_writer_is_told_who_the_first_is(tmp_path: Path) -> None:
    from cardan.studies.store import Writer

    pendulum().sweep(0.1, q={"a": [0.1, 0.2]}, executor="serial", store=tmp_path / "s.zarr")
    first = Writer(tmp_path / "s.zarr")
    with pytest.raises(StoreError, match=f"process {os.getpid()} "):
        Writer(tmp_path / "s.zarr")
    first.close()
    Writer(tmp_path / "s.zarr").close()


SCRIPT = """
import sys, cardan as cd
from sympy import cos
s = cd.System("pendulum")
a = s.coordinates("a", on="S1")
s.lagrangian(a.dot**2/2 + 9.81*cos(a))
s.sweep({duration}, q={{"a": [0.01*k for k in range({rows})]}}, store=sys.argv[1], executor="{executor}", workers=2)
"""


def killed(path: Path, rows: int, duration: float, executor: str, after: int) -> None:
    """A program that makes a study, killed once it has kept some rows."""
    program = subprocess.Popen(
        [sys.executable, "-c", SCRIPT.format(rows=rows, duration=duration, executor=executor), str(path)]
    )
    for _ in range(3000):
        kept = sum(one.stat().st_size for one in path.glob("journal/*.bin")) if path.exists() else 0
        if kept > after or program.poll() is not None:
            break
        time.sleep(0.01)
    assert program.poll() is None, "it should still have been at work"
    program.kill()
    program.wait()


def test_a_killed_study_is_resumed_bit_for_bit(tmp_path: Path) -> None:
    path, rows, duration = tmp_path / "s.zarr", 300, 200.0
    killed(path, rows, duration, "serial", after=2000)
    study = cd.load_study(path)
    before = {row: study["final a"][row] for row in np.flatnonzero(study.status != "pending")}
    assert 0 < len(before) < rows
    study.resume(executor="threads", workers=2)
    assert study.is_complete
    assert all(study["final a"][row] == value for row, value in before.items())
    whole = study.setup
    for row in (0, 17, 150, rows - 1):
        assert study.run(row).q[-1, 0] == study["final a"][row]
    assert len(whole) == rows
    assert study.verify() == []


def test_every_changed_byte_of_a_store_is_found_and_the_rest_is_readable(tmp_path: Path) -> None:
    study = pendulum().sweep(
        0.2, q={"a": np.linspace(0, 1, 40)}, store=tmp_path / "s.zarr", outputs=[cd.final(), cd.states([0.1])],
        executor="serial",
    )  # fmt: skip
    files = sorted(one for one in study.path.rglob("*") if one.is_file() and one.name != "writer.lock")
    random, found = np.random.default_rng(5), 0
    for _ in range(60):
        file = files[random.integers(len(files))]
        whole = file.read_bytes()
        at, bit = random.integers(len(whole)), 1 << int(random.integers(8))
        file.write_bytes(whole[:at] + bytes([whole[at] ^ bit]) + whole[at + 1 :])
        try:
            found += bool(cd.load_study(study.path).verify())
        except StoreError:
            found += 1
        file.write_bytes(whole)
    assert found == 60
    assert cd.load_study(study.path).verify() == []


def test_ctrl_c_keeps_what_is_done(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from cardan.studies.driving import Progress

    def tell(self, block):
        if self.done == 0:
            os.kill(os.getpid(), signal.SIGINT) if os.name != "nt" else signal.raise_signal(signal.SIGINT)
        self.done += len(block)

    monkeypatch.setattr(Progress, "tell", tell)
    s = pendulum()
    with pytest.raises(Interrupted, match="those are kept"):
        s.sweep(0.1, q={"a": np.linspace(0, 1, 40)}, store=tmp_path / "s.zarr", executor="serial")
    monkeypatch.undo()
    study = cd.load_study(tmp_path / "s.zarr")
    assert 0 < (study.status != "pending").sum() < 40
    assert study.resume(executor="serial").is_complete


def test_a_map_has_the_right_axes(tmp_path: Path) -> None:
    s = pendulum()
    a = s.model.q[0]
    study = s.sweep(
        0.5, q={"a": [0.1, 0.2, 0.3]}, v={"a": [1.0, 2.0]}, outputs=cd.last(sin(a), "height"), executor="serial"
    )
    figure = study.plot_map("height", "q a", "v a", path=tmp_path / "map.png")
    area, bar = figure.axes
    assert (area.get_xlabel(), area.get_ylabel()) == ("q a", "v a")
    assert area.collections[0].get_array().shape == (2, 3)
    assert bar.get_ylabel() == "height"
    assert (tmp_path / "map.png").stat().st_size > 1000
    data = study.to_xarray()
    assert data["height"].dims == ("q a", "v a")


def test_rows_of_a_batch_have_the_bits_of_rows_alone() -> None:
    """Steps, events, states at requested times and reductions of many motions in one call."""
    from cardan.api.sweeping import setup_of
    from cardan.studies.rows import Bench

    s = cd.System("double pendulum")
    a, b = s.coordinates("a b", on="S1")
    first = s.body("first", mass=1.0, com=(0, -1, 0), joint=cd.Revolute("z", a))
    s.body("second", mass=1.0, com=(0, -1, 0), joint=cd.Revolute("z", b), parent=first, at=(0, -1, 0))
    push = s.force("push", on=first, along=s.world.x)
    s.gravity(-9.81 * s.world.y)
    outputs = [cd.final(), cd.when(cos((a + b) / 2), name="flip"), cd.mean(a.dot**2), cd.states([0.7, 2.0])]
    given = {"q": {"a": [-3.0, 1.0, 2.5]}, "v": {"b": [0.0, 4.0]}, "loads": {"push": [0.0, 3.0]}}
    setup = setup_of(s, {"duration": 2.0, "rtol": 1e-8}, given, None, outputs, 20)
    assert str(push) == "push"
    together, alone = Bench(setup), Bench(setup)
    assert together.batch is not None
    vars(alone)["batch"] = None
    x, y = together.block(0, len(setup)), alone.block(0, len(setup))
    assert x.numbers.tobytes() == y.numbers.tobytes()
    assert x.states.tobytes() == y.states.tobytes()
    assert x.status.tolist() == y.status.tolist()
    assert np.isfinite(x.numbers[:, 4]).any()  # some turn over
    assert np.isnan(x.numbers[:, 4]).any()


@pytest.mark.long
@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="children of a process are listed by Linux only")
def test_a_killed_worker_is_replaced_and_its_rows_arrive(tmp_path: Path) -> None:
    s = pendulum()
    angles = np.linspace(0.1, 2.0, 60)
    killed: list[int] = []

    def kill_one() -> None:
        for _ in range(4000):
            tasks = [one / "children" for one in Path("/proc/self/task").iterdir()]
            children = [int(child) for one in tasks if one.exists() for child in one.read_text().split()]
            if children:
                time.sleep(0.5)
                os.kill(children[0], signal.SIGKILL)
                killed.append(children[0])
                return
            time.sleep(0.02)

    killer = Thread(target=kill_one)
    killer.start()
    study = s.sweep(100.0, q={"a": angles}, store=tmp_path / "s.zarr", executor="processes", workers=2)
    killer.join()
    assert killed
    assert study.is_complete
    whole = s.sweep(100.0, q={"a": angles}, executor="threads", workers=2)
    assert study["final a"].tobytes() == whole["final a"].tobytes()


def test_stores_whose_rows_differ_are_not_merged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two stores of one study; then a number of one differs in its last bit: told, not chosen silently."""
    s = pendulum()
    said = {"q": {"a": [0.1, 0.2, 0.3]}, "outputs": [cd.final()], "executor": "serial"}
    stores = [s.sweep(0.5, **said, store=tmp_path / f"{name}.zarr") for name in ("first", "second")]
    merged(stores, tmp_path / "both.zarr")
    assert np.array_equal(cd.load_study(tmp_path / "both.zarr")["final a"], stores[0]["final a"])
    read = Reader.array

    def altered(self: Reader, name: str) -> np.ndarray:
        found = np.array(read(self, name))
        if name == "numbers" and self.path.name == "second.zarr":
            found[1] = np.nextafter(found[1], np.inf)
        return found

    monkeypatch.setattr(Reader, "array", altered)
    with pytest.raises(StoreError, match=r"1 row that both stores have differ in 'numbers', the first is row 1"):
        merged(stores, tmp_path / "again.zarr")
