"""How quickly the viewer answers: from moving a slider to the picture, and what one frame costs.

    python -m benchmarks.interaction

A real browser without a window, on this machine. *Drawn* is when the page has given all drawing commands for the new
motion, measured from the movement of the slider. *Seen* is when the browser has shown the frame; without a graphics
card it is drawn by the processor, which takes most of that time. A frame is measured as far as its drawing commands:
what the graphics card does with them is its own.
"""

from __future__ import annotations

import json
import statistics
from collections.abc import Iterator
from importlib.resources import as_file, files
from typing import Any

from tools.browser import started

import cardan as cd
from cardan.api.viewing import serve

MOVES = 15
SIMULATED = 10.0  # seconds of motion
FRAMES = 120
TARGET = 150.0  # ms from slider to picture
FRAME = 1000.0 / 60.0  # ms

MOVE = """([name, share]) => new Promise((done) => {
  const slider = document.querySelector(`input[type=range][data-control="${name}"]`);
  const [low, high] = [Number(slider.min), Number(slider.max)];
  const page = window.cardan.page;
  const draw = page.draw;
  const begun = performance.now();
  page.draw = function () {
    const gliding = draw.call(page);
    if (page.document.motion !== before) {
      const drawn = performance.now() - begun;
      page.draw = draw;
      const words = document.querySelector(".latency").textContent;
      requestAnimationFrame(() => requestAnimationFrame(() => done([drawn, performance.now() - begun, words])));
    }
    return gliding;
  };
  const before = page.document.motion;
  slider.value = low + share * (high - low);
  slider.dispatchEvent(new Event("input", { bubbles: true }));
})"""


def starter(name: str) -> cd.Run:
    with as_file(files("cardan.formats") / "starters" / f"{name}.yaml") as path:
        system = cd.load(path)
    return system.simulate(**{**system.plan, "duration": SIMULATED, "times": None})


def chain(count: int = 10) -> cd.Run:
    """A chain of bars that swings from one end."""
    s = cd.System(f"chain of {count} bars")
    angles = s.coordinates(" ".join(f"q{k}" for k in range(count)), on="S1")
    parent: Any = None
    for k, angle in enumerate(angles):
        place = (0, 0, 0) if k == 0 else (0, 0, -1)
        parent = s.body(
            f"bar{k}", mass=1, inertia=(0.08, 0.08, 0.01), com=(0, 0, -0.5), at=place, parent=parent,
            joint=cd.Revolute("y", angle),
        )  # fmt: skip
    s.gravity(-9.81 * s.world.z)
    return s.simulate(SIMULATED, q=[0.3] * count)


def opened(browser: Any, run: cd.Run, width: int, height: int) -> Iterator[Any]:
    with serve(run) as viewer:
        page = browser.new_page(viewport={"width": width, "height": height})
        page.goto(viewer.url)
        while not page.evaluate("Boolean(window.cardan?.document?.motion)"):
            page.wait_for_timeout(50)
        page.wait_for_timeout(1000)
        yield page
        page.close()


def latency(browser: Any, title: str, run: cd.Run, slider: str) -> dict[str, Any]:
    """Medians over movements of one slider, in milliseconds."""
    for page in opened(browser, run, 1280, 800):
        times = []
        for k in range(MOVES):
            times.append(page.evaluate(MOVE, [slider, 0.3 + 0.4 * k / MOVES])[:2])
            page.wait_for_timeout(600)  # the full motion, asked for when the slider rests, comes in between
        drawn, seen = (statistics.median(one) for one in zip(*times, strict=True))
        worst = max(one[0] for one in times)
        return {"mechanism": title, "slider": slider, "drawn": drawn, "worst drawn": worst, "seen": seen}
    raise AssertionError("no page")


def frame_cost(browser: Any, run: cd.Run) -> dict[str, Any]:
    for page in opened(browser, run, 1280, 800):
        given = page.evaluate(f"window.cardan.frameCost({FRAMES})")
        bodies = page.evaluate("window.cardan.poses().length")
        return {"bodies": bodies, "commands": given}
    raise AssertionError("no page")


def main() -> None:
    with started("--disable-gpu") as browser:  # without a graphics card the page itself is composed faster so
        rows = [
            latency(browser, "double pendulum", starter("double_pendulum"), "l"),
            latency(browser, "Cardan suspension", starter("cardan_suspension"), "lambda1"),
            latency(browser, "four-bar linkage", starter("four_bar"), "a"),
        ]
        frame = frame_cost(browser, chain())
    print(f"From slider to picture, {SIMULATED:g} s simulated, median of {MOVES} (target {TARGET:g} ms):")
    for one in rows:
        print(f"  {one['mechanism']:20} drawn {one['drawn']:6.1f} ms (worst {one['worst drawn']:6.1f})", end="")
        print(f"   seen, software rendering {one['seen']:6.1f} ms")
    print(f"One frame of {frame['bodies']} bodies (60 per second leave {FRAME:.1f} ms):")
    print(f"  moved, and all drawing commands given, in {frame['commands']:.2f} ms")
    print(json.dumps({"latency": rows, "frame": frame}))


if __name__ == "__main__":
    main()
