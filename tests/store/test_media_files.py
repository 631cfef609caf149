"""The files of media: each thread's own, whole, private, and gone with it."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from store.media_files import MediaFiles

DATA = b"\x00\x01 a picture"
SHA = hashlib.sha256(DATA).hexdigest()
THREADS = ("0b3e7f0a-1111-5222-8333-444455556666", "会话/../../etc", "a" * 300)


@pytest.mark.parametrize("thread", THREADS)
def test_what_is_kept_is_given_back_whatever_the_thread_is_called(tmp_path: Path, thread: str) -> None:
    files = MediaFiles(tmp_path / "media")
    assert files.keep(thread, DATA) == files.keep(thread, DATA) == SHA
    assert files.read(thread, SHA) == DATA
    (path,) = [one for one in tmp_path.rglob("*") if one.is_file()]
    assert path.parent.parent == tmp_path / "media"
    assert [one.stat().st_mode & 0o777 for one in (path, path.parent)] == [0o600, 0o700]


def test_no_thread_reads_what_another_keeps(tmp_path: Path) -> None:
    files = MediaFiles(tmp_path)
    files.keep(THREADS[0], DATA)
    assert files.read(THREADS[1], SHA) is None
    assert files.read(THREADS[0], f"../{THREADS[0]}/{SHA}") is None


def test_threads_whose_names_differ_by_a_capital_alone_are_two(tmp_path: Path) -> None:
    files = MediaFiles(tmp_path)
    files.keep("T", DATA)
    files.keep("t", DATA)
    assert len({one.parent.name.lower() for one in tmp_path.rglob(SHA)}) == 2


def test_what_was_damaged_is_not_given_back(tmp_path: Path) -> None:
    files = MediaFiles(tmp_path)
    files.keep("t", DATA)
    (path,) = tmp_path.rglob(SHA)
    path.write_bytes(b"something else")
    assert files.read("t", SHA) is None


def test_a_copy_of_a_thread_keeps_its_own_bytes(tmp_path: Path) -> None:
    files = MediaFiles(tmp_path)
    files.keep("t", DATA)
    files.copy_thread("t", "copy")
    files.copy_thread("nothing", "else")
    files.drop_thread("t")
    files.drop_thread("t")
    assert (files.read("t", SHA), files.read("copy", SHA)) == (None, DATA)


def test_what_is_dropped_is_gone_and_nothing_else(tmp_path: Path) -> None:
    files = MediaFiles(tmp_path / "media")
    files.keep("t", DATA)
    files.drop("t", ["../t", SHA, SHA])
    files.drop("t", [SHA])
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []
