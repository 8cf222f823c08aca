"""Pictures and films as files: every format, readable; refusals that say what to do."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from sympy import cos

import cardan as cd
from cardan.errors import InstallationError, ModelError, StoreError
from cardan.report.figures import video
from cardan.report.scene.solids import normals, polygons
from support.close import assert_close
from support.pictured import gimbal, moved, suspension


def written(where: Path, ending: str) -> dict[str, Path]:
    """One file of each kind of figure."""
    run, s = moved(), gimbal()
    makers = {
        "plot": lambda path: run.plot(path=path),
        "phase": lambda path: run.plot_phase("phi_e", path=path),
        "surface": lambda path: run.plot_phase("phi_e", surface=True, path=path),
        "indicators": lambda path: run.plot_indicators(path=path),
        "singular": lambda path: s.plot_singular_set("nu", "phi_e", path=path),
        "manifold": lambda path: s.plot_manifold(path=path),
    }
    for name, make in makers.items():
        make(str(where / f"{name}{ending}"))
    return {name: where / f"{name}{ending}" for name in makers}


def test_png_is_readable_and_not_empty(tmp_path: Path) -> None:
    for name, path in written(tmp_path, ".png").items():
        with Image.open(path) as image:
            assert image.format == "PNG"
            assert min(image.size) > 300, name
            colours = image.convert("RGB").getcolors(1 << 24)
            assert colours is not None
            assert len(colours) > 50, f"{name} is blank"


def test_svg_and_pdf_are_what_they_say(tmp_path: Path) -> None:
    import xml.etree.ElementTree as ElementTree

    for path in written(tmp_path, ".svg").values():
        assert ElementTree.parse(path).getroot().tag.endswith("svg")
    for path in written(tmp_path, ".pdf").values():
        content = path.read_bytes()
        assert content.startswith(b"%PDF-")
        assert content.rstrip().endswith(b"%%EOF")


@pytest.mark.parametrize("name", ["figure.jpg", "figure", "figure.png.txt"])
def test_another_ending_is_refused_before_anything_is_drawn(tmp_path: Path, name: str) -> None:
    run, s = moved(), gimbal()
    path = str(tmp_path / name)
    for draw in (
        lambda: run.plot(path=path),
        lambda: run.plot_phase("phi_e", path=path),
        lambda: run.plot_indicators(path=path),
        lambda: s.plot_singular_set("nu", "phi_e", path=path),
        lambda: s.plot_manifold(path=path),
    ):
        with pytest.raises(StoreError, match=r"\.png, \.svg or \.pdf"):
            draw()
    assert not list(tmp_path.iterdir())


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="no folder"):
        moved().plot_phase("phi_e", path=str(tmp_path / "none" / "a.png"))


def test_histories_have_units_where_they_share_one() -> None:
    upper, lower = moved().plot().axes
    assert upper.get_ylabel() == "angle [rad]"
    assert [text.get_text() for text in upper.get_legend().get_texts()] == [r"$\nu$", r"$\phi_{e}$"]
    assert (lower.get_xlabel(), lower.get_ylabel()) == ("time [s]", "energy error [J]")
    assert moved().plot("nu_dot").axes[0].get_ylabel() == "rate [rad/s]"
    assert moved().plot("nu", "nu_dot").axes[0].get_ylabel() == "coordinates (SI units)"


# --- films ---------------------------------------------------------------------------------------------


def test_a_gif_has_the_pictures_and_the_pace_that_were_asked_for(tmp_path: Path) -> None:
    run = suspension().simulate(1.0, q=[0.1, 0.8, -0.2], v=[1.0, -2.0, 1.5])
    path = run.animate(tmp_path / "film.gif", fps=10)
    with Image.open(path) as film:
        assert film.format == "GIF"
        assert film.n_frames == 11
        assert film.info["duration"] == 100
        pictures = []
        for k in (0, 5, 10):
            film.seek(k)
            pictures.append(np.asarray(film.convert("RGB"), dtype=float))
    assert all(np.mean(np.abs(one - pictures[0])) > 0.5 for one in pictures[1:]), "nothing moves"
    edges = [pictures[0][40:-40, :8], pictures[0][40:-40, -8:]]
    assert all(np.min(edge) == 255 for edge in edges), "the picture does not fit"


def test_a_film_can_run_faster_than_life(tmp_path: Path) -> None:
    run = suspension().simulate(1.0, q=[0.1, 0.8, -0.2], v=[1.0, -2.0, 1.5])
    with Image.open(run.animate(tmp_path / "fast.gif", fps=10, speed=2.0)) as film:
        assert film.n_frames == 6


def test_a_system_without_bodies_shows_its_point_on_the_portrait(tmp_path: Path) -> None:
    s = cd.System("pendulum")
    theta = s.coordinates("theta", on="S1")
    s.lagrangian(theta.dot**2 / 2 + 9.81 * cos(theta))
    with Image.open(s.simulate(0.5, q=[1.0]).animate(tmp_path / "point.gif", fps=10)) as film:
        assert film.n_frames == 6


def test_without_ffmpeg_an_mp4_is_refused_with_the_remedy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(video.shutil, "which", lambda name: None)
    with pytest.raises(InstallationError, match=r"Install it .* or write a \.gif"):
        moved().animate(tmp_path / "film.mp4")
    assert not list(tmp_path.iterdir())


STAND_IN = """
import sys
words = sys.argv[1:]
data = sys.stdin.buffer.read()
width, height = map(int, words[words.index("-s") + 1].split("x"))
rate = words[words.index("-r") + 1]
count, rest = divmod(len(data), 3 * width * height)
with open(words[-1], "w") as file:
    file.write(f"{count} {rest} {width % 2} {height % 2} {rate}")
