"""What a release is made of agrees with itself: versions, dependencies, workflows."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml
from benchmarks.paper import with_figures
from tools.floors import TESTS, floors
from tools.index_page import addresses, for_the_index

import cardan

ROOT = Path(__file__).parents[2]
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
OTHER_NAMES = {"matplotlib": "matplotlib-base"}  # of packages in conda


def test_one_version_everywhere() -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    recipe = (ROOT / "conda" / "meta.yaml").read_text(encoding="utf-8")
    found = re.search(r'set version = "(.+?)"', recipe)
    assert found is not None
    assert {cardan.__version__, PROJECT["version"], str(citation["version"]), found[1]} == {PROJECT["version"]}


def test_the_conda_recipe_has_every_dependency_with_its_floor() -> None:
    recipe = (ROOT / "conda" / "meta.yaml").read_text(encoding="utf-8")
    for one in PROJECT["dependencies"]:
        name, _, floor = one.partition(">=")
        assert f"- {OTHER_NAMES.get(name, name.lower())} >={floor}" in recipe, one


def test_every_dependency_has_its_line_in_the_decision() -> None:
    page = (ROOT / "docs" / "decisions" / "0002-dependencies.md").read_text(encoding="utf-8")
    names = [re.split(r"[\[><=]", one)[0] for one in PROJECT["dependencies"]]
    assert [name for name in names if name not in page] == []


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_a_workflow_says_when_where_and_what(path: Path) -> None:
    content = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert content["name"] == path.stem
    assert content[True], "`on` is read as true by YAML 1.1"
    assert content["permissions"]["contents"] == "read", "no more rights than needed"
    for job in content["jobs"].values():
        assert job["runs-on"]
        assert all(("uses" in step) != ("run" in step) for step in job["steps"])
    targets = set(re.findall(r"make ([\w-]+)", path.read_text(encoding="utf-8")))
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert [one for one in targets if not re.search(rf"^{one}:", makefile, re.MULTILINE)] == []


def test_the_paper_cites_what_it_lists() -> None:
    text = (ROOT / "paper" / "paper.md").read_text(encoding="utf-8")
    keys = set(re.findall(r"^@\w+\{(\w+),", (ROOT / "paper" / "paper.bib").read_text(encoding="utf-8"), re.MULTILINE))
    assert set(re.findall(r"@(\w+)", text.partition("---\n\n")[2])) == keys


def test_numbers_of_the_paper_are_those_of_the_benchmarks() -> None:
    results = (ROOT / "benchmarks" / "results.md").read_text(encoding="utf-8")
    text = (ROOT / "paper" / "paper.md").read_text(encoding="utf-8")
    assert with_figures(text, results) == text, "python -m benchmarks writes them"
    assert with_figures(text.replace("DOP853: ", "DOP853: 9"), results) == text


HOME = "https://forge.example/someone/cardan"


def test_the_page_for_the_index_has_absolute_links_badges_and_the_command_that_installs_by_name() -> None:
    text = for_the_index((ROOT / "README.md").read_text(encoding="utf-8"), HOME, "9.9.9")
    links = re.findall(r"\]\(([^)\s]+)\)", text)
    assert [one for one in links if not one.startswith("https://")] == []
    assert f"{HOME}/raw/v9.9.9/docs/images/suspension.gif" in links
    inside = [one.removeprefix(f"{HOME}/blob/v9.9.9/") for one in links if one.startswith(f"{HOME}/blob/v9.9.9/")]
    assert [one for one in inside if not (ROOT / one.partition("#")[0]).exists()] == []
    assert len(inside) > 20
    assert "\npip install cardan\n" in text
    assert addresses(HOME)["Issues"] == f"{HOME}/issues"


def test_without_a_home_nothing_points_anywhere() -> None:
    text = for_the_index((ROOT / "README.md").read_text(encoding="utf-8"), "", "9.9.9")
    assert re.findall(r"\]\((?!https://)([^)\s]+)\)", text) == []
    assert "The tutorial goes through it line by line" in text
    assert addresses("") == {}


def test_the_first_success_of_the_readme_fits_on_one_screen() -> None:
    before, _, _ = (ROOT / "README.md").read_text(encoding="utf-8").partition("That is a double pendulum")
    assert len(before.splitlines()) <= 40


def test_the_changelog_has_the_version_with_a_date() -> None:
    page = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    dated = re.search(r"^## (\d+\.\d+\.\d+) - (\d{4}-\d{2}-\d{2})$", page, re.MULTILINE)
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert dated is not None
    assert dated.groups() == (PROJECT["version"], str(citation["date-released"]))


def test_the_lock_has_every_package_of_development_with_hashes_and_names_no_host() -> None:
    text = (ROOT / "requirements" / "development.txt").read_text(encoding="utf-8")
    locked = re.findall(r"^([\w.-]+)==\S+(?: ;.*?)? \\\n    --hash=sha256:[0-9a-f]{64}", text, re.MULTILINE)
    extras = PROJECT["optional-dependencies"]
    wanted = [*PROJECT["dependencies"], *extras["dev"], *extras["docs"]]
    names = {re.split(r"[\[><=]", one)[0].lower().replace("_", "-") for one in wanted}
    assert names - set(locked) == set()
    assert len(re.findall(r"^\S+==", text, re.MULTILINE)) == len(locked), "every pin has a hash"
    assert "://" not in text


def test_every_dependency_is_tried_at_its_floor() -> None:
    assert set(floors()) == {one.split(">=")[0] for one in PROJECT["dependencies"]}
    assert all((ROOT / one).exists() for one in TESTS)
