"""The messages that the tagger is trained on: every line can be read, and none is one that is measured."""

from __future__ import annotations

import json
from itertools import islice
from pathlib import Path

import pytest

from bench.marked import FOLDER, of_rules, read_marked, scored
from memory.keys import default_keys
from memory.privacy import redact
from memory.tagging.marks import NAMES, Mark
from memory.tagging.witness import OUR_NAMES

FILES = sorted(FOLDER.glob("*.txt"))
MEASURED = Path(__file__).parents[1] / "jiyi" / "evals" / "data"


def test_a_line_is_a_message_and_what_is_marked_in_it(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text(
        "my {{p.relation|sister}} {{who|Ada}} left {{no.p.lives_in|Bristol}}\n\n{{likes|茶}}不错\n", encoding="utf-8"
    )
    first, second = read_marked([path])
    assert first.text == "my sister Ada left Bristol"
    assert [(one.owner, one.attribute, one.ended, first.text[one.start : one.end]) for one in first.marks] == [
        ("person", "relation", False, "sister"),
        ("person", NAMES, False, "Ada"),
        ("person", "lives_in", True, "Bristol"),
    ]
    assert [(one.owner, one.attribute, second.text[one.start : one.end]) for one in second.marks] == [
        ("user", "likes", "茶")
    ]


def test_a_mark_that_is_not_closed_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("I like {{likes|tea\n", encoding="utf-8")
    with pytest.raises(ValueError, match="not closed"):
        read_marked([path])


def test_every_mark_is_of_a_fact_that_may_be_kept_and_nothing_private_is_among_them() -> None:
    messages = read_marked(FILES)
    assert len(messages) > 12_000
    keys = default_keys()
    own = {mark.attribute for message in messages for mark in message.marks if mark.owner == "user"}
    assert [name for name in own if keys.spec(OUR_NAMES.get(name, f"user.{name}")) is None] == []
    assert [message.text for message in messages[::50] if redact(message.text).found] == []


def test_no_message_is_one_that_is_measured() -> None:
    trained = {message.text for message in read_marked(FILES)}
    measured = {
        row[field]
        for pattern, fields in (
            ("*.facts.jsonl", ["text"]),
            ("*.junk.jsonl", ["text"]),
            ("*.changes.jsonl", ["first", "second"]),
        )
        for path in MEASURED.glob(pattern)
        for row in map(json.loads, path.read_text(encoding="utf-8").splitlines())
        for field in fields
    }
    assert measured
    assert trained & measured == set()


def test_examples_of_rules_are_read_as_marked_messages() -> None:
    found = list(islice(of_rules(), 90))
    assert any(message.marks for message in found)
    assert any(not message.marks for message in found)
    assert all(0 <= mark.start < mark.end <= len(message.text) for message in found for mark in message.marks)


def test_marks_are_scored_by_their_words_and_about(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("I like {{likes|green tea}}\nhello\n", encoding="utf-8")
    tea, hello = read_marked([path])
    near = Mark(start=13, end=16, owner="user", attribute="likes", ended=False, confidence=1.0)
    figures = dict(scored([((near,), tea), ((near,), hello)]))
    assert figures["recall"] == 0
    assert figures["recall, about"] == 1
    assert figures["precision, about"] == 0.5
    assert figures["misled"] == 1
