"""Films of a run: GIF by Pillow, MP4 by the program ffmpeg where it is installed."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from cardan.diagnosis.along import JudgedTrajectory
from cardan.errors import InstallationError, ModelError, StoreError
from cardan.formats.storing import written_beside
from cardan.report.figures.film import Picture, pictures
from cardan.report.figures.saving import checked

FILMS = (".mp4", ".gif")
FASTEST = 60.0  # pictures per second
LONGEST = 20_000  # pictures


def animate(run: JudgedTrajectory, path: str | os.PathLike[str], fps: float = 30.0, speed: float = 1.0) -> Path:
    """Write a film of the run, ``speed`` times as fast as life; returns its path."""
    target = checked(path, FILMS, "A film")
    is_gif = target.suffix.lower() == ".gif"
    command = [] if is_gif else encoder()
    if not (0 < fps <= FASTEST and 0 < speed < np.inf):
        raise ModelError(f"fps lies between 0 and {FASTEST:g} and speed above 0, found fps={fps:g}, speed={speed:g}.")
    rate = 100 / max(2, round(100 / fps)) if is_gif else fps  # a GIF counts in hundredths of a second, at least two
    first, last = float(run.t[0]), float(run.t[-1])
    count = int(abs(last - first) * rate / speed) + 1
    if count > LONGEST:
        raise ModelError(
            f"The film would have {count} pictures, more than {LONGEST}. Give a larger speed or a smaller fps.",
            count=count,
        )
    times = first + np.sign(last - first) * np.arange(count) * speed / rate
    frames = pictures(run, np.clip(times, min(first, last), max(first, last)))
    with written_beside(target) as part:
        if is_gif:
            write_gif(frames, part, rate)
        else:
            write_mp4(frames, part, rate, command)
    return target


def write_gif(frames: Iterable[Picture], target: Path, rate: float) -> None:
    """Pictures as a GIF that repeats."""
    from PIL import Image

    images = (Image.fromarray(one).quantize(128) for one in frames)
    first = next(images)
    lasting = round(1000 / rate)  # milliseconds of one picture
    first.save(target, save_all=True, append_images=images, duration=lasting, loop=0, optimize=False)


def encoder() -> list[str]:
    """The command that turns pictures into MP4."""
    found = shutil.which("ffmpeg")
    if found is None:
        raise InstallationError(
            "An .mp4 is written by the program ffmpeg, which is not on the path. Install it (https://ffmpeg.org), "
            'or write a .gif, for which nothing more is needed: run.animate("motion.gif").',
            program="ffmpeg",
        )
    return [found]


def write_mp4(frames: Iterable[Picture], target: Path, rate: float, command: list[str]) -> None:
    """Pictures through the standard input of ffmpeg, as H.264 where it has that, else as its default for MP4."""
    pipe: subprocess.Popen[bytes] | None = None
    for picture in frames:
        if pipe is None:
            height, width = picture.shape[:2]
            raw = ["-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{width}x{height}", "-r", f"{rate:g}", "-i", "-"]
            film = ["-an", "-pix_fmt", "yuv420p", "-movflags", "+faststart", str(target)]
            words = [*command, "-y", "-loglevel", "error", *raw, *film]
            pipe = subprocess.Popen(words, stdin=subprocess.PIPE, stderr=subprocess.PIPE)
        assert pipe.stdin is not None
        try:
            pipe.stdin.write(picture.tobytes())
        except BrokenPipeError:
            break
    assert pipe is not None
    _, errors = pipe.communicate()
    if pipe.returncode:
        said = errors.decode(errors="replace").strip()[-400:]
        raise StoreError(f"ffmpeg could not write {str(target)!r}: {said}", path=str(target), status=pipe.returncode)
