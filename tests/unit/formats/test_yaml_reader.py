"""YAML as plain data: what is read, on which lines, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from cardan.errors import FileError
from cardan.formats.yaml_reader import MOST_BYTES, parse_yaml, read_yaml

TEXT = """\
# a comment
a: 1
on: no
b: [1.5, 1e3, x + 1, "7", ~]
c:
  d: |
    two
    lines
  e: true
"""


@pytest.fixture(params=["C", "Python"], autouse=True)
def parser(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both parsers of PyYAML: the one in C is missing where it was not built."""
    if request.param == "Python":
        monkeypatch.delattr(yaml, "CSafeLoader", raising=False)


def test_data_follow_the_core_of_yaml_1_2() -> None:
    document = parse_yaml(TEXT, "f.yaml")
    assert document.data == {
        "a": 1,
        "on": "no",
        "b": [1.5, 1000.0, "x + 1", "7", None],
        "c": {"d": "two\nlines\n", "e": True},
    }


def test_every_place_knows_its_line() -> None:
    document = parse_yaml(TEXT, "f.yaml")
    assert document.line(("a",)) == 2
    assert document.line(("b", 2)) == 4
    assert document.line(("c", "e")) == 9
    assert document.line(("c", "e", "further", "inside")) == 9
    error = document.error("is wrong.", ("b", 0))
    assert (str(error), error.file, error.line, error.field) == ("f.yaml:4: b[1]: is wrong.", "f.yaml", 4, "b[1]")


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("a: &x 1\nb: *x", 1, "aliases and anchors"),
        ("a: 1\nb: *x", 2, "aliases|undefined"),
        ("a: !!python/name:os.system", 1, "tag"),
        ("a: !x 1", 1, "tag"),
        ("a: 1\nb: 2\na: 3", 3, "already, on line 1"),
        ("a: 1e999", 1, "too large"),
        ("? [a]\n: 1", 1, "plain name"),
        ("a: 1\n--- \nb: 2", 2, "second document"),
        ("%TAG ! tag:x,2000:\n--- a", 1, "TAG"),
        ("a: [1", 1, "not YAML"),
        ("a:\n\tb: 1", 2, "not YAML"),
        ("", 1, "empty"),
        ("[" * 50_000, 1, "nested"),
        ("- " * 50_000, 1, "nested"),
        ("a: '" + "x" * MOST_BYTES + "'", 1, "larger than"),
        ("k" * 100 + ": 1", 1, "1 to 64 characters"),
        ("a: \x00", 1, "not YAML"),
    ],
)
def test_refused(text: str, line: int, words: str) -> None:
    with pytest.raises(FileError, match=words) as caught:
        parse_yaml(text, "f.yaml")
    assert caught.value.file == "f.yaml"
    assert abs(caught.value.line - line) <= 1  # the two parsers differ by one at the end of a text


def test_text_in_another_encoding_is_refused() -> None:
    with pytest.raises(FileError, match="UTF-8") as caught:
        parse_yaml(b"a: 1\nb: \xff\xfe", "f.yaml")
    assert caught.value.line == 2


def test_a_missing_file_and_a_folder_are_file_errors(tmp_path: Path) -> None:
    for path in (tmp_path / "none.yaml", tmp_path):
        with pytest.raises(FileError, match="is no file"):
            read_yaml(path)
