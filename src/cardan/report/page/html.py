"""A report: one HTML file with the page's script, style and data inside, that opens from disk without a network.

Under its Content-Security-Policy nothing is loaded from anywhere, and the only script that runs is the one whose hash
the policy names. The data is JSON in an element that is never executed.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from cardan.diagnosis.along import JudgedTrajectory
from cardan.errors import StoreError
from cardan.formats.storing import written_beside
from cardan.report.data.document import Told, document, silent
from cardan.report.data.entries import Document
from cardan.report.data.maps import Picture
from cardan.report.data.sampling import FEWEST
from cardan.report.page.bundle import bundle_css, bundle_js

if TYPE_CHECKING:
    from cardan.report.data.special import Special

LARGEST = 2_000_000  # bytes of one report without what its bodies look like
LARGEST_LOOKS = 2_800_000  # bytes for that, so that a report of a robot with meshes stays below 5 MB
TRIES = 4  # times that frames are taken away before a report is refused


def write_report(
    run: JudgedTrajectory,
    path: str | os.PathLike[str],
    *,
    title: str | None = None,
    remedies: bool = True,
    frames: int | None = None,
    date: str | None = None,
    tell: Told = silent,
    live: bool = True,
    picture: Picture | None = None,
    special: Sequence[Special] = (),
    budget: float | None = None,
) -> Path:
    """Write the report of a run; returns its path. Either the whole file is there afterwards, or the old one still."""
    target = Path(path)
    if not target.parent.is_dir():
        raise StoreError(f"{target} cannot be written: {target.parent} is no directory.", file=str(target))
    text = report_html(
        run,
        title=title,
        remedies=remedies,
        frames=frames,
        date=date,
        tell=tell,
        live=live,
        picture=picture,
        special=special,
        budget=budget,
    )
    _write(target, text.encode("utf-8"))
    return target


def report_html(
    run: JudgedTrajectory,
    *,
    title: str | None = None,
    remedies: bool = True,
    frames: int | None = None,
    date: str | None = None,
    tell: Told = silent,
    live: bool = True,
    picture: Picture | None = None,
    special: Sequence[Special] = (),
    budget: float | None = None,
) -> str:
    """The report as text: with fewer frames where the motion is long, which it then says.

    It stays below two million bytes, and below five with the meshes of a robot.
    """

    def made(count: int | None, told: Told) -> Document:
        return document(
            run,
            remedies=remedies,
            frames=count,
            title=title,
            date=date,
            tell=told,
            live=live,
            picture=picture,
            special=special,
            budget=budget,
        )

    page = made(frames, tell)
    beside = len(json.dumps(page["model"].get("map")))  # a map of a large study has its own size
    first = wanted = page["motion"]["times"]["shape"][0]
    for _ in range(TRIES):
        text = rendered(page)
        size = len(text.encode("utf-8"))
        most = LARGEST + beside + min(len(json.dumps(page["model"]["bodies"])), LARGEST_LOOKS)
        if size <= most:
            return text
        fixed = size - _motion_size(page)
        room = max(0.0, (most - fixed) / _motion_size(page))
        wanted = int(0.9 * room * wanted)
        if wanted < FEWEST // 3:
            break
        page = made(wanted, silent)
        note = f"{wanted} of {first} frames kept, so that the file stays below {most / 1e6:.1f} MB"
        page["model"]["provenance"].append({"label": "frames", "value": note})
    raise StoreError(
        f"The report of {run.model.name!r} would have {size} bytes, more than {most}, even with {wanted} frames. "
        "Simulate a shorter time, or give frames=.",
        size=size,
    )


def _motion_size(page: Document) -> int:
    return len(json.dumps(page["motion"]))


def rendered(page: Document) -> str:
    """The HTML of a document."""
    script = _script(bundle_js())
    name, computes = html.escape(str(page["model"]["name"])), page["model"]["live"] is not None
    return "\n".join(
        [
            "<!doctype html>",
            '<html lang="en">',
            "<head>",
            '<meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{policy(script, computes)}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            '<meta name="referrer" content="no-referrer">',
            f"<title>{name} - Cardan report</title>",
            f"<style>{_style(bundle_css())}</style>",
            "</head>",
            "<body>",
            '<div id="cardan"></div>',
            f"<noscript>{summary(page)}</noscript>",
            f'<script type="application/json" id="cardan-data">{embedded(page)}</script>',
            f"<script>{script}</script>",
            "</body>",
            "</html>",
            "",
        ]
    )


def policy(script: str, computes: bool) -> str:
    """What the file may do: run this script, use what is inside it, and compile WebAssembly where it ``computes``."""
    digest = base64.b64encode(hashlib.sha256(script.encode("utf-8")).digest()).decode("ascii")
    wasm = " 'wasm-unsafe-eval'" if computes else ""
    return (
        f"default-src 'none'; script-src 'sha256-{digest}'{wasm}; style-src 'unsafe-inline'; img-src data: blob:; "
        "font-src data:; base-uri 'none'; form-action 'none'"
    )


def embedded(page: Document) -> str:
    """JSON that no HTML parser takes for an end of its element, whatever names a model uses."""
    text = json.dumps(page, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _script(text: str) -> str:
    """A script that does not end its own element: the same strings, written differently."""
    return text.replace("</script", "<\\/script").replace("<!--", "<\\!--").replace("\r\n", "\n").replace("\r", "\n")


def _style(text: str) -> str:
    return text.replace("</style", "<\\/style")


def summary(page: Document) -> str:
    """The verdict for readers without scripts."""
    model = page["model"]
    rows = [
        "<tr>" + "".join(f"<td>{html.escape(x)}</td>" for x in (one["label"], one["value"], one["detail"])) + "</tr>"
        for one in model["verdict"]
    ]
    found = [
        f"<li>t = {one['t']:.6g} s: {html.escape(one['title'])}. {html.escape(one['what'])}</li>"
        for one in page["motion"]["findings"]
    ]
    listed = f"<h2>Findings</h2><ul>{''.join(found)}</ul>" if found else ""
    note = "<p>With scripts allowed this page shows the motion in three dimensions, portraits and plots.</p>"
    return f"<h1>{html.escape(str(model['name']))}</h1>{note}<table>{''.join(rows)}</table>{listed}"


def _write(path: Path, content: bytes) -> None:
    with written_beside(path) as part:
        part.write_bytes(content)
