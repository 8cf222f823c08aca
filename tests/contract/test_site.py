"""The tree that the documentation site is built from: every page has a place, every name and message a page."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tools.site.gathering import CHAPTERS, gather
from tools.site.messages import error_classes
from tools.site.products import full_name, members, products, public_names

import cardan as cd
from cardan.audit.lines import LINES
from cardan.singular.records import KINDS

TREE = re.compile(r"(?:```\{toctree\}|\.\. toctree::)\n(.*?)(?:```|\Z)", re.DOTALL)


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The gathered tree; links that lead nowhere are refused while it is made."""
    target = tmp_path_factory.mktemp("site")
    gather(target, execute=False)
    return target


def listed(page: Path, tree: Path) -> list[Path]:
    """The pages that a page's tables of contents name."""
    found = []
    for table in TREE.findall(page.read_text(encoding="utf-8")):
        for line in map(str.strip, table.splitlines()):
            if line and not line.startswith(":"):
                base = tree / line[1:] if line.startswith("/") else page.parent / line
                found.append(next(one for end in (".md", ".rst") if (one := base.with_name(base.name + end)).exists()))
    return found


def test_every_page_is_reached_from_the_front_page(tree: Path) -> None:
    seen, queue = set(), [tree / "index.md"]
    while queue:
        page = queue.pop().resolve()
        if page not in seen:
            seen.add(page)
            queue += listed(page, tree)
    pages = {one.resolve() for end in ("md", "rst") for one in tree.rglob(f"*.{end}")}
    lost = {one.relative_to(tree.resolve()).as_posix() for one in pages - seen}
    assert {one for one in lost if not one.startswith("source/")} == set()
    assert len(listed(tree / "index.md", tree)) == len(CHAPTERS)


def test_every_public_name_and_member_is_in_the_reference(tree: Path) -> None:
    text = "\n".join(page.read_text(encoding="utf-8") for page in (tree / "reference").glob("*.rst"))
    told = set(re.findall(r"^\.\. auto\w+:: ([\w.]+)$", text, re.MULTILINE))
    owners = [getattr(cd, name) for name in public_names()] + list(products())
    wanted = {full_name(name) for name in public_names()}
    wanted |= {f"{one.__module__}.{one.__qualname__}" for one in products()}
    wanted |= {
        f"{one.__module__}.{one.__qualname__}.{name}"
        for one in owners
        if isinstance(one, type)
        for name in members(one)
    }
    assert wanted - told == set()
    assert {"cardan.api.system.System.simulate", "cardan.equations.equations.Equations.mass_matrix"} <= told


def test_every_message_has_an_anchor(tree: Path) -> None:
    page = (tree / "reference" / "messages.md").read_text(encoding="utf-8")
    anchors = set(re.findall(r"^### (.+)$", page, re.MULTILINE))
    wanted = {*error_classes(), *(f"audit {name}" for name in LINES), *(f"event {kind}" for kind in KINDS)}
    assert wanted - anchors == set()


def test_every_command_is_told(tree: Path) -> None:
    page = (tree / "reference" / "commands.md").read_text(encoding="utf-8")
    for command in ("cardan simulate", "cardan gallery run", "cardan doctor"):
        assert f"## `{command}`" in page


def test_a_link_that_leads_nowhere_is_refused(tmp_path: Path) -> None:
    from tools.site.places import ROOT, Places

    with pytest.raises(FileNotFoundError, match="not-there"):
        Places(tmp_path).relinked("[a](not-there.md)", ROOT / "docs" / "x.md", "x.md")


def test_examples_are_about_names_that_exist_and_most_names_have_one() -> None:
    """The blocks themselves run with those of all pages (tests/examples)."""
    from tools.site.examples import BLOCK, written
    from tools.site.places import ROOT

    kinds = {name: getattr(cd, name) for name in public_names()} | {one.__name__: one for one in products()}
    named = [name.split(".") for name in written()]
    assert [".".join(one) for one in named if one[0] not in kinds] == []
    assert [".".join(one) for one in named if len(one) > 1 and one[1] not in members(kinds[one[0]])] == []
    pages = [page.read_text(encoding="utf-8") for page in (ROOT / "docs").rglob("*.md")]
    used = {name for page in pages for block in BLOCK.findall(page) for name in re.findall(r"\b\w+\.(\w+)", block)}
    missing = [name for name in public_names() if name not in written() and name not in used]
    assert len(missing) <= 0.1 * len(public_names()), f"public names that no executed block uses: {missing}"
    silent = [name for name in members(cd.System) if f"System.{name}" not in written() and name not in used]
    assert len(silent) <= 0.25 * len(members(cd.System)), f"methods of a system that no executed block uses: {silent}"
