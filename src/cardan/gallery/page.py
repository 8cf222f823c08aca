"""The pages of the site as HTML: one per entry, and the index."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from html import escape

import numpy as np
import sympy as sp

from cardan.gallery.catalogue import TEXTS
from cardan.gallery.checking import Verdict
from cardan.gallery.entry import Check, Entry
from cardan.gallery.highlight import highlighted
from cardan.gallery.mathml import mathml
from cardan.gallery.prose import prose

LONGEST_FORMULA = 420  # characters of an expression that still fits a table


def document(title: str, body: str) -> str:
    """A complete page."""
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<title>{escape(title)}</title>\n<link rel="stylesheet" href="site.css">\n</head>\n<body>\n{body}\n'
        "<footer>Written by <code>make gallery</code>. Every check compares a computed result with the formula that "
        "the text prints, typed in by hand.</footer>\n</body>\n</html>\n"
    )


def index_page(verdicts: Iterable[Verdict], thumbnails: Mapping[str, str]) -> str:
    """Cards with thumbnails, grouped by text."""
    found = list(verdicts)
    counts = {status: sum(one.status == status for one in found) for status in ("passed", "failed", "planned")}
    checks = sum(len(one.checks) for one in found)
    told = ", ".join(f"{count} {status}" for status, count in counts.items() if count)
    body = [
        "<h1>Cardan gallery</h1>",
        '<p class="lesson">Systems from four texts on dynamics, each a small model with a lesson, and each checked '
        "against the formulas that its text prints.</p>",
        f'<p class="quiet">{len(found)} entries: {told}; {checks} checks.</p>',
    ]
    for text in TEXTS.values():
        own = [one for one in found if one.id[0] == text.letter]
        if own:
            cards = "\n".join(card(one, thumbnails.get(one.id)) for one in own)
            source = f"{text.authors} ({text.year}). {text.kind}."
            body.append(f'<h2>{escape(text.title)}</h2>\n<p class="source">{escape(source)}</p>')
            body.append(f'<div class="cards">\n{cards}\n</div>')
    return document("Cardan gallery", "\n".join(body))


def card(verdict: Verdict, thumbnail: str | None) -> str:
    """One entry on the index."""
    words = f"<b>{verdict.id}</b>{escape(verdict.title)}"
    if verdict.status == "planned":
        note = f"<small>planned: {escape(verdict.reason)}</small>"
        return f'<div class="card planned"><div class="words">{words}{note}</div></div>'
    image = f'<img src="{thumbnail}" alt="" loading="lazy">' if thumbnail else ""
    mark = f'<small class="good">{len(verdict.checks)} checks pass</small>'
    if verdict.status == "failed":
        mark = f'<small class="bad">{escape(verdict.reason)}</small>'
    return (
        f'<a class="card" href="{verdict.id}.html"><div class="thumb">{image}</div>'
        f'<div class="words">{words}{mark}</div></a>'
    )


@dataclass(frozen=True)
class Told:
    """What a page says of an entry besides its words: equations, program texts, and files beside it."""

    equations: list[sp.Eq]
    model: str
    file: str
    report: str | None
    pictures: list[str]
    plates: Mapping[str, str]  # captions by picture


def entry_page(entry: Entry, verdict: Verdict, told: Told) -> str:
    """Title, pictures, lesson, equations, checks and model of one entry."""
    links = ['<a href="index.html">All entries</a>']
    if told.report:
        links.append(f'<a href="{told.report}">Interactive report: see it move</a>')
    words = (entry.caption, "The mechanism at three moments.")
    body = [
        f"<nav>{''.join(links)}</nav>",
        f"<h1>{entry.id}. {escape(entry.title)}</h1>",
        f'<p class="source">{escape(entry.source)}</p>',
    ]
    body += [figure(picture, said or entry.title) for picture, said in zip(told.pictures, words, strict=False)]
    body.append(f'<h2>Lesson</h2>\n<p class="lesson">{prose(entry.lesson)}</p>')
    if entry.erratum:
        body.append(f'<p class="note"><b>Corrected here.</b> {prose(entry.erratum)}</p>')
    if told.plates:
        body.append("<h2>Further figures</h2>")
        body.append('<div class="plates">' + "".join(figure(*one) for one in told.plates.items()) + "</div>")
    if told.equations:
        rows = "\n".join(mathml(row, block=True) for row in told.equations)
        body.append(f'<h2>Equations of motion</h2>\n<div class="equations">\n{rows}\n</div>')
    body.append(f"<h2>Checks against the text</h2>\n{table(verdict)}")
    body.append(f"<h2>Model</h2>\n<pre><code>{highlighted(told.model)}</code></pre>")
    body.append(
        f"<p>Move it: <code>cardan simulate gallery:{entry.id}</code>; "
        f"see it: <code>cardan report gallery:{entry.id}</code>.</p>"
    )
    body.append(
        f"<details><summary>The whole file</summary>\n<pre><code>{highlighted(told.file)}</code></pre></details>"
    )
    return document(f"{entry.id}. {entry.title}", "\n".join(body))


def figure(picture: str, caption: str) -> str:
    """A picture with its caption."""
    return (
        f'<figure><img src="{picture}" alt="{escape(caption)}" loading="lazy">'
        f"<figcaption>{prose(caption)}</figcaption></figure>"
    )


def table(verdict: Verdict) -> str:
    """All checks, one row each."""
    rows = "\n".join(row(check) for check in verdict.checks)
    reason = f'<p class="bad">{escape(verdict.reason)}</p>' if verdict.reason else ""
    head = "<tr><th></th><th>what</th><th>in the text</th><th>expected there</th><th>how close</th></tr>"
    note = f'<p class="quiet">{len(verdict.checks)} checks in {verdict.seconds:.1f} s.</p>'
    return f'{reason}<div class="wide"><table>\n{head}\n{rows}\n</table></div>\n{note}'


def row(check: Check) -> str:
    mark = '<td class="good" title="passed">✓</td>' if check.passed else '<td class="bad" title="failed">✗</td>'
    how = escape(check.because)
    if check.error is not None:
        how = f"{check.error:.1e}, allowed {check.tolerance:.0e}: {how}"
    if not check.passed:
        how = f'<span class="bad">found {escape(shortened(check.computed))}</span><br>{how}'
    return (
        f"<tr>{mark}<td>{prose(check.name)}</td><td class='number'>{prose(check.equation)}</td>"
        f'<td><div class="formula">{expected(check.expected)}</div></td><td>{how}</td></tr>'
    )


def expected(value: object) -> str:
    """A formula, typeset if it is not too long; numbers and words as they are."""
    symbolic = value if isinstance(value, (list, tuple)) else [value]
    if symbolic and all(isinstance(one, (sp.Basic, sp.MatrixBase, int)) for one in symbolic):
        if any(not isinstance(one, int) for one in symbolic):
            short = len(str(value)) <= LONGEST_FORMULA
            return mathml(value) if short else '<span class="quiet">a long formula; see the whole file</span>'
    return prose(shortened(value))


def shortened(value: object) -> str:
    """Words and numbers in a few characters."""
    if isinstance(value, np.ndarray):
        if value.size > 6:
            return f"{value.size} numbers up to {np.max(np.abs(value)):.4g}"
        return np.array2string(value, precision=6, suppress_small=True)
    if isinstance(value, float):
        return f"{value:.10g}"
    if isinstance(value, (set, frozenset)):
        return ", ".join(sorted(map(str, value))) or "nothing"
    if isinstance(value, sp.Eq):
        return f"{value.lhs} = {value.rhs}"
    if isinstance(value, (list, tuple)) and value and not isinstance(value[0], (int, float)):
        return "; ".join(map(shortened, value)) if isinstance(value, list) else ": ".join(map(shortened, value))
    text = str(value) if value != [] else "nothing"
    return text if len(text) <= 160 else text[:150] + " …"
