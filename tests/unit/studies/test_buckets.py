"""Studies in object stores: rows count when their object is there; one writes at a time; damage is found."""

from __future__ import annotations

import json
import time
from pathlib import Path

import fsspec
import numpy as np
import pytest
from sympy import cos

import cardan as cd
from cardan.errors import StoreError
from cardan.studies.objects import Bucket, BucketWriter
from cardan.studies.rows import Block
from cardan.studies.store import Layout, Writer


def pendulum() -> cd.System:
    s = cd.System("pendulum")
    a = s.coordinates("a", on="S1")
    s.lagrangian(a.dot**2 / 2 + 9.81 * cos(a))
    return s


SAID = {"q": {"a": np.linspace(0.1, 2.0, 40)}, "outputs": [cd.final()], "executor": "serial"}


@pytest.fixture(params=["memory", "file"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    return f"memory://{tmp_path.name}/s.zarr" if request.param == "memory" else f"file://{tmp_path}/s.zarr"


@pytest.fixture(scope="module")
def whole() -> cd.Study:
    return pendulum().sweep(0.5, **SAID)


@pytest.fixture(autouse=True)
def small_shards(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shards of 16 rows, so that a study of 40 has complete ones and one that is not."""

    def of(rows: int, width: int, times: int, state: int) -> Layout:
        return Layout(rows, width, times, state, 8, 16)

    monkeypatch.setattr(Layout, "of", of)


def test_a_study_in_a_bucket_is_read_back_bit_for_bit(address: str, whole: cd.Study) -> None:
    study = pendulum().sweep(0.5, **SAID, store=address)
    assert study["final a"].tobytes() == whole["final a"].tobytes()
    again = cd.load_study(address)
    assert again["final a"].tobytes() == whole["final a"].tobytes()
    assert again.verify() == []
    assert address in repr(again)
    assert again.run(7).q[-1, 0] == whole["final a"][7]
    names = Bucket(address).names()
    assert not [name for name in names if name.startswith("rows/") or name == "writer.lock"]


def test_rows_count_when_their_object_is_there(address: str, whole: cd.Study, monkeypatch: pytest.MonkeyPatch) -> None:
    """A writer that ends without a word, before its shard is complete, and between a shard and the log."""
    add, ended = BucketWriter.add, []

    def ending(self: BucketWriter, block: Block) -> None:
        if self.done.sum() > 20:
            ended.append(True)
            raise MemoryError("ended")
        add(self, block)

    monkeypatch.setattr(BucketWriter, "add", ending)
    close = BucketWriter.close
    monkeypatch.setattr(BucketWriter, "close", lambda self: self.writer.close() if ended else close(self))  # no word
    with pytest.raises(MemoryError):
        pendulum().sweep(0.5, **SAID, store=address)
    monkeypatch.undo()
    study = cd.load_study(address)
    there = np.flatnonzero(study.status != "pending")
    assert 20 < len(there) < 40
    assert study["final a"][there].tobytes() == whole["final a"][there].tobytes()
    assert [name for name in Bucket(address).names() if name.startswith("rows/")]
    with pytest.raises(StoreError, match="is being written to by process"):
        study.resume(executor="serial")
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + 1000.0)  # the lease is over
    study = cd.load_study(address).resume(executor="serial")
    assert study.is_complete
    assert cd.load_study(address)["final a"].tobytes() == whole["final a"].tobytes()
    assert cd.load_study(address).verify() == []


def test_changed_objects_are_found(address: str, whole: cd.Study) -> None:
    pendulum().sweep(0.5, **SAID, store=address)
    bucket = Bucket(address)
    random, names = np.random.default_rng(3), bucket.names()
    for _ in range(25):
        name = names[random.integers(len(names))]
        content = bucket.get(name)
        at = int(random.integers(len(content)))
        bucket.put(name, content[:at] + bytes([content[at] ^ 4]) + content[at + 1 :])
        try:
            found = bool(cd.load_study(address).verify())
        except StoreError:
            found = True
        assert found, (name, at)
        bucket.put(name, content)


def test_another_study_and_unknown_addresses_are_refused(address: str) -> None:
    pendulum().sweep(0.5, **SAID, store=address)
    with pytest.raises(StoreError, match="study of something else"):
        pendulum().sweep(0.6, **SAID, store=address)
    with pytest.raises(StoreError, match="holds no study"):
        cd.load_study(address + "x")
    with pytest.raises(StoreError, match="nosuch"):
        cd.load_study("nosuch://bucket/s.zarr")


def test_a_lease_is_renewed_and_its_loss_is_noticed(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    pendulum().sweep(0.5, **SAID, store=address)
    bucket = Bucket(address)
    writer = BucketWriter(bucket)
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + 100.0)
    writer.lease.keep()
    files, path = fsspec.core.url_to_fs(address)
    said = json.loads(files.cat_file(f"{path}/writer.lock"))
    assert said["until"] > now + 200.0
    files.pipe_file(f"{path}/writer.lock", json.dumps({**said, "word": "another"}).encode())
    monkeypatch.setattr(time, "time", lambda: now + 190.0)
    with pytest.raises(StoreError, match="taken over"):
        writer.lease.keep()
    writer.writer.close()
    assert isinstance(writer.writer, Writer)
