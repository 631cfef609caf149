"""`jiyi threads`: conversations listed, read, taken back, branched off and deleted; also while another process talks."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from graph.settings import THREADS_FILE, settings
from tests.jiyi.command_line import Ran, jiyi, texts

ROOT = Path(__file__).resolve().parents[2]
SAID = {
    "zh": ("我住在杭州", "我对花生过敏", "我养了一只猫"),
    "en": ("I live in Leeds", "I'm allergic to peanuts", "I have a cat"),
}
LANGUAGES = pytest.mark.parametrize("language", SAID)


def told(*messages: str, thread: str = "monday", user: str = "ada") -> None:
    options = [part for message in messages for part in ("--message", message)]
    assert jiyi("chat", "--user", user, "--thread", thread, *options).status == 0


def threads(*arguments: str, user: str = "ada") -> Ran:
    return jiyi("threads", *arguments, "--user", user)


def turns(thread: str = "monday") -> list[tuple[int, str, bool]]:
    found: list[dict[str, Any]] = threads("show", thread, "--json").json["turns"]
    return [(one["turn"], one["user"], one["taken_back"]) for one in found]


def believed(user: str = "ada") -> set[str]:
    return {fact["key"] for fact in jiyi("facts", "--user", user, "--json").json["facts"]}


@LANGUAGES
def test_threads_are_listed_with_their_turns_and_first_words(language: str) -> None:
    told(*SAID[language][:2])
    told(SAID[language][2], thread="周 二")

    listed = threads("list", "--json").json
    assert listed["user"] == "ada"
    assert [(one["name"], one["turns"], one["first"]) for one in listed["threads"]] == [
        ("周 二", 1, SAID[language][2]),
        ("monday", 2, SAID[language][0]),
    ]
    assert {name for one in listed["threads"] for name in one} >= {"task", "summary", "begun_at", "last_at", "seconds"}
    assert all(0 <= one["seconds"] < 600 for one in listed["threads"])
    first, second = threads("list").out.splitlines()
    assert first.startswith("周 二  1 turn  20")
    assert second.endswith(f"“{SAID[language][0]}”")
    assert len(threads("list", "--limit", "1").out.splitlines()) == 1
    assert (threads("list", user="bob").out, threads("list", user="bob").err) == ("", "There is no thread.\n")
    assert threads("list", "--agent", "smith", "--json").json["threads"] == []


def test_where_nothing_was_ever_said_looking_leaves_no_trace() -> None:
    done = threads("list", "--json")
    assert (done.status, done.json["threads"]) == (0, [])
    assert threads("show", "monday").status == 1
    assert not settings().jiyi_home.exists()


@LANGUAGES
def test_a_conversation_is_shown_and_taken_back_and_brought_back(language: str) -> None:
    one, two, three = SAID[language]
    told(one, two, three)
    out = threads("show", "monday").out
    assert [line for line in out.splitlines() if line[0].isdigit()] == [
        line for line in out.splitlines() if line[:3] in ("1  ", "2  ", "3  ")
    ]
    assert f"   user: {two}\n   assistant: " in out

    done = threads("rewind", "monday", "--to", "1")
    assert done.status == 0
    first, second, third, *facts = done.out.splitlines()
    assert first == "monday is at the end of turn 1."
    assert second.startswith("Taken back: turns 2 to 3; `--to ")
    assert "stays (--memories forgets it): 4 things said" in third
    assert any("user.allergy" in line for line in facts)
    assert "user.allergy" in believed()
    assert turns() == [(1, one, False), (2, two, True), (3, three, True)]
    assert threads("show", "monday").out.count("[taken back, ") == 2

    back = second.partition("--to ")[2][:8]
    assert "Standing again: turns 2 to 3." in threads("rewind", "monday", "--to", back).out
    assert turns() == [(1, one, False), (2, two, False), (3, three, False)]
    assert "Nothing came after it" in threads("rewind", "monday", "--to", "3").out


@LANGUAGES
def test_with_memories_what_was_said_since_is_forgotten(language: str) -> None:
    one, two, three = SAID[language]
    told(one, two, three)
    done = threads("rewind", "monday", "--to", "1", "--memories", "--json").json
    assert done["memories"] == "forgotten"
    assert "user.allergy" in {fact["key"] for fact in done["remembered"]["facts"]}
    assert [turn["user"] for turn in done["taken_back"]] == [two, three]
    assert believed() == {"user.lives_in"}
    assert not {two, three} & set(texts("ada"))


@LANGUAGES
def test_a_branch_is_a_thread_of_its_own(language: str) -> None:
    one, two, three = SAID[language]
    told(one, two, three)
    done = threads("branch", "monday", "--at", "2", "--as", "另 一条")
    assert done.out.splitlines()[0] == "另 一条 begins at the end of turn 2 of monday, which stays as it is."
    assert "--thread '另 一条'" in done.out
    told("hm", thread="另 一条")
    assert turns("另 一条") == [(1, one, False), (2, two, False), (3, "hm", False)]
    assert turns() == [(1, one, False), (2, two, False), (3, three, False)]
    again = threads("branch", "monday", "--at", "2", "--as", "另 一条")
    assert (again.status, again.out) == (1, "")
    assert "there is one already" in again.err


@LANGUAGES
@pytest.mark.parametrize("memories", [False, True], ids=["kept", "forgotten"])
def test_a_deleted_thread_leaves_nothing_in_the_file_of_threads(language: str, memories: bool) -> None:
    told(*SAID[language])
    done = threads("delete", "monday", *(["--memories"] if memories else []))
    assert done.out.splitlines()[0] == "monday is deleted: 3 turns and all its checkpoints."
    assert ("Forgotten with it: " in done.out) is memories
    assert ("of it stays (--memories forgets it): " in done.out) is not memories
    assert bool(believed()) is not memories
    home = settings().jiyi_home
    kept = b"".join(file.read_bytes() for file in home.glob(f"{THREADS_FILE}*"))
    assert not any(text.encode() in kept for text in (*SAID[language], "monday"))
    assert threads("show", "monday").status == 1


@LANGUAGES
def test_what_was_forgotten_with_a_thread_is_neither_counted_nor_exported(language: str) -> None:
    told(*SAID[language])
    threads("delete", "monday", "--memories")
    assert jiyi("profile", "--user", "ada").out == "新用户，暂无历史 / A new user: nothing is remembered yet.\n"
    assert jiyi("stats", "--user", "ada", "--json").json["kept"]["episodes"] == 0
    assert jiyi("export", "--user", "ada").json["episodes"] == []


def test_what_cannot_be_done_is_said_in_a_line_with_what_can() -> None:
    told("hello", "hello again")
    for arguments, said in (
        (("show", "tuesday"), "There is no thread 'tuesday' of 'ada'"),
        (("rewind", "monday", "--to", "7"), "It can go back to the end of turn 1 to 2."),
        (("rewind", "monday", "--to", "zz"), "no turn has this id"),
        (("branch", "monday", "--at", "1", "--as", " "), "give it a name"),
        (("delete", "tuesday", "--memories"), "There is no thread"),
    ):
        done = threads(*arguments)
        assert (done.status, done.out) == (1, "")
        assert said in done.err
        assert len(done.err.splitlines()) == 1
    assert jiyi("threads", "show", "monday").status == 2
    assert jiyi("threads", "list", "--user", " ").status == 2
    assert jiyi("threads", "list", "--user", "ada", "--agent", " ").status == 2
    assert jiyi("threads", "list", "--user", "ada", "--limit", "0").status == 2


def test_another_user_does_not_even_learn_that_a_thread_is_there() -> None:
    told("我住在杭州")
    (thread,) = threads("list", "--json").json["threads"]
    for arguments in (
        ("show",),
        ("rewind", "--to", "1"),
        ("branch", "--at", "1", "--as", "x"),
        ("delete", "--memories"),
    ):
        command, *options = arguments
        done = threads(command, thread["id"], *options, user="bob")
        assert (done.status, done.out) == (1, "")
        assert done.err.replace(thread["id"], "?") == threads(command, "no-such", *options, user="bob").err.replace(
            "no-such", "?"
        )
    assert turns() == [(1, "我住在杭州", False)]


@contextmanager
def talking(text: str) -> Iterator[subprocess.Popen[str]]:
    """Run a process in which a message is being answered."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}  # noqa: TID251
    script = Path(__file__).with_name("threads") / "talking.py"
    process = subprocess.Popen(
        [sys.executable, str(script), str(settings().jiyi_home), text],
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == "asked\n"
        yield process
    finally:
        process.kill()
        process.communicate()


@LANGUAGES
def test_while_another_process_answers_a_thread_is_left_alone_and_afterwards_not(language: str) -> None:
    one, two, three = SAID[language]
    told(one, two)
    with talking(three) as process:
        for arguments in (("rewind", "monday", "--to", "1"), ("delete", "monday")):
            done = threads(*arguments)
            assert (done.status, done.out) == (1, "")
            assert "being answered just now" in done.err
        assert turns() == [(1, one, False), (2, two, False)]
        threads("branch", "monday", "--at", "1", "--as", "aside")
        output, errors = process.communicate("go on\n", timeout=60)
        assert (process.returncode, output) == (0, "answered\n"), errors[-2000:]
    assert turns() == [(1, one, False), (2, two, False), (3, three, False)]
    assert turns("aside") == [(1, one, False)]
    assert threads("rewind", "monday", "--to", "1").status == 0
    assert turns() == [(1, one, False), (2, two, True), (3, three, True)]


def test_a_process_that_was_killed_while_it_answered_holds_nothing_up() -> None:
    told("我住在杭州", "我养了一只猫")
    with talking("我对花生过敏") as process:
        process.kill()
        process.wait(timeout=30)
        done = threads("rewind", "monday", "--to", "1")
    assert (done.status, done.err) == (0, "")
    assert turns() == [(1, "我住在杭州", False), (2, "我养了一只猫", True)]
