"""`jiyi ingest`: formats, ids, repetition, interruption, and files that cannot be understood."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.jiyi.command_line import corpus, episodes, jiyi, texts, turn, written

ROOT = Path(__file__).resolve().parents[2]
ODD_USERS = ("a.b@c.com", "张三", "u%", "../x", "0", "u")


def started(*args: str | Path) -> subprocess.Popen[str]:
    environment = {**os.environ, "EMBEDDINGS": "none", "PYTHONPATH": str(ROOT)}  # noqa: TID251 - for a child
    command = [sys.executable, "-m", "jiyi.cli.main", *map(str, args)]
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def test_turns_are_kept_with_their_ids_places_and_times(tmp_path: Path) -> None:
    first = turn("t1", "我对花生过敏", session="s1", at="2026-05-01T08:00:00", speaker="")
    second = turn("t2", "记下了", session="s1", speaker="assistant")
    file = written(tmp_path / "a.jsonl", corpus("c1", first, second, turn("t3", "Hello again, it rained today")))

    done = jiyi("ingest", file, "--user", "u", env={"JIYI_TIMEZONE": "Asia/Shanghai"})

    assert (done.status, done.out) == (0, "ingested 3 turns (0 already there) for user u, 1 facts\n")
    kept = {one["id"]: one for one in episodes("u")}
    assert [kept[name]["thread_id"] for name in ("t1", "t2", "t3")] == ["c1/s1", "c1/s1", "c1"]
    assert [kept[name]["speaker"] for name in ("t1", "t2", "t3")] == ["user", "assistant", "user"]
    assert [kept[name]["position"] for name in ("t1", "t2", "t3")] == [0, 1, 2]
    assert kept["t1"]["said_at"] == "2026-05-01T00:00:00.000000Z"
    assert kept["t2"]["said_at"] is None
    assert kept["t1"]["turn_id"] == kept["t2"]["turn_id"] != kept["t3"]["turn_id"]


def test_a_second_run_writes_nothing_and_says_so(tmp_path: Path) -> None:
    turns = [turn(f"t{number}", f"我喜欢第{number}种茶") for number in range(5)]
    file = written(tmp_path / "a.jsonl", corpus("c1", *turns))
    jiyi("ingest", file, "--user", "u")
    before = jiyi("export", "--user", "u").out

    again = jiyi("ingest", file, "--user", "u")

    assert again.out == "ingested 0 turns (5 already there) for user u, 0 facts\n"
    assert jiyi("export", "--user", "u").out == before


def test_a_corpus_that_has_grown_adds_only_what_is_new(tmp_path: Path) -> None:
    turns = [turn(f"t{number}", f"message number {number}") for number in range(4)]
    jiyi("ingest", written(tmp_path / "a.jsonl", corpus("c1", *turns[:2])), "--user", "u")

    grown = jiyi("ingest", written(tmp_path / "a.jsonl", corpus("c1", *turns)), "--user", "u", "--json")

    assert grown.json == {"files": 1, "turns": 4, "new": 2, "known": 2, "skipped": 0, "facts": 0, "refused": {}}
    assert [one["id"] for one in episodes("u")] == ["t0", "t1", "t2", "t3"]


def test_corpora_that_use_the_same_ids_do_not_overwrite_each_other(tmp_path: Path) -> None:
    one, other = corpus("c1", turn("m0", "tea is good")), corpus("c2", turn("m0", "coffee is bitter"))
    both = written(tmp_path / "both.jsonl", one, other)
    other_first = written(tmp_path / "other.jsonl", other, one)

    jiyi("ingest", both, "--user", "u")
    jiyi("ingest", other_first, "--user", "u")
    jiyi("ingest", other_first, "--user", "v")

    assert {each["id"]: each["text"] for each in episodes("u")} == {"m0": "tea is good", "c2:m0": "coffee is bitter"}
    assert {each["id"]: each["text"] for each in episodes("v")} == {"m0": "coffee is bitter", "c1:m0": "tea is good"}


def test_one_corpus_of_a_file_can_be_chosen(tmp_path: Path) -> None:
    file = written(tmp_path / "a.jsonl", corpus("c1", turn("a", "tea here")), corpus("c2", turn("b", "coffee there")))

    done = jiyi("ingest", file, "--user", "u", "--corpus", "c2")
    unknown = jiyi("ingest", file, "--user", "u", "--corpus", "c3")

    assert (done.status, texts("u")) == (0, ["coffee there"])
    assert unknown.status == 1
    assert "'c1', 'c2'" in unknown.err


def test_as_says_who_the_user_is(tmp_path: Path) -> None:
    turns = (
        turn("1", "我叫小王", speaker="甲"),
        turn("2", "我叫小李", speaker="乙"),
        turn("3", "好的呀", speaker="甲"),
    )
    file = written(tmp_path / "a.jsonl", corpus("c", *turns))

    jiyi("ingest", file, "--user", "u", "--as", "乙")
    jiyi("ingest", file, "--user", "nobody")
    unknown = jiyi("ingest", file, "--user", "u", "--as", "丙")

    assert [one["speaker"] for one in episodes("u")] == ["甲", "user", "甲"]
    facts = jiyi("facts", "--user", "u", "--json").json["facts"]
    assert [(fact["key"], fact["value"]) for fact in facts] == [("user.name", "小李")]
    assert [one["speaker"] for one in episodes("nobody")] == ["甲", "乙", "甲"]
    assert jiyi("facts", "--user", "nobody", "--json").json["facts"] == []
    assert unknown.status == 1
    assert "'甲', '乙'" in unknown.err


def test_private_numbers_are_replaced_before_anything_is_kept(tmp_path: Path) -> None:
    file = written(tmp_path / "a.jsonl", corpus("c", turn("1", "我的手机是13812345678，我叫小王")))

    jiyi("ingest", file, "--user", "u")

    [kept] = texts("u")
    assert re.fullmatch(r"我的手机是\[phone:\w{8}\]，我叫小王", kept)
    assert "13812345678" not in jiyi("export", "--user", "u").out


def test_texts_that_are_empty_are_skipped_and_counted(tmp_path: Path) -> None:
    file = written(tmp_path / "a.jsonl", corpus("c", turn("1", ""), turn("2", "  \n"), turn("3", "words of mine")))

    done = jiyi("ingest", file, "--user", "u", "--json")

    assert (done.json["turns"], done.json["new"], done.json["skipped"]) == (1, 1, 2)
    assert episodes("u")[0]["position"] == 2


MESSAGES = [
    {"role": "system", "content": "You are a helper."},
    {"role": "user", "content": "我对花生过敏"},
    {"role": "assistant", "content": None, "tool_calls": []},
    {"role": "tool", "content": "raw output", "tool_call_id": "1"},
    {"role": "assistant", "content": [{"type": "text", "text": "记下了"}, {"type": "image_url", "image_url": {}}]},
    {"role": "user", "content": "谢谢"},
]


@pytest.mark.parametrize(
    "text",
    [
        json.dumps(MESSAGES),
        json.dumps(MESSAGES, indent=2),
        json.dumps({"thread_id": "t-1", "messages": MESSAGES}),
        json.dumps({"messages": MESSAGES}, indent=1) + "\n",
        "".join(json.dumps(message) + "\n" for message in MESSAGES),
        json.dumps(MESSAGES) + "\n" + json.dumps([{"role": "assistant", "content": ""}]) + "\n",
        "\ufeff" + json.dumps({"messages": MESSAGES}) + "\r\n",
    ],
)
def test_openai_messages_are_kept_in_each_of_their_forms(tmp_path: Path, text: str) -> None:
    file = tmp_path / "chat.json"
    file.write_text(text, encoding="utf-8")

    done = jiyi("ingest", file, "--user", "u")
    again = jiyi("ingest", file, "--user", "u")

    assert done.out == "ingested 3 turns (0 already there) for user u, 1 facts\n"
    assert again.out == "ingested 0 turns (3 already there) for user u, 0 facts\n"
    kept = episodes("u")
    assert [(one["speaker"], one["text"]) for one in kept] == [
        ("user", "我对花生过敏"),
        ("assistant", "记下了"),
        ("user", "谢谢"),
    ]
    assert kept[0]["turn_id"] == kept[1]["turn_id"] != kept[2]["turn_id"]


def test_a_thread_is_named_by_its_file_or_else_by_its_content(tmp_path: Path) -> None:
    named = written(tmp_path / "named.jsonl", {"conversation_id": 7, "messages": MESSAGES})
    bare = written(tmp_path / "bare.json", MESSAGES)
    renamed = written(tmp_path / "renamed.json", MESSAGES)

    jiyi("ingest", named, "--user", "u")
    jiyi("ingest", bare, "--user", "u")
    third = jiyi("ingest", renamed, "--user", "u", "--json")

    threads = {one["thread_id"] for one in episodes("u")}
    assert "7" in threads
    assert len(threads) == 2
    assert third.json["new"] == 0


def chatgpt_node(parent: str | None, role: str, text: str, **message: object) -> dict[str, object]:
    content = {"content_type": "text", "parts": [text]}
    told = {"author": {"role": role}, "content": content, "create_time": 1777593600.5, **message}
    return {"parent": parent, "message": told, "children": []}


def chatgpt_export() -> list[dict[str, object]]:
    nodes = {
        "root": {"parent": None, "message": None, "children": ["s"]},
        "s": chatgpt_node("root", "system", "", metadata={"is_visually_hidden_from_conversation": True}),
        "q": chatgpt_node("s", "user", "我叫小王"),
        "old": chatgpt_node("q", "assistant", "an answer that was given up"),
        "call": chatgpt_node("q", "assistant", "search('x')", recipient="browser"),
        "new": chatgpt_node("call", "assistant", "你好，小王"),
    }
    return [{"id": "conv", "title": "t", "current_node": "new", "mapping": nodes}]


def test_of_chatgpts_export_the_current_branch_is_kept(tmp_path: Path) -> None:
    file = written(tmp_path / "conversations.json", chatgpt_export())

    done = jiyi("ingest", file, "--user", "u")

    assert done.out == "ingested 2 turns (0 already there) for user u, 1 facts\n"
    kept = episodes("u")
    assert [(one["thread_id"], one["speaker"], one["text"]) for one in kept] == [
        ("conv", "user", "我叫小王"),
        ("conv", "assistant", "你好，小王"),
    ]
    assert kept[0]["said_at"] == "2026-05-01T00:00:00.500000Z"


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ('{"id": "c", "turns": [{"id": "a", "text": "fine"}]}\n{"id": "d", "turns": [}\n', ["line 2", "no JSON"]),
        ('{"id": "c", "turns": [{"id": "a", "text": "fine"}]}\n{"id": "d", "turns": [{"id": 1}]}\n', ["line 2", "turn 1", "'text'"]),
        ('{"id": "c", "turns": [{"text": "no id"}]}', ["turn 1", "'id'"]),
        ('{"id": "c", "turns": [{"id": "a", "text": "x", "at": "yesterday"}]}', ["'at'", "yesterday"]),
        ('{"id": "c", "turns": [{"id": "a", "text": "x"}, {"id": "a", "text": "y"}]}', ["'a'", "more than one"]),
        ('{"id": "c", "turns": "none"}', ["no list"]),
        ('{"id": "c", "turns": []}\n{"messages": []}\n', ["line 2", "something else"]),
        ('{"id": "c", "turns": [{"id": "a", "text": "x"}]}\n{"id": "c", "turns": [{"id": "a", "text": "y"}]}\n', ["'c'"]),
        ('[{"role": "user", "content": "hi"}, {"role": "wizard", "content": "boo"}]', ["message 2", "wizard"]),
        ('{"role": "user", "content": "hi"}\n{"content": "boo"}\n', ["line 2", "None"]),
        ('[{"role": "user", "content": 5}]', ["message 1", "neither a text nor"]),
        ('[{"id": "x", "mapping": {}, "current_node": "gone"}]', ["item 1", "gone"]),
        ('[{"id": "x", "mapping": {"a": {"parent": "a"}}, "current_node": "a"}]', ["item 1", "'a'"]),
        ("just some words", ["line 1", "no JSON"]),
        ('{\n"a": 1,\n"b": }', ["line 3", "no JSON"]),
        ('{"something": "else"}', ["no known format", "Expected"]),
        ("[]", ["no known format"]),
        ("  \n", ["empty"]),
    ],
)  # fmt: skip
def test_a_bad_file_is_refused_whole_with_the_place_of_the_fault(
    tmp_path: Path, lines: str, expected: list[str]
) -> None:
    bad = tmp_path / "bad.jsonl"
    bad.write_text(lines, encoding="utf-8")
    good = written(tmp_path / "good.jsonl", corpus("good", turn("g", "good words")))

    done = jiyi("ingest", good, bad, "--user", "u")

    assert (done.status, done.out) == (1, "")
    assert all(part in done.err for part in ["bad.jsonl", *expected]), done.err
    assert done.err.count("\n") == 1
    assert not (tmp_path / "jiyi-home").exists()


def test_bytes_that_are_no_text_and_files_that_are_not_there_are_told(tmp_path: Path) -> None:
    binary = tmp_path / "binary.json"
    binary.write_bytes(b'{"a":\n"\xff\xfe"}')

    assert "line 2" in jiyi("ingest", binary, "--user", "u").err
    missing = jiyi("ingest", tmp_path / "missing.json", "--user", "u")
    assert (missing.status, "missing.json" in missing.err) == (1, True)
    assert jiyi("ingest", tmp_path, "--user", "u").status == 1


def test_wrong_usage_has_its_own_status(tmp_path: Path) -> None:
    file = written(tmp_path / "a.jsonl", corpus("c", turn("1", "words of mine")))

    assert jiyi("ingest", file).status == 2
    assert jiyi("ingest", "--user", "u").status == 2
    assert jiyi("ingest", file, "--user", " ").status == 2
    knowledge = jiyi("ingest", "--knowledge", "manual", file, "--user", "u")
    assert (knowledge.status, "cannot be ingested yet" in knowledge.err) == (2, True)


def test_users_of_any_name_never_see_each_other(tmp_path: Path) -> None:
    for number, user in enumerate(ODD_USERS):
        file = written(tmp_path / f"{number}.jsonl", corpus("c", turn("m", f"密语{number}号 secret word {number}")))
        assert jiyi("ingest", file, "--user", user).status == 0

    for number, user in enumerate(ODD_USERS):
        assert texts(user) == [f"密语{number}号 secret word {number}"]
        found = jiyi("recall", "secret word 密语", "--user", user, "--limit", "50", "--json").json["memories"]
        assert [one["text"] for one in found] == [f"密语{number}号 secret word {number}"]
        assert jiyi("stats", "--user", user, "--json").json["kept"]["episodes"] == 1


def test_agents_of_one_user_keep_apart(tmp_path: Path) -> None:
    file = written(tmp_path / "a.jsonl", corpus("c", turn("m", "the blue lamp is broken")))

    jiyi("ingest", file, "--user", "u", "--agent", "shop")

    assert jiyi("recall", "blue lamp", "--user", "u", "--json").json["memories"] == []
    assert len(jiyi("recall", "blue lamp", "--user", "u", "--agent", "shop", "--json").json["memories"]) == 1
    assert [one["agent"] for one in episodes("u")] == ["shop"]


def test_progress_goes_to_standard_error_in_few_lines(tmp_path: Path) -> None:
    turns = [turn(f"t{number}", f"message number {number}") for number in range(100)]

    done = jiyi("ingest", written(tmp_path / "a.jsonl", corpus("c", *turns)), "--user", "u")

    shown = done.err.splitlines()
    assert shown[-1] == "ingesting: 100/100 turns"
    assert len(shown) <= 11
    assert done.out.count("\n") == 1
    assert "\x1b" not in done.out + done.err


@pytest.mark.slow
def test_after_kill_9_a_repetition_has_every_turn_exactly_once(tmp_path: Path) -> None:
    total = 600
    turns = [
        turn(f"t{number}", f"on day {number} I counted {number} birds", session=f"s{number // 50}")
        for number in range(total)
    ]
    file = written(tmp_path / "big.jsonl", corpus("big", *turns))
    process = started("ingest", file, "--user", "u")
    assert process.stderr is not None
    assert process.stderr.readline().startswith("ingesting: ")
    process.send_signal(signal.SIGKILL)
    process.communicate()
    kept = len(episodes("u"))

    again = started("ingest", file, "--user", "u", "--json")
    out, _ = again.communicate()

    assert 0 < kept < total
    assert (json.loads(out)["new"], json.loads(out)["known"]) == (total - kept, kept)
    assert [one["id"] for one in episodes("u")] == sorted(
        (f"t{n}" for n in range(total)), key=lambda name: (f"big/s{int(name[1:]) // 50}", int(name[1:]))
    )
    assert jiyi("doctor").status == 0
