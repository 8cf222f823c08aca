"""What every kind of model file does; kinds are taken from the table, so a new one cannot be forgotten."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

import cardan as cd
from cardan.cli.main import app
from cardan.cli.models import load_model
from cardan.errors import FileError
from cardan.formats.file_kinds import KINDS, LOADED, ROBOTS, FileKind, describe_endings, endings_of, kind_of
from cardan.formats.write import starters

ROOT = Path(__file__).parents[2]
EXAMPLES = {  # a small mechanism with one freedom in each kind of file
    "YAML": starters()["pendulum"],
    "URDF": """<robot name="arm"><link name="base"/><link name="bob"><inertial><mass value="1"/>
        <inertia ixx="1" iyy="1" izz="1"/></inertial></link><joint name="q" type="continuous">
        <parent link="base"/><child link="bob"/></joint></robot>""",
    "MJCF": """<mujoco><worldbody><body><joint name="q" type="hinge"/>
        <geom type="sphere" size="0.1" pos="0 0 -1"/></body></worldbody></mujoco>""",
    "SDF": """<sdf version="1.7"><model name="m"><link name="bob"/><joint name="q" type="revolute">
        <parent>world</parent><child>bob</child><axis><xyz>0 1 0</xyz></axis></joint></model></sdf>""",
    "Python": """
import cardan as cd
system = cd.System("one mass")
q = system.coordinates("q")
system.kinetic_energy(q.dot**2)
""",
}
every = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)


def example(kind: FileKind, ending: str, folder: Path) -> str:
    if kind.name == "MJCF":
        pytest.importorskip("mujoco", reason="MJCF is read with the extra `robots`")
    path = folder / f"example{ending}"
    path.write_text(EXAMPLES[kind.name], encoding="utf-8")
    return str(path)


@every
def test_a_kind_has_an_example_here(kind: FileKind) -> None:
    assert kind.name in EXAMPLES, "add a small mechanism of this kind to EXAMPLES"


@every
def test_every_ending_is_loaded(kind: FileKind, tmp_path: Path) -> None:
    for ending in (*kind.endings, kind.endings[0].upper()):
        name = example(kind, ending, tmp_path)
        assert len(load_model(name).model.v) == 1  # what the command line does
        if kind.is_loaded:
            assert len(cd.load(name).model.v) == 1


@every
def test_a_missing_file_is_refused_by_its_name(kind: FileKind, tmp_path: Path) -> None:
    missing = str(tmp_path / f"missing{kind.endings[0]}")
    with pytest.raises(FileError, match="is no file") as caught:
        load_model(missing)
    assert caught.value.file == missing


@pytest.mark.parametrize("name", ["model.skp", "model", "model.yaml.txt", ".yaml"])
def test_an_unknown_ending_is_refused_with_the_known_ones(name: str) -> None:
    for load, kinds in ((cd.load, LOADED), (load_model, KINDS)):
        with pytest.raises(FileError) as caught:
            load(name)
        assert caught.value.file == name
        assert name in str(caught.value)
        assert describe_endings(kinds) in str(caught.value)
        assert caught.value.known == endings_of(kinds)


def test_a_program_is_never_run_by_load(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(f"open({str(tmp_path / 'was_run')!r}, 'w').close()", encoding="utf-8")
    with pytest.raises(FileError, match="run by the command line only"):
        cd.load(program)
    assert not (tmp_path / "was_run").exists()


def test_an_ending_means_one_kind() -> None:
    endings = endings_of(KINDS)
    assert len(endings) == len(set(endings))
    assert all(kind_of(f"model{ending}") in KINDS for ending in endings)
    assert set(ROBOTS) <= set(LOADED)


@every
def test_a_kind_is_documented(kind: FileKind) -> None:
    endings = ", ".join(f"`{ending}`" for ending in kind.endings)
    row = f"| {kind.name} | {endings} | {kind.about} |"
    assert row in (ROOT / "docs/model-files.md").read_text(encoding="utf-8"), f"docs/model-files.md needs the row {row}"


def test_help_of_the_command_line_names_every_ending() -> None:
    shown = CliRunner().invoke(app, ["check", "--help"]).stdout
    assert all(ending in shown for ending in endings_of(KINDS))
