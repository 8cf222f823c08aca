"""``cardan view`` as a process: it says where the page is, serves it, and ends cleanly."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
PENDULUM = """
cardan: 1
name: pendulum
coordinates: {a: S1}
parameters: {g: 9.81}
energies: {kinetic: a.dot**2/2, potential: -g*cos(a)}
start: {q: {a: 1}}
simulate: {duration: 1}
"""


@contextmanager
def viewing(folder: Path, *options: str) -> Iterator[subprocess.Popen[str]]:
    (folder / "p.yaml").write_text(PENDULUM, encoding="utf-8")
    program = (
        "import signal, sys\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"  # a test runner may have turned it off
        "from cardan.cli.main import app\n"
        "app(['view', 'p.yaml', '--no-open', *sys.argv[1:]])\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", program, *options],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT / "src"), "PYTHONIOENCODING": "utf-8"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def json_from(process: subprocess.Popen[str]) -> dict[str, object]:
    """The object as soon as it is complete: the process goes on."""
    text = ""
    assert process.stdout is not None
    while not text.endswith("\n}\n"):
        line = process.stdout.readline()
        assert line, process.stderr and process.stderr.read()
        text += line
    return json.loads(text)  # type: ignore[no-any-return]


@pytest.mark.skipif(os.name == "nt", reason="Windows sends Ctrl-C to a whole console, this one included")
def test_the_page_is_served_until_an_interruption(tmp_path: Path) -> None:
    with viewing(tmp_path, "--json") as process:
        answer = json_from(process)
        assert (answer["command"], answer["ok"], answer["status"]) == ("view", True, "finished")
        with urllib.request.urlopen(str(answer["url"]), timeout=10) as page:
            assert b"<title>pendulum - Cardan</title>" in page.read()
        with pytest.raises(urllib.error.HTTPError, match="403"):
            urllib.request.urlopen(f"http://127.0.0.1:{answer['port']}/", timeout=10)
        process.send_signal(signal.SIGINT)
        rest, said = process.communicate(timeout=30)
        assert (process.returncode, rest, said) == (0, "", "")


def test_people_are_told_the_address(tmp_path: Path) -> None:
    with viewing(tmp_path) as process:
        assert process.stdout is not None
        assert process.stdout.readline().startswith("pendulum at http://127.0.0.1:")
        assert process.stdout.readline() == "Ctrl-C ends it.\n"


def test_a_taken_port_ends_the_command(tmp_path: Path) -> None:
    import socket

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with viewing(tmp_path, "--port", str(port), "--json") as process:
            answer = json_from(process)
            assert process.wait(timeout=30) == 1
    assert answer["error"]["type"] == "ViewerError"  # type: ignore[index]
