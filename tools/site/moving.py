"""The mechanism that moves on the front page: a Cardan suspension on its way through gimbal lock."""

from __future__ import annotations

import shutil
from pathlib import Path

from tools.site.executing import state_of
from tools.site.places import ROOT

SECONDS, FRAMES_PER_SECOND = 4.0, 15.0


def write_film(folder: Path) -> None:
    """A film, and a still for readers who asked for less motion; kept as long as the program stays as it is."""
    store = ROOT / "output" / "docs-outputs" / state_of(ROOT / "src")
    film, still = store / "suspension.gif", store / "suspension.png"
    if not film.exists():
        from PIL import Image

        from cardan.gallery.index import entry

        store.mkdir(parents=True, exist_ok=True)
        run = entry("H12").ready().simulate(SECONDS, q=[0.1, 0.8, -0.2], v=[1.0, -2.0, 1.5])
        run.animate(film, fps=FRAMES_PER_SECOND)
        with Image.open(film) as frames:
            frames.convert("RGB").save(still)
    for one in (film, still):
        shutil.copy(one, folder / one.name)
