"""The command as a process of its own: exit codes, start-up cost, interruption."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
HEAVY = ("sympy", "numpy", "llvmlite", "pydantic", "yaml", "rich", "matplotlib")
OSCILLATOR = """
cardan: 1
coordinates: {x: R}
energies: {kinetic: x.dot**2/2, potential: 5000*x**2}
start: {q: {x: 1}}
simulate: {duration: 1.0e+6, points: 100001, rtol: 1.0e-3, atol: 1.0e-6}
"""


def environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT / "src"), "PYTHONIOENCODING": "utf-8"}


def cardan(*arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "cardan.cli", *arguments]
    return subprocess.run(command, cwd=folder, env=environment(), capture_output=True, text=True, encoding="utf-8")


def test_exit_codes_reach_the_shell(tmp_path: Path) -> None:
    assert cardan("new", "a.yaml", folder=tmp_path).returncode == 0
    assert cardan("simulate", "a.yaml", "--q", "psi=1", folder=tmp_path).returncode == 1
    assert cardan("simulate", folder=tmp_path).returncode == 2
    missing = cardan("check", "b.yaml", folder=tmp_path)
    assert missing.returncode == 3
    assert missing.stdout == ""
    assert missing.stderr.startswith("Error: b.yaml")


def test_help_loads_nothing_heavy_and_costs_little() -> None:
    program = (
        "import json, sys, time\n"
        "from cardan.cli.main import app\n"
        "try:\n    app(['--help'])\nexcept SystemExit:\n    pass\n"
        f"loaded = [name for name in {HEAVY!r} if name in sys.modules]\n"
        "print(json.dumps([time.process_time(), loaded]), file=sys.stderr)\n"
    )
    command = [sys.executable, "-c", program]
    result = subprocess.run(command, env=environment(), capture_output=True, text=True, check=True)
    seconds, loaded = json.loads(result.stderr.strip().splitlines()[-1])
    assert loaded == []
    assert "simulate" in result.stdout
    assert seconds < 1.0, "CPU time; measured 0.1 s, with room for a slow machine"


@pytest.mark.skipif(os.name == "nt", reason="Windows sends Ctrl-C to a whole console, this one included")
def test_an_interruption_keeps_what_was_computed(tmp_path: Path) -> None:
    (tmp_path / "o.yaml").write_text(OSCILLATOR, encoding="utf-8")
    started = tmp_path / "started"
    program = (
        "import pathlib, signal, sys\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "import cardan.cli.progress as progress\n"
        "heard = progress.Progress.heard\n"
        f"progress.Progress.heard = lambda self, t: pathlib.Path({str(started)!r}).touch() or heard(self, t)\n"
        "from cardan.cli.main import app\n"
        "app(['simulate', 'o.yaml', '--output', 'run.npz', '--json'])\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", program], cwd=tmp_path, env=environment(), stdout=subprocess.PIPE, text=True
    )
    deadline = time.monotonic() + 120
    while not started.exists() and time.monotonic() < deadline and process.poll() is None:
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    output, _ = process.communicate(timeout=120)
    content = json.loads(output)
    assert process.returncode == 130
    assert content["status"] == "interrupted"
    assert (tmp_path / "run.npz").exists()


@pytest.mark.skipif(os.name == "nt", reason="Windows sends Ctrl-C to a whole console, this one included")
def test_an_interruption_before_the_motion_ends_the_command(tmp_path: Path) -> None:
    (tmp_path / "slow.py").write_text("import pathlib, time\npathlib.Path('started').touch()\ntime.sleep(100)\n")
    program = (
        "import signal\nsignal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "from cardan.cli.main import app\napp(['check', 'slow.py'])\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", program], cwd=tmp_path, env=environment(), stderr=subprocess.PIPE, text=True
    )
    deadline = time.monotonic() + 60
    while not (tmp_path / "started").exists() and time.monotonic() < deadline:
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "interrupted" in errors
