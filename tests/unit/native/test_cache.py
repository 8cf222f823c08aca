"""The object cache executes nothing that somebody else could have written."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from cardan.native import cache, compile_ir
from cardan.native.cache import ObjectCache

TEXT = "define i64 @answer() nounwind { ret i64 42 }"
posix = pytest.mark.skipif(sys.platform == "win32", reason="modes and owners are a matter of POSIX systems")


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ObjectCache:
    monkeypatch.setenv("CARDAN_CACHE_DIR", str(tmp_path / "cache"))
    found = cache.user_cache()
    assert found is not None
    return found


def test_what_is_saved_is_loaded(store: ObjectCache) -> None:
    store.save("key", b"code")
    assert store.load("key") == b"code"
    assert store.load("other key") is None


def test_every_flipped_bit_is_detected(store: ObjectCache) -> None:
    store.save("key", b"machine code")
    path = store.path("key")
    good = path.read_bytes()
    for position in range(len(good)):
        bad = bytearray(good)
        bad[position] ^= 1 << (position % 8)
        path.write_bytes(bytes(bad))
        assert store.load("key") is None, f"byte {position}"
    path.write_bytes(good)
    assert store.load("key") == b"machine code"


def test_a_truncated_or_renamed_file_is_not_trusted(store: ObjectCache) -> None:
    store.save("key", b"machine code")
    content = store.path("key").read_bytes()
    store.path("other").write_bytes(content)  # right content, wrong key
    assert store.load("other") is None
    for length in range(len(content)):
        store.path("key").write_bytes(content[:length])
        assert store.load("key") is None


def test_a_corrupted_file_is_compiled_again_and_replaced(store: ObjectCache) -> None:
    assert not compile_ir(TEXT, ["answer"], level=1).from_cache
    (path,) = store.directory.iterdir()
    good = path.read_bytes()
    path.write_bytes(good[:-1] + bytes([good[-1] ^ 1]))
    assert not compile_ir(TEXT, ["answer"], level=1).from_cache
    assert path.read_bytes() == good
    assert compile_ir(TEXT, ["answer"], level=1).from_cache


@posix
def test_the_directory_is_made_for_the_user_alone(store: ObjectCache) -> None:
    assert store.directory.stat().st_mode & 0o777 == 0o700
    store.save("key", b"code")
    assert store.path("key").stat().st_mode & 0o077 == 0


@posix
@pytest.mark.parametrize("mode", [0o770, 0o707, 0o755])
def test_a_directory_open_to_others_is_refused_with_one_warning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mode: int
) -> None:
    directory = tmp_path / "open"
    directory.mkdir()
    directory.chmod(mode)
    monkeypatch.setenv("CARDAN_CACHE_DIR", str(directory))
    with pytest.warns(RuntimeWarning, match=f"mode is {mode:o}"):
        compile_ir(TEXT, ["answer"], level=1)
    assert not compile_ir(TEXT, ["answer"], level=1).from_cache  # a second warning would be an error here
    assert list(directory.iterdir()) == []


@posix
def test_a_directory_of_another_user_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    directory = tmp_path / "foreign"
    directory.mkdir(mode=0o700)
    monkeypatch.setenv("CARDAN_CACHE_DIR", str(directory))
    user = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: user + 1)
    with pytest.warns(RuntimeWarning, match=f"belongs to user {user}"):
        assert cache.user_cache() is None


@posix
def test_symbolic_links_are_not_followed(tmp_path: Path, store: ObjectCache, monkeypatch: pytest.MonkeyPatch) -> None:
    store.save("key", b"code")
    store.path("linked").symlink_to(store.path("key"))
    assert store.load("linked") is None
    (tmp_path / "link").symlink_to(store.directory)
    monkeypatch.setenv("CARDAN_CACHE_DIR", str(tmp_path / "link"))
    with pytest.warns(RuntimeWarning, match="symbolic link"):
        assert cache.user_cache() is None


@posix
def test_a_file_that_others_could_write_is_not_trusted(store: ObjectCache) -> None:
    store.save("key", b"code")
    store.path("key").chmod(0o620)
    assert store.load("key") is None


def test_the_oldest_files_go_when_the_limit_is_passed(store: ObjectCache) -> None:
    small = ObjectCache(store.directory, limit_bytes=2000)
    for age, key in enumerate(("newest", "middle", "oldest")):
        small.save(key, bytes(500))
        os.utime(small.path(key), (1e9 - age, 1e9 - age))
    small.save("last", bytes(500))
    assert [small.load(key) is not None for key in ("oldest", "middle", "newest", "last")] == [False, False, True, True]


def test_reading_renews_a_file(store: ObjectCache) -> None:
    store.save("key", b"code")
    os.utime(store.path("key"), (1e9, 1e9))
    store.load("key")
    assert store.path("key").stat().st_mtime > 1.5e9


@pytest.mark.parametrize("value", ["0", "off"])
def test_the_cache_can_be_switched_off(store: ObjectCache, monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("CARDAN_CACHE", value)
    assert cache.user_cache() is None
    compile_ir(TEXT, ["answer"], level=1)
    assert list(store.directory.iterdir()) == []


def test_a_directory_that_cannot_be_made_means_no_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("CARDAN_CACHE_DIR", str(tmp_path / "file" / "cache"))
    with pytest.warns(RuntimeWarning, match="cannot be used"):
        assert cache.user_cache() is None