"""


def test_ffmpeg_is_given_whole_pictures_of_even_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A program that counts in the place of ffmpeg: the arguments and the bytes are what they should be."""
    script = tmp_path / "counting.py"
    script.write_text(STAND_IN, encoding="utf-8")
    monkeypatch.setattr(video, "encoder", lambda: [sys.executable, str(script)])
    run = suspension().simulate(0.5, q=[0.1, 0.8, -0.2], v=[1.0, -2.0, 1.5])
    assert run.animate(tmp_path / "film.mp4", fps=20).read_text() == "11 0 0 0 20"


def test_what_ffmpeg_complains_of_is_passed_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script = tmp_path / "failing.py"
    script.write_text("import sys; sys.stdin.buffer.read(); sys.exit('no such codec')", encoding="utf-8")
    monkeypatch.setattr(video, "encoder", lambda: [sys.executable, str(script)])
    run = suspension().simulate(0.2, q=[0.1, 0.8, -0.2])
    with pytest.raises(StoreError, match="no such codec"):
        run.animate(tmp_path / "film.mp4", fps=10)


@pytest.mark.parametrize(("options", "said"), [({"fps": 0}, "fps"), ({"fps": 500}, "60"), ({"speed": -1.0}, "speed")])
def test_impossible_paces_are_refused(tmp_path: Path, options: dict[str, Any], said: str) -> None:
    with pytest.raises(ModelError, match=said):
        moved().animate(tmp_path / "film.gif", **options)


def test_a_film_of_very_many_pictures_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="larger speed"):
        moved().animate(tmp_path / "film.gif", fps=50, speed=1e-4)
    with pytest.raises(StoreError, match=r"\.mp4 or \.gif"):
        moved().animate(tmp_path / "film.avi")


# --- polygons of shapes --------------------------------------------------------------------------------

SHAPES: list[tuple[dict[str, Any], tuple[float, float, float]]] = [
    ({"kind": "sphere", "radius": 2.0}, (2, 2, 2)),
    ({"kind": "ellipsoid", "radii": [1.0, 2.0, 3.0]}, (1, 2, 3)),
    ({"kind": "cylinder", "radius": 0.5, "length": 4.0}, (0.5, 0.5, 2)),
    ({"kind": "box", "size": [2.0, 4.0, 6.0]}, (1, 2, 3)),
    ({"kind": "ring", "radius": 3.0, "tube": 0.5}, (3.5, 3.5, 0.5)),
]


@pytest.mark.parametrize(("shape", "half"), SHAPES, ids=lambda one: one["kind"] if isinstance(one, dict) else "")
def test_polygons_fill_the_extent_of_their_shape(shape: dict[str, Any], half: tuple[float, float, float]) -> None:
    faces = polygons(shape)
    reach = np.max(np.abs(faces.reshape(-1, 3)), axis=0)
    assert np.all(reach <= np.array(half) * (1 + 1e-12))
    assert np.all(reach >= np.array(half) * 0.96), "18 corners reach to cos(pi/18) of a circle at least"
    assert_close(np.linalg.norm(normals(faces), axis=1), 1.0, within=1e-12, because="unit normals")


def test_shapes_are_turned_and_moved() -> None:
    """A quarter turn about x takes the cylinder's axis to -y; then it is moved."""
    shape = {"kind": "cylinder", "radius": 0.1, "length": 2.0}
    faces = polygons({**shape, "position": [5.0, 0.0, 0.0], "quaternion": [np.sqrt(0.5), np.sqrt(0.5), 0.0, 0.0]})
    low, high = faces.reshape(-1, 3).min(axis=0), faces.reshape(-1, 3).max(axis=0)
    assert_close([low[1], high[1]], [-1.0, 1.0], within=1e-12, because="half the length to each side")
    assert_close((low + high)[0] / 2, 5.0, within=1e-12, because="moved along x")


def test_a_bar_goes_from_end_to_end() -> None:
    faces = polygons({"kind": "bar", "from": [1.0, 0.0, 0.0], "to": [1.0, 0.0, -2.0], "radius": 0.1})
    low, high = faces.reshape(-1, 3).min(axis=0), faces.reshape(-1, 3).max(axis=0)
    assert_close([low[2], high[2]], [-2.0, 0.0], within=1e-12, because="its ends")
