"""Threads that ask for the same thing at once: it is made once, nothing crashes, and all get the same bits."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from pathlib import Path

from cardan.graph import Graph
from cardan.native.once import once, preparing

PROGRAM = """
import sys, threading, hashlib
import sympy as sp
import cardan as cd

def disc():
    s = cd.System("disc")
    x, y, z, *angles = s.coordinates("x y z a b c")
    body = s.body("B", mass=1.0, inertia=(0.25, 0.3, 0.5), joint=cd.Free(x, y, z, cd.Euler("3-1-3", *angles)))
    s.roll(body, on=s.world, shape=cd.Disc(1.0))
    s.gravity(-9.81 * s.world.z)
    return s, {"q": {"b": 1.0}, "v": {"a": 1.4, "c": 6}}

def bouncing():
    s = cd.System("bouncing")
    x, z = s.coordinates("x z")
    P = s.particle("P", mass=1.0, position=x * s.world.x + z * s.world.z)
    s.contact(P, on=s.world, restitution=0.5, friction=0.2)
    s.gravity(-9.81 * s.world.z)
    return s, {"q": {"z": 1.0}, "v": {"x": 1.0}}

found = []
def work(s, start):
    try:
        run = s.simulate(0.4, **start)
        run.audit()
        found.append(hashlib.sha256(run.q.tobytes() + run.v.tobytes() + run.energy.tobytes()).hexdigest())
    except BaseException as problem:
        found.append(repr(problem))

count = int(sys.argv[1])
s, start = {"disc": disc, "bouncing": bouncing}[sys.argv[2]]()
threads = [threading.Thread(target=work, args=(s, start)) for _ in range(count)]
for one in threads: one.start()
for one in threads: one.join()
print(len(found), *sorted(set(found)))
"""


def answer(count: int, system: str, cache: Path) -> str:
    env = {**os.environ, "CARDAN_CACHE_DIR": str(cache)}
    made = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(count), system], env=env, capture_output=True, text=True, timeout=300
    )
    assert made.returncode == 0, made.stderr[-500:]  # a crash of the interpreter is a negative number
    return made.stdout.strip()


def test_eight_threads_on_a_system_not_yet_compiled_give_the_bits_of_one(tmp_path: Path) -> None:
    for system in ("disc", "bouncing"):
        alone = answer(1, system, tmp_path / f"{system} alone").split()
        together = answer(8, system, tmp_path / f"{system} together").split()
        assert together[0] == "8"
        assert together[1:] == alone[1:]


def test_a_property_is_computed_once_for_all_threads() -> None:
    calls = []

    class Slow:
        @once
        def value(self) -> object:
            calls.append(threading.get_ident())
            time.sleep(0.05)
            return object()

    slow, found = Slow(), []
    threads = [threading.Thread(target=lambda: found.append(slow.value)) for _ in range(8)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert len(calls) == 1
    assert len(set(map(id, found))) == 1
    assert isinstance(Slow.value, once)
    with preparing:  # one thread may hold it several times
        assert slow.value is found[0]


def test_nodes_made_by_threads_exist_once_and_are_numbered_in_order() -> None:
    graph = Graph()
    x, y = graph.input("x"), graph.input("y")

    def build() -> None:
        total = x
        for k in range(300):
            total = total * y + float(k)

    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        threads = [threading.Thread(target=build) for _ in range(8)]
        for one in threads:
            one.start()
        for one in threads:
            one.join()
    finally:
        sys.setswitchinterval(before)
    assert [node.index for node in graph.nodes] == list(range(len(graph.nodes)))
    assert len({(node.op, node.args) for node in graph.nodes if node.args}) == sum(
        bool(node.args) for node in graph.nodes
    )
    assert all(one.index < node.index for node in graph.nodes for one in node.args)
