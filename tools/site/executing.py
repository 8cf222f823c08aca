"""Runs the blocks of a page in order, as a reader would paste them, and puts beneath each what it printed and drew."""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import os
import re
import shlex
import shutil
import tempfile
import traceback
import warnings
from pathlib import Path
from typing import Any

BLOCK = re.compile(r"^```(python|sh)\n(.*?)^```\n?", re.MULTILINE | re.DOTALL)
UNSEEN = ("view", "gallery", "demo")  # wait for a browser, or print what depends on the machine
LONGEST = 60  # lines of output that are shown
PICTURES = (".png", ".svg", ".gif")


class FailedExample(Exception):
    """A block of a page did not run; the page, the line and the reason are in the message."""


def run_page(name: str, text: str, store: Path) -> tuple[str, list[str]]:
    """The page with its outputs, and the pictures it needs, which are in ``store``; taken from there if it ran before.

    ``store`` belongs to one state of the program: its name is the hash of the sources.
    """
    blocks = "".join(block[0] for block in BLOCK.finditer(text))
    if not blocks:
        return text, []
    key = hashlib.sha256((name + "\0" + text).encode()).hexdigest()[:20]
    kept = store / f"{key}.json"
    if not kept.exists():
        shown, pictures = _executed(name, text, store, key)
        kept.write_text(json.dumps([shown, pictures]), encoding="utf-8")
    shown, pictures = json.loads(kept.read_text(encoding="utf-8"))
    return shown, pictures


def _executed(name: str, text: str, store: Path, key: str) -> tuple[str, list[str]]:
    parts: list[str] = []
    pictures: list[str] = []
    session: dict[str, Any] = {"__name__": "__main__"}
    end, home = 0, Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            for block in BLOCK.finditer(text):
                parts.append(text[end : block.end()])
                end = block.end()
                line = text[: block.start(2)].count("\n")
                before = set(Path().rglob("*"))
                printed = _commands(block[2]) if block[1] == "sh" else _python(block[2], session, name, line)
                parts.append(_output(printed))
                for one in sorted(set(Path().rglob("*")) - before):
                    if one.suffix in PICTURES:
                        pictures.append(f"{key}-{len(pictures)}{one.suffix}")
                        shutil.copy(one, store / pictures[-1])
                        parts.append(f"\n![What this block draws: {one.name}](MADE/{pictures[-1]})\n")
        finally:
            os.chdir(home)
    return "".join(parts) + text[end:], pictures


def _python(code: str, session: dict[str, Any], name: str, line: int) -> str:
    printed = io.StringIO()
    try:
        with contextlib.redirect_stdout(printed), warnings.catch_warnings():
            warnings.simplefilter("error")
            exec(compile("\n" * line + code, name, "exec"), session)
    except Exception as error:
        raise FailedExample(f"{name}, block at line {line}: {''.join(traceback.format_exception(error))}") from error
    return printed.getvalue()


def _commands(block: str) -> str:
    """What the lines that call ``cardan`` print; others (pip, make) are for the reader."""
    from typer.testing import CliRunner

    from cardan.cli.main import app

    printed = []
    for line in block.splitlines():
        words = shlex.split(line, comments=True)
        if words[:1] != ["cardan"] or words[1] in UNSEEN:
            continue
        result = CliRunner().invoke(app, words[1:])
        if result.exit_code not in ((0, 1) if words[1] == "diagnose" else (0,)):
            raise FailedExample(f"{line}\n{result.output}")
        printed.append(f"$ {line}\n{result.output}")
    return "\n".join(printed)


def _output(printed: str) -> str:
    lines = printed.rstrip().splitlines()
    if not lines:
        return ""
    if len(lines) > LONGEST:
        lines = [*lines[:LONGEST], f"... ({len(lines) - LONGEST} more lines)"]
    return "\n```{code-block} text\n:class: output\n\n" + "\n".join(lines) + "\n```\n"


def state_of(folder: Path) -> str:
    """A hash of the program's sources: outputs of another program are not shown."""
    digest = hashlib.sha256()
    for one in sorted(folder.rglob("*.py")):
        digest.update(one.relative_to(folder).as_posix().encode() + b"\0" + one.read_bytes())
    return digest.hexdigest()[:20]
